// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-what-if.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/risk/certain-loss.h"
#include "scenarios/design/explore-ways.h"
#include "scenarios/design/sensitivity.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// The bound alone where that is enough, or where the chain would take long, as it does near saturation.
Risk certain_risk(const Scenario& scenario, double wanted) {
    constexpr double kBusy = 0.8;  // load
    CertainLoss certain = CertainLoss::of(scenario, std::nullopt);
    if (!certain.log || (certain.log->upper > std::log(wanted) && certain.load < kBusy))
        certain = CertainLoss::of(scenario, kExactWithin);
    if (!certain.log) throw InputError(certain.obstacles());
    return {certain.bounded ? "bound" : "chain", *certain.log, true, ""};
}

bool asks_for_a_stream(const WhatIf& question) {
    return std::any_of(question.keys.begin(), question.keys.end(),
                       [](const std::string& key) { return begins_with(key, "traffic."); });
}

}  // namespace

Json what_if_of(const Wanted& wanted, const std::vector<Explored>& ways, const std::set<int>& ranks,
                const std::vector<CatalogueSwitch>& catalogue, Engine& engine) {
    Json all = Json::array();
    for (const int rank : ranks) {
        const Stacking& stacking = ways.at(static_cast<std::size_t>(rank - 1)).stacking;
        const auto [first, second] = entries_of(stacking, catalogue);
        const WayKeys keys = keys_of(wanted, stacking, first, second);
        const auto read = [&](const std::vector<std::string>& further, std::vector<AssumedValue>* assumed = nullptr) {
            WayKeys changed = keys;
            changed.overrides.insert(changed.overrides.end(), further.begin(), further.end());
            return read_camera(wanted, changed, nullptr, assumed);
        };
        std::vector<AssumedValue> assumed;
        const Scenario today = read({}, &assumed);
        std::vector<WhatIf> questions = what_if_questions(today, assumed, catalogue);
        questions.erase(std::remove_if(questions.begin(), questions.end(), asks_for_a_stream), questions.end());
        const Design design{[&](const std::vector<std::string>& further) { return read(further); },
                            [&](const Scenario& scenario) { return certain_risk(scenario, wanted.loss); }, engine,
                            wanted.loss};
        Json asked{{"rank", rank}};
        asked.update(sensitivity_of(design, questions));
        all.push_back(std::move(asked));
    }
    return all;
}

std::string what_if_in_words(const Json& asked) {
    const auto named = [&](const char* verdict) {
        for (const Json& row : asked.at("rows"))
            if (row.at("verdict") == verdict) return row.at("what_if").get<std::string>();
        return std::string();
    };
    const std::string fails = named("breaks"), open = named("open");
    std::string text = fails.empty() ? "nothing asked breaks it" : "first breaks with: " + fails;
    if (!open.empty()) text += "; not certain with: " + open;
    const Json& margins = asked.at("margins");
    if (margins.is_null()) return text;
    return text + "; bears " + (margins.at("rate_percent") >= kMostRate ? "more than " : "") +
           margins.at("rate_percent").dump() + " % of the trigger rate asked for, or " +
           margins.at("memory_percent").dump() + " % of the memory";
}

}  // namespace watershed
