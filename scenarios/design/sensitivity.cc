// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/frontend/module-groups.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/direct-risk.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/design/compare.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/members.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;
using Pattern = Trigger::Pattern;

constexpr std::int64_t kLongestBurst = 4;  ///< longest simulated burst, in lengths of the scenario's burst

/// Returns `percent` percent of a number, rounded down, at least 1.
std::int64_t percent_of(std::int64_t whole, std::int64_t percent) {
    return std::max<std::int64_t>(1, std::int64_t(Wide{whole} * percent / 100));
}

/// Returns the key that sets triggers to `percent` percent of their rate; std::nullopt if their times are given.
std::optional<std::string> faster_triggers(const Trigger& trigger, int percent) {
    switch (trigger.pattern) {
        case Pattern::Poisson:
        case Pattern::Periodic: return "trigger.rate=" + to_text(Frequency{percent_of(trigger.rate.count, percent)});
        case Pattern::Burst:
        case Pattern::Bursts:
            return "trigger.separation=" +
                   to_text(Time{std::int64_t(Wide{trigger.separation.count()} * 100 / percent)});
        case Pattern::File:
        case Pattern::Profile:
        case Pattern::LineRatePlusBurst: return std::nullopt;
    }
    return std::nullopt;
}

/// Returns the keys that set the triggers of all modules to `percent` percent of their rate; empty if times are given.
std::vector<std::string> faster_triggers(const Scenario& design, int percent) {
    std::vector<std::string> keys;
    const std::vector<Group> groups = ModuleGroups(design).all();
    if (std::any_of(groups.begin(), groups.end(), [](const Group& group) { return !group.trigger; })) {
        const auto key = faster_triggers(design.trigger, percent);
        if (!key) return {};
        keys.push_back(*key);
    }
    for (const Group& group : groups) {
        if (!group.trigger) continue;
        const auto key = faster_triggers(*group.trigger, percent);
        if (!key) return {};
        keys.push_back("group." + group.name + "." + *key);
    }
    return keys;
}

/// Returns the keys that add a module to each switch or, where there are groups, to each group.
std::vector<std::string> more_modules(const Scenario& design) {
    if (design.groups.empty())
        return {"front_end.modules=" + std::to_string(design.front_end.modules + design.network_switch.count)};
    std::vector<std::string> keys;
    for (const Group& group : design.groups)
        keys.push_back("group." + group.name + ".modules=" + std::to_string(group.front_end.modules + 1));
    return keys;
}

/// Returns the switches of a design: name of the table and settings.
std::vector<std::pair<std::string, const Switch*>> switches_of(const Scenario& design) {
    std::vector<std::pair<std::string, const Switch*>> switches;
    for (const Node& node : design.nodes) switches.emplace_back("node." + node.name, &node.network_switch);
    if (design.nodes.empty()) switches.emplace_back("switch", &design.network_switch);
    if (design.aggregation) switches.emplace_back("aggregation", &*design.aggregation);
    return switches;
}

std::string memory_key(const std::string& table, const Switch& of, int percent) {
    return table +
           ".buffer.size=" + to_text(MemorySize{percent_of(of.buffer.size.amount, percent), of.buffer.size.unit});
}

/// Returns the keys that set each memory to `percent` percent of its size.
std::vector<std::string> smaller_memories(const Scenario& design, int percent) {
    std::vector<std::string> keys;
    for (const auto& [table, settings] : switches_of(design)) keys.push_back(memory_key(table, *settings, percent));
    return keys;
}

/// Returns `keys` and, if the design states the number of server interfaces, a key with `fewer` of them: the server has
/// one interface per link that leads to it.
std::vector<std::string> with_interfaces(const Scenario& design, std::vector<std::string> keys, int fewer) {
    if (design.server.interfaces)
        keys.push_back("server.interfaces=" + std::to_string(*design.server.interfaces - fewer));
    return keys;
}

