// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "scenarios/commands/options.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/throttle-curve.h"
#include "scenarios/design/throttle.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct ThrottleCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string witness;
    std::string rates, latency;
    std::string figure, json;
    RiskEffort effort;
};

/// What the buffer loses of random triggers without a rule, or why nobody knows.
struct Without {
    std::optional<Risk> risk;
    std::string why_not;
};

Without without_rule(const Scenario& scenario, const RiskEffort& effort, Engine& engine) {
    try {
        return {find_risk(scenario, "auto", effort, engine), ""};
    } catch (const std::invalid_argument& error) {
        return {std::nullopt, error.what()};
    } catch (const std::runtime_error& error) {  // InputError, or that of a process
        return {std::nullopt, error.what()};
    }
}

std::string share_text(const RefusedShare& share) {
    return share.calculated ? text_line("%.4g %%", 100 * share.estimate)
                            : text_line("%.3g to %.3g %%", 100 * share.lower, 100 * share.upper);
}

/// That the scenario has already, as it writes them.
std::vector<std::string> own_rules(const Trigger& trigger) {
    std::vector<std::string> rules;
    for (const TriggerRule& rule : trigger.rules) rules.push_back(to_text(rule));
    return rules;
}

std::string witness_file(const std::string& prefix, const LosslessRule& rule) { return prefix + rule.kind + ".txt"; }

void write_witnesses(const std::string& prefix, const Throttle& found) {
    for (const LosslessRule& rule : found.rules) {
        if (rule.witness.empty()) continue;
        std::string text = Provenance::comment() + "# " + rule.weaker.first + "=" + rule.weaker.second +
                           " lets these triggers pass, and the last loses frames\n";
        for (const Time time : rule.witness) text += microseconds(time) + " us\n";
        OutputFile(witness_file(prefix, rule)).write(text);
    }
}

std::string report(const ThrottleCommandOptions& options, const Scenario& scenario, const Throttle& found,
                   const Without& without) {
    std::string text = "Throttle of " + options.scenario + ", triggers at " + to_text(scenario.trigger.rate) + ": ";
    const Trigger& trigger = scenario.trigger;
    if (found.needless) {
        const std::vector<std::string> own = own_rules(trigger);
        return text + (own.empty() ? "no rule is needed. With " : "no other rule is needed. With ") +
               "a dead time of " + to_text(trigger.dead_time) +
               (own.empty() ? "" : " and the scenario's own \"" + listed(own, "\", \"") + "\"") +
               " no sequence of triggers loses a frame.\n";
    }
    if (found.rules.empty()) return text + "no rule helps: a single trigger may lose frames.\n";
    text += std::string("each of these rules alone makes every loss impossible") +
            (scenario.traffic.empty() ? "" : ", whatever the phases of streams") + "\n\n";
    const bool dead = trigger.dead_time > Time{0};
    std::vector<std::vector<std::string>> table{{"  kind", "--set", dead ? "refused with dead time" : "refused",
                                                 "of what passes " + to_text(trigger.dead_time),
                                                 "one step weaker loses"}};
    for (const LosslessRule& rule : found.rules)
        table.push_back({"  " + rule.kind, "'" + rule.keys[0].first + "=" + rule.keys[0].second + "'",
                         share_text(rule.refused), share_text(rule.beyond),
                         rule.weaker.second + (rule.witness.empty()
                                                   ? std::string(", if at all, after more triggers than were tried")
                                                   : text_line(" at trigger %zu", rule.witness.size()))});
    if (!dead)
        for (std::vector<std::string>& line : table) line.erase(line.end() - 2);
    text += listed(aligned(table, std::vector<bool>(table.front().size(), true)), "\n") + "\n";
    if (found.no_count) text += "  count         not sought: " + found.no_count.text() + "\n";
    if (found.no_bucket) text += "  token-bucket  not sought: " + found.no_bucket.text() + "\n";
    if (found.no_level) text += "  almost-full   not sought: " + found.no_level.text() + "\n";
    if (std::any_of(found.rules.begin(), found.rules.end(),
                    [](const LosslessRule& rule) { return rule.kind == "token-bucket"; }))
        text +=
            "The bucket is the weakest of those that get a token as fast as an uplink sends what a trigger brings.\n";
    text += "\nNow, with a dead time of " + to_text(scenario.trigger.dead_time) + " (" +
            share_text(refused_share(scenario.trigger, scenario.seed)) + " of the triggers refused), ";
    if (!without.risk) return text + "the chance of an incomplete event is not known: " + without.why_not + "\n";
    const Bracket& log = without.risk->log;
    const std::string low = text_line("%.3g", std::exp(log.lower)), high = text_line("%.3g", std::exp(log.upper));
    return text + text_line("%.3g of the events are incomplete", std::exp(log.estimate)) +
           (low == high ? "" : ", between " + low + " and " + high) +
           (without.risk->calculated ? " (bounds).\n" : " (95 %).\n");
}

