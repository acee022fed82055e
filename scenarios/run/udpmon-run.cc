// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/udpmon-run.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/quantities.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

UdpmonRun run_udpmon(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
    const Udpmon& udpmon = scenario.of<Udpmon>();
    struct Point {
        Bytes payload;
        std::size_t spacing;
    };
    std::vector<Point> points;
    for (const Bytes payload : udpmon.payloads)
        for (std::size_t spacing = 0; spacing < udpmon.spacings.size(); ++spacing) points.push_back({payload, spacing});
    expect_one_capture(pcap_prefix, points.size(), "one payload and one spacing (--set udpmon.spacing=\"10 us\")");

    Progress progress("run", "packets", static_cast<std::int64_t>(points.size()) * udpmon.packets);
    return run_points(scenario, points, progress, udpmon.packets, [&](const Point& point) {
        return simulators.of<UdpmonSimulator>("udpmon")(udpmon, point.payload, point.spacing, scenario.seed,
                                                        capture_name(pcap_prefix, "receiver.pcap"));
    });
}

nlohmann::ordered_json to_json(const UdpmonRun& run) {
    nlohmann::ordered_json json = system_head("udpmon", "ns3", run.scenario);
    json["frames"] = frames_json(run.sum(&UdpmonResult::sent), run.sum(&UdpmonResult::received));
    json["losses"] = losses_json(run.losses());
    json["reported_overhead_bytes"] = run.scenario.of<Udpmon>().receiver.reported_overhead.count;
    json["bin_us"] = in_microseconds(run.scenario.of<Udpmon>().receiver.bin);
    json["runs"] = nlohmann::ordered_json::array();
    for (const UdpmonResult& result : run.results) {
        const auto& intervals = result.intervals;
        auto histogram = nlohmann::ordered_json::array();
        for (const auto& [bin, packets] : result.histogram) histogram.push_back({bin, packets});
        json["runs"].push_back({{"payload_bytes", result.payload.count},
                                {"requested_us", in_microseconds(result.requested)},
                                {"packets",
                                 {{"sent", result.sent},
                                  {"received", result.received},
                                  {"lost", result.lost()},
                                  {"reordered", result.reordered}}},
                                {"losses", losses_json(result.losses)},
                                {"vlbi_signal_to_noise", result.vlbi_signal_to_noise()},
                                {"send_spacing_ns", result.send_spacing_ns},
                                {"receive_spacing_ns", result.receive_spacing_ns},
                                {"wire_rate_mbps", result.wire_rate_mbps},
                                {"payload_rate_mbps", result.payload_rate_mbps},
                                {"intervals_us",
                                 {{"min", intervals.least_us},
                                  {"max", intervals.most_us},
                                  {"mode", intervals.mode_us},
                                  {"mean", intervals.mean_us},
                                  {"deviation", intervals.deviation_us}}},
                                {"histogram", histogram}});
    }
    json["simulated_s"] = in_seconds(run.sum(&UdpmonResult::simulated));
    json["wall_s"] = run.wall_seconds;
    return json;
}

void print(std::ostream& out, const UdpmonRun& run) {
    out << text_line(
               "udpmon in ns-3, seed %llu, %zu runs of %lld packets in %.3f s; rates count %lld B beside the payload\n",
               run.scenario.seed, run.results.size(), run.scenario.of<Udpmon>().packets, run.wall_seconds,
               run.scenario.of<Udpmon>().receiver.reported_overhead.count)
        << "payload/B  requested     sent/ns  received/ns   rate/Mb/s      lost  reordered  VLBI S/N   interval/us: "
           "min      max     mode     mean  deviation\n";
    for (const UdpmonResult& result : run.results) {
        const auto& i = result.intervals;
        out << text_line("%9lld %10s %11.2f %12.2f %11.2f %9lld %10lld %9.6f %18.3f %8.3f %8.3f %8.3f %10.3f\n",
                         result.payload.count, to_text(result.requested), result.send_spacing_ns,
                         result.receive_spacing_ns, result.wire_rate_mbps, result.lost(), result.reordered,
                         result.vlbi_signal_to_noise(), i.least_us, i.most_us, i.mode_us, i.mean_us, i.deviation_us);
        for (const auto& loss : result.losses)
            out << "           " << loss.frames << " lost, " << loss.where << ": " << loss.reason << "\n";
    }
}

}  // namespace watershed
