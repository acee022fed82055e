// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/ipbus-run.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/quantities.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

IpbusRun run_ipbus(const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
    const Ipbus& ipbus = scenario.of<Ipbus>();
    std::vector<IpbusPoint> points;
    for (const std::int64_t units : ipbus.units)
        for (const std::int64_t block : ipbus.blocks)
            for (const Frequency rate : ipbus.rates.empty() ? std::vector<Frequency>{Frequency{0}} : ipbus.rates)
                points.push_back({units, block, rate});
    expect_one_capture(pcap_prefix, points.size(),
                       "one number of units, one block and one rate (--set ipbus.units=[1])");

    Progress progress("run", "runs", static_cast<std::int64_t>(points.size()));
    return run_points(scenario, points, progress, 1, [&](const IpbusPoint& point) {
        return simulators.of<IpbusSimulator>("ipbus")(ipbus, point, scenario.seed,
                                                      capture_name(pcap_prefix, "server.pcap"));
    });
}

nlohmann::ordered_json to_json(const IpbusRun& run) {
    const bool triggered = run.scenario.of<Ipbus>().pattern != Ipbus::Pattern::Full;
    nlohmann::ordered_json json = system_head("ipbus", "ns3", run.scenario);
    json["frames"] = frames_json(run.sum(&IpbusResult::frames_sent), run.sum(&IpbusResult::frames_received));
    json["losses"] = losses_json(run.losses());
    json["pattern"] = run.scenario.of<Ipbus>().pattern == Ipbus::Pattern::Full       ? "full"
                      : run.scenario.of<Ipbus>().pattern == Ipbus::Pattern::Periodic ? "periodic"
                                                                                     : "poisson";
    json["channels"] = run.scenario.of<Ipbus>().unit.channels;
    json["waveform_bytes"] = run.scenario.of<Ipbus>().unit.waveform.count;
    json["fifo_bytes"] = run.scenario.of<Ipbus>().unit.fifo.count;
    json["bus_mbps"] = in_megabits(run.scenario.of<Ipbus>().unit.bus_rate);
    json["max_payload_bytes"] = run.scenario.of<Ipbus>().max_payload.count;
    json["runs"] = nlohmann::ordered_json::array();
    for (const IpbusResult& result : run.results) {
        const auto& requests = result.requests;
        nlohmann::ordered_json one;
        one["units"] = result.point.units;
        one["block_words"] = result.point.block;
        if (triggered) one["rate_hz"] = in_hertz(result.point.rate);
        one["transferred_mbps"] = result.transferred_mbps;
        one["data_mbps"] = result.data_mbps;
        one["survival"] = result.survival;
        one["server_busy"] = result.server_busy;
        one["waveforms"] = {{"generated", result.waveforms.generated},
                            {"read", result.waveforms.read},
                            {"rejected", result.waveforms.rejected},
                            {"left", result.waveforms.left}};
        one["requests"] = {
            {"sent", requests.requests}, {"answered", requests.answered}, {"abandoned", requests.abandoned}};
        one["timeouts"] = requests.timeouts;
        one["requests_sent_again"] = requests.sent_again;
        one["replies_asked_again"] = requests.asked_again;
        one["replies_ignored"] = requests.ignored;
        one["units_given_up"] = result.units_given_up;
        one["frames"] = frames_json(result.frames_sent, result.frames_received);
        one["losses"] = losses_json(result.losses);
        one["switch_peak_bytes"] = result.switch_peak.count;
        json["runs"].push_back(std::move(one));
    }
    json["simulated_s"] = in_seconds(run.sum(&IpbusResult::simulated));
    json["wall_s"] = run.wall_seconds;
    return json;
}

void print(std::ostream& out, const IpbusRun& run) {
    out << text_line("ipbus in ns-3, seed %llu, %zu runs of %s in %.3f s; packets of up to %lld B\n", run.scenario.seed,
                     run.results.size(), to_text(run.scenario.of<Ipbus>().duration), run.wall_seconds,
                     run.scenario.of<Ipbus>().max_payload.count)
        << "units  block/words       rate  transferred  data/(Mb/s)  per unit  survival  server busy  waveforms      "
           "read  rejected   left  time-outs\n";
    for (const IpbusResult& r : run.results) {
        const std::string rate =
            run.scenario.of<Ipbus>().pattern == Ipbus::Pattern::Full ? "full" : to_text(r.point.rate);
        out << text_line("%5lld %12lld %10s %12.2f %12.2f %9.2f %9.5f %10.1f %% %10lld %9lld %9lld %6lld %10lld\n",
                         r.point.units, r.point.block, rate, r.transferred_mbps, r.data_mbps,
                         r.data_mbps / static_cast<double>(r.point.units), r.survival, 100 * r.server_busy,
                         r.waveforms.generated, r.waveforms.read, r.waveforms.rejected, r.waveforms.left,
                         r.requests.timeouts);
        for (const auto& loss : r.losses)
            out << "       " << loss.frames << " frames lost, " << loss.where << ": " << loss.reason << "\n";
        if (r.requests.sent_again + r.requests.asked_again > 0)
            out << "       " << r.requests.sent_again << " requests sent again, " << r.requests.asked_again
                << " replies asked for again\n";
        if (r.units_given_up > 0)
            out << "       " << r.units_given_up << " units given up, " << r.requests.abandoned
                << " requests abandoned\n";
    }
}

FlashingRun run_flashing(const Scenario& scenario) {
    const std::vector<std::int64_t>& workers = scenario.of<Flashing>().workers;
    Progress progress("run", "runs", static_cast<std::int64_t>(workers.size()));
    return run_points(scenario, workers, progress, 1,
                      [&](std::int64_t number) { return flash(scenario.of<Flashing>(), number); });
}

nlohmann::ordered_json to_json(const FlashingRun& run) {
    nlohmann::ordered_json json = system_head("flashing", "exact", run.scenario);
    json["runs"] = nlohmann::ordered_json::array();
    for (const FlashingResult& result : run.results)
        json["runs"].push_back({{"workers", result.workers},
                                {"units", result.units},
                                {"duration_s", result.duration_s},
                                {"worker_seconds_per_unit", result.worker_seconds_per_unit},
                                {"units_per_minute", result.units_per_minute}});
    return json;
}

void print(std::ostream& out, const FlashingRun& run) {
    out << "workers  units  duration  worker seconds per unit  units per minute\n";
    for (const FlashingResult& r : run.results) {
        const auto whole = std::llround(r.duration_s);
        out << text_line("%7lld %6lld  %5lld:%02lld %24.1f %17.2f\n", r.workers, r.units, whole / 60, whole % 60,
                         r.worker_seconds_per_unit, r.units_per_minute);
    }
}

}  // namespace watershed
