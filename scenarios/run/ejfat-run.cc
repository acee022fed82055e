// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/ejfat-run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/quantities.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::ordered_json;

struct NamedTimes {
    const char* key;
    const char* name;
    EjfatTimes EjfatResult::*times;
};

constexpr NamedTimes kSpans[] = {
    {"flight_to_balancer", "event to balancer", &EjfatResult::flight_to_balancer},
    {"flight_to_node", "balancer to node", &EjfatResult::flight_to_node},
    {"flight", "event to node", &EjfatResult::flight},
    {"reassembly", "reassembly", &EjfatResult::reassembly},
    {"transport", "event to whole", &EjfatResult::transport},
    {"waiting", "in the queue", &EjfatResult::waiting},
    {"processing", "processing", &EjfatResult::processing},
    {"total", "event to processed", &EjfatResult::total},
};

ordered_json losses_json(const std::vector<EjfatResult::Loss>& losses) {
    auto json = ordered_json::array();
    for (const auto& loss : losses)
        json.push_back(
            {{"where", loss.where}, {"reason", loss.reason}, {"frames", loss.packets}, {"events", loss.events}});
    return json;
}

ordered_json to_json(const EjfatResult& r) {
    ordered_json latency;
    for (const NamedTimes& each : kSpans)
        latency[each.key] = {{"mean", (r.*each.times).mean_us}, {"max", (r.*each.times).most_us}};
    // One hop after the other as if each waited for whole events, which is how the publication adds.
    latency["sum_of_hops"] = r.flight_to_balancer.mean_us + r.flight_to_node.mean_us + r.reassembly.mean_us;
    auto nodes = ordered_json::array(), epochs = ordered_json::array(), samples = ordered_json::array();
    for (const auto& node : r.nodes)
        nodes.push_back({{"packets", node.packets},
                         {"processed", node.processed},
                         {"peak_queue", node.peak_queue},
                         {"peak_socket_bytes", node.peak_socket.count}});
    for (const auto& epoch : r.epochs)
        epochs.push_back(
            {{"decided_s", in_seconds(epoch.decided)}, {"first_event", epoch.first_event}, {"slots", epoch.slots}});
    for (const auto& sample : r.samples) {
        auto fill = ordered_json::array();
        for (const double f : sample.fill) fill.push_back(f < 0 ? ordered_json() : ordered_json(f));
        samples.push_back({{"time_s", in_seconds(sample.time)}, {"fill", fill}});
    }
    return {{"event_bytes", r.point.event_size.count},
            {"service_us", in_microseconds(r.point.service_time)},
            {"bit_rate_mbps", in_megabits(r.point.bit_rate)},
            {"events",
             {{"sent", r.events_sent},
              {"processed", r.events_processed},
              {"lost", r.events_lost()},
              {"split", r.events_split},
              {"unfinished_at_last_packet", r.events_waiting}}},
            {"packets",
             {{"sent", r.packets_sent},
              {"processed", r.packets_processed},
              {"lost", r.packets_sent - r.packets_processed},
              {"sync", r.syncs}}},
            {"losses", losses_json(r.losses)},
            {"processed_mbps", r.processed_mbps()},
            {"nodes_evicted", r.nodes_evicted},
            {"epochs_late", r.epochs_late},
            {"latency_us", latency},
            {"nodes", nodes},
            {"epochs", epochs},
            {"samples", samples},
            {"simulated_s", in_seconds(r.simulated)}};
}

}  // namespace

EjfatRun run_ejfat(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
    const Ejfat& ejfat = scenario.of<Ejfat>();
    std::vector<EjfatPoint> points;
    for (const Bytes size : ejfat.source.event_sizes)
        for (const Time service : ejfat.nodes.service_times)
            for (const BitRate rate : ejfat.source.bit_rates) points.push_back({size, rate, service});
    if (!pcap_prefix.empty() && (points.size() > 1 || ejfat.find_no_drop))
        throw InputError(
            "--pcap: found several runs, expected one event size, bit rate and service time, and no search");

    Progress progress("run", "runs", static_cast<std::int64_t>(points.size()));
    const auto simulate = [&](const EjfatPoint& point) {
        return simulators.of<EjfatSimulator>("ejfat")(ejfat, point, scenario.seed, pcap_prefix);
    };
    return run_points(scenario, points, progress, 1, [&](const EjfatPoint& point) {
        return ejfat.find_no_drop ? find_no_drop(point, simulate) : simulate(point);
    });
}

