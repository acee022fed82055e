// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <vector>

#include "model/exact/exact-engine.h"
#include "test/catch.h"
#include "test/model/exact/traffic-scenarios.h"

namespace watershed {
namespace {

/// Classes 0 to 6 are not limited.
void shape_highest(Switch& network_switch, BitRate rate, Bytes burst) {
    network_switch.scheduling.kind = Kind::StrictPriority;
    network_switch.scheduling.rates.assign(8, network_switch.uplink_rate);
    network_switch.scheduling.rates[7] = rate;
    network_switch.scheduling.bursts.assign(8, burst);
}

}  // namespace

// Measured on the same switch, which shapes by IEEE 802.1Qcr: of a link full of frames of 1472 B a token bucket of
// 1542 B lets so many through each second, at the rates of the table, and those that would wait for more than 134 us
// are lost. Here the queue holds two frames. It must count 1522 B of a frame, from the MAC header to the FCS and with
// the VLAN tag: rate / (8 * 1522 B).
TEST_CASE("A shaper lets through what was measured of a real switch") {
    constexpr std::pair<std::int64_t, std::int64_t> kMeasured[] = {
        {100, 8212}, {200, 16426}, {400, 32852}, {600, 49279}, {800, 65703}};
    for (const auto& [megabits, passed] : kMeasured) {
        Scenario s = quiet_camera();
        s.frame.wire_overhead = Bytes{70};
        s.frame.buffer_overhead = Bytes{50};
        s.traffic = {constant("class-7", BitRate{1'000'000'000}, 7)};
        s.traffic[0].payload = Bytes{1472};
        s.traffic[0].stop = Time{1'000'000'000'000};
        shape_highest(s.network_switch, BitRate{megabits * 1'000'000}, Bytes{1542});
        s.network_switch.scheduling.counts = Scheduling::Counts::Frame;
        s.network_switch.buffer.class_limits.assign(8, {2, MemorySize::Unit::Frame});
        const Outcome outcome = ExactEngine().run(s);
        CHECK(std::abs(received(outcome, 1) - static_cast<double>(passed)) <= 4);
        REQUIRE(outcome.streams[1].losses.size() == 1);
        CHECK(outcome.streams[1].losses[0].reason == "threshold");
    }
}

// Ten frames of 1090 B come at 10 Gb/s from 0.872 us on, the first behind the camera's, which is of class 0. The bucket
// holds three of them, and a frame's tokens come in 87.2 us: the k-th from the fourth on begins (k - 3) * 87.2 us
// behind the first, and takes 8.72 us to leave.
TEST_CASE("A burst goes at once as far as the bucket holds, and then frame by frame as tokens come") {
    Scenario s = quiet_camera();
    s.front_end.link_rate = BitRate{10'000'000'000};
    s.traffic = {constant("burst", BitRate{10'000'000'000}, 7)};
    s.traffic[0].stop = Time{10 * 872'000};
    shape_highest(s.network_switch, BitRate{100'000'000}, Bytes{3 * 1090});
    const std::int64_t token = 87'200'000;
    Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.streams[1].latency_most.count() == 872'000 + kSlot + 7 * token + kSlot - 9 * 872'000);
    CHECK(outcome.streams[1].frames_received == 10);
    // An uplink that is as fast lets three cut through, and the fourth is the first to wait.
    s.network_switch.uplink_rate = s.front_end.link_rate;
    s.traffic[0].start = kMicrosecond * 100;
    *s.traffic[0].stop += kMicrosecond * 100;
    shape_highest(s.network_switch, BitRate{100'000'000}, Bytes{3 * 1090});
    s.network_switch.cut_through = true;
    outcome = ExactEngine().run(s);
    const std::int64_t header = 51'200;  // 64 B
    CHECK(outcome.frames_cut_through == 1 + 3);
    CHECK(outcome.simulated.count() == 100'000'000 + header + 7 * token + 872'000);
}

// Class 7 may have 400 Mb/s of 1 Gb/s although it is served first; class 0 wants all and gets the rest, so that the
// link is never idle. Both may hold 20 frames. The bucket must hold what comes while other frames are on the link.
TEST_CASE("What a shaper holds back is left to the other classes") {
    for (const Kind kind : {Kind::StrictPriority, Kind::WeightedRoundRobin, Kind::DeficitRoundRobin}) {
        Scenario s = quiet_camera();
        s.traffic = {constant("low", BitRate{1'000'000'000}, 0), constant("high", BitRate{1'000'000'000}, 7)};
        for (TrafficStream& stream : s.traffic) stream.stop = kMicrosecond * 100'000;
        shape_highest(s.network_switch, BitRate{400'000'000}, Bytes{4 * 1090});
        s.network_switch.scheduling.kind = kind;
        s.network_switch.buffer.class_limits.assign(8, {20, MemorySize::Unit::Frame});
        const Outcome outcome = ExactEngine().run(s);
        const double all = 100e-3 / 8.72e-6;
        CHECK(std::abs(received(outcome, 1) - 0.6 * all) < 25);
        CHECK(std::abs(received(outcome, 2) - 0.4 * all) < 25);
        for (const Outcome::Stream& each : outcome.streams) {
            std::int64_t lost = 0;
            for (const auto& loss : each.losses) lost += loss.frames;
            CHECK(each.frames_sent == each.frames_received + lost);
        }
        // A rate that is the uplink's limits nothing.
        s.network_switch.scheduling.rates[7] = s.network_switch.uplink_rate;
        Scenario unlimited = s;
        unlimited.network_switch.scheduling.rates.clear();
        CHECK(ExactEngine().run(s) == ExactEngine().run(unlimited));
    }
}

// A link of 1 Gb/s brings 20 frames back to back, one every slot. At 500 Mb/s and without a burst one begins every
// other slot: of the 20 that have come at slot 20, those that began at 1, 3, ... 19 have left again, all before
// slot 20.
TEST_CASE("A shaped camera loses what its memory does not hold while tokens come") {
    Scenario s = quiet_camera();
    s.front_end.traffic_class = 7;
    s.trigger.events = 20;
    s.trigger.separation = Time{0};
    shape_highest(s.network_switch, BitRate{500'000'000}, Bytes{0});
    s.network_switch.buffer.size.amount = 20;
    const Outcome whole = ExactEngine().run(s);
    CHECK(whole.frames_lost() == 0);
    CHECK(whole.simulated.count() == kSlot + 19 * 2 * kSlot + kSlot);
    CHECK(whole.peak_frames == 20 - 10 + 0);
    s.network_switch.buffer.size.amount = whole.peak_frames;
    CHECK(ExactEngine().run(s).frames_lost() == 0);
    s.network_switch.buffer.size.amount = whole.peak_frames - 1;
    CHECK(ExactEngine().run(s).frames_lost() > 0);
}

}  // namespace watershed
