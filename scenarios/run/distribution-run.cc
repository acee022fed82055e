// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/distribution-run.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/quantities.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

nlohmann::ordered_json to_json(const BatchMean& mean) {
    return {{"mean", mean.mean},
            {"interval95", {mean.mean - mean.half_width, mean.mean + mean.half_width}},
            {"least", mean.least},
            {"most", mean.most}};
}

void print_line(std::ostream& out, const char* name, const BatchMean& mean, int decimals, const char* unit) {
    out << text_line("  %-30s %10.*f +- %.*f%s (95 %%), windows %.*f to %.*f\n", name, decimals, mean.mean, decimals,
                     mean.half_width, unit, decimals, mean.least, decimals, mean.most);
}

void print_count(std::ostream& out, const char* name, std::int64_t count, const std::string& remark) {
    out << text_line("  %-30s %10lld%s%s\n", name, count, remark.empty() ? "" : "  ", remark);
}

/// As a part of the time of so many ports.
std::string share(Time time, Time whole, int ports) {
    return text_line("for %.3f %% of their time", 100 * in_seconds(time) / (in_seconds(whole) * ports));
}

}  // namespace

DistributionRun run_distribution(const Scenario& scenario, const Simulators& simulators,
                                 const std::string& pcap_prefix) {
    const Distribution& distribution = scenario.of<Distribution>();
    const std::int64_t windows = (distribution.duration - distribution.warm_up) / distribution.window;
    Progress progress("run", "windows", windows);
    return run_points(scenario, std::vector{distribution}, progress, windows, [&](const Distribution& point) {
        return simulators.of<DistributionSimulator>("distribution")(point, scenario.seed,
                                                                    capture_name(pcap_prefix, "consumer-1.pcap"),
                                                                    [&](std::int64_t done) { progress.done(done); });
    });
}

nlohmann::ordered_json to_json(const DistributionRun& run) {
    const DistributionResult& result = run.results.front();
    const Distribution& distribution = run.scenario.of<Distribution>();
    nlohmann::ordered_json json = system_head("distribution", "ns3", run.scenario);
    json["frames"] = frames_json(result.frames_sent, result.frames_received);
    json["events"] = {
        {"sent", result.events_sent}, {"complete", result.events_complete}, {"incomplete", result.events_incomplete}};
    json["losses"] = losses_json(result.losses);
    json["buffer"] = {{"peak_frames", result.peak_frames}, {"peak_bytes", result.peak.count}};
    json["producers"] = distribution.producers.count;
    json["consumers"] = distribution.consumers.count;
    json["producer_gbps"] = to_json(result.producer_gbps());
    json["consumer_gbps"] = to_json(result.consumer_gbps());
    json["busy"] = to_json(result.busy());
    json["pauses"] = {{"to_producers", result.producers_paused},
                      {"producer_pause_s", in_seconds(result.producer_pause_time)},
                      {"to_switch", result.switch_paused},
                      {"switch_pause_s", in_seconds(result.switch_pause_time)}};
    json["frames_marked"] = result.frames_marked;
    json["notifications"] = result.notifications;
    json["windows"] = nlohmann::ordered_json::array();
    for (const auto& window : result.windows)
        json["windows"].push_back({{"end_s", in_seconds(window.end)},
                                   {"busy", window.busy},
                                   {"peak_bytes", window.peak.count},
                                   {"producers_gbps", window.producers_gbps},
                                   {"consumers_gbps", window.consumers_gbps}});
    json["simulated_s"] = in_seconds(result.simulated);
    json["wall_s"] = run.wall_seconds;
    return json;
}

void print(std::ostream& out, const DistributionRun& run) {
    const DistributionResult& result = run.results.front();
    const Distribution& distribution = run.scenario.of<Distribution>();
    out << text_line("distribution in ns-3, seed %llu, %s in %.3f s\n", run.scenario.seed,
                     to_text(distribution.duration), run.wall_seconds);
    out << text_line("  %d producers at %s, %d consumers, events of %s, RoCE frames with %lld B, scheduler %s\n",
                     distribution.producers.count, to_text(distribution.producers.link_rate),
                     distribution.consumers.count, to_text(distribution.event), distribution.mtu.count,
                     distribution.scheduler == Distribution::Scheduler::Credit ? "credit" : "round-robin");
    print_line(out, "each producer sends", result.producer_gbps(), 2, " Gb/s");
    print_line(out, "each consumer receives", result.consumer_gbps(), 2, " Gb/s");
    print_line(out, "consumers busy", result.busy(), 2, "");
    print_count(out, "events sent", result.events_sent,
                std::to_string(result.events_complete) + " complete, " + std::to_string(result.events_incomplete) +
                    " incomplete");
    print_count(out, "frames sent", result.frames_sent, std::to_string(result.frames_received) + " received");
    print_count(out, "frames lost", result.frames_lost(), "");
    for (const auto& loss : result.losses) print_count(out, "", loss.frames, loss.where + ": " + loss.reason);
    print_count(out, "pauses to producers", result.producers_paused,
                share(result.producer_pause_time, result.simulated, distribution.producers.count));
    print_count(out, "pauses to the switch", result.switch_paused,
                share(result.switch_pause_time, result.simulated, distribution.consumers.count) + " of its outputs");
    print_count(out, "frames marked", result.frames_marked,
                std::to_string(result.notifications) + " congestion notifications");
    print_count(out, "most bytes in the switch", result.peak.count,
                std::to_string(result.peak_frames) + " frames at most");
}

}  // namespace watershed
