// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/run-report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "model/base/quantities.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "scenarios/run/report-parts.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

std::string run_text(const std::string& scenario_file, std::uint64_t seed, const std::vector<std::string>& overrides) {
    std::string text = std::filesystem::path(scenario_file).filename().string() + ", seed " + std::to_string(seed);
    for (const std::string& each : overrides) text += ", " + each;
    return text;
}

namespace {

/// Triggers that rules or the dead time refused; nothing where there is no rule and none was. Random ones are drawn
/// from the end of the dead time on.
std::optional<std::int64_t> refused(const Scenario& scenario, const Outcome& outcome) {
    const Trigger& trigger = scenario.trigger;
    if (almost_full_rule(trigger)) return outcome.triggers_refused;
    const bool drawn_after = trigger.pattern == Trigger::Pattern::Poisson && trigger.burst.events == 0;
    if (trigger.rules.empty() && (trigger.dead_time == Time{0} || drawn_after)) return std::nullopt;
    TriggerTrain train(trigger, scenario.seed);
    while (train.next()) {
    }
    return trigger.rules.empty() && train.refused() == 0 ? std::nullopt : std::make_optional(train.refused());
}

}  // namespace

nlohmann::ordered_json to_json(const RunReport& report) {
    const Outcome& outcome = report.outcome;
    nlohmann::ordered_json json;
    json["program"] = Provenance::program();
    json["command"] = Provenance::command();
    json["scenario"] = report.file;
    json["set"] = report.overrides;
    json["engine"] = report.engine;
    json["seed"] = report.scenario.seed;
    add_assumed(json, report.assumed);
    json["frames"] = {
        {"sent", outcome.frames_sent}, {"received", outcome.frames_received}, {"lost", outcome.frames_lost()}};
    json["events"] = {{"sent", outcome.events_sent}, {"complete", outcome.events_complete}};
    if (const auto number = refused(report.scenario, outcome)) json["events"]["refused"] = *number;
    json["buffer"] = {{"peak_frames", outcome.peak_frames}, {"peak_bytes", outcome.peak_bytes.count}};
    if (outcome.frames_marked > 0) json["frames"]["marked"] = outcome.frames_marked;
    if (outcome.frames_to_dram > 0) json["frames"]["to_dram"] = outcome.frames_to_dram;
    if (outcome.frames_cut_through > 0)
        json["cut_through"] = {{"frames", outcome.frames_cut_through},
                               {"mean_saved_us", 1e6 * in_seconds(outcome.latency_saved) /
                                                     static_cast<double>(outcome.frames_cut_through)}};
    const Network network(report.scenario);
    if (has_flow_control(network)) json["pauses"] = outcome.pauses;
    json["losses"] = losses_json(outcome.losses);
    json["first_loss"] = nullptr;
    if (const auto& first = outcome.first_loss)
        json["first_loss"] = {{"event", first->frame.event},
                              {"module", first->frame.module},
                              {"time_s", in_seconds(first->time)},
                              {"where", first->where}};
    json["lost_by_module"] = outcome.lost_by_module;
    add_fairness(json, outcome);
    nlohmann::ordered_json::array_t incomplete;
    for (const auto& event : outcome.incomplete) {  // there may be many
        nlohmann::ordered_json::object_t each;
        each.reserve(2);
        each.emplace_back("event", event.event);
        each.emplace_back("missing", event.missing);
        incomplete.emplace_back(std::move(each));
    }
    json["incomplete_events"] = std::move(incomplete);
    const auto left_out = outcome.events_incomplete() - static_cast<std::int64_t>(outcome.incomplete.size());
    if (left_out > 0) json["incomplete_events_left_out"] = {{"events", left_out}, {"last", outcome.last_incomplete}};
    json["uplinks"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < outcome.uplinks.size(); ++i) {
        const auto& uplink = outcome.uplinks[i];
        json["uplinks"].push_back({{"frames", uplink.frames},
                                   {"wire_bytes", uplink.wire.count},
                                   {"utilisation", utilisation(uplink, network.links()[i].rate, outcome.simulated)}});
    }
    add_network(json, report.scenario, outcome, report.module_links);
    add_server(json, report.scenario, outcome);
    add_streams(json, outcome);
    if (const auto warnings = warnings_of(report.scenario); !warnings.empty()) json["warnings"] = warnings;
    json["first_idle_event"] = nullptr;  // the first after event 1 that found the switch empty
    if (outcome.first_idle_event != 0) json["first_idle_event"] = outcome.first_idle_event;
    json["simulated_s"] = in_seconds(outcome.simulated);
    json["wall_s"] = report.wall_seconds;
    return json;
}

