// SPDX-License-Identifier: GPL-2.0-only
// M. Goodrich et al., "EJFAT: ESnet-Jefferson Lab FPGA Accelerated Transport". The points of its figures are not in its text; what the
// text states forces the numbers that are named as arithmetic.
#include <cmath>
#include <numeric>

#include "scenarios/ejfat-run.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"
#include "scenarios/validate.h"

namespace watershed {
namespace {

/// Runs scenarios/ejfat/NAME.toml.
std::vector<EjfatResult> measure(const Validation& validation, const std::string& name, const std::vector<std::string>& overrides = {}) {
    const Scenario scenario = read_system(validation.scenario("ejfat/" + name), overrides);
    return run_ejfat(scenario, validation.simulators).results;
}

double milliseconds(const EjfatTimes& times) { return times.mean_us * 1e-3; }

void compare_latency(Comparisons& compare, const Validation& validation) {
    const EjfatResult r = measure(validation, "latency").front();
    compare.from("Total data latency of EJFAT");
    const char* kFlight = "112 packets, 1011424 B on the wire at 100 Gb/s, are 80.9 us; 100 us is that to one digit, or includes 19 us of path";
    compare.set({"1 MB event at 100 Gb/s, flight to balancer", "us"}, 100, r.flight_to_balancer.mean_us, 20, kFlight);
    compare.set({"1 MB event at 100 Gb/s, flight to node", "us"}, 100, r.flight_to_node.mean_us, 20, "from the balancer's first packet to the node's last");
    compare.set({"1 MB event, reassembly", "ms"}, 1, milliseconds(r.reassembly), 0.01, "calibrated: 8.92 us of the receive thread for each packet");
    const double by_hops = (r.flight_to_balancer.mean_us + r.flight_to_node.mean_us + r.reassembly.mean_us) * 1e-3;
    compare.set({"1 MB event, whole events handed from hop to hop", "ms"}, 1.2, by_hops, 0.05, "the sum of the three");
    const double three_packets = 3 * 9038 * 8e-8;   // ms; source, balancer and LAN each store a packet
    char text[240];
    std::snprintf(text, sizeof text,
                  "the sum counts three overlapping times: the balancer forwards packets, not events, and reassembly begins with the first of them, "
                  "3 * 9038 B * 8 / 100 Gb/s = %.4f ms after the event; then 1 ms", three_packets);
    compare.set_contradicted({"1 MB event, packets handed on as they come", "ms"}, 1.2, milliseconds(r.transport), 0.01, three_packets + 1, text);
    compare.set({"reassembly's share of the latency at 100 Gb/s", ""}, 1 / 1.2, r.reassembly.mean_us * 1e-3 / by_hops, 0.05, "\"dominated by reassembly\": 1.0 of 1.2 ms");
    compare.from("packet layout of E2SAR");
    compare.set({"packets of a 1 MB event, IP packets of 9000 B", ""}, 112, static_cast<double>(r.packets_sent) / static_cast<double>(r.events_sent), 0, "1000000 B in pieces of 8936 B");
}

void compare_reassembly(Comparisons& compare, const Validation& validation) {
    const auto results = measure(validation, "reassembly", {"ejfat.source.bit_rate=[\"500 Mb/s\", \"4 Gb/s\"]"});
    compare.from("Reassembly latency, 100 kB event vs 1 MB event");
    compare.set({"reassembly of 1 MB over that of 100 kB at 500 Mb/s", ""}, 10, results[2].reassembly.mean_us / results[0].reassembly.mean_us, 1,
                "\"linear scaling\"; the summary's \"latency improves with event size\" can only be meant per byte. From the first of n packets to the last is (n - 1) / n of S / R");
    compare.from("arithmetic on \"latency declines with bitrate\"");
    compare.set({"reassembly of 1 MB at 4 Gb/s over that at 500 Mb/s", ""}, 0.125, results[3].reassembly.mean_us / results[2].reassembly.mean_us, 0.005,
                "an inference: from the first packet to the last takes S / R");
}

void compare_rates(Comparisons& compare, const Validation& validation) {
    const auto results = measure(validation, "no-drop", {"ejfat.nodes.service_time=[\"5 ms\", \"25 ms\"]"});
    compare.from("arithmetic on \"no loss bitrate vs post reassembly latency\"");
    for (const EjfatResult& r : results) {
        const double megabits = 8e-6 * static_cast<double>(r.point.event_size.count), seconds = static_cast<double>(r.point.service_time.count()) * 1e-12;
        const std::string where = ", " + to_text(r.point.event_size) + " and " + to_text(r.point.service_time);
        const double by_hyperbola = megabits / seconds, found = static_cast<double>(r.point.bit_rate.count) * 1e-6;
        compare.set({"highest bit rate without loss" + where, "Mb/s"}, by_hyperbola, found, 0.01 * by_hyperbola,
                    "8 S / L; a run of 500 events takes 0.6 % more, the 3 that its queue and its worker hold");
        compare.set({"nodes for 100 Gb/s" + where, ""}, 100e3 / by_hyperbola, 100e3 / found, 0.01 * 100e3 / by_hyperbola, "100 Gb/s over that");
    }
    compare.from("Post reassembly latency implications");
    const EjfatResult box = measure(validation, "no-drop", {"ejfat.nodes.service_time=[\"25 ms\"]", "ejfat.nodes.workers=4", "ejfat.source.event_size=[\"100 kB\"]"}).front();
    compare.set_contradicted({"latency of a box that hosts 4 nodes of 25 ms each", "ms"}, 5, 8e5 / static_cast<double>(box.point.bit_rate.count) * 1e3, 0.07, 25.0 / 4,
                             "four nodes of 25 ms each do an event in 25 / 4 = 6.25 ms; the measured 5 ms is that of 20 ms a node");
}

void compare_calendar(Comparisons& compare, const Validation& validation) {
    compare.from("arithmetic on \"nodes for 100 Gbps\" at 5 ms a box");
    int fewest = 65;
    for (const int boxes : {64, 63})
        if (measure(validation, "full-rate", {"ejfat.nodes.count=" + std::to_string(boxes)}).front().events_lost() == 0) fewest = boxes;
    compare.set_contradicted({"boxes that take 1 MB events at 100 Gb/s without loss", ""}, 62.5, fewest, 0.5, 64,
                             "512 slots over 63 boxes are 8 or 9 each, and 9 / 512 of 12500 events/s are 220 where a box does 200; 64 boxes have 8 each, 195");
}

void compare_control(Comparisons& compare, const Validation& validation) {
    const EjfatResult step = measure(validation, "control-step").front();
    compare.from("CP load balancing: PID control, FIFO full = X %");
    constexpr double kSetPoint = 25;
    double peak = 0;
    for (const auto& sample : step.samples) peak = std::max(peak, 100 * sample.fill[0]);
    char text[120];
    std::snprintf(text, sizeof text, "a scenario of ours, as X is left open: it slows to half its speed at 8 s, and its queue rises to %.1f %%", peak);
    compare.set({"queue of the slowed node at the end", "%"}, kSetPoint, 100 * step.samples.back().fill[0], 2.5, text);
    const auto& last = step.epochs.back().slots;
    compare.set({"its slots at the end, share of an even one", ""}, 50.0 / 95, 10 * last[0] / 512.0, 0.05, "50 of 950 events/s, where an even share is 95");
    compare.from("FPGA load balancer: calendar");
    double least = 512, most = 512;
    for (const auto& epoch : step.epochs) {
        const double sum = std::accumulate(epoch.slots.begin(), epoch.slots.end(), 0);
        least = std::min(least, sum);
        most = std::max(most, sum);
    }
    compare.set({"slots given out, fewest over all epochs", ""}, 512, least, 0);
    compare.set({"slots given out, most over all epochs", ""}, 512, most, 0);

    compare.from("EJFAT design principles");
    const EjfatResult members = measure(validation, "membership").front();
    compare.set({"events given to two nodes across an epoch change", ""}, 0, static_cast<double>(members.events_split), 0,
                std::to_string(members.epochs.size()) + " epochs, three sources 3 ms apart");
    compare.set({"epochs that began behind events already sent", ""}, 0, static_cast<double>(members.epochs_late), 0, "each is predicted for 0.3 s later");
    compare.set({"nodes evicted", ""}, 1, static_cast<double>(members.nodes_evicted), 0, "the one that fell silent");
}

}  // namespace

std::vector<Comparison> validate_ejfat(const Validation& validation) {
    Comparisons compare("ejfat");
    compare_latency(compare, validation);
    compare_reassembly(compare, validation);
    compare_rates(compare, validation);
    compare_calendar(compare, validation);
    compare_control(compare, validation);
    return compare.all();
}

}  // namespace watershed
