// SPDX-License-Identifier: GPL-2.0-only
// Rules of triggers with which nothing is lost.
#include <algorithm>
#include <cmath>

#include "model/frontend/trigger.h"
#include "scenarios/commands/options.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::string share_text(const RefusedShare& share) {
    if (share.calculated) return text_line("%.4g %%", 100 * share.estimate);
    return plain_number(std::log10(100 * share.lower), 3, Rounded::Down) + " to " +
           plain_number(std::log10(100 * share.upper), 3, Rounded::Up) + " %";
}

/// Rules of the scenario, as it writes them.
std::vector<std::string> own_rules(const Trigger& trigger) {
    std::vector<std::string> rules;
    for (const TriggerRule& rule : trigger.rules) rules.push_back(to_text(rule));
    return rules;
}

std::string witness_file(const std::string& prefix, const LosslessRule& rule) { return prefix + rule.kind + ".txt"; }

/// The kinds of rules that were not sought, and why.
std::vector<std::pair<std::string, const UnsupportedKey*>> not_sought(const Throttle& found) {
    std::vector<std::pair<std::string, const UnsupportedKey*>> all;
    for (const auto& [kind, obstacle] :
         {std::pair("count", &found.no_count), std::pair("token-bucket", &found.no_bucket),
          std::pair("almost-full", &found.no_level)})
        if (*obstacle) all.emplace_back(kind, obstacle);
    return all;
}

std::string throttle_text(const ThrottleAsked& asked, const Scenario& scenario, const Throttle& found,
                          const std::optional<Risk>& without, const std::string& why_not) {
    std::string text = "Throttle of " + asked.scenario + ", triggers at " + to_text(scenario.trigger.rate) + ": ";
    const Trigger& trigger = scenario.trigger;
    if (found.needless) {
        const std::vector<std::string> own = own_rules(trigger);
        return text + (own.empty() ? "no rule is needed. With " : "no other rule is needed. With ") +
               "a dead time of " + to_text(trigger.dead_time) +
               (own.empty() ? "" : " and the scenario's own \"" + listed(own, "\", \"") + "\"") +
               " no sequence of triggers loses a frame" + hash_condition(scenario) + ".\n";
    }
    if (found.rules.empty())
        return text + (found.exact
                           ? "no rule helps: a single trigger may lose frames.\n"
                           : "of no rule it is proven that it helps: watershed bound, which may be more than anything "
                             "reaches, asks for more memory at any dead time.\n");
    text += std::string("each of these rules alone makes every loss impossible") +
            (scenario.traffic.empty() ? "" : ", whatever the phases of streams") + hash_condition(scenario) + "\n\n";
    const bool dead = trigger.dead_time > Time{0};
    std::vector<std::vector<std::string>> table{{"  kind        ", "--set", dead ? "refused with dead time" : "refused",
                                                 "of what passes " + to_text(trigger.dead_time),
                                                 "one step weaker loses"}};
    for (const LosslessRule& rule : found.rules)
        table.push_back({"  " + rule.kind, "'" + rule.keys[0].first + "=" + rule.keys[0].second + "'",
                         share_text(rule.refused), share_text(rule.after_dead_time),
                         rule.weaker.second + (rule.witness.empty()
                                                   ? std::string(", if at all, after more triggers than were tried")
                                                   : text_line(" at trigger %zu", rule.witness.size()))});
    if (!dead)
        for (std::vector<std::string>& line : table) line.erase(line.end() - 2);
    text += listed(aligned(table, std::vector<bool>(table.front().size(), true)), "\n") + "\n";
    for (const auto& [kind, obstacle] : not_sought(found))
        text += text_line("  %-12s  not sought: %s\n", kind, obstacle->text());
    if (std::any_of(found.rules.begin(), found.rules.end(),
                    [](const LosslessRule& rule) { return rule.kind == "token-bucket"; }))
        text +=
            "The bucket is the weakest of those that get a token as fast as an uplink sends what a trigger brings.\n";
    if (std::any_of(found.rules.begin(), found.rules.end(), [](const LosslessRule& rule) {
            return !rule.refused.calculated || !rule.after_dead_time.calculated;
        }))
        text += "Of what is refused, shares from one number to another are sampled: the ends of 95 % intervals.\n";
    text += "\nNow, with a dead time of " + to_text(scenario.trigger.dead_time) + " (" +
            share_text(refused_share(scenario.trigger, scenario.seed)) + " of the triggers refused), ";
    if (!without) return text + "the chance of an incomplete event is not known: " + why_not + "\n";
    const Known known = without->known();
    if (known.is_limit())
        return text + known.words(plain_number, 3) + " of the events are incomplete" +
               (without->calculated ? " (bounds).\n" : ".\n");
    const std::string low = plain_number(known.log10_lower(), 3, Rounded::Down),
                      high = plain_number(known.log10_upper(), 3, Rounded::Up);
    return text + plain_number(known.log10_estimate(), 3, Rounded::Nearest) + " of the events are incomplete" +
           (low == high ? "" : ", between " + low + " and " + high) +
           (without->calculated ? " (bounds).\n" : " (95 %).\n");
}