Json to_json(const ThrottleCommandOptions& options, const Scenario& scenario, const Throttle& found,
             const Without& without) {
    Json json{{"program", Provenance::program()}, {"command", Provenance::command()}, {"scenario", options.scenario}};
    json["modules"] = scenario.front_end.modules;
    json["memory"] = to_text(scenario.network_switch.buffer.size);
    json["rate_hz"] = in_hertz(scenario.trigger.rate);
    json["dead_time_s"] = in_seconds(scenario.trigger.dead_time);
    json["own_rules"] = own_rules(scenario.trigger);
    json["needless"] = found.needless;  // with these and the dead time
    json["rules"] = Json::array();
    for (const LosslessRule& rule : found.rules) {
        Json one{{"kind", rule.kind}, {"set", Json::object()}, {"refused", rule.refused.estimate}};
        for (const auto& [key, value] : rule.keys) one["set"][key] = value;
        add_interval(one, rule.refused);
        one["beyond_dead_time"] = {{"refused", rule.beyond.estimate}};
        add_interval(one["beyond_dead_time"], rule.beyond);
        one["weaker"] = {{"set", {{rule.weaker.first, rule.weaker.second}}},
                         {"loses_at_trigger", rule.witness.empty() ? Json(nullptr) : Json(rule.witness.size())},
                         {"witness", nullptr}};
        if (!options.witness.empty() && !rule.witness.empty())
            one["weaker"]["witness"] = witness_file(options.witness, rule);
        json["rules"].push_back(one);
    }
    json["not_sought"] = Json::object();
    if (found.no_count) json["not_sought"]["count"] = found.no_count.text();
    if (found.no_bucket) json["not_sought"]["token-bucket"] = found.no_bucket.text();
    if (found.no_level) json["not_sought"]["almost-full"] = found.no_level.text();
    json["without"] = nullptr;
    if (without.risk) json["without"] = *without.risk;
    if (!without.why_not.empty()) json["why_not"] = without.why_not;
    return json;
}

void throttle(const ThrottleCommandOptions& options, const EngineFactory& make_engine, const DrawResult& draw) {
    const Scenario scenario = read_scenario_with_traffic(options.scenario, options.overrides);
    std::vector<Frequency> rates;
    if (!options.rates.empty()) rates = parse_frequency_list("--rate", options.rates);
    std::optional<Time> latency;
    if (!options.latency.empty()) {
        const std::vector<Time> times = parse_time_list("--latency", options.latency);
        if (times.size() != 1) throw InputError("--latency: found several times, expected one");
        latency = times.front();
    }
    auto file = file_if_named(options.json);
    OutputFile::expect_figure(options.figure);
    const auto engine = make_engine("exact", {});
    Throttle found;
    try {
        refused_share(scenario.trigger, scenario.seed);
        found = find_throttle(*engine, scenario, latency);
    } catch (const KeyError& error) {
        throw InputError(options.scenario + ": " + error.what());
    }
    if (!latency)
        found.no_level = {"--latency",
                          "missing, expected how long before a trigger the look at the memory decides on it"};
    const Without without = found.needless ? Without{} : without_rule(scenario, options.effort, *engine);
    Json result = to_json(options, scenario, found, without);
    const std::string text = report(options, scenario, found, without);
    result["answer"] = answer_of(text);
    if (!options.figure.empty() && rates.empty()) rates = usual_rates(scenario.trigger.rate);
    if (!rates.empty() && !found.rules.empty())
        result["curve"] = throttle_curve(scenario, found.rules, rates, *engine, options.effort.jobs);
    if (!options.witness.empty())
        for (const LosslessRule& rule : found.rules) OutputFile::expect_own(witness_file(options.witness, rule));
    if (!options.figure.empty()) draw(result, options.figure);
    if (!options.witness.empty()) write_witnesses(options.witness, found);
    if (file) file->write(result.dump(2) + "\n");
    if (options.json != "-") std::cout << text;
}

}  // namespace

void add_throttle_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    const auto options = std::make_shared<ThrottleCommandOptions>();
    options->effort.jobs = default_jobs();
    CLI::App* command = app.add_subcommand(
        "throttle",
        "Find the weakest rules of triggers with which no sequence of them loses a frame, and what each refuses");
    add_scenario(command, options->scenario, options->overrides, ", trigger.pattern \"poisson\"");
    command->add_option("--witness", options->witness,
                        "Write triggers that a rule one step weaker lets pass, and that lose frames, to "
                        "PREFIXdead-time.txt and so on, for trigger.pattern \"file\"");
    command->add_option("--rate", options->rates,
                        "Trigger rates of the figure's curves, which --json then holds as \"curve\" [with -o: from a "
                        "quarter of the scenario's to four times that]");
    command->add_option("--latency", options->latency,
                        "Time from a look at the switch's memory to the trigger that it decides on: asks for the "
                        "highest level at which to refuse, too");
    command->add_option("-o,--output", options->figure,
                        "Figure of what each rule refuses by trigger rate, beside what is lost without, .svg, .pdf or "
                        ".png");
    add_jobs(command, options->effort.jobs);
    add_json(command, options->json, "the result as JSON to FILE, for watershed plot throttle");
    command->footer(
        "Example: watershed throttle scenarios/risk-cheap-switch.toml --set switch.buffer.size=\"200 frames\" -o "
        "throttle.svg");
    command->callback([options, make_engine, draw] { throttle(*options, make_engine, draw); });
}

}  // namespace watershed