/// Returns the questions about the failure of an uplink or a switch.
std::vector<WhatIf> failures(const Scenario& design) {
    std::vector<WhatIf> questions;
    if (!design.nodes.empty())
        return questions;  // a graph does not say to which other switch a module could be connected
    const Switch& first = design.network_switch;
    const bool last = !design.aggregation;
    const auto of_links = [&](const std::string& table, const Switch& settings, const std::string& where, int fewer) {
        if (settings.uplinks == 1)
            questions.push_back({"the uplink of " + where + " is gone", {}, "it is the only one"});
        else if ((&settings != &first || last) && settings.uplinks * settings.count <= design.builders.count)
            questions.push_back({"an uplink of " + where + " is gone", {}, "it is the only one to its event builder"});
        else
            questions.push_back(
                {"an uplink of " + where + " is gone",
                 with_interfaces(design, {table + ".uplinks=" + std::to_string(settings.uplinks - 1)}, fewer)});
    };
    of_links("switch", first, first.count == 1 ? "the switch" : "each switch", last ? first.count : 0);
    if (!last) of_links("aggregation", *design.aggregation, "the second tier", design.aggregation->count);
    if (first.count == 1)
        questions.push_back({"the switch is gone", {}, "it is the only one"});
    else
        questions.push_back(
            {"a switch is gone, its modules are at the others",
             with_interfaces(design, {"switch.count=" + std::to_string(first.count - 1)}, last ? first.uplinks : 0)});
    return questions;
}

/// Returns the distinct values of a key over the switches of the catalogue, in the order of the catalogue.
std::vector<std::string> values_in(const std::vector<CatalogueSwitch>& catalogue, const std::string& key) {
    std::vector<std::string> values;
    for (const CatalogueSwitch& entry : catalogue)
        if (const CatalogueSwitch::Value* value = entry.find(key); value && value->value) {
            const std::string text = value_text(*value->value);
            if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(text);
        }
    return values;
}

/// Returns a switch's key as in the catalogue: "switch.latency" for "aggregation.latency" or "node.core.latency".
std::string key_of_switch(const std::string& key) {
    const auto table = begins_with(key, "node.") ? key.find('.', 5) : key.find('.');
    return "switch" + key.substr(table);
}

enum class Verdict { Holds, Open, Breaks, Refused };

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::Holds: return "holds";
        case Verdict::Open: return "open";
        case Verdict::Breaks: return "breaks";
        case Verdict::Refused: return "refused";
    }
    return "";
}

/// Answer to one question.
struct Reaction {
    Verdict verdict = Verdict::Refused;
    double badness = 0;  ///< larger is worse, among reactions of one verdict
    Json found = Json::object();
};

/// Whether triggers come without end, so that the chance of loss is defined.
bool is_endless(const Scenario& design) { return design.traffic.empty() && !ending_trigger(design); }

/// Compares a probability, or its logarithm, with the wanted one.
Verdict verdict_of(const Enclosure& chance, double wanted) {
    return chance.upper <= wanted ? Verdict::Holds : chance.lower > wanted ? Verdict::Breaks : Verdict::Open;
}

/// Whether arithmetic tells that too many events are incomplete: of what a link is given at least 1 - 1 / load never
/// leaves it, and an incomplete event accounts for no more of that than the largest event brings.
bool is_overloaded(const Design& judged, const Scenario& design) {
    constexpr double kMostUneven = 1000;  // largest event on a link over the mean one: payloads, builders, groups
    return is_endless(design) && 1 - 1 / fullest_link(design, Network(design), event_rates(design).of_groups).load >
                                     kMostUneven * judged.loss;
}

Reaction risk_of(const Design& judged, const Scenario& design) {
    const Risk risk = judged.risk(design);
    Reaction reaction;
    reaction.badness = risk.log.estimate;
    reaction.verdict = verdict_of(risk.log, std::log(judged.loss));
    reaction.found["risk"] = risk;
    return reaction;
}

Reaction run_of(const Design& judged, const Scenario& design) {
    const Outcome outcome = judged.engine.run(design);
    Reaction reaction;
    reaction.badness = double(outcome.frames_lost());
    reaction.verdict = design.trigger.pattern == Pattern::Poisson
                           ? verdict_of(loss_probability({counts_of(outcome, outcome.events_sent)}), judged.loss)
                       : outcome.frames_lost() > 0 ? Verdict::Breaks
                                                   : Verdict::Holds;
    reaction.found["frames"] = {{"sent", outcome.frames_sent}, {"lost", outcome.frames_lost()}};
    reaction.found["events"] = {{"sent", outcome.events_sent}, {"complete", outcome.events_complete}};
    if (design.trigger.pattern == Pattern::Burst && design.traffic.empty()) {
        const std::int64_t longest = std::max<std::int64_t>(kLongestSimulated, kLongestBurst * *design.trigger.events);
        const Boundary boundary = find_boundary(judged.engine, design, design.trigger.separation, longest, longest);
        reaction.found["events_lossless"] = json_of(boundary.events_lossless);
        reaction.found["events_unknown_beyond"] =
            boundary.unknown_beyond != 0 ? Json(boundary.unknown_beyond) : Json(nullptr);
    }
    return reaction;
}

