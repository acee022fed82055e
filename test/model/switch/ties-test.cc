// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/ties.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/frontend/stream-frames.h"
#include "test/catch.h"

namespace watershed {
namespace {

constexpr LossCause kFull = SwitchMemory::kBufferFull;

std::vector<TrafficStream> eight_streams() {
    std::vector<TrafficStream> streams;
    for (int i = 1; i <= 8; ++i) {
        TrafficStream& stream = streams.emplace_back();
        stream.name = "s" + std::to_string(i);
        stream.payload = Bytes{1472};
        stream.rate.bits = BitRate{13'750'000'000};
        stream.link_rate = BitRate{25'000'000'000};
        stream.stop = Time{15'000'000'000};
    }
    return streams;
}

/// 110 Gb/s into 100 Gb/s, and a camera that sends next to nothing.
Outcome overloaded(const std::vector<TrafficStream>& streams) {
    NetworkScenario s;
    s.front_end.modules = 1;
    s.trigger.events = 1;
    s.network_switch.uplink_rate = BitRate{100'000'000'000};
    s.network_switch.buffer.size = {5'200'000, MemorySize::Unit::Byte};
    s.traffic = streams;
    return ExactEngine().run(s, nullptr);
}

std::int64_t lost(const Outcome::Stream& stream) { return stream.frames_sent - stream.frames_received; }

}  // namespace

TEST_CASE("A loss is decided by a tie if another frame for the same room came at that instant, and first") {
    /// A frame for output 0 was taken at 7.
    const auto is_tie = [](Buffer::Sharing sharing, const Timestamp& lost, int output, const LossCause& cause = kFull) {
        Buffer buffer;
        buffer.sharing = sharing;
        Ties ties(buffer);
        ties.lost(kFull, Time{7}, 0);  // before it
        ties.taken(Time{7}, 0);
        ties.lost(cause, lost, output);
        return ties.decided().front() == 1;
    };
    CHECK(is_tie(Buffer::Sharing::Shared, Time{7}, 0));
    CHECK(is_tie(Buffer::Sharing::Shared, Time{7}, 1));
    CHECK(is_tie(Buffer::Sharing::PerOutput, Time{7}, 0));
    CHECK_FALSE(is_tie(Buffer::Sharing::Shared, Time{8}, 0));
    CHECK_FALSE(is_tie(Buffer::Sharing::Shared, Timestamp(Time{7}, 1), 0));
    CHECK_FALSE(is_tie(Buffer::Sharing::Shared, Time{7}, 0, SwitchMemory::kEarlyDrop));
    CHECK_FALSE(is_tie(Buffer::Sharing::PerOutput, Time{7}, 1));
    CHECK_FALSE(is_tie(Buffer::Sharing::PerInput, Time{7}, 0));
}

TEST_CASE("A loss behind a stream in step is decided by a tie, until memory is given back") {
    std::vector<TrafficStream> streams = eight_streams();
    streams[2].clock = ClockTolerance{1};
    streams[3].jitter = Time{1};
    Ties ties({}, rhythms_of(streams));
    const auto behind = [&](int first, int stream) {
        const auto before = ties.decided()[static_cast<std::size_t>(stream)];
        ties.taken(Time{7}, 0, first);
        ties.lost(kFull, Time{8}, 0, stream);
        return ties.decided()[static_cast<std::size_t>(stream)] > before;
    };
    CHECK(behind(1, 2));
    CHECK_FALSE(behind(2, 2));
    CHECK_FALSE(behind(0, 2));  // the camera
    CHECK_FALSE(behind(3, 2));
    CHECK_FALSE(behind(4, 2));
    CHECK_FALSE(behind(2, 3));
    CHECK(behind(1, 2));
    ties.released(0);
    ties.lost(kFull, Time{9}, 0, 2);
    CHECK(ties.decided()[2] == 2);
}

// Frames beyond those that leave or fit are lost, whoever loses them.
TEST_CASE("Of eight equal streams in step one loses all, by ties; jitter shares the loss") {
    std::vector<TrafficStream> streams = eight_streams();
    const Outcome in_step = overloaded(streams);
    for (TrafficStream& each : streams) each.phase = Time{0};
    const Outcome together = overloaded(streams);
    for (TrafficStream& each : streams) each.jitter = Time{1'000'000};
    const Outcome jittered = overloaded(streams);
    // Frames of 1538 B on the link and 1518 B in memory: 16763 of each stream begin in 15 ms, 121911 leave meanwhile.
    const double sent = 8 * 0.015 * 13.75e9 / (8 * 1538), sent_on = 0.015 * 100e9 / (8 * 1538);
    const double expected = sent - sent_on - std::floor(5'200'000 / 1518.0);
    for (const Outcome* each : {&in_step, &together, &jittered}) {
        std::int64_t all = 0, most = 0;
        for (std::size_t i = 1; i <= 8; ++i) {
            all += lost(each->streams[i]);
            most = std::max(most, lost(each->streams[i]));
        }
        CHECK(static_cast<double>(all) == Approx(expected).margin(30));
        const std::int64_t decided =
            std::accumulate(each->decided_by_ties.begin(), each->decided_by_ties.end(), std::int64_t{0});
        if (each == &jittered) {
            CHECK(most < 1.1 * static_cast<double>(all) / 8);
            CHECK(decided < all / 100);
        } else {
            CHECK(static_cast<double>(most) > 0.4 * static_cast<double>(all));
            CHECK(static_cast<double>(decided) > 0.9 * static_cast<double>(all));
        }
    }
    CHECK(std::accumulate(together.decided_by_ties.begin(), together.decided_by_ties.end(), std::int64_t{0}) ==
          std::accumulate(together.streams.begin(), together.streams.end(), std::int64_t{0},
                          [](std::int64_t sum, const Outcome::Stream& each) { return sum + lost(each); }));
}

// 3 modules into one place: the first takes it, each other loses it, at the same instant, in every path.
TEST_CASE("All that a synchronous camera loses beside frames that are taken is decided by ties") {
    for (const auto release : {Buffer::Release::End, Buffer::Release::Start}) {
        NetworkScenario s;
        s.front_end.modules = 3;
        s.trigger.events = 5;
        s.trigger.separation = Time{1'000'000'000};
        s.network_switch.buffer.size = {1, MemorySize::Unit::Frame};
        s.network_switch.buffer.release = release;
        s.network_switch.latency = Time{1};
        for (const auto order : {ArrivalOrder::Module, ArrivalOrder::Random}) {
            s.network_switch.arrival_order = order;
            const Outcome fast = ExactEngine().run(s, nullptr);
            CHECK(fast.frames_lost() == 10);
            CHECK(fast.decided_by_ties == std::vector<std::int64_t>{10});
            CHECK(run_event_driven(s, nullptr).decided_by_ties == fast.decided_by_ties);
        }
    }
}

}  // namespace watershed
