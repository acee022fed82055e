// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/recovery.h"

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A place recovers from the last time it was fullest to the next time it is empty") {
    Recovery recovery;
    recovery.occupied(Time{1}, 2, true);
    recovery.occupied(Time{2}, 1, false);
    recovery.occupied(Time{3}, 2, true);  // as full again
    recovery.occupied(Time{4}, 1, false);
    CHECK(recovery.recovering());
    recovery.occupied(Time{5}, 0, false);
    CHECK_FALSE(recovery.recovering());
    recovery.occupied(Time{6}, 1, true);  // less than its peak
    recovery.occupied(Time{7}, 0, false);
    CHECK(recovery.peak() == 2);
    CHECK(recovery.fullest() == Time{3});
    CHECK(recovery.drained() == Time{5});
}

TEST_CASE("After an overload the switch recovers in backlog over spare capacity") {
    // An uplink of 10 Gb/s carries C = 10^10 / (8 * 1090 * 44) = 26.063 kHz of events of 44 frames. For T = 100 ms
    // triggers come at 1.5 C, so that T (1.5 - 1) C events wait; then at half of C, so that C - C/2 are served beyond
    // those that come:
    //     recovery = T (1.5 - 1) / (1 - 0.5) = 100 ms
    const double capacity = 1e10 / (8.0 * 1090 * 44);
    const auto rate = [&](double times) { return Frequency{static_cast<std::int64_t>(times * capacity * 1e6)}; };
    constexpr std::int64_t kMillisecond = 1'000'000'000;
    Scenario s;
    s.trigger.pattern = Trigger::Pattern::Profile;
    s.trigger.regular = true;
    s.trigger.profile = {{Time{0}, rate(0.5)},
                         {Time{50 * kMillisecond}, rate(0.5)},
                         {Time{50 * kMillisecond + 1}, rate(1.5)},
                         {Time{150 * kMillisecond}, rate(1.5)},
                         {Time{150 * kMillisecond + 1}, rate(0.5)},
                         {Time{400 * kMillisecond}, rate(0.5)}};
    s.network_switch.buffer.size = {100'000, MemorySize::Unit::Frame};
    for (const auto path : {ExactEngine::Path::Fastest, ExactEngine::Path::General}) {
        const Outcome outcome = ExactEngine(path).run(s);
        const Outcome::Switch& seen = outcome.switches.front();
        CHECK(outcome.frames_lost() == 0);
        // An event more or less, of 1303 that wait, and 38.4 us a time.
        CHECK(static_cast<double>(seen.peak_frames) == Approx(44 * 0.1 * 0.5 * capacity).margin(60));
        CHECK(static_cast<double>(seen.fullest.count()) == Approx(150e9).margin(0.1e9));
        CHECK(static_cast<double>((seen.drained - seen.fullest).count()) == Approx(100e9).margin(0.2e9));
    }
}