/// Returns an error text without its place, which would name a key of the question that the user did not set.
std::string without_place(const std::string& why) {
    const auto found = why.find(": found ");
    return found == std::string::npos ? why : why.substr(found + 2);
}

/// @param verdict_alone  no number is wanted, so that arithmetic may save a simulation
Reaction reaction_of(const Design& judged, const WhatIf& question, bool verdict_alone = false) {
    Reaction reaction;
    if (!question.cut_off.empty()) {
        reaction.verdict = Verdict::Breaks;
        reaction.found["why"] = "no event is complete: " + question.cut_off;
        return reaction;
    }
    try {
        const Scenario design = judged.read(question.keys);
        if (verdict_alone && is_overloaded(judged, design)) {
            reaction.verdict = Verdict::Breaks;
            return reaction;
        }
        reaction = is_endless(design) ? risk_of(judged, design) : run_of(judged, design);
        if (is_endless(design) && design.nodes.empty() && design.groups.empty() && design.builders.count == 1) {
            const Rates rates = rates_of(design);
            reaction.found["load"] = std::max(rates.load, rates.link_load);
            if (rates.link_load >= 1) {
                reaction.verdict = Verdict::Breaks;
                reaction.found["why"] =
                    "the modules' links are given more than they can carry: events wait ever longer";
            }
        }
    } catch (const InputError& error) {
        reaction.found["why"] = without_place(error.what());
    } catch (const std::invalid_argument& error) {
        reaction.found["why"] = without_place(error.what());
    }
    return reaction;
}

bool is_worse(const Reaction& one, const Reaction& than) {
    if (than.verdict == Verdict::Refused || one.verdict == Verdict::Refused) return than.verdict == Verdict::Refused;
    return std::pair(one.verdict, one.badness) > std::pair(than.verdict, than.badness);
}

/// Returns the last number from `good` towards `bad` for which `holds` is true, by bisection. @pre true for `good` and
/// false for `bad`
template <class Holds>
int last_good(int good, int bad, const Holds& holds) {
    while (std::abs(bad - good) > 1) (holds((good + bad) / 2) ? good : bad) = (good + bad) / 2;
    return good;
}

/// Returns the margins: percentages of the design's values to which the trigger rate may rise and memories may shrink.
Json margins_of(const Design& judged, const Scenario& today, Progress& progress, std::int64_t done) {
    const auto holds = [&](const std::vector<std::string>& keys) {
        progress.done(++done);
        return reaction_of(judged, {"", keys}, true).verdict == Verdict::Holds;
    };
    Json margins{{"rate_percent", nullptr}, {"memory_percent", nullptr}};
    if (!faster_triggers(today, 100).empty()) {
        const auto at = [&](int percent) { return holds(faster_triggers(today, percent)); };
        int good = 100;
        while (good < kMostRate && at(2 * good)) good *= 2;
        margins["rate_percent"] = good < kMostRate ? last_good(good, 2 * good, at) : good;
        margins["rate_percent_at_least"] = good >= kMostRate;  // the search ended there
    }
    const auto with = [&](int percent) { return holds(smaller_memories(today, percent)); };
    margins["memory_percent"] = last_good(100, 0, with);
    return margins;
}

/// Returns true if the risk comes from a simulation: each answer then takes long, so that no margin is sought.
bool is_sampled(const Json& row) { return row.contains("risk") && risk_of_members(row["risk"]).sampled; }

Json keys_as_json(const std::vector<std::string>& keys) {
    Json object = Json::object();
    for (const std::string& each : keys) object[each.substr(0, each.find('='))] = each.substr(each.find('=') + 1);
    return object;
}

}  // namespace

std::vector<WhatIf> what_if_questions(const Scenario& design, const std::vector<AssumedValue>& assumed,
                                      const std::vector<CatalogueSwitch>& catalogue) {
    std::vector<WhatIf> questions{{"as it is", {}}};
    for (const int more : {10, 30, 100})
        if (auto keys = faster_triggers(design, 100 + more); !keys.empty())
            questions.push_back({"trigger rate + " + std::to_string(more) + " %", std::move(keys)});
    for (const auto& [table, settings] : switches_of(design))
        questions.push_back({"half the memory of [" + table + "]", {memory_key(table, *settings, 50)}});
    for (const AssumedValue& each : assumed)
        if (each.overridden.empty())
            for (const std::string& value : values_in(catalogue, key_of_switch(each.key)))
                questions.push_back({each.key + ", unknown, at its worst", {each.key + "=" + value}});
    for (WhatIf& each : failures(design)) questions.push_back(std::move(each));
    if (design.nodes.empty())
        questions.push_back({!design.groups.empty()             ? "one more module of each group"
                             : design.network_switch.count == 1 ? "one more module"
                                                                : "one more module at each switch",
                             more_modules(design)});
    const std::int64_t tenth = percent_of(Network(design).links().front().rate.count, 10);
    questions.push_back({"a second stream of a tenth of an uplink",
                         {"traffic.what-if.rate=" + to_text(BitRate{tenth}),
                          "traffic.what-if.link_rate=" + to_text(Network(design).links().front().rate)}});
    return questions;
}

