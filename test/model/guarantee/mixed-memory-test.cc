// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-memory.h"

#include <random>
#include <set>

#include "model/exact/exact-engine.h"
#include "model/guarantee/witness.h"
#include "model/switch/memory-units.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

constexpr auto kFrame = MemorySize::Unit::Frame;

/// Returns the frames of the camera and of streams that are lost.
std::int64_t lost(const Scenario& scenario, const std::vector<Time>& triggers = {Time{0}}) {
    const Outcome outcome = ExactEngine().run(with_triggers(scenario, triggers));
    std::int64_t frames = outcome.streams.empty() ? outcome.frames_lost() : 0;
    for (const Outcome::Stream& stream : outcome.streams)
        for (const Outcome::Loss& loss : stream.losses) frames += loss.frames;
    return frames;
}

/// Draws rules of outputs, and of classes if there is a scheduler, that grant with less what they grant with more.
template <class Draw>
void draw_rules(Switch& at, const Draw& draw) {
    Buffer& buffer = at.buffer;
    buffer.size = {1, static_cast<MemorySize::Unit>(draw(0, 2))};
    if (buffer.size.unit == MemorySize::Unit::Cell) {
        buffer.cell = Bytes{draw(40, 200)};
        if (draw(0, 1) == 0) buffer.cell_header = Bytes{draw(1, 60)};
    }
    const auto amount = [&](std::int64_t frames) {
        return MemorySize{buffer.size.unit == kFrame ? frames : frames * (buffer.cell.count > 0 ? 3 : 200),
                          buffer.size.unit};
    };
    const char* const kPolicies[] = {"shared", "per-output",       "dynamic-threshold",
                                     "abm",    "nested-threshold", "stepped-threshold"};
    buffer.sharing = Sharing::named(kPolicies[draw(0, 5)]);
    buffer.alpha = Ratio{draw(1, 8), draw(1, 8)};
    if (buffer.sharing->has_port_alpha) buffer.port_alpha = Ratio{draw(1, 8), draw(1, 4)};
    if (buffer.sharing->has_steps)
        for (std::int64_t i = 0, limit = draw(1, 9); i < 3; ++i, limit += draw(0, 30)) {
            buffer.step_free.push_back(amount(20 * i + 1));
            buffer.step_limits.push_back(amount(limit));
        }
    if (!buffer.sharing->has_alpha) buffer.alpha = {};
    if (buffer.sharing->may_be_whole) buffer.threshold_whole = draw(0, 1) == 0;
    const bool ports_share = buffer.sharing->pools == SharingPolicy::Pools::One;  // else neither has a use
    if (ports_share && draw(0, 3) == 0) buffer.slices = 2;
    if (ports_share && draw(0, 3) == 0) buffer.reserved = amount(draw(1, 4));
    if (draw(0, 3) == 0) buffer.port_limit = draw(0, 1) == 0 ? amount(draw(5, 40)) : MemorySize{draw(5, 40), kFrame};
    if (draw(0, 3) == 0) buffer.descriptors = draw(5, 60);
    if (draw(0, 3) == 0) {
        buffer.wred_from = amount(draw(1, 20));
        buffer.wred_to = {buffer.wred_from.amount + amount(draw(1, 20)).amount, buffer.size.unit};
        buffer.wred_probability = Ratio{draw(0, 2), 2};
    }
    if (at.scheduling.kind == Scheduling::Kind::Fifo) return;
    if (draw(0, 2) == 0)
        for (int each = 0; each < 3; ++each) buffer.class_limits.push_back(amount(draw(3, 30)));
    if (draw(0, 2) == 0 && buffer.sharing == Sharing::DynamicThreshold)
        for (int each = 0; each < 3; ++each) buffer.class_alphas.push_back(Ratio{draw(1, 8), draw(1, 8)});
    if (draw(0, 3) == 0)
        for (int each = 0; each < 3; ++each) {
            buffer.class_wred_from.push_back(amount(draw(1, 20)));
            buffer.class_wred_to.push_back(amount(21 + draw(0, 20)));
            buffer.class_wred_probability.push_back(Ratio{draw(0, 2), 2});
        }
}

}  // namespace