ordered_json to_json(const EjfatRun& run) {
    std::map<std::pair<std::string, std::string>, EjfatResult::Loss> lost;
    for (const EjfatResult& r : run.results) {
        for (const auto& loss : r.losses) {
            auto& sum = lost[{loss.where, loss.reason}];
            sum = {loss.where, loss.reason, sum.packets + loss.packets, sum.events + loss.events};
        }
    }
    std::vector<EjfatResult::Loss> losses;
    for (const auto& [cause, loss] : lost) losses.push_back(loss);

    ordered_json json = system_head("ejfat", "ns3", run.scenario);
    json["frames"] = frames_json(run.sum(&EjfatResult::packets_sent), run.sum(&EjfatResult::packets_processed));
    json["events"] = {{"sent", run.sum(&EjfatResult::events_sent)},
                      {"complete", run.sum(&EjfatResult::events_processed)}};
    json["losses"] = losses_json(losses);
    json["no_drop"] = run.scenario.of<Ejfat>().find_no_drop;
    json["set_point"] = as_number(run.scenario.of<Ejfat>().control.set_point);
    json["workers"] = run.scenario.of<Ejfat>().nodes.workers;
    json["runs"] = ordered_json::array();
    for (const EjfatResult& r : run.results) json["runs"].push_back(to_json(r));
    json["simulated_s"] = in_seconds(run.sum(&EjfatResult::simulated));
    json["wall_s"] = run.wall_seconds;
    return json;
}

void print(std::ostream& out, const EjfatRun& run) {
    out << text_line("ejfat in ns-3, seed %llu, %zu runs in %.3f s%s\n", run.scenario.seed, run.results.size(),
                     run.wall_seconds,
                     run.scenario.of<Ejfat>().find_no_drop ? "; the bit rates are the highest without loss" : "")
        << "     event    service     rate/Mb/s     events  processed       lost  split   flight/us  reassembly/us   "
           "queue/us    total/us\n";
    for (const EjfatResult& r : run.results) {
        out << text_line("%10s %10s %13.3f %10lld %10lld %10lld %6lld %11.2f %14.2f %10.1f %11.1f\n",
                         to_text(r.point.event_size), to_text(r.point.service_time), in_megabits(r.point.bit_rate),
                         r.events_sent, r.events_processed, r.events_lost(), r.events_split, r.flight.mean_us,
                         r.reassembly.mean_us, r.waiting.mean_us, r.total.mean_us);
        for (const auto& loss : r.losses)
            out << "           " << loss.packets << " packets lost, and with them " << loss.events << " events, "
                << loss.where << ": " << loss.reason << "\n";
    }
    if (run.results.size() > 1) return;
    const EjfatResult& r = run.results.front();
    for (const NamedTimes& each : kSpans) {
        out << text_line("  %-24s %14s  at most %s\n", each.name, rounded_microseconds((r.*each.times).mean_us),
                         rounded_microseconds((r.*each.times).most_us));
    }
    out << text_line(
        "  %-24s %14s  to balancer, to node, reassembly, as if each waited for whole events\n", "sum of hops",
        rounded_microseconds(r.flight_to_balancer.mean_us + r.flight_to_node.mean_us + r.reassembly.mean_us));
    out << "  epochs " << r.epochs.size() << ", late " << r.epochs_late << ", nodes evicted " << r.nodes_evicted
        << ", packets " << r.packets_sent << " and " << r.syncs << " of synchronisation\n";
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < std::min(r.nodes.size(), kShown); ++i) {
        const auto& node = r.nodes[i];
        out << text_line("  node %4zu: %9lld packets %9lld events processed, queue up to %lld, socket up to %lld B\n",
                         i + 1, node.packets, node.processed, node.peak_queue, node.peak_socket.count);
    }
    if (r.nodes.size() > kShown) out << "  and " << r.nodes.size() - kShown << " more nodes (--json has them)\n";
}

namespace {

constexpr double kClose = 1.002, kStep = 1.1;

BitRate scaled(BitRate rate, double factor) { return BitRate{std::llround(static_cast<double>(rate.count) * factor)}; }

}  // namespace

EjfatResult find_no_drop(const EjfatPoint& point, const std::function<EjfatResult(const EjfatPoint&)>& simulate) {
    EjfatPoint lossy = point;
    const auto run_at = [&](BitRate rate) {
        EjfatPoint at = point;
        at.bit_rate = rate;
        return simulate(at);
    };
    EjfatResult best = run_at(point.bit_rate);
    if (best.events_lost() == 0) return best;

    // Downwards from what the nodes can process, then between.
    const double processed = best.processed_mbps() * 1e6;
    BitRate next = processed > 0 ? std::min(BitRate{std::llround(processed * kStep)}, scaled(point.bit_rate, 1 / kStep))
                                 : scaled(point.bit_rate, 1 / kStep);
    for (best = run_at(next); best.events_lost() > 0; best = run_at(next)) {
        lossy.bit_rate = next;
        next = scaled(next, 1 / kStep);
        if (next < scaled(point.bit_rate, 1e-6) || next.count < 1000)
            throw InputError("ejfat.find_no_drop: events are lost even at \"" + to_text(lossy.bit_rate) +
                             "\", expected a rate at which none is");
    }
    while (static_cast<double>(lossy.bit_rate.count) > kClose * static_cast<double>(best.point.bit_rate.count)) {
        const double middle =
            std::sqrt(static_cast<double>(lossy.bit_rate.count) * static_cast<double>(best.point.bit_rate.count));
        EjfatResult run = run_at(BitRate{std::llround(middle)});
        if (run.events_lost() == 0)
            best = std::move(run);
        else
            lossy.bit_rate = run.point.bit_rate;
    }
    return best;
}

}  // namespace watershed
