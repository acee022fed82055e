// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/ranking.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <functional>
#include <tuple>

#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

double burst_of(const RatedDesign& way) {
    if (!way.watershed) return 0;
    if (way.watershed->unknown_beyond != 0) return double(way.watershed->unknown_beyond);
    return way.watershed->events_lossless ? double(*way.watershed->events_lossless) : HUGE_VAL;
}

/// Returns the rank of the evidence for a risk: proven, then simulated, recalled, and assumed.
double standing_of(const RatedDesign& way) {
    return std::max(0, int(way.standing()) - int(RatedDesign::Standing::Bounded));
}

/// Returns true if two designs hardly differ for a user.
bool hardly_differ(const RatedDesign& a, const RatedDesign& b, double loss) {
    const auto close = [](double x, double y) { return x == y || std::abs(x - y) <= 0.01 * std::max(x, y); };
    const auto risk = [&](const RatedDesign& way) { return risk_that_counts(way, loss); };
    constexpr double kQuarter = 0.1;  // fraction of a decimal logarithm
    return a.stacking.model == b.stacking.model && a.stacking.switches == b.stacking.switches &&
           a.stacking.aggregation == b.stacking.aggregation && a.stacking.interfaces() == b.stacking.interfaces() &&
           close(a.capacity, b.capacity) && close(a.latency_us, b.latency_us) && close(burst_of(a), burst_of(b)) &&
           (risk(a) == risk(b) || std::abs(risk(a) - risk(b)) <= kQuarter);
}

}  // namespace

double risk_that_counts(const RatedDesign& way, double loss) {
    return std::max(way.risk().log10_upper(), std::log10(loss * kFarBelow));
}

bool is_far_below(const RatedDesign& way, double loss) {
    return way.risk().log10_upper() < std::log10(loss * kFarBelow);
}

UsableCosts known_of_all(const std::vector<RatedDesign>& ways, double loss) {
    const auto all = [&](std::optional<double> RatedDesign::*of) {
        return std::all_of(ways.begin(), ways.end(),
                           [&](const RatedDesign& way) { return !feasible(way, loss) || way.*of; });
    };
    return {all(&RatedDesign::price), all(&RatedDesign::power)};
}

Merits merits_of(const RatedDesign& way, double loss, UsableCosts known) {
    return {known.price ? *way.price : 0,
            double(way.stacking.switches_in_all()),
            known.power ? *way.power : 0,
            double(way.stacking.interfaces()),
            risk_that_counts(way, loss),
            standing_of(way),
            -way.capacity,
            -burst_of(way)};
}

std::string merit_text(RankingCriterion merit, const RatedDesign& way, const std::string& currency) {
    switch (merit) {
        case RankingCriterion::Price: return readable(*way.price, 6) + (currency.empty() ? "" : " " + currency);
        case RankingCriterion::Switches: return std::to_string(way.stacking.switches_in_all());
        case RankingCriterion::Power: return readable(*way.power, 6) + " W";
        case RankingCriterion::Interfaces: return std::to_string(way.stacking.interfaces());
        case RankingCriterion::Risk:
            if (const Known risk = way.risk(); !risk.is_zero())
                return risk.is_close() ? readable_chance_of_log10(risk.log10_upper(), 2, Rounded::Up)
                                       : risk.limit().words(readable_chance_of_log10, 2);
            return "never";
        case RankingCriterion::Standing: return name_of(way.standing());
        case RankingCriterion::Capacity: return readable(way.capacity, 4);
        case RankingCriterion::Burst: break;
    }
    const std::string text = boundary_text(way.watershed);
    return text.empty() ? "0" : begins_with(text, "> ") ? "more than " + text.substr(2) : text;
}

std::string boundary_text(const std::optional<Boundary>& watershed) {
    if (!watershed) return "";
    if (watershed->unknown_beyond != 0) return "> " + readable_count(watershed->unknown_beyond);
    return watershed->events_lossless ? readable_count(*watershed->events_lossless) : "no limit";
}

