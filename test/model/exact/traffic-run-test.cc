// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <deque>
#include <optional>
#include <sstream>
#include <tuple>
#include <vector>

#include "model/base/random.h"
#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"
#include "test/model/exact/traffic-scenarios.h"

namespace watershed {

// Four frames come at once, the stream's last. So many as the pipeline holds are on their way out, the others in
// memory.
TEST_CASE("What is in the pipeline of an output is in no stream's peak either") {
    Scenario s = quiet_camera();
    s.front_end.modules = 3;
    s.traffic = {constant("slow", BitRate{1'000'000'000}, 0)};
    s.traffic[0].stop = Time{1};
    for (std::int64_t pipeline = 0; pipeline <= 5; ++pipeline) {
        s.network_switch.buffer.egress_pipeline = pipeline;
        const Outcome outcome = ExactEngine().run(s);
        CHECK(outcome.peak_frames == std::max<std::int64_t>(0, 4 - pipeline));
        CHECK(outcome.streams[0].peak().frames == std::max<std::int64_t>(0, 3 - pipeline));
        CHECK(outcome.streams[1].peak().frames == (pipeline <= 3 ? 1 : 0));
    }
}

// By hand, at 1 Gb/s everywhere, in slots of 8.72 us. Two modules and one stream have a frame at time 0; all three have
// arrived at 1. The uplink takes module 1's at once; module 2's and the stream's wait. In memory at most 3 frames. They
// leave at 2, 3 and 4 in this order, or, if the stream is of a higher class, that of module 2 comes last.
TEST_CASE("Three frames meet at one uplink: the outcome by hand") {
    Scenario s = quiet_camera();
    s.front_end.modules = 2;
    s.traffic = {constant("slow", BitRate{1'000'000'000}, 5)};
    s.traffic[0].stop = Time{1};
    Outcome outcome = ExactEngine().run(s);
    REQUIRE(outcome.streams.size() == 2);
    CHECK(outcome.streams[0].name == "camera");
    CHECK(outcome.streams[0].frames_sent == 2);
    CHECK(outcome.streams[0].latency.count() == 5 * kSlot);
    CHECK(outcome.streams[0].peak().frames == 2);
    CHECK(outcome.streams[1].frames_received == 1);
    CHECK(outcome.streams[1].latency_most.count() == 4 * kSlot);
    CHECK(outcome.peak_frames == 3);
    CHECK(outcome.uplinks[0].frames == 3);

    s.network_switch.scheduling.kind = Kind::StrictPriority;
    outcome = ExactEngine().run(s);
    CHECK(outcome.streams[0].latency.count() == 6 * kSlot);
    CHECK(outcome.streams[1].latency_most.count() == 3 * kSlot);

    // With room for two frames the stream's is lost: it comes last.
    s.network_switch.buffer.size.amount = 2;
    outcome = ExactEngine().run(s);
    CHECK(outcome.frames_lost() == 0);
    CHECK(outcome.losses.empty());
    CHECK(outcome.streams[1].losses == std::vector<Outcome::Loss>{{"switch", "buffer-full", 1}});
}

// Two streams of 1 Gb/s each saturate an uplink of 1 Gb/s for T = 100 ms; each class may hold 20 frames. The uplink
// sends T / 8.72 us = 11467 frames, and what is queued at the end.
TEST_CASE("Weighted and deficit round robin share a saturated uplink by their weights") {
    Scenario s = quiet_camera();
    s.traffic = {constant("low", BitRate{1'000'000'000}, 0), constant("high", BitRate{1'000'000'000}, 4)};
    for (TrafficStream& stream : s.traffic) stream.stop = kMicrosecond * 100'000;
    s.front_end.traffic_class = 7;
    s.network_switch.buffer.class_limits.assign(5, {20, MemorySize::Unit::Frame});
    const double all = 100e-3 / 8.72e-6;
    s.network_switch.scheduling = {Kind::WeightedRoundRobin, {1, 1, 1, 1, 3}, {}};
    Outcome outcome = ExactEngine().run(s);
    CHECK(std::abs(received(outcome, 1) - all / 4) < 25);
    CHECK(std::abs(received(outcome, 2) - all * 3 / 4) < 25);
    CHECK(outcome.streams[1].losses.front().reason == "threshold");

    // By bytes: frames of "low" are half as long on the link, and there are twice as many of them for the same share.
    s.network_switch.scheduling = {Kind::DeficitRoundRobin, {1, 1, 1, 1, 3}, Bytes{1090}};
    s.traffic[0].payload = Bytes{479};  // 545 B on the link
    outcome = ExactEngine().run(s);
    CHECK(std::abs(received(outcome, 1) - all / 4 * 2) < 50);
    CHECK(std::abs(received(outcome, 2) - all * 3 / 4) < 25);

    // The highest class gets all it wants, and the other what is left: nothing, but for the ends.
    s.network_switch.scheduling = {Kind::StrictPriority, {}, {}};
    outcome = ExactEngine().run(s);
    CHECK(received(outcome, 1) < 50);
    CHECK(std::abs(received(outcome, 2) - all) < 25);
}

// Measured on an FPGA switch (CCIRT/aist-tsn-switch at 7f941ff6): frames of 1472 B, with VLAN tags 70 B more on the
// link of 1 Gb/s; class 7 loses nothing, and class 5, which wants the whole link, gets the rest.
TEST_CASE("Strict priority leaves a lower class what was measured of a real switch") {
    constexpr std::pair<std::int64_t, double> kMeasured[] = {
        {67935, 13124}, {50951, 30152}, {33968, 47178}, {16983, 64163}};
    for (const auto& [high, low] : kMeasured) {
        Scenario s = quiet_camera();
        s.frame.wire_overhead = Bytes{70};
        s.traffic = {constant("class-7", BitRate{}, 7), constant("class-5", BitRate{1'000'000'000}, 5)};
        s.traffic[0].rate = {Frequency{high * 1'000'000}, BitRate{0}};
        for (TrafficStream& stream : s.traffic) {
            stream.payload = Bytes{1472};
            stream.stop = Time{1'000'000'000'000};
        }
        s.network_switch.scheduling.kind = Kind::StrictPriority;
        s.network_switch.buffer.class_limits.assign(6, {50, MemorySize::Unit::Frame});
        const Outcome outcome = ExactEngine().run(s);
        CHECK(received(outcome, 1) == static_cast<double>(high));
        CHECK(received(outcome, 2) == Approx(low + 50).epsilon(0.005));  // and those in memory at the end
    }
}

// A frame of the high class waits for the frame that the uplink is sending, never for another: its latency is at most
// its own time on its link, that of the longest low frame on the uplink (1538 B), and its own there. Frames of 100 B
// (166 B on the link) every 13.777 us meet the long ones at all phases, so that the worst comes close to the bound.
TEST_CASE("Under strict priority the worst delay of the high class is one frame of the low one and its own") {
    Scenario s = quiet_camera();
    s.network_switch.buffer.size.amount = 100;
    s.front_end.traffic_class = 6;
    s.traffic = {constant("low", BitRate{1'000'000'000}, 0), constant("high", BitRate{}, 6)};
    s.traffic[0].payload = Bytes{1472};
    s.traffic[1].payload = Bytes{100};
    s.traffic[1].rate = {Frequency{1'000'000'000'000'000 / 13'777}, BitRate{0}};
    s.traffic[1].start = kMicrosecond * 50;
    for (TrafficStream& stream : s.traffic) stream.stop = kMicrosecond * 50'000;
    const std::int64_t own = 166 * 8000, low = 1538 * 8000;
    s.network_switch.scheduling.kind = Kind::StrictPriority;
    s.network_switch.buffer.class_limits = {{90, MemorySize::Unit::Frame}};  // of the low class
    const Outcome strict = ExactEngine().run(s);
    CHECK(strict.streams[2].latency_most.count() <= own + low + own);
    CHECK(strict.streams[2].latency_most.count() > own + low + own - 50'000);
    CHECK(strict.streams[2].losses.empty());
    // In one queue it waits behind all that is there, up to the memory's 100 frames, and is lost with the others.
    s.network_switch.scheduling.kind = Kind::Fifo;
    s.network_switch.buffer.class_limits.clear();
    const Outcome fifo = ExactEngine().run(s);
    CHECK(fifo.streams[2].latency_most.count() > 50 * low);
    CHECK(!fifo.streams[2].losses.empty());
}

// The camera alone loses nothing: 4 modules of 1 Gb/s and an uplink of 10 Gb/s that sends an event's four frames in
// 3.488 us before the next comes. A burst of 8 frames over a link of 10 Gb/s brings one every 0.872 us, no faster than
// the uplink sends; where it meets an event, up to 4 more wait. Room for 4 frames is then too little.
TEST_CASE("A periodic stream makes a camera lose that loses nothing alone") {
    Scenario s;
    s.front_end.modules = 4;
    s.trigger.events = 1000;
    s.trigger.separation = kMicrosecond * 10;
    s.network_switch.buffer.size = {4, MemorySize::Unit::Frame};
    CHECK(ExactEngine().run(s).frames_lost() == 0);
    TrafficStream bursts;
    bursts.phase = Time{0};
    bursts.name = "second-camera";
    bursts.pattern = Pattern::Bursts;
    bursts.burst = 8;
    bursts.period = kMicrosecond * 101;
    bursts.link_rate = BitRate{10'000'000'000};
    s.traffic = {bursts};
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.frames_lost() > 0);
    CHECK(outcome.frames_sent == outcome.frames_received + outcome.frames_lost());
    // A queue of its own, served first, and memory that the stream cannot take: the camera loses nothing again.
    s.front_end.traffic_class = 5;
    s.network_switch.scheduling.kind = Kind::StrictPriority;
    s.network_switch.buffer.size.amount = 8;
    s.network_switch.buffer.class_limits = {{4, MemorySize::Unit::Frame}};
    CHECK(ExactEngine().run(s).frames_lost() == 0);
}

// PAUSE stops the link of module 1, with slow control on it; priority flow control stops the camera's class alone, and
// slow control goes on. The memory is endless, so that only the waiting differs.
TEST_CASE("PAUSE holds up every class on a link, priority flow control only one") {
    Scenario s;
    s.front_end.modules = 4;
    s.trigger.events = 200;
    s.trigger.separation = kMicrosecond * 9;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {100'000, MemorySize::Unit::Frame};
    s.network_switch.scheduling.kind = Kind::StrictPriority;
    s.network_switch.flow_control.xoff = {3, MemorySize::Unit::Frame};
    s.network_switch.flow_control.xon = {1, MemorySize::Unit::Frame};
    TrafficStream slow = constant("slow-control", BitRate{}, 7);
    slow.rate.frames = Frequency{10'000'000'000};
    slow.payload = Bytes{64};
    slow.module = 1;
    s.traffic = {slow};
    s.network_switch.flow_control.kind = FlowControl::Kind::Pfc;
    const Outcome pfc = ExactEngine().run(s);
    s.network_switch.flow_control.kind = FlowControl::Kind::Pause;
    const Outcome pause = ExactEngine().run(s);
    REQUIRE(pfc.pauses > 0);
    REQUIRE(pause.pauses > 0);
    CHECK(pfc.streams[1].frames_received == pfc.streams[1].frames_sent);
    // A module sends the oldest frame whose class may be sent. Under PFC its fragments are held up, except for those
    // that it sends between XON and the next XOFF: from at most 1 frame in memory to 4, and one that is on its way by
    // then.
    CHECK(pfc.streams[1].latency_most.count() <= (1 + 4) * kSlot + 130 * 8000 + kSlot + 130 * 8000);
    CHECK(pause.streams[1].latency_most.count() > 10 * pfc.streams[1].latency_most.count());
}

namespace {

/// A second simulation, of nothing but a list of arrivals and a queue for each class: one uplink, one memory counted in
/// frames, links on which a byte lasts whole picoseconds.
class ListOfArrivals {
  public:
    struct Frame {
        std::int64_t arrival;
        int place;  ///< at one instant
        std::size_t stream;
        int traffic_class;
        std::int64_t wire;
    };

    explicit ListOfArrivals(const Scenario& s) : s_(s), lost(s.traffic.size() + 1), received(lost) {
        const std::int64_t in = 8'000'000'000'000 / s.front_end.link_rate.count;
        const std::int64_t wire = s.frame.payload.count + 66;
        std::int64_t free = 0;
        for (std::int64_t event = 0; event < *s.trigger.events; ++event) {
            free = std::max(free, s.trigger.separation.count() * event) + wire * in;
            for (int module = 0; module < s.front_end.modules; ++module)
                frames_.push_back({free, module, 0, s.front_end.traffic_class, wire});
        }
        const std::int64_t end = free;
        for (std::size_t i = 0; i < s.traffic.size(); ++i) {
            const TrafficStream& stream = s.traffic[i];
            const std::int64_t own = 8'000'000'000'000 / stream.link_rate->count;
            const std::int64_t cost = stream.payload.count + 66;
            std::int64_t busy = 0;
            for (std::int64_t k = 0;; ++k) {
                const std::int64_t ready =
                    stream.start.count() + (stream.pattern == Pattern::Bursts
                                                ? k / stream.burst * stream.period.count()
                                                : k * (cost * 8'000'000'000'000 / stream.rate.bits.count));
                if (ready >= end) break;
                busy = std::max(busy, ready) + cost * own;
                frames_.push_back({busy, s.front_end.modules + static_cast<int>(i), i + 1, stream.traffic_class, cost});
            }
        }
        std::stable_sort(frames_.begin(), frames_.end(), [](const Frame& a, const Frame& b) {
            return std::tie(a.arrival, a.place) < std::tie(b.arrival, b.place);
        });
        run();
    }

  private:
    const Scenario& s_;
    std::vector<Frame> frames_;
    std::deque<Frame> queues_[8];
    std::int64_t stored_ = 0;
    std::optional<std::pair<std::int64_t, Frame>> sending_;
    int turn_ = 7;
    bool fresh_ = true;
    std::int64_t credit_[8] = {};

  public:
    std::vector<std::int64_t> lost, received;
    std::int64_t last = 0;

  private:
    std::int64_t weight(int c) const {
        const auto& weights = s_.network_switch.scheduling.weights;
        return c < static_cast<int>(weights.size()) ? weights[static_cast<std::size_t>(c)] : 1;
    }

    /// Next queue, by the words of the manual.
    int choose() {
        const Kind kind = s_.network_switch.scheduling.kind;
        int waiting = 0;
        for (const auto& queue : queues_) waiting += !queue.empty();
        if (waiting == 0) return -1;
        if (kind == Kind::Fifo) return 0;
        if (kind == Kind::StrictPriority) {
            int c = 7;
            while (queues_[c].empty()) --c;
            return c;
        }
        const bool drr = kind == Kind::DeficitRoundRobin;
        for (;; turn_ = (turn_ + 7) % 8, fresh_ = true) {
            if (queues_[turn_].empty()) {
                credit_[turn_] = 0;
                continue;
            }
            if (fresh_) {
                if (!drr) credit_[turn_] = 0;
                credit_[turn_] += weight(turn_) * (drr ? s_.network_switch.scheduling.quantum.count : 1);
                fresh_ = false;
            }
            const std::int64_t price = drr ? queues_[turn_].front().wire : 1;
            if (credit_[turn_] < price) continue;
            credit_[turn_] -= price;
            return turn_;
        }
    }

    void begin(std::int64_t now) {
        if (sending_) return;
        const int c = choose();
        if (c < 0) return;
        const Frame next = queues_[c].front();
        queues_[c].pop_front();
        sending_ = {now + next.wire * 8'000'000'000'000 / s_.network_switch.uplink_rate.count, next};
    }

    void depart() {
        const auto [now, gone] = *sending_;
        last = now;
        --stored_;
        ++received[gone.stream];
        in_class_[gone.traffic_class]--;
        sending_.reset();
        begin(now);
    }

    void run() {
        const auto& buffer = s_.network_switch.buffer;
        const bool one_queue = s_.network_switch.scheduling.kind == Kind::Fifo;
        for (const Frame& each : frames_) {
            while (sending_ && sending_->first <= each.arrival) depart();
            const auto c = static_cast<std::size_t>(each.traffic_class);
            const bool above =
                !one_queue && c < buffer.class_limits.size() && in_class_[c] >= buffer.class_limits[c].amount;
            if (above || stored_ >= buffer.size.amount) {
                ++lost[each.stream];
                continue;
            }
            ++stored_;
            ++in_class_[c];
            queues_[one_queue ? 0 : c].push_back(each);
            begin(each.arrival);
        }
        while (sending_) depart();
    }

    std::int64_t in_class_[8] = {};
};

}  // namespace

TEST_CASE(
    "A second simulation, of nothing but a list of arrivals, loses and sends the same frames under every scheduler") {
    int lossy = 0, lossless = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        std::uint64_t state = mixed(seed);
        const auto draw = [&](std::int64_t least, std::int64_t most) {
            state = mixed(state);
            return least + uniform_up_to(state, most - least);
        };
        const auto rate = [&] { return BitRate{std::int64_t{1'000'000'000} * (std::int64_t{1} << draw(0, 3))}; };
        Scenario s;
        s.frame.payload = Bytes{draw(18, 1472)};
        s.front_end.modules = static_cast<int>(draw(1, 5));
        s.front_end.link_rate = rate();
        s.front_end.traffic_class = static_cast<int>(draw(0, 7));
        s.trigger.events = draw(1, 60);
        s.trigger.separation = Time{draw(0, 30) * 1'000'000};
        s.network_switch.uplink_rate = rate();
        s.network_switch.buffer.size = {draw(0, 30), MemorySize::Unit::Frame};
        s.network_switch.scheduling.kind = static_cast<Kind>(draw(0, 3));
        for (std::int64_t i = draw(0, 8); i > 0; --i) s.network_switch.scheduling.weights.push_back(draw(1, 4));
        s.network_switch.scheduling.quantum = Bytes{draw(64, 3000)};
        if (s.network_switch.scheduling.kind != Kind::Fifo)
            for (std::int64_t i = draw(0, 8); i > 0; --i)
                s.network_switch.buffer.class_limits.push_back({draw(1, 10), MemorySize::Unit::Frame});
        for (std::int64_t i = draw(1, 4); i > 0; --i) {
            TrafficStream stream;
            stream.phase = Time{0};
            stream.name = "s" + std::to_string(i);
            stream.payload = Bytes{draw(18, 1472)};
            stream.link_rate = rate();
            stream.traffic_class = static_cast<int>(draw(0, 7));
            stream.start = Time{draw(0, 10) * 1'000'000};
            stream.pattern = draw(0, 1) ? Pattern::Bursts : Pattern::Constant;
            stream.burst = draw(1, 6);
            stream.period = Time{draw(1, 100) * 1'000'000};
            stream.rate.bits = BitRate{stream.link_rate->count / (std::int64_t{1} << draw(0, 3))};
            s.traffic.push_back(stream);
        }
        const ListOfArrivals second(s);
        const Outcome outcome = ExactEngine().run(s);
        INFO("seed " << seed);
        for (std::size_t i = 0; i < outcome.streams.size(); ++i) {
            REQUIRE(outcome.streams[i].frames_received == second.received[i]);
            REQUIRE(outcome.streams[i].frames_sent - outcome.streams[i].frames_received == second.lost[i]);
        }
        ++(outcome.frames_lost() > 0 ? lossy : lossless);
    }
    CHECK(lossy > 100);
    CHECK(lossless > 100);
}

}  // namespace watershed
