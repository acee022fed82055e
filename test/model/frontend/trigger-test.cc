// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/trigger.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

std::vector<Time> all(const Trigger& trigger, std::uint64_t seed = 1) {
    TriggerTrain train(trigger, seed);
    std::vector<Time> times;
    while (const auto time = train.next()) times.push_back(*time);
    return times;
}

Trigger poisson(std::int64_t events, std::int64_t rate_hz, Time dead_time) {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Poisson;
    trigger.rate = Frequency{rate_hz * 1'000'000};
    trigger.events = events;
    trigger.dead_time = dead_time;
    return trigger;
}

}  // namespace

TEST_CASE("A burst has its events one separation apart, the first at 0") {
    Trigger trigger;
    trigger.separation = Time{20'000'000};
    trigger.events = 3;
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{20'000'000}, Time{40'000'000}});
}

TEST_CASE("Bursts repeat after their period") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Bursts;
    trigger.separation = Time{10};
    trigger.events = 2;
    trigger.bursts = 3;
    trigger.period = Time{1000};
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{10}, Time{1000}, Time{1010}, Time{2000}, Time{2010}});
}

TEST_CASE("A periodic train keeps its rate without accumulating rounding errors") {
    // Trigger k of 7 Hz falls at k / 7 s; after 7 000 000 of them exactly 10^6 s have passed.
    CHECK(periodic_time(Frequency{7'000'000}, 7'000'000) == Time{1'000'000'000'000'000'000});
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = Frequency{3'000'000};
    trigger.duration = Time{1'000'000'000'000};  // 1 s, its end not included
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{333'333'333'333}, Time{666'666'666'667}});
    trigger.events = 2;  // whichever ends first
    CHECK(all(trigger).size() == 2);
}

TEST_CASE("Poisson waiting times have mean and variance of dead time plus an exponential") {
    // Mean 1/f + t_dead; standard deviation 1/f. Four standard errors of 10^5 draws: 4/sqrt(10^5) = 1.3 %.
    const Time dead_time{2'000'000};
    const auto times = all(poisson(100'000, 8000, dead_time));
    REQUIRE(times.size() == 100'000);
    double sum = 0, squares = 0, least = 1e18;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double wait = static_cast<double>((times[i] - times[i - 1]).count());
        sum += wait;
        squares += wait * wait;
        least = std::min(least, wait);
    }
    const double n = static_cast<double>(times.size() - 1), mean = sum / n,
                 deviation = std::sqrt(squares / n - mean * mean);
    CHECK(mean == Approx(125e6 + 2e6).epsilon(0.013));
    CHECK(deviation == Approx(125e6).epsilon(0.02));
    CHECK(least >= 2e6);
}

TEST_CASE("A Poisson train is the same for the same seed and another for another") {
    const Trigger trigger = poisson(100, 8000, Time{0});
    CHECK(all(trigger, 5) == all(trigger, 5));
    CHECK(all(trigger, 5) != all(trigger, 6));
}

TEST_CASE("A trigger within the dead time of the last accepted one is ignored") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::File;
    trigger.times = {Time{0}, Time{5}, Time{10}, Time{12}, Time{21}};
    trigger.dead_time = Time{10};
    // 5 is within 10 of 0; 10 is not; 12 is within 10 of 10; 21 is not.
    CHECK(all(trigger) == std::vector<Time>{Time{0}, Time{10}, Time{21}});
}

TEST_CASE("A train without an end is refused") {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::Periodic;
    trigger.rate = Frequency{1'000'000};
    CHECK_THROWS_AS(TriggerTrain(trigger, 1), std::invalid_argument);
}

TEST_CASE("The number of triggers is known before drawing where the pattern fixes it") {
    Trigger trigger;
    trigger.events = 4;
    CHECK(trigger_count(trigger) == 4);
    trigger.pattern = Trigger::Pattern::Bursts;
    trigger.bursts = 3;
    CHECK(trigger_count(trigger) == 12);
    trigger.pattern = Trigger::Pattern::Poisson;
    trigger.events.reset();
    CHECK_FALSE(trigger_count(trigger));
}