Json sensitivity_of(const Design& judged, const std::vector<WhatIf>& questions) {
    constexpr std::int64_t kMarginSteps = 16;  // steps of the progress bar, about as many as both margins take
    Progress progress("sensitivity", "answers", std::int64_t(questions.size()) + kMarginSteps);
    std::int64_t done = 0;
    Json result{{"holds", nullptr},
                {"loss", judged.loss},
                {"breaks", Json::array()},
                {"margins", nullptr},
                {"rows", Json::array()}};
    for (std::size_t i = 0; i < questions.size();) {
        std::optional<Reaction> worst;
        std::size_t which = i;
        const std::string& question = questions[i].question;
        for (; i < questions.size() && questions[i].question == question; ++i) {
            Reaction reaction = reaction_of(judged, questions[i]);
            if (!worst || is_worse(reaction, *worst)) worst = std::move(reaction), which = i;
            progress.done(++done);
        }
        Json row{
            {"what_if", question}, {"set", keys_as_json(questions[which].keys)}, {"verdict", name_of(worst->verdict)}};
        row.update(worst->found);
        if (questions[which].keys.empty() && questions[which].cut_off.empty()) {
            if (worst->verdict == Verdict::Refused) throw InputError(row["why"].get<std::string>());
            if (worst->verdict != Verdict::Open) result["holds"] = worst->verdict == Verdict::Holds;
        } else if (worst->verdict == Verdict::Breaks) {
            result["breaks"].push_back(question);
        }
        result["rows"].push_back(row);
    }
    if (result["holds"] == true && !is_sampled(result["rows"][0]))
        result["margins"] = margins_of(judged, judged.read({}), progress, done);
    return result;
}

std::string sensitivity_as_table(const Json& result) {
    std::string text;
    const bool random = result["rows"][0].contains("risk");
    const std::string wanted =
        random ? "an event is incomplete with a chance of at most " + in_ascii(readable_chance(result["loss"]))
               : "no frame is lost";
    text += "Wanted: " + wanted + ". As it is the design " +
            (result["holds"].is_null() ? "may or may not do that"
             : result["holds"] == true ? "does that"
                                       : "does not do that") +
            ".\n";
    if (const Json& margins = result["margins"]; !margins.is_null()) {
        text += "It bears";
        if (!margins["rate_percent"].is_null())
            text += (margins["rate_percent_at_least"] == true ? " more than " : " ") +
                    std::to_string(margins["rate_percent"].get<int>()) + " % of the trigger rate, or";
        text += " " + std::to_string(margins["memory_percent"].get<int>()) + " % of the memory.\n";
    }
    if (result["holds"] == true && result["margins"].is_null())
        text += "How much more it bears was not sought, since its risk is sampled.\n";
    std::vector<std::vector<std::string>> lines{
        {"what if", "load", random ? "chance of loss" : "frames lost", "longest lossless burst", "verdict"}};
    std::string reasons;
    for (const Json& row : result["rows"]) {
        const std::string load = row.contains("load") ? readable(100 * row["load"].get<double>(), 3) + " %" : "";
        const std::string loss = row.contains("risk") ? risk_in_words(row["risk"])
                                 : row.contains("frames")
                                     ? readable_count(row["frames"]["lost"].get<std::int64_t>()) + " of " +
                                           readable_count(row["frames"]["sent"].get<std::int64_t>())
                                     : "";
        lines.push_back({row["what_if"], load, in_ascii(loss),
                         row.contains("events_lossless") ? in_ascii(burst_text(row)) : "", row["verdict"]});
        if (row.contains("why"))
            reasons += row["what_if"].get<std::string>() + ": " + row["why"].get<std::string>() + "\n";
    }
    for (std::size_t column = lines.front().size(); column-- > 0;)  // remove empty columns
        if (std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) { return line[column].empty(); }))
            for (auto& line : lines) line.erase(line.begin() + std::ptrdiff_t(column));
    std::vector<bool> to_the_left(lines.front().size());
    to_the_left.front() = to_the_left.back() = true;
    for (const std::string& row : aligned(lines, to_the_left)) text += row + '\n';
    return text + reasons;
}

}  // namespace watershed