bool feasible(const RatedDesign& way, double loss) {
    return way.fits == RatedDesign::Fit::Yes && way.carries() && way.beyond.empty() && !way.refuted && way.log_risk &&
           way.log_risk->upper <= std::log(loss);
}

void rank(std::vector<RatedDesign>& ways, double loss) {
    for (RatedDesign& way : ways) {
        way.rank = way.same_as = 0;
        way.pareto = false;
        way.reason = feasible(way, loss) ? "" : reason_of(way, loss);
    }
    const UsableCosts known = known_of_all(ways, loss);
    const auto merits = [&](const RatedDesign& way) { return merits_of(way, loss, known); };
    const auto others =
        std::stable_partition(ways.begin(), ways.end(), [&](const RatedDesign& way) { return feasible(way, loss); });
    std::stable_sort(ways.begin(), others, [&](const RatedDesign& a, const RatedDesign& b) {
        return std::pair(merits(a), a.stacking.model) < std::pair(merits(b), b.stacking.model);
    });
    const auto need = [](const RatedDesign& way) {
        return std::tuple(way.fits == RatedDesign::Fit::No, way.stacking.interfaces(), way.stacking.switches_in_all(),
                          way.log_risk ? way.log_risk->upper : 1.0);
    };
    std::stable_sort(others, ways.end(), [&](const RatedDesign& a, const RatedDesign& b) { return need(a) < need(b); });

    const auto respects = [&](const RatedDesign& way) {
        return std::array{known.price ? *way.price : double(way.stacking.switches_in_all()),
                          double(way.stacking.interfaces()), double(way.stacking.links()), risk_that_counts(way, loss)};
    };
    const auto beats = [&](const RatedDesign& a, const RatedDesign& b) {
        const auto of_a = respects(a), of_b = respects(b);
        return of_a != of_b && std::equal(of_a.begin(), of_a.end(), of_b.begin(), std::less_equal<>());
    };
    for (auto way = ways.begin(); way != others; ++way) {
        way->rank = int(way - ways.begin()) + 1;
        way->pareto = std::none_of(ways.begin(), others, [&](const RatedDesign& other) { return beats(other, *way); });
        const auto like =
            std::find_if(ways.begin(), way, [&](const RatedDesign& other) { return hardly_differ(other, *way, loss); });
        if (like != way) way->same_as = like->rank;
    }
}

std::string reason_of(const RatedDesign& way, double loss) {
    if (way.fits == RatedDesign::Fit::No) return "do not have the ports";
    if (way.link_load >= 1) return "have modules that send more than their links carry";
    if (way.load >= 1) return "cannot carry the rate";
    if (way.refuted) return "lost too many events when simulated";
    if (loss == 0 && way.log_risk && way.log_risk->upper > std::log(loss))
        return "may lose a frame when triggers come as close as they may";
    if (way.log_risk && way.log_risk->lower > std::log(loss)) return "lose too many events";
    if (way.too_much) return way.beyond;
    if (way.fits == RatedDesign::Fit::Unknown) return "have ports of which it is unknown whether they fit";
    if (!way.log_risk) return way.obstacle;
    if (way.log_risk->upper > std::log(loss))
        return way.sampled ? "are not known to lose few enough: what was simulated is too short to tell (--verify "
                             "simulates longer, --loss may be larger, --guarantee proves)"
                           : "are not known to lose few enough: the bound that is known is too high";
    return way.beyond;
}

