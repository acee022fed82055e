// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/arrivals.h"

#include <rapidcheck.h>

#include <algorithm>

#include "model/exact/time-grid.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Arrivals of a switch of its own, and what its front ends lose.
struct ArrivalsOf {
    explicit ArrivalsOf(const Scenario& s)
        : sizes(s.frame, s.seed),
          rank(s.network_switch.arrival_order, s.front_end.modules, s.seed),
          arrivals(s, sizes, ledger, nullptr, rank, 0, exact_times(s).grid) {}

    FragmentSizes sizes;
    Ledger ledger{nullptr};
    ArrivalRank rank;
    Arrivals arrivals;
};

}  // namespace

TEST_CASE("Frames of any camera arrive as if all modules had sent all, and all had been sorted") {
    CHECK(rc::check([] {
        Scenario s;
        s.seed = *rc::gen::arbitrary<std::uint64_t>();
        FrontEnd& front_end = s.front_end;
        front_end.modules = *rc::gen::inRange(1, 9);
        front_end.jitter = Time{*rc::gen::element(0, 3, 20'000'000)};
        if (*rc::gen::arbitrary<bool>()) front_end.skew = {Time{0}, Time{*rc::gen::inRange(0, 90'000'000)}};
        if (*rc::gen::arbitrary<bool>()) front_end.clock = {ClockTolerance{0}, ClockTolerance{-90'000'000}};
        if (*rc::gen::arbitrary<bool>()) front_end.fifo = *rc::gen::inRange(1, 4);
        s.frame.fragments = *rc::gen::inRange(1, 3);
        if (*rc::gen::arbitrary<bool>()) s.frame.payloads = {{Bytes{100}, 1}, {Bytes{1400}, 2}};
        s.trigger.events = *rc::gen::inRange(1, 40);
        s.trigger.separation = Time{*rc::gen::element(0, 5'000'000, 30'000'000)};
        s.trigger.pattern = *rc::gen::element(Trigger::Pattern::Burst, Trigger::Pattern::LineRatePlusBurst);
        s.network_switch.arrival_order =
            *rc::gen::element(ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random);

        ArrivalsOf of(s);
        std::vector<Arrival> expected;
        std::int64_t refused = 0;
        for (int module = 1; module <= front_end.modules; ++module) {
            FrontEndPort port(front_end, s.seed, module, exact_times(s).grid);
            TriggerTrain train(s.trigger, s.seed);
            std::int64_t event = 0;
            while (const auto trigger = train.next()) {
                if (!answers(s.trigger, ++event, module)) continue;
                const Time offered = port.offer_time(event, *trigger);
                int frame = 0;
                for (const FrameSizes& sizes : of.sizes.of(event, module)) {
                    const FrameId id{event, module, frame++};
                    if (const auto time = port.offer(offered, sizes.wire))
                        expected.push_back({*time, of.rank(event, module), module - 1, id});
                    else
                        ++refused;
                }
            }
        }
        std::sort(expected.begin(), expected.end());
        for (const Arrival& arrival : expected) {
            RC_ASSERT(of.arrivals.next());
            RC_ASSERT(of.arrivals.next()->frame == arrival.frame);
            RC_ASSERT(of.arrivals.next()->time == arrival.time);
            RC_ASSERT(of.arrivals.next()->input == arrival.input);
            of.arrivals.pop();
        }
        RC_ASSERT(!of.arrivals.next());
        RC_ASSERT(of.ledger.frames_lost() == refused);
    }));
}

TEST_CASE("Events whose frames queue at the front ends are read as their links get to them, not all at once") {
    Scenario s;
    s.front_end.modules = 3;
    s.front_end.jitter = Time{1'000'000};
    s.trigger.separation = Time{0};
    s.trigger.events = 1000;
    ArrivalsOf of(s);
    for (; of.arrivals.next(); of.arrivals.pop()) REQUIRE(of.arrivals.events() <= of.arrivals.next()->frame.event + 2);
    CHECK(of.arrivals.events() == 1000);
}
