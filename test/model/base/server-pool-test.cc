// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/server-pool.h"

#include <rapidcheck.h>

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Jobs go to the thread that is free first") {
    ServerPool pool({2, 1, {0, 1}});
    CHECK(pool.serve(Time{0}, Time{10}) == Time{10});
    CHECK(pool.serve(Time{0}, Time{4}) == Time{4});
    CHECK(pool.serve(Time{1}, Time{3}) == Time{7});  // waits for the second thread
    CHECK(pool.serve(Time{20}, Time{1}) == Time{21});
    CHECK(pool.busy(Time{21}) == Time{18});
    CHECK(pool.done() == Time{21});
}

TEST_CASE("A thread has worked no longer than the time that passed, however much it has been given to do") {
    ServerPool pool({1, 1, {0, 1}});
    pool.serve(Time{0}, Time{10});
    pool.serve(Time{2}, Time{30});  // from 10 to 40
    CHECK(pool.busy(Time{2}) == Time{2});
    CHECK(pool.busy(Time{25}) == Time{25});
    CHECK(pool.busy(Time{40}) == Time{40});
    pool.serve(Time{50}, Time{5});
    CHECK(pool.busy(Time{52}) == Time{42});
    CHECK(pool.done() == Time{55});
}

TEST_CASE("Busy times never exceed the time of all threads, and in the end they are the sum of all jobs") {
    const bool holds = rc::check([] {
        const int cores = *rc::gen::inRange(1, 5);
        ServerPool pool({cores, 1, {0, 1}});
        Time now{0}, sum{0}, before{0};
        for (const auto& [gap, work] : *rc::gen::container<std::vector<std::pair<int, int>>>(
                 rc::gen::pair(rc::gen::inRange(0, 100), rc::gen::inRange(0, 300)))) {
            now += Time{gap};
            pool.serve(now, Time{work});
            sum += Time{work};
            RC_ASSERT(pool.busy(now) <= now * cores);
            RC_ASSERT(pool.busy(now) >= before);
            before = pool.busy(now);
        }
        RC_ASSERT(pool.busy(pool.done()) == sum);
    });
    REQUIRE(holds);
}

TEST_CASE("Two threads on a core each run at half of what both together gain") {
    // One core, gain 1/2: two threads do 1.5 times the work of one, so that each is at 0.75.
    ServerPool pool({1, 2, {1, 2}});
    CHECK(pool.serve(Time{0}, Time{300}) == Time{300});
    CHECK(pool.serve(Time{0}, Time{300}) == Time{400});
    // A job that begins when nobody else is busy has the core alone.
    CHECK(pool.serve(Time{1000}, Time{300}) == Time{1300});
}

TEST_CASE("A pool that is never idle does its capacity of work, rounding aside") {
    // cores + gain * (threads - cores), where every job but the first few begins with all threads busy
    const bool holds = rc::check([] {
        const int cores = *rc::gen::inRange(1, 9), threads = *rc::gen::inRange(1, 3), gain = *rc::gen::inRange(0, 101);
        const ServerPool::Processor processor{cores, threads, {gain, 100}};
        ServerPool pool(processor);
        const Time work{1'000'000};
        const int jobs = 200 * cores * threads;
        Time last{0};
        for (int i = 0; i < jobs; ++i) last = std::max(last, pool.serve(Time{0}, work));
        const double rate = jobs * 1e6 / static_cast<double>(last.count());
        RC_ASSERT(rate >= 0.99 * processor_capacity(processor, cores * threads));
        RC_ASSERT(rate <= 1.03 * processor_capacity(processor, cores * threads));
    });
    REQUIRE(holds);
}

TEST_CASE("A processor's capacity bends at its cores and ends at its threads") {
    const ServerPool::Processor xeon{24, 2, {3, 10}};
    CHECK(processor_capacity(xeon, 10) == Approx(10));
    CHECK(processor_capacity(xeon, 24) == Approx(24));
    CHECK(processor_capacity(xeon, 34) == Approx(27));
    CHECK(processor_capacity(xeon, 48) == Approx(31.2));
    CHECK(processor_capacity(xeon, 100) == Approx(31.2));
}

TEST_CASE("A server without cores or threads is refused") {
    CHECK_THROWS_AS(ServerPool({0, 1, {0, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(ServerPool({1, 0, {0, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(ServerPool({1, 2, {3, 2}}), std::invalid_argument);
}
