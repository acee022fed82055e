// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-rank.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>

#include "scenarios/design/explore-json.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

double burst_of(const Explored& way) {
    if (!way.watershed) return 0;
    if (way.watershed->unknown_beyond != 0) return static_cast<double>(way.watershed->unknown_beyond);
    return way.watershed->events_lossless ? static_cast<double>(*way.watershed->events_lossless) : HUGE_VAL;
}

double burst_of(const nlohmann::ordered_json& way) {
    if (way.at("never_loses") == true) return HUGE_VAL;
    if (!way.at("watershed_beyond").is_null()) return way.at("watershed_beyond").get<double>();
    return way.at("watershed_events").is_null() ? 0 : way.at("watershed_events").get<double>();
}

/// How far a risk can be relied on: what is certain, then what was simulated, what rests on memory, then what is
/// assumed.
double standing_of(const Explored& way) {
    using Standing = Explored::Standing;
    switch (way.standing()) {
        case Standing::Known:
        case Standing::Bounded: return 0;
        case Standing::Sampled: return 1;
        case Standing::Recalled: return 2;
        case Standing::Assumed: return 3;
        case Standing::Unknown: break;
    }
    return 4;
}

double standing_of(const nlohmann::ordered_json& way) {
    const auto& standing = way.at("risk_standing");
    return standing == "known" || standing == "bounded" ? 0
           : standing == "sampled"                      ? 1
           : standing == "recalled"                     ? 2
           : standing == "assumed"                      ? 3
                                                        : 4;
}

/// Neither is better than the other in what a user would notice.
bool hardly_differ(const Explored& a, const Explored& b, double loss) {
    const auto close = [](double x, double y) { return x == y || std::abs(x - y) <= 0.01 * std::max(x, y); };
    const auto risk = [&](const Explored& way) { return risk_that_counts(way.log_risk->upper / std::log(10), loss); };
    constexpr double kQuarter = 0.1;  // of a decimal logarithm
    return a.stacking.model == b.stacking.model && a.stacking.switches == b.stacking.switches &&
           a.stacking.aggregation == b.stacking.aggregation && a.stacking.interfaces() == b.stacking.interfaces() &&
           close(a.capacity, b.capacity) && close(a.latency_us, b.latency_us) && close(burst_of(a), burst_of(b)) &&
           (risk(a) == risk(b) || std::abs(risk(a) - risk(b)) <= kQuarter);
}

}  // namespace

double risk_that_counts(double log10_risk, double loss) { return std::max(log10_risk, std::log10(loss * kFarBelow)); }

KnownOfAll known_of_all(const std::vector<Explored>& ways, double loss) {
    const auto all = [&](std::optional<double> Explored::*of) {
        return std::all_of(ways.begin(), ways.end(),
                           [&](const Explored& way) { return !feasible(way, loss) || way.*of; });
    };
    return {all(&Explored::price), all(&Explored::power)};
}

KnownOfAll known_of_all(const nlohmann::ordered_json& ways) {
    const auto all = [&](const char* name) {
        return std::all_of(ways.begin(), ways.end(),
                           [&](const auto& way) { return way.at("rank").is_null() || !way.at(name).is_null(); });
    };
    return {all("price"), all("power")};
}

Merits merits_of(const Explored& way, double loss, KnownOfAll known) {
    return {known.price ? *way.price : 0,
            static_cast<double>(way.stacking.switches_in_all()),
            known.power ? *way.power : 0,
            static_cast<double>(way.stacking.interfaces()),
            risk_that_counts(way.log_risk->upper / std::log(10), loss),
            standing_of(way),
            -way.capacity,
            -burst_of(way)};
}

Merits merits_of(const nlohmann::ordered_json& way, double loss, KnownOfAll known) {
    const auto number = [&](const char* name) { return way.at(name).get<double>(); };
    return {known.price ? number("price") : 0,
            number("switches") + (way.at("aggregation").is_null() ? 0 : 1),
            known.power ? number("power") : 0,
            number("interfaces"),
            risk_that_counts(way.at("log10_risk").is_null() ? -HUGE_VAL : number("log10_risk"), loss),
            standing_of(way),
            -number("capacity"),
            -burst_of(way)};
}

std::string merit_text(Merit merit, const nlohmann::ordered_json& way, const std::string& currency) {
    const auto number = [&](const char* name, int digits) { return readable(way.at(name).get<double>(), digits); };
    switch (merit) {
        case Merit::Price: return number("price", 6) + (currency.empty() ? "" : " " + currency);
        case Merit::Switches:
            return std::to_string(way.at("switches").get<int>() + (way.at("aggregation").is_null() ? 0 : 1));
        case Merit::Power: return number("power", 6) + " W";
        case Merit::Interfaces: return way.at("interfaces").dump();
        case Merit::Risk:
            if (const Known risk = risk_of_way(way); !risk.is_zero())
                return risk.is_close() ? readable_chance_of_log10(risk.log10_upper(), 2, Rounded::Up)
                                       : risk.limit().words(readable_chance_of_log10, 2);
            return "never";
        case Merit::Standing: return way.at("risk_standing");
        case Merit::Capacity: return number("capacity", 4);
        case Merit::Burst: break;
    }
    const double burst = burst_of(way);
    if (!std::isfinite(burst)) return "no limit";
    return (way.at("watershed_beyond").is_null() ? "" : "more than ") + readable_count(std::llround(burst));
}

bool feasible(const Explored& way, double loss) {
    return way.fits == Explored::Fit::Yes && way.carries() && way.beyond.empty() && !way.refuted && way.log_risk &&
           way.log_risk->upper <= std::log(loss);
}

void rank(std::vector<Explored>& ways, double loss) {
    for (Explored& way : ways) {
        way.rank = way.same_as = 0;
        way.pareto = false;
    }
    const KnownOfAll known = known_of_all(ways, loss);
    const auto merits = [&](const Explored& way) { return merits_of(way, loss, known); };
    const auto others =
        std::stable_partition(ways.begin(), ways.end(), [&](const Explored& way) { return feasible(way, loss); });
    std::stable_sort(ways.begin(), others, [&](const Explored& a, const Explored& b) {
        return std::pair(merits(a), a.stacking.model) < std::pair(merits(b), b.stacking.model);
    });
    const auto need = [](const Explored& way) {
        return std::tuple(way.fits == Explored::Fit::No, way.stacking.interfaces(), way.stacking.switches_in_all(),
                          way.log_risk ? way.log_risk->upper : 1.0);
    };
    std::stable_sort(others, ways.end(), [&](const Explored& a, const Explored& b) { return need(a) < need(b); });

    const auto respects = [&](const Explored& way) {
        return std::array{known.price ? *way.price : static_cast<double>(way.stacking.switches_in_all()),
                          static_cast<double>(way.stacking.interfaces()), static_cast<double>(way.stacking.links()),
                          risk_that_counts(way.log_risk->upper / std::log(10), loss)};
    };
    const auto beats = [&](const Explored& a, const Explored& b) {
        const auto of_a = respects(a), of_b = respects(b);
        return of_a != of_b && std::equal(of_a.begin(), of_a.end(), of_b.begin(), std::less_equal<>());
    };
    for (auto way = ways.begin(); way != others; ++way) {
        way->rank = static_cast<int>(way - ways.begin()) + 1;
        way->pareto = std::none_of(ways.begin(), others, [&](const Explored& other) { return beats(other, *way); });
        const auto like =
            std::find_if(ways.begin(), way, [&](const Explored& other) { return hardly_differ(other, *way, loss); });
        if (like != way) way->same_as = like->rank;
    }
}

}  // namespace watershed
