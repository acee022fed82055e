// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/outcome.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Whoever looks on is told of every incomplete event in order, and the outcome lists the first ones that were "
    "wanted") {
    REQUIRE(rc::check("list and tale", [] {
        Scenario s;
        s.front_end.modules = *rc::gen::inRange(1, 12);
        s.front_end.skew_spread = Time{*rc::gen::inRange<std::int64_t>(0, 2) * 30'000'000};
        s.trigger.events = *rc::gen::inRange(1, 80);
        s.network_switch.count = *rc::gen::inRange(1, std::min(4, s.front_end.modules + 1));
        s.network_switch.uplink_rate = BitRate{*rc::gen::element<std::int64_t>(1'000'000'000, 3'000'000'000)};
        s.network_switch.buffer.size = {*rc::gen::inRange<std::int64_t>(0, 40)};
        if (s.network_switch.count == 1)
            s.network_switch.queueing = *rc::gen::element(Queueing::Output, Queueing::VirtualOutput);
        const auto path = *rc::gen::element(ExactEngine::Path::Fastest, ExactEngine::Path::General);
        const Outcome all = ExactEngine(path).run(s);

        std::vector<Outcome::IncompleteEvent> told;
        Observer observer;
        observer.incomplete = [&](const Outcome::IncompleteEvent& event) { told.push_back(event); };
        observer.incomplete_kept = *rc::gen::inRange<std::int64_t>(0, 10);
        Outcome some = ExactEngine(path).run(s, &observer);
        RC_ASSERT(told == all.incomplete);
        RC_ASSERT(static_cast<std::int64_t>(told.size()) == all.events_incomplete());
        RC_ASSERT(all.last_incomplete == (told.empty() ? 0 : told.back().event));
        RC_ASSERT(static_cast<std::int64_t>(some.incomplete.size()) ==
                  std::min<std::int64_t>(observer.incomplete_kept, told.size()));
        RC_ASSERT(std::equal(some.incomplete.begin(), some.incomplete.end(), told.begin()));
        some.incomplete = all.incomplete;
        RC_ASSERT(some == all);
    }));
}