TEST_CASE("Beside a stream each rule of outputs asks for what it grants the last frame of the fullest queue") {
    // 10 frames of the camera and one of the stream come at one instant to one of two queues.
    Scenario scenario = small(10, 2, 200, ns(8000));
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::Modulo;
    scenario.front_end.modules = 10;
    scenario.traffic = {stream("other", 1000)};
    scenario.traffic[0].phase = ns(990);
    Buffer& buffer = scenario.network_switch.buffer;
    const auto bounds = Guarantee::of(scenario);
    REQUIRE(bounds);
    const auto& queues = bounds->switches[0].queues;
    const bool first = queues[0].streams == 1;
    REQUIRE(queues[first ? 0 : 1].frames == 6);
    REQUIRE(queues[first ? 1 : 0].frames == 5);
    const auto check = [&](std::optional<std::int64_t> needed) {
        const auto guarantee = Guarantee::of(scenario);
        REQUIRE(guarantee);
        const auto& size = guarantee->switches[0].needed();
        CHECK(size == (needed ? std::optional(MemorySize{*needed, buffer.size.unit}) : std::nullopt));
        if (!needed) {
            CHECK(lost(scenario) > 0);
            return;
        }
        buffer.size.amount = *needed;
        CHECK(lost(scenario) == 0);
        CHECK(Guarantee::of(scenario)->fits());
        buffer.size.amount = *needed - 1;
        CHECK(lost(scenario) > 0);
        CHECK_FALSE(Guarantee::of(scenario)->fits());
    };
    SECTION("a memory that all share: 11") { check(11); }
    SECTION("one for each output: 6") {
        buffer.sharing = Sharing::PerOutput;
        check(6);
    }
    SECTION("half of what is free: 5 < (size - 10) / 2") {
        buffer.sharing = Sharing::DynamicThreshold;
        buffer.alpha = Ratio{1, 2};
        check(21);
    }
    SECTION("the same with the frame: 6 <= (size - 10) / 2") {
        buffer.sharing = Sharing::DynamicThreshold;
        buffer.alpha = Ratio{1, 2};
        buffer.threshold_whole = true;
        check(22);
    }
    SECTION("reserves of 2 for each queue: 4 and 3 are drawn, 3 < (size - 6) / 2") {
        buffer.sharing = Sharing::DynamicThreshold;
        buffer.alpha = Ratio{1, 2};
        buffer.reserved = {2, kFrame};
        check(13);
    }
    SECTION("two slices, of which each queue has one: 6 and 6") {
        buffer.slices = 2;
        check(12);
    }
    SECTION("a limit of ports, descriptors and early drop, at their bounds and beyond") {
        buffer.port_limit = MemorySize{6, kFrame};
        check(11);
        buffer.port_limit = MemorySize{5, kFrame}, buffer.size.amount = 1000;
        check({});
        buffer.port_limit.reset(), buffer.descriptors = 11;
        check(11);
        buffer.descriptors = 10, buffer.size.amount = 1000;
        check({});
        buffer.descriptors.reset(), buffer.wred_from = buffer.wred_to = {6, kFrame};
        check(11);
        buffer.wred_from = buffer.wred_to = {5, kFrame}, buffer.size.amount = 1000;
        check({});
    }
    SECTION("memory in bytes beside limits in frames") {
        buffer.size = {1, MemorySize::Unit::Byte};
        buffer.port_limit = MemorySize{6, kFrame};
        check(11 * 105);
    }
    SECTION("what only inputs' accounts decide is refused") {
        UnsupportedKey why;
        buffer.accounting = Buffer::Accounting::Ingress;
        CHECK(Guarantee::of(scenario, &why));
        buffer.descriptors = 100;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        CHECK(why.key == "switch.buffer.accounting");
        buffer.sharing = Sharing::PerInput;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        CHECK(why.key == "switch.buffer.sharing");
    }
}

