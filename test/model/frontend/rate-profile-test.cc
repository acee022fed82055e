// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/rate-profile.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/frontend/trigger.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000'000;
Frequency hertz(std::int64_t n) { return Frequency{n * 1'000'000}; }

/// Up from 0 to 1 kHz in 2 s, a plateau of 3 s, down to 500 Hz in 1 s.
std::vector<RatePoint> ramp() {
    return {{Time{0}, hertz(0)},
            {Time{2 * kSecond}, hertz(1000)},
            {Time{5 * kSecond}, hertz(1000)},
            {Time{6 * kSecond}, hertz(500)}};
}

std::vector<Time> all(const Trigger& trigger, std::uint64_t seed = 1) {
    TriggerTrain train(trigger, seed);
    std::vector<Time> times;
    while (const auto time = train.next()) times.push_back(*time);
    return times;
}

}  // namespace

TEST_CASE("Triggers expected until a time are the area below the rate") {
    // 2 s of a ramp: 1000; 3 s of the plateau: 3000; 1 s down: 750. Half-way up the ramp: 1/4 of 1000.
    const RateProfile profile(ramp());
    CHECK(profile.expected(Time{kSecond}) == Approx(250));
    CHECK(profile.expected(Time{2 * kSecond}) == Approx(1000));
    CHECK(profile.expected(Time{5 * kSecond}) == Approx(4000));
    CHECK(profile.expected(Time{6 * kSecond}) == Approx(4750));
    CHECK(profile.expected(Time{60 * kSecond}) == Approx(4750));
}

TEST_CASE("When so many triggers are expected is the inverse of how many are") {
    const RateProfile profile(ramp());
    CHECK(profile.when(250) == Time{kSecond});
    CHECK(profile.when(1000) == Time{2 * kSecond});
    CHECK(profile.when(2500) == Time{3'500'000'000'000});
    CHECK(profile.when(0) == Time{0});
    CHECK_FALSE(profile.when(4751));
    CHECK(rc::check("at any number", [&] {
        const double n = *rc::gen::inRange(1, 4'749'999) * 1e-3;
        RC_ASSERT(std::abs(profile.expected(*profile.when(n)) - n) < 1e-6);
    }));
}

TEST_CASE("A profile that is not one is refused") {
    CHECK_THROWS_AS(RateProfile({{Time{0}, hertz(1)}}), std::invalid_argument);
    CHECK_THROWS_AS(RateProfile({{Time{1}, hertz(1)}, {Time{2}, hertz(1)}}), std::invalid_argument);
    CHECK_THROWS_AS(RateProfile({{Time{0}, hertz(1)}, {Time{0}, hertz(2)}}), std::invalid_argument);
}

TEST_CASE("Regular triggers of a profile are where its area is k + 1/2") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = ramp();
    trigger.regular = true;
    const auto times = all(trigger);
    CHECK(times.size() == 4750);
    // On the plateau they are 1 ms apart; the first is at t with 250 t^2 = 1/2.
    CHECK(times[2001] - times[2000] == Time{1'000'000'000});
    CHECK(static_cast<double>(times[0].count()) * 1e-12 == Approx(std::sqrt(0.5 / 250)));
}

TEST_CASE("Random triggers of a profile are Poisson in every part of it, and repeat with their seed") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = {{Time{0}, hertz(0)}, {Time{20 * kSecond}, hertz(2000)}, {Time{40 * kSecond}, hertz(2000)}};
    CHECK(all(trigger, 5) == all(trigger, 5));
    // 20000 expected on the ramp, of which a quarter in its first half, and 40000 on the plateau; 4 standard
    // deviations.
    const auto times = all(trigger, 1);
    const auto until = [&](std::int64_t seconds) {
        return static_cast<double>(std::lower_bound(times.begin(), times.end(), Time{seconds * kSecond}) -
                                   times.begin());
    };
    CHECK(std::abs(until(10) - 5000) < 4 * std::sqrt(5000));
    CHECK(std::abs(until(20) - 20000) < 4 * std::sqrt(20000));
    CHECK(std::abs(until(40) - until(20) - 40000) < 4 * std::sqrt(40000));
    // Time changed so that the rate is 1 makes waits of mean and variance 1.
    const RateProfile profile(trigger.profile);
    double sum = 0, squares = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double wait = profile.expected(times[i]) - profile.expected(times[i - 1]);
        sum += wait;
        squares += wait * wait;
    }
    const auto n = static_cast<double>(times.size() - 1);
    CHECK(sum / n == Approx(1).margin(4 / std::sqrt(n)));
    CHECK(squares / n == Approx(2).margin(4 * std::sqrt(20 / n)));
}

TEST_CASE("After a dead time of tau the rate that is left is r / (1 + r tau)") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Profile;
    trigger.profile = {{Time{0}, hertz(10'000)}, {Time{5 * kSecond}, hertz(10'000)}};
    trigger.dead_time = Time{100'000'000};  // 100 us: half of them are lost
    CHECK(static_cast<double>(all(trigger).size()) == Approx(25'000).margin(4 * std::sqrt(25'000.0 / 4)));
}

TEST_CASE("Bursts come on top of other triggers, the first after one period, and dead time takes what is too close") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = hertz(10);
    trigger.duration = Time{350'000'000'000};
    trigger.burst = {2, Time{1'000'000}, Frequency{0}, Time{150'000'000'000}};
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{100'000'000'000}, Time{150'000'000'000},
                                            Time{150'001'000'000}, Time{200'000'000'000}, Time{300'000'000'000},
                                            Time{300'000'000'000}, Time{300'001'000'000}});
    trigger.dead_time = Time{2'000'000};
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{100'000'000'000}, Time{150'000'000'000},
                                            Time{200'000'000'000}, Time{300'000'000'000}});
}

TEST_CASE("Random bursts on top leave the Poisson triggers beneath as they were, but for dead time") {
    Trigger plain;
    plain.pattern = Trigger::Pattern::Poisson;
    plain.rate = hertz(1000);
    plain.duration = Time{20 * kSecond};
    Trigger more = plain;
    more.burst = {10, Time{1'000'000}, hertz(50), Time{0}};
    const auto few = all(plain), many = all(more);
    CHECK(std::includes(many.begin(), many.end(), few.begin(), few.end()));
    // About 50 Hz * 20 s bursts of 10.
    CHECK(static_cast<double>(many.size() - few.size()) == Approx(10'000).margin(10 * 4 * std::sqrt(1000)));
}
