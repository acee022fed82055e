// SPDX-License-Identifier: GPL-2.0-only
// The watersheds of one switch as stock ns-3 draws them, once as it should be and once with each of its silent traps
// (README.md beside this). Leaves a boundary for each, for `watershed plot comparison`: bench-stock-traps [FOLDER
// [WAY]...], by default all ways, and traps/ in the working folder.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "model/exact/exact-engine.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"
#include "stock-ns3.h"

using namespace watershed;

namespace {

constexpr std::int64_t kRoom = 12'000;
constexpr std::int64_t kLongest = 10'000;  // events that are tried
constexpr Time kCable{25'000};             // 5 m

Scenario burst(std::int64_t events, Time separation) {
    Scenario s;
    s.front_end.modules = 44;
    s.trigger.separation = separation;
    s.trigger.events = events;
    s.network_switch.buffer.size = {kRoom};
    return s;
}

struct Way {
    std::string file, what;
    stock::Wiring wiring;
};

std::vector<Way> ways() {
    using Stack = stock::Wiring::Stack;
    const Scenario s = burst(1, Time{0});
    const stock::Wiring devices = stock::wiring_of(s, Stack::Devices), sockets = stock::wiring_of(s, Stack::Sockets),
                        bridge = stock::wiring_of(s, Stack::Bridge);
    stock::Wiring disc_left = sockets, payload_and_headers = sockets, bare_bridge = bridge, cable = bridge;
    disc_left.queue_discs = true;
    payload_and_headers.slot = s.frame.payload.count + stock::kIpUdpHeaders + stock::kPppHeader;
    bare_bridge.slot = s.frame.payload.count + stock::kIpUdpHeaders + stock::kCsmaHeaders;
    cable.uplink_delay = kCable;
    // As a named constant: g++ 12 crashes over a call within the list.
    const stock::Wiring installed = stock::as_installed(s);
    return {{"devices", "PointToPoint devices, all sizes and queues set", devices},
            {"sockets", "UDP sockets, all sizes and queues set, queue discs removed", sockets},
            {"as-installed", "the uplink's queue and queue disc as ns-3 installs them", installed},
            {"disc-left", "the uplink's queue set, its queue disc left in place", disc_left},
            {"ppp-sizes", "payload and headers alone: no preamble, Ethernet header, FCS, gap", payload_and_headers},
            {"csma", "CSMA and bridge, no delay, all sizes set", bridge},
            {"csma-sizes", "CSMA and bridge, no delay, no preamble", bare_bridge},
            {"csma-cable", "CSMA and bridge, all sizes set, 25 ns of cable", cable}};
}

double no_heap() { return 0; }

bool loses(const Way& way, std::int64_t events, Time separation) {
    const Scenario s = burst(events, separation);
    return stock::run(s, way.wiring, no_heap).received < events * s.front_end.modules;
}

/// The longest burst without loss, if it is shorter than the longest that is tried. A long run tells which event met
/// the first loss, so a burst that ends there loses, too; queue discs may drop even later, while a shorter burst
/// drains, so that the one before is tried, and bisected if it loses.
std::optional<std::int64_t> lossless(const Way& way, Time separation) {
    const Scenario s = burst(kLongest, separation);
    const std::optional<std::int64_t> first = stock::Camera(s, way.wiring).run(no_heap, true).first_lost_event;
    if (!first) return std::nullopt;
    std::int64_t lost = *first, kept = 0;
    for (std::int64_t tried = lost - 1; lost - kept > 1; tried = (lost + kept) / 2)
        (loses(way, tried, separation) ? lost : kept) = tried;
    return kept;
}

void print(const std::vector<BoundaryPoint>& points) {
    for (const BoundaryPoint& point : points)
        std::printf(
            " %9s",
            (point.events_lossless ? std::to_string(*point.events_lossless) : "> " + std::to_string(kLongest)).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

/// Without the points that were not found: a longer burst may lose.
void write(const std::filesystem::path& folder, const std::string& name, std::vector<BoundaryPoint> points) {
    points.erase(
        std::remove_if(points.begin(), points.end(), [](const BoundaryPoint& point) { return !point.events_lossless; }),
        points.end());
    OutputFile file((folder / (name + ".csv")).string());
    file.stream() << Provenance::comment();
    write_boundary(file.stream(), points);
    file.commit();
}

void watersheds(const std::filesystem::path& folder, const std::vector<std::string>& chosen) {
    const std::vector<Time> separations{Time{9'001'000},  Time{15'001'000}, Time{21'001'000}, Time{27'001'000},
                                        Time{32'001'000}, Time{35'001'000}, Time{37'001'000}};
    std::printf(
        "longest burst without loss, events; 44 modules, 1024 B, 1 Gb/s to 10 Gb/s, memory for %lld frames\n%-66s",
        static_cast<long long>(kRoom), "separation, us");
    for (const Time separation : separations) std::printf(" %9s", microseconds(separation).c_str());
    std::printf("\n%-66s", "the exact engine");
    std::vector<BoundaryPoint> right;
    ExactEngine engine;
    for (const Time separation : separations)
        right.push_back(
            {separation, find_boundary(engine, burst(1, separation), separation, kLongest).events_lossless});
    print(right);
    write(folder, "exact", right);
    for (const Way& way : ways()) {
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), way.file) == chosen.end()) continue;
        std::printf("%-66s", way.what.c_str());
        std::vector<BoundaryPoint> points;
        for (const Time separation : separations) points.push_back({separation, lossless(way, separation)});
        print(points);
        write(folder, way.file, points);
    }
}

/// Frames that arrive at one instant are served in the order in which their events were scheduled, that is of the
/// ports.
void ties() {
    const std::int64_t events = 2000;
    std::printf("\nwho loses: %lld events 9.001 us apart, frames lost\n%-66s %9s %9s %9s %9s\n",
                static_cast<long long>(events), "", "all", "module 1", "module 22", "module 44");
    for (const Time jitter : {Time{0}, Time{500'000}}) {
        Scenario s = burst(events, Time{9'001'000});
        s.network_switch.buffer.size = {4000};
        stock::Wiring wiring = stock::wiring_of(s, stock::Wiring::Stack::Devices);
        wiring.by_module = true;
        wiring.jitter = jitter;
        const stock::Result result = stock::run(s, wiring, no_heap);
        const auto lost = [&](std::size_t module) {
            return static_cast<long long>(events - result.received_of[module - 1]);
        };
        std::printf("%-66s %9lld %9lld %9lld %9lld\n",
                    jitter.count() ? "each frame up to 500 ns late, at random"
                                   : "at one instant, as a synchronous camera is written",
                    static_cast<long long>(events * 44 - result.received), lost(1), lost(22), lost(44));
    }
}

}  // namespace

int main(int argc, char** argv) {
    Provenance::set_command_line(argc, argv);
    const std::filesystem::path folder = argc > 1 ? argv[1] : "traps";
    std::filesystem::create_directories(folder);
    watersheds(folder, {argv + std::min(argc, 2), argv + argc});
    ties();
}