TEST_CASE("A class whose limit holds its bound loses nothing") {
    // 10 frames of 200 ns of class 2, and a stream of class 1 that sends a burst of 5 at the same instant.
    Scenario scenario = small(10, 1, 200, ns(20'000));
    scenario.front_end.traffic_class = 2;
    scenario.traffic = {stream("other", 1000)};
    TrafficStream& other = scenario.traffic[0];
    other.traffic_class = 1;
    other.pattern = TrafficStream::Pattern::Bursts;
    other.burst = 5;
    other.period = ns(20'000);
    other.phase = ns(950);
    scenario.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    auto& limits = scenario.network_switch.buffer.class_limits;
    const auto needed = [&](std::int64_t first, std::int64_t second) {
        limits = {{0, kFrame}, {first, kFrame}, {second, kFrame}};
        return Guarantee::of(scenario)->switches[0].needed().has_value();
    };
    CHECK(needed(5, 10));
    CHECK(lost(scenario) == 0);
    CHECK_FALSE(needed(4, 10));
    CHECK(lost(scenario) > 0);
    CHECK_FALSE(needed(5, 9));
    CHECK(lost(scenario) > 0);
}

TEST_CASE("No train, phase or order loses a frame of several sizes where rules of outputs and classes hold the bound") {
    std::mt19937_64 random(7);
    const auto draw = drawing(random);
    int bounds = 0, fitting = 0, tight = 0, classes = 0, unlike = 0;
    std::set<std::string> policies;
    for (int i = 0; i < 1500; ++i) {
        const int uplinks = static_cast<int>(draw(1, 3));
        Scenario scenario = small(static_cast<int>(draw(1, 6)), uplinks, 50 * draw(1, 8), ns(100 * draw(20, 80)),
                                  ns(100 * draw(0, 10)));
        for (std::int64_t k = draw(0, 3); k > 0; --k) {
            TrafficStream other = stream("other" + std::to_string(k), 50 * draw(20, 200));
            if (draw(0, 1) == 0) {
                other.pattern = TrafficStream::Pattern::Bursts;
                other.burst = draw(1, 6);
                other.period = ns(100 * draw(20, 100));
            }
            if (draw(0, 1) == 0) other.payload = Bytes{draw(0, 300)};
            if (draw(0, 2) == 0) other.jitter = ns(100 * draw(0, 30));
            if (draw(0, 1) == 0) other.link_rate = BitRate{1'000'000'000};
            other.traffic_class = static_cast<int>(draw(0, 3));
            scenario.traffic.push_back(other);
        }
        Scheduling& scheduling = scenario.network_switch.scheduling;
        if (draw(0, 1) == 0) scheduling.kind = static_cast<Scheduling::Kind>(draw(1, 3));
        if (scheduling.kind >= Scheduling::Kind::WeightedRoundRobin) scheduling.weights = {draw(1, 3), draw(1, 3)};
        scheduling.quantum = Bytes{draw(64, 400)};
        scenario.front_end.traffic_class = static_cast<int>(draw(0, 2));
        if (draw(0, 2) == 0) {
            std::vector<Bytes> payloads;
            for (std::int64_t k = draw(2, 3); k > 0; --k) payloads.push_back(Bytes{draw(18, 200)});
            scenario.frame.fragments = FragmentList(payloads);
        }
        draw_rules(scenario.network_switch, draw);
        UnsupportedKey why;
        const auto sized = Guarantee::of(scenario, &why);
        CAPTURE(i, why.key, why.why);
        if (!sized) REQUIRE((why.key == "traffic" || why.key == "trigger"));
        if (!sized || !sized->bounded) continue;
        ++bounds;
        const SwitchGuarantee& self = sized->switches[0];
        Buffer& buffer = scenario.network_switch.buffer;
        if (!self.needed()) continue;
        ++fitting;
        policies.insert(buffer.sharing->name);
        unlike += scenario.frame.fragments.number > 1;
        buffer.size = *self.needed();
        REQUIRE(Guarantee::of(scenario)->fits());
        bool loses = false;
        for (int trial = 0; trial < 12; ++trial) {
            std::vector<Time> train = admitted_train({{1, scenario.trigger.dead_time}}, 8, draw);
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
            for (TrafficStream& other : scenario.traffic) other.phase = ns(10 * draw(0, 300));
            CAPTURE(trial, buffer.sharing->name, buffer.size.amount);
            REQUIRE(lost(scenario, train) == 0);
            Scenario less = scenario;
            less.network_switch.buffer.size.amount -= (buffer.size.amount + 3) / 4;
            loses = loses || (less.network_switch.buffer.size.amount > 0 && lost(less, train) > 0);
        }
        tight += loses;
        for (const QueueGuarantee& queue : self.queues) classes += queue.classes.size() > 1;
    }
    CHECK(bounds > 500);
    CHECK(fitting > 300);
    CHECK(tight > 100);
    CHECK(classes > 50);
    CHECK(unlike > 50);
    CHECK(policies.size() == 6);
}