namespace {

constexpr std::array<const char*, kMerits.size()> kWorse{"costs more",
                                                         "needs more switches",
                                                         "draws more power",
                                                         "needs more interfaces of the server",
                                                         "may lose more",
                                                         "rests on values that are less sure",
                                                         "can carry fewer events",
                                                         "bears shorter bursts"};

/// First criterion in which a design is worse than the best one, with both values: "7 against 6".
struct RankDifference {
    std::optional<RankingCriterion> merit;  ///< std::nullopt if both are equally good
    std::string text;
};

RankDifference behind_first(const RatedDesign& way, const ExploreResult& result) {
    const RatedDesign& first = result.ways.front();
    const UsableCosts known = known_of_all(result.ways, result.loss);
    const Merits here = merits_of(way, result.loss, known), there = merits_of(first, result.loss, known);
    for (std::size_t i = 0; i < kMerits.size(); ++i)
        if (here[i] != there[i])
            return {kMerits[i], std::string(kWorse[i]) + ": " + merit_text(kMerits[i], way, result.currency) +
                                    " against " + merit_text(kMerits[i], first, result.currency)};
    return {std::nullopt, "is as good as the first in all that ways are ranked by"};
}

/// Returns details: "6 switches with 1 uplink each: 44 ports of 1 Gb/s, 45 are needed"; empty if there are none.
std::string remark_on(const RatedDesign& way) {
    if (way.remark.empty()) return "";
    return readable_count(way.stacking.switches, "switch", "switches") + " with " +
           readable_count(way.stacking.uplinks, "uplink", "uplinks") + (way.stacking.switches == 1 ? ": " : " each: ") +
           way.remark;
}

/// Returns the reason why a model needs more switches than the best design.
std::string hindrance(const std::vector<RatedDesign>& ways, const std::string& model) {
    const int switches = ways.front().stacking.switches;
    for (const RatedDesign& way : ways)
        if (way.rank == 0 && way.stacking.model == model && way.stacking.switches == switches)
            return way.remark.empty() ? std::to_string(switches) + " of them " + way.reason : remark_on(way);
    return "";
}

}  // namespace

std::vector<SwitchSummary> switches_of(const ExploreResult& result, const std::map<std::string, Reasons>& left_out_of) {
    std::map<std::string, SwitchSummary> all;
    std::map<std::string, const RatedDesign*> first, nearest;
    // The closest design to feasible: by ports, known values, then risk; of equal ones the first, which needs the
    // least.
    const auto distance = [](const RatedDesign& way) {
        return std::tuple(way.fits == RatedDesign::Fit::No, way.fits == RatedDesign::Fit::Unknown, !way.log_risk,
                          way.log_risk ? way.log_risk->upper : 0.0);
    };
    for (const RatedDesign& way : result.ways) {
        SwitchSummary& of = all[way.stacking.model];
        ++of.ways;
        if (way.rank == 0) {
            ++of.out[way.reason];
            const RatedDesign*& closest = nearest[way.stacking.model];
            if (!closest || distance(way) < distance(*closest)) closest = &way;
        } else {
            ++of.feasible;
            if (first.try_emplace(way.stacking.model, &way).second) of.rank = way.rank;
        }
    }
    for (const auto& [model, reasons] : left_out_of)
        for (const auto& [reason, count] : reasons) {
            all[model].ways += count;
            all[model].out[reason] += count;
        }
    std::vector<SwitchSummary> list;
    for (auto& [model, of] : all) {
        of.model = model;
        const auto name = result.names.find(model);
        of.name = name == result.names.end() ? model : name->second;
        if (of.rank == 1) {
            of.why = "recommended";
        } else if (of.rank) {
            const auto [merit, text] = behind_first(*first[model], result);
            const std::string why_not = merit == RankingCriterion::Switches ? hindrance(result.ways, model) : "";
            of.why = text + (why_not.empty() ? "" : " (" + why_not + ")");
        } else if (const RatedDesign* closest = nearest[model]) {
            const std::string remark = remark_on(*closest);
            of.why = "its ways " + closest->reason + (remark.empty() ? "" : " (" + remark + ")");
        } else {
            of.why = "its ways " + std::max_element(of.out.begin(), of.out.end(), [](const auto& a, const auto& b) {
                                       return a.second < b.second;
                                   })->first;
        }
        list.push_back(of);
    }
    std::stable_sort(list.begin(), list.end(), [](const SwitchSummary& a, const SwitchSummary& b) {
        return a.rank.value_or(INT_MAX) < b.rank.value_or(INT_MAX);
    });
    return list;
}

}  // namespace watershed
