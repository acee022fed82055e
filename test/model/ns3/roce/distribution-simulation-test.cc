// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/distribution-simulation.h"

#include <rapidcheck.h>

#include "model/roce/roce.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time us(std::int64_t n) { return Time{n * 1'000'000}; }

Distribution farm(int producers, int consumers) {
    Distribution distribution;
    distribution.producers.count = producers;
    distribution.consumers.count = consumers;
    distribution.consumers.link_rates = {BitRate{100'000'000'000}};
    distribution.duration = us(600);
    distribution.warm_up = us(200);
    distribution.window = us(100);
    return distribution;
}

DistributionResult simulate(const Distribution& distribution, std::uint64_t seed = 1) {
    return simulate_distribution(distribution, seed, "", [](std::int64_t) {});
}

}  // namespace

TEST_CASE("A link that is never idle carries event / slots of the event of its rate") {
    // Four events of 3 MB take 980 us, longer than the run; a frame more or less in 400 us is 0.08 Gb/s.
    for (const std::int64_t mtu : {1024, 2048, 4096}) {
        CAPTURE(mtu);
        Distribution distribution = farm(1, 1);
        distribution.mtu = Bytes{mtu};
        distribution.event = Bytes{3'000'000};
        const double share = 3e6 / static_cast<double>(roce::slots_of(distribution.event, distribution.mtu).count);
        const DistributionResult result = simulate(distribution);
        CHECK(result.producer_gbps().mean == Approx(100 * share).margin(0.1));
        CHECK(result.consumer_gbps().mean == Approx(100 * share).margin(0.1));
        CHECK(result.frames_lost() == 0);
    }
}

TEST_CASE("One event at a time, one credit: an event takes its two ways over links and the control delay") {
    // Store and forward of the last frame behind 25 frames on the first link, two cables; completion and credit after
    // 30 us.
    Distribution distribution = farm(1, 1);
    distribution.scheduler = Distribution::Scheduler::Credit;
    distribution.consumers.credits = 1;
    distribution.producers.in_flight = 1;
    distribution.control_delay = us(30);
    const Bytes last = roce::slot(Bytes{100'000 - 24 * 4096}, false);
    const double wire_us =
        static_cast<double>(
            (roce::slots_of(distribution.event, distribution.mtu) + roce::slot(Bytes{4096}, false)).count) *
        8e-5;
    const double cycle_us =
        30 + wire_us + 0.1;  // the last frame is shorter than the one before it, behind which it waits
    CHECK(last < roce::slot(Bytes{4096}, false));
    const DistributionResult result = simulate(distribution);
    CHECK(static_cast<double>(result.events_sent) == Approx(600 / cycle_us).margin(1));
    CHECK(result.events_complete == result.events_sent);
}

TEST_CASE("Two producers on one consumer are held back to half of its link each, and nothing is lost") {
    Distribution distribution = farm(2, 1);
    distribution.network_switch.buffer.amount = 300'000;
    distribution.dcqcn.enabled = false;
    const DistributionResult result = simulate(distribution);
    CHECK(result.producers_paused > 0);
    CHECK(result.frames_lost() == 0);
    CHECK(result.producer_gbps().mean == Approx(49.0).margin(0.3));
    CHECK(result.producer_pause_time > us(300));  // half of the time, of two producers, in 600 us
    CHECK(result.peak <= Bytes{300'000 + 2 * 100'000});

    distribution.network_switch.flow_control = false;
    const DistributionResult lossy = simulate(distribution);
    CHECK(lossy.frames_lost() > 0);
    CHECK(lossy.losses.front().reason == "buffer-full");
    CHECK(lossy.events_incomplete > 0);
    CHECK(lossy.peak <= Bytes{300'000});
}

TEST_CASE("A memory too small for a frame of each input is full before the last one can be told to pause") {
    Distribution distribution = farm(4, 1);
    distribution.duration = us(120);
    distribution.warm_up = us(20);
    distribution.event = Bytes{10'200};
    distribution.producers.in_flight = 1;
    distribution.network_switch.buffer.amount = 20'000;  // less than five frames of 4166 B
    const DistributionResult result = simulate(distribution, 0);
    CHECK(result.frames_lost() == 1);
    CHECK(result.losses.front().reason == "buffer-full");
    distribution.network_switch.buffer.amount = 40'000;
    CHECK(simulate(distribution, 0).frames_lost() == 0);
}

TEST_CASE("Marked frames slow their flows down") {
    Distribution distribution = farm(2, 1);
    distribution.dcqcn.mark_from = Bytes{20'000};
    distribution.dcqcn.mark_to = Bytes{60'000};
    const DistributionResult slowed = simulate(distribution);
    distribution.dcqcn.enabled = false;
    const DistributionResult full = simulate(distribution);
    CHECK(slowed.frames_marked > 0);
    CHECK(slowed.notifications > 0);
    CHECK(slowed.notifications <= slowed.frames_marked);
    CHECK(slowed.peak < full.peak);
    CHECK(full.frames_marked == 0);
}

TEST_CASE("Every frame and event is accounted for, whatever the parameters; flow control loses none") {
    REQUIRE(rc::check([] {
        Distribution distribution = farm(*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5));
        distribution.duration = us(120);
        distribution.warm_up = us(20);
        distribution.scheduler =
            *rc::gen::element(Distribution::Scheduler::RoundRobin, Distribution::Scheduler::Credit);
        distribution.producers.in_flight = *rc::gen::inRange(1, 5);
        distribution.event = Bytes{4 * *rc::gen::inRange<std::int64_t>(1, 20'000)};
        distribution.consumers.busy_fraction = {*rc::gen::inRange<std::int64_t>(0, 6), 10};
        distribution.consumers.busy_mean = us(10);
        distribution.consumers.xoff = Bytes{100'000};
        // Four inputs that each may hold an eighth of what is free and overshoot by a frame of 4166 B leave room for
        // one more frame.
        distribution.network_switch.buffer.amount = *rc::gen::inRange<std::int64_t>(40'000, 400'000);
        distribution.network_switch.quanta = *rc::gen::inRange<std::int64_t>(20, 65536);
        distribution.network_switch.flow_control = *rc::gen::arbitrary<bool>();
        distribution.timeout = us(10);
        const DistributionResult result =
            simulate(distribution, *rc::gen::inRange<std::uint64_t>(0, 1000));  // checks its books
        RC_ASSERT(result.frames_sent == result.events_sent * roce::frames_of(distribution.event, distribution.mtu));
        if (distribution.network_switch.flow_control) RC_ASSERT(result.frames_lost() == 0);
        RC_ASSERT((result.events_incomplete == 0) == (result.frames_lost() == 0));
    }));
}