Json throttle_json(const ThrottleAsked& asked, const Scenario& scenario, const Throttle& found,
                   const std::optional<Risk>& without, const std::string& why_not) {
    Json json = result_of(asked);
    const RefusedShare now = refused_share(scenario.trigger, scenario.seed);
    json.update({{"modules", scenario.front_end.modules},
                 {"memory", to_text(scenario.network_switch.buffer.size)},
                 {"rate_hz", in_hertz(scenario.trigger.rate)},
                 {"dead_time_s", in_seconds(scenario.trigger.dead_time)},
                 {"own_rules", own_rules(scenario.trigger)},
                 {"needless", found.needless},  // with these and the dead time
                 {"now", {{"refused", now.estimate}}},
                 {"rules", Json::array()},
                 {"not_sought", Json::object()},
                 {"without", json_of(without)}});
    add_interval(json["now"], now);
    for (const LosslessRule& rule : found.rules) {
        Json one{{"kind", rule.kind}, {"set", Json::object()}, {"refused", rule.refused.estimate}};
        for (const auto& [key, value] : rule.keys) one["set"][key] = value;
        add_interval(one, rule.refused);
        one["beyond_dead_time"] = {{"refused", rule.after_dead_time.estimate}};
        add_interval(one["beyond_dead_time"], rule.after_dead_time);
        one["weaker"] = {{"set", {{rule.weaker.first, rule.weaker.second}}},
                         {"loses_at_trigger", rule.witness.empty() ? Json(nullptr) : Json(rule.witness.size())},
                         {"witness", nullptr}};
        if (!asked.witness.empty() && !rule.witness.empty())
            one["weaker"]["witness"] = witness_file(asked.witness, rule);
        json["rules"].push_back(one);
    }
    for (const auto& [kind, obstacle] : not_sought(found)) json["not_sought"][kind] = obstacle->text();
    if (!why_not.empty()) json["why_not"] = why_not;
    return json;
}

}  // namespace

ThrottleAnswer throttle_answer(const ThrottleAsked& asked, const EngineFactory& make_engine) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_scenario(Scope::camera().with_streams().with_sequences().with_groups(),
                                            asked.scenario, asked.overrides, &assumed);
    std::vector<Frequency> rates;
    if (!asked.rates.empty()) rates = parse_frequency_list("--rate", asked.rates);
    std::optional<Time> latency;
    if (!asked.latency.empty()) {
        const std::vector<Time> times = parse_time_list("--latency", asked.latency);
        if (times.size() != 1) throw InputError("--latency: found several times, expected one");
        latency = times.front();
    }
    const auto engine = make_engine("exact", {});
    ThrottleAnswer answer;
    Throttle& found = answer.found;
    try {
        refused_share(scenario.trigger, scenario.seed);
        found = find_throttle(*engine, scenario, latency);
    } catch (const KeyError& error) {
        throw InputError(asked.scenario + ": " + error.what());
    }
    if (!latency)
        found.no_level = {"--latency",
                          "missing, expected how long before a trigger the look at the memory decides on it"};
    std::optional<Risk> without;
    std::string why_not;
    if (!found.needless) try {
            without = find_risk(scenario, "auto", asked.effort, *engine);
        } catch (const std::invalid_argument& error) {
            why_not = error.what();
        } catch (const std::runtime_error& error) {  // InputError, or that of a process
            why_not = error.what();
        }
    answer.json = throttle_json(asked, scenario, found, without, why_not);
    if (asked.curve && rates.empty()) rates = usual_rates(scenario.trigger.rate);
    if (!rates.empty() && !found.rules.empty())
        answer.json["curve"] = throttle_curve(scenario, found.rules, rates, *engine, asked.effort.jobs);
    answer.text = throttle_text(asked, scenario, found, without, why_not);
    answer.json["answer"] = answer_of(answer.text);
    tell_assumed(answer, assumed);
    return answer;
}

void add_throttle_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    struct Options : ThrottleAsked {
        std::string figure, json;
    };
    const auto asked = std::make_shared<Options>();
    asked->effort.jobs = default_jobs();
    CommandTable(
        app, "throttle",
        "Find the weakest rules of triggers with which no sequence of them loses a frame, and what each refuses",
        "Example: watershed throttle scenarios/risk-cheap-switch.toml --set switch.buffer.size=\"200 frames\" -o "
        "throttle.svg")
        .scenario(*asked, ", trigger.pattern \"poisson\"")
        .add("--witness", asked->witness,
             "Write triggers that a rule one step weaker lets pass, and that lose frames, to PREFIXdead-time.txt and "
             "so on, for trigger.pattern \"file\"")
        .add("--rate", asked->rates,
             "Trigger rates of the figure's curves, which --json then holds as \"curve\" [with -o: from a quarter of "
             "the scenario's to four times that]")
        .add("--latency", asked->latency,
             "Time from a look at the switch's memory to the trigger that it decides on: asks for the highest level "
             "at which to refuse, too")
        .add("-o,--output", asked->figure,
             "Figure of what each rule refuses by trigger rate, beside what is lost without, .svg, .pdf or .png")
        .jobs(asked->effort.jobs)
        .json(asked->json, "the result as JSON to FILE, for watershed plot throttle")
        .run([=] {
            Outputs outputs(asked->json, "", asked->figure);
            ThrottleAsked question = *asked;
            question.curve = !asked->figure.empty();
            const ThrottleAnswer answer = throttle_answer(question, make_engine);
            const auto each_witness = [&](const auto& with) {
                for (const LosslessRule& rule : answer.found.rules)
                    if (!asked->witness.empty()) with(rule, witness_file(asked->witness, rule));
            };
            each_witness([](const LosslessRule&, const std::string& file) { OutputFile::expect_own(file); });
            outputs.give(answer, draw);
            each_witness([](const LosslessRule& rule, const std::string& file) {
                if (rule.witness.empty()) return;
                std::string text = Provenance::comment() + "# " + rule.weaker.first + "=" + rule.weaker.second +
                                   " lets these triggers pass, and the last loses frames\n";
                for (const Time time : rule.witness) text += microseconds(time) + " us\n";
                OutputFile(file).write(text);
            });
        });
}

}  // namespace watershed
