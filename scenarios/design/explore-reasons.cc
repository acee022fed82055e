// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-reasons.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "scenarios/design/explore-rank.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, kMerits.size()> kWorse{"costs more",
                                                         "needs more switches",
                                                         "draws more power",
                                                         "needs more interfaces of the server",
                                                         "may lose more",
                                                         "rests on values that are less sure",
                                                         "can carry fewer events",
                                                         "bears shorter bursts"};

/// The number that a way has of a merit and the best one has of it: "7 against 6".
struct Behind {
    std::optional<Merit> merit;  ///< none where both are equally good
    std::string text;
};

/// What sets a way behind the first one.
Behind behind_first(const Json& way, const Json& first, const Json& result) {
    const double loss = result["loss"];
    const std::string currency = result["currency"];
    const KnownOfAll known = known_of_all(result["ways"]);
    const Merits here = merits_of(way, loss, known), there = merits_of(first, loss, known);
    for (std::size_t i = 0; i < kMerits.size(); ++i)
        if (here[i] != there[i])
            return {kMerits[i], std::string(kWorse[i]) + ": " + merit_text(kMerits[i], way, currency) + " against " +
                                    merit_text(kMerits[i], first, currency)};
    return {std::nullopt, "is as good as the first in all that ways are ranked by"};
}

/// "6 switches with 1 uplink each: 44 ports of 1 Gb/s, 45 are needed"; empty where there is nothing to add.
std::string remark_on(const Json& way) {
    const std::string remark = way["remark"];
    if (remark.empty()) return "";
    return readable_count(way["switches"].get<int>(), "switch", "switches") + " with " +
           readable_count(way["uplinks"].get<int>(), "uplink", "uplinks") + (way["switches"] == 1 ? ": " : " each: ") +
           remark;
}

/// Of one model that needs more switches than the first way: what hinders as few of them.
std::string hindrance(const Json& ways, const std::string& model, const Json& switches) {
    for (const Json& way : ways)
        if (way["rank"].is_null() && way["switch"] == model && way["switches"] == switches)
            return way["remark"] == "" ? switches.dump() + " of them " + way["reason"].get<std::string>()
                                       : remark_on(way);
    return "";
}

}  // namespace

std::string reason_of(const Explored& way, double loss) {
    if (way.fits == Explored::Fit::No) return "do not have the ports";
    if (way.link_load >= 1) return "have modules that send more than their links carry";
    if (way.load >= 1) return "cannot carry the rate";
    if (way.refuted) return "lost too many events when simulated";
    if (loss == 0 && way.log_risk && way.log_risk->upper > std::log(loss))
        return "may lose a frame when triggers come as close as they may";
    if (way.log_risk && way.log_risk->lower > std::log(loss)) return "lose too many events";
    if (way.too_much) return way.beyond;
    if (way.fits == Explored::Fit::Unknown) return "have ports of which it is unknown whether they fit";
    if (!way.log_risk) return way.obstacle;
    if (way.log_risk->upper > std::log(loss))
        return "are not known to lose few enough: the bound that is known is too high";
    return way.beyond;
}

std::map<std::string, std::int64_t> reasons_of(const Json& result) {
    std::map<std::string, std::int64_t> reasons;
    for (const Json& each : result.at("switches"))
        for (const auto& [reason, count] : each.at("out").items()) reasons[reason] += count.get<std::int64_t>();
    return reasons;
}

Json switches_of(const Json& result, const std::map<std::string, std::map<std::string, std::int64_t>>& left_out_of) {
    const Json &ways = result["ways"], &names = result["names"];
    struct OfSwitch {
        std::int64_t ways = 0, feasible = 0;
        const Json *first = nullptr, *nearest = nullptr;
        std::map<std::string, std::int64_t> reasons;
    };
    std::map<std::string, OfSwitch> all;
    // How far a way is from feasible: ports, knowledge, risk; of those alike the first, which needs the least.
    const auto distance = [](const Json& way) {
        return std::tuple(way["fits"] == "no", way["fits"] == "unknown", way["risk"].is_null(),
                          way["log10_risk"].is_null() ? 0.0 : way["log10_risk"].get<double>());
    };
    for (const Json& way : ways) {
        OfSwitch& of = all[way["switch"]];
        ++of.ways;
        if (way["rank"].is_null()) {
            ++of.reasons[way["reason"]];
            if (!of.nearest || distance(way) < distance(*of.nearest)) of.nearest = &way;
        } else {
            ++of.feasible;
            if (!of.first) of.first = &way;
        }
    }
    for (const auto& [model, reasons] : left_out_of)
        for (const auto& [reason, count] : reasons) {
            all[model].ways += count;
            all[model].reasons[reason] += count;
        }
    Json list = Json::array();
    for (const auto& [model, of] : all) {
        std::string why;
        if (of.first && (*of.first)["rank"] == 1) {
            why = "recommended";
        } else if (of.first) {
            const auto [merit, text] = behind_first(*of.first, ways.front(), result);
            why = text;
            if (merit == Merit::Switches)
                if (const std::string why_not = hindrance(ways, model, ways.front()["switches"]); !why_not.empty())
                    why += " (" + why_not + ")";
        } else if (of.nearest) {
            why = "its ways " + (*of.nearest)["reason"].get<std::string>();
            if (const std::string remark = remark_on(*of.nearest); !remark.empty()) why += " (" + remark + ")";
        } else {
            why =
                "its ways " + std::max_element(of.reasons.begin(), of.reasons.end(), [](const auto& a, const auto& b) {
                                  return a.second < b.second;
                              })->first;
        }
        list.push_back({{"switch", model},
                        {"name", names.value(model, model)},
                        {"ways", of.ways},
                        {"feasible", of.feasible},
                        {"rank", of.first ? (*of.first)["rank"] : Json(nullptr)},
                        {"out", of.reasons},
                        {"why", why}});
    }
    std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
        const auto key = [](const Json& each) { return each["rank"].is_null() ? INT_MAX : each["rank"].get<int>(); };
        return key(a) < key(b);
    });
    return list;
}

}  // namespace watershed
