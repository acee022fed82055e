// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/server-bound.h"

#include <random>

#include "model/exact/exact-engine.h"
#include "model/guarantee/witness.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// A server without limits but those that a test sets.
Receiver free_receiver() {
    Receiver receiver;
    receiver.path = Receiver::Path::Ideal;
    return receiver;
}

ServerGuarantee server_of(const Scenario& scenario) { return *Guarantee::of(scenario)->server; }

}  // namespace

TEST_CASE("Ten frames of one event wait for an interrupt, and one after the other for a core") {
    // Triggers 2 us apart bring 10 frames each, which the uplink sends 200 ns apart without end.
    Scenario scenario = small(10, 1, 200, ns(2000));
    scenario.server.receiver = free_receiver();
    Receiver::Given& given = scenario.server.receiver->given;
    given.interrupt_delay = ns(1000);
    given.frame = ns(100);
    const ServerGuarantee server = server_of(scenario);
    REQUIRE(server.bounded);
    // Six frames come within the microsecond of the interrupt: the last of them has left after 600 ns more. Nine come
    // in those 1.6 us. A frame is at its switch after 1 us, and leaves it within 2 us.
    CHECK(server.delay_s == Approx(1.6e-6));
    CHECK(server.frames == 9);
    CHECK(server.complete_s == Approx(1e-6 + 2e-6 + 1.6e-6).epsilon(1e-5));
    // Three triggers lie in 4.6 us.
    CHECK(server.bytes == 3 * 10 * 59);
    CHECK(server.fits());
    SECTION("a ring, memory or time-out that is less may lose") {
        given.ring = MemorySize{9, MemorySize::Unit::Frame};
        scenario.server.receiver->memory = Bytes{3 * 10 * 59};
        scenario.server.receiver->timeout = ns(4601);
        CHECK(server_of(scenario).fits());
        given.ring = MemorySize{8, MemorySize::Unit::Frame};
        CHECK_FALSE(server_of(scenario).fits());
        given.ring.reset();
        scenario.server.receiver->memory = Bytes{3 * 10 * 59 - 1};
        CHECK_FALSE(server_of(scenario).fits());
        scenario.server.receiver->memory.reset();
        scenario.server.receiver->timeout = ns(4599);
        CHECK_FALSE(server_of(scenario).fits());
    }
    SECTION("a core that needs longer than the uplink for a frame has no bound, and two have one") {
        given.frame = ns(201);
        CHECK_FALSE(server_of(scenario).bounded);
        scenario.server.receiver->cores = 2;
        CHECK(server_of(scenario).bounded);
    }
    SECTION("a poll may be followed by another at its instant, and each costs its wake-up") {
        // Two frames and two wake-ups in the 400 ns of a period.
        given.interrupt_delay = Time{0};
        scenario.server.receiver->polling = true;
        scenario.server.receiver->poll_period = ns(400);
        given.frame = ns(50);
        given.wake_up = ns(99);
        CHECK(server_of(scenario).bounded);
        given.wake_up = ns(151);  // 402 ns
        CHECK_FALSE(server_of(scenario).bounded);
    }
    SECTION("an output that is slower than the events has none") {
        scenario.server.receiver->output_rate = BitRate{std::int64_t{590} * 8 * 490'000};  // 490 kHz
        CHECK_FALSE(server_of(scenario).bounded);
        scenario.server.receiver->output_rate = BitRate{std::int64_t{590} * 8 * 510'000};
        CHECK(server_of(scenario).bounded);
    }
}

TEST_CASE("No train, phase or order brings a server more than its bound, and one that fits loses nothing") {
    std::mt19937_64 random(7);
    const auto draw = drawing(random);
    int bounded = 0, fits = 0, lossy = 0, behind = 0, beside = 0, nodes = 0;
    double closest = 0;
    for (int i = 0; i < 400; ++i) {
        Scenario scenario = small(int(draw(1, 6)), int(draw(1, 3)), 100 * draw(1, 8), ns(500 * draw(1, 12)));
        if (draw(0, 1) == 1) scenario.frame.fragments = 2;
        if (draw(0, 2) == 0) scenario.front_end.jitter = ns(100 * draw(1, 20));
        if (draw(0, 2) == 0) scenario.front_end.skew_spread = ns(100 * draw(1, 20));
        if (draw(0, 2) == 0) {
            scenario.network_switch.count = int(draw(1, scenario.front_end.modules));
            scenario.aggregation = scenario.network_switch;
            scenario.aggregation->count = 1;
            scenario.aggregation->uplinks = 1;
            scenario.aggregation->uplink_rate = BitRate{1'000'000'000'000 / (50 * draw(1, 8))};
            scenario.aggregation->latency = ns(100 * draw(0, 5));
        }
        if (!scenario.aggregation && scenario.front_end.modules > 2 && draw(0, 1) == 0) {
            const int first = int(draw(1, scenario.front_end.modules - 1));
            Node leaf{"leaf", first, {"middle"}, {}, scenario.network_switch}, middle = leaf, end = leaf;
            middle.name = "middle", middle.modules = scenario.front_end.modules - first, middle.to = {"end", "server"};
            middle.rates = {BitRate{1'000'000'000'000 / (50 * draw(1, 8))}, BitRate{4'000'000'000}};
            end.name = "end", end.modules = 0, end.to = {"server"};
            leaf.network_switch.uplinks = end.network_switch.uplinks = 1;
            middle.network_switch.uplinks = 2;
            scenario.nodes = {leaf, middle, end};
        }
        if (draw(0, 2) == 0) scenario.traffic = {stream("other", 500 * draw(1, 6))};
        if (!scenario.traffic.empty() && draw(0, 1) == 0) {
            scenario.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
            scenario.traffic.front().traffic_class = 1;
        }
        scenario.server.receiver = free_receiver();
        Receiver& receiver = *scenario.server.receiver;
        receiver.cores = int(draw(1, 3));
        receiver.polling = draw(0, 1) == 1;
        // Often a frame comes at the instant of a poll.
        receiver.poll_period = draw(0, 1) == 0 ? scenario.trigger.dead_time : ns(100 * draw(1, 30));
        receiver.given.interrupt_delay = ns(100 * draw(0, 30));
        if (draw(0, 1) == 1) receiver.interrupt_frames = draw(1, 6);
        receiver.given.wake_up = ns(50 * draw(0, 6));
        receiver.given.frame = ns(20 * draw(0, 20));
        receiver.given.byte = Time{1000 * draw(0, 2)};
        if (draw(0, 1) == 1) receiver.given.dma_rate = BitRate{1'000'000'000 * draw(1, 20)};
        if (draw(0, 2) == 0) receiver.output_rate = BitRate{1'000'000'000 * draw(1, 8)};
        UnsupportedKey why;
        const auto ample = Guarantee::of(scenario, &why);
        if (why.key == "traffic" || why.key == "trigger") continue;  // an uplink is full, or almost
        INFO(why.text());
        REQUIRE(ample);
        REQUIRE(ample->server);
        if (!ample->bounded || !ample->server->bounded) continue;
        ++bounded;
        behind += ample->tiers;
        nodes += !scenario.nodes.empty();
        beside += ample->streams;
        const bool less = draw(0, 2) == 0;
        receiver.given.ring =
            MemorySize{std::max<std::int64_t>(1, ample->server->frames / (less ? 4 : 1)), MemorySize::Unit::Frame};
        receiver.memory = Bytes{ample->server->bytes};
        if (draw(0, 1) == 1) receiver.timeout = Time{std::int64_t(ample->server->complete_s * 1e12) + 1000};
        const ServerGuarantee server = server_of(scenario);
        CAPTURE(i, less, server.frames, server.bytes, server.complete_s);
        CHECK(server.fits() == (receiver.given.ring->value().amount >= server.frames));
        for (int run = 0; run < 12; ++run) {
            std::vector<Time> train =
                run == 0 ? ample->witness : admitted_train({{1, scenario.trigger.dead_time}}, 30, draw);
            if (train.empty()) continue;
            scenario.seed = std::uint64_t(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = run % 2 == 0 ? ArrivalOrder::Random : ArrivalOrder::Rotating;
            const Outcome outcome = ExactEngine().run(with_ample_memory(with_triggers(scenario, train), 1'000'000));
            if (server.fits()) REQUIRE(outcome.frames_lost() == 0);
            lossy += outcome.frames_lost() > 0;
            if (outcome.frames_lost() > 0) continue;
            for (const auto& each : outcome.server->interfaces) {
                REQUIRE(each.ring.peak() <= server.frames);
                closest = std::max(closest, double(each.ring.peak()) / double(server.frames));
            }
            REQUIRE(outcome.server->memory.peak() <= server.bytes);
            for (const auto& event : outcome.server->completions)
                REQUIRE(seconds_of_picoseconds(double((event.complete - event.trigger).count())) <= server.complete_s);
        }
        fits += server.fits();
    }
    CHECK(bounded > 100);
    CHECK(fits > 60);
    CHECK(lossy > 20);
    CHECK(behind > 15);
    CHECK(beside > 15);
    CHECK(nodes > 5);
    CHECK(closest > 0.7);
}

TEST_CASE("Behind two tiers a frame may be as late as both delays, and the last uplink parts what comes") {
    // 10 frames of a trigger wait up to 2 us at the first switch, 200 ns each, and leave 100 ns later from the second.
    Scenario scenario = small(10, 1, 200, ns(4000));
    scenario.server.receiver = free_receiver();
    scenario.server.receiver->given.interrupt_delay = ns(1000);
    scenario.aggregation = scenario.network_switch;
    scenario.aggregation->uplink_rate = BitRate{10'000'000'000};
    const ServerGuarantee server = server_of(scenario);
    REQUIRE(server.bounded);
    CHECK(server.delay_s == Approx(1e-6));
    CHECK(server.frames == 10);  // 100 ns apart at least: 11 in 1 us, of which one trigger within 3.1 us brings 10
    CHECK(server.complete_s == Approx(1e-6 + 2e-6 + 0.1e-6 + 1e-6).epsilon(1e-5));
    CHECK(server.bytes == 2 * 10 * 59);
}

TEST_CASE("A server of unlike frames, or of links that streams share, is refused by its key") {
    Scenario scenario = small(4, 1, 200, ns(2000));
    scenario.server.receiver = free_receiver();
    const auto refused = [](const Scenario& asked) {
        UnsupportedKey why;
        return Guarantee::of(asked, &why) ? "" : why.key;
    };
    CHECK(refused(scenario).empty());
    Scenario other = scenario;
    other.traffic = {stream("other", 5000)};
    CHECK(refused(other).empty());
    other.traffic.front().module = 1;
    CHECK(refused(other) == "server");
    other = scenario;
    other.frame.fragments = FragmentList({Bytes{59}, Bytes{99}});
    CHECK(refused(other) == "server");
}