void print(std::ostream& out, const RunReport& report) {
    const Outcome& outcome = report.outcome;
    const auto row = [&](const char* name, auto value, const char* note = "") {
        out << text_line("  %-24s %14lld  %s\n", name, value, note);
    };
    out << "engine " << report.engine << ", seed " << report.scenario.seed << ", simulated "
        << to_text(outcome.simulated) << " in " << text_line("%.3f s\n", report.wall_seconds);
    for (const AssumedValue& each : report.assumed) out << "  " << to_text(each) << "\n";
    row("events sent", outcome.events_sent);
    if (const auto number = refused(report.scenario, outcome)) row("triggers refused", *number);
    row("events complete", outcome.events_complete);
    row("frames sent", outcome.frames_sent);
    row("frames received", outcome.frames_received);
    for (const auto& loss : outcome.losses) row("frames lost", loss.frames, (loss.where + ": " + loss.reason).c_str());
    if (outcome.losses.empty()) row("frames lost", 0);
    if (outcome.frames_marked > 0) row("frames marked", outcome.frames_marked);
    if (outcome.frames_to_dram > 0) row("frames to DRAM", outcome.frames_to_dram);
    if (outcome.frames_cut_through > 0)
        row("frames cut through", outcome.frames_cut_through,
            (rounded(outcome.latency_saved / outcome.frames_cut_through) + " saved each, on average").c_str());
    if (has_flow_control(Network(report.scenario))) row("pauses", outcome.pauses);
    const bool one_switch = has_one_switch(report.scenario);
    const Outcome::Switch& only = outcome.switches.front();
    row("buffer peak, frames", outcome.peak_frames,
        one_switch && only.peak_frames > 0 ? recovery_text(only.fullest, only.drained).c_str() : "");
    row("buffer peak, bytes", outcome.peak_bytes.count);
    for (std::size_t i = 0; one_switch && i < outcome.uplinks.size(); ++i) {
        const double busy =
            utilisation(outcome.uplinks[i], report.scenario.network_switch.uplink_rate, outcome.simulated);
        row(text_line("frames on uplink %zu", i + 1).c_str(), outcome.uplinks[i].frames,
            text_line("busy %.1f %%", 100 * busy).c_str());
    }
    if (const auto& first = outcome.first_loss)
        out << "  first loss: event " << first->frame.event << ", module " << first->frame.module << ", at "
            << to_text(first->time) << (one_switch ? "" : ", " + first->where) << "\n";
    const auto lossy = std::count_if(outcome.lost_by_module.begin(), outcome.lost_by_module.end(),
                                     [](std::int64_t lost) { return lost > 0; });
    if (lossy > 0) {
        const auto worst = std::max_element(outcome.lost_by_module.begin(), outcome.lost_by_module.end());
        out << "  " << lossy << " of " << outcome.lost_by_module.size() << " modules lost frames, module "
            << worst - outcome.lost_by_module.begin() + 1 << " the most: " << *worst << "\n";
    }
    print_fairness(out, outcome);
    print_streams(out, outcome);
    for (const std::string& each : warnings_of(report.scenario)) out << "  warning: " << each << '\n';
    print_server(out, report.scenario, outcome);
    if (!one_switch || report.module_links) print_network(out, report.scenario, outcome, report.module_links);
}

}  // namespace watershed
