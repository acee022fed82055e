// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/front-end.h"

#include <set>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Skew and clock lists repeat over the modules, spreads are drawn once per module and seed") {
    FrontEnd front_end;
    front_end.skew = {Time{100}, Time{200}};
    front_end.clock = {ClockTolerance{5}};
    CHECK(module_timing(front_end, 1, 1).skew == Time{100});
    CHECK(module_timing(front_end, 1, 4).skew == Time{200});
    CHECK(module_timing(front_end, 1, 3).tolerance == ClockTolerance{5});

    front_end.skew_spread = Time{5000};
    front_end.clock_spread = ClockTolerance{50'000};
    std::set<std::int64_t> skews;
    for (int module = 1; module <= 200; ++module) {
        const ModuleTiming timing = module_timing(front_end, 1, module);
        const Time base = module % 2 ? Time{100} : Time{200};
        CHECK(timing.skew >= base);
        CHECK(timing.skew <= base + Time{5000});
        CHECK(std::abs(timing.tolerance.count - 5) <= 50'000);
        CHECK(timing.skew == module_timing(front_end, 1, module).skew);
        skews.insert(timing.skew.count());
    }
    CHECK(skews.size() > 150);
    CHECK(module_timing(front_end, 1, 7).skew != module_timing(front_end, 2, 7).skew);
}

TEST_CASE("A front end is synchronous only if no module differs from another") {
    FrontEnd front_end;
    CHECK(is_synchronous(front_end));
    front_end.skew = {Time{3}, Time{3}};
    CHECK(is_synchronous(front_end));
    front_end.skew = {Time{3}, Time{4}};
    CHECK_FALSE(is_synchronous(front_end));
    front_end.skew.clear();
    front_end.jitter = Time{1};
    CHECK_FALSE(is_synchronous(front_end));
}

TEST_CASE("A link sends one frame at a time, and an unlimited FIFO keeps the others") {
    FrontEndPort port(FrontEnd{}, 1, 1);
    CHECK(port.offer(Time{0}, Bytes{1090}) == Time{8'720'000});
    CHECK(port.offer(Time{1'000'000}, Bytes{1090}) == Time{17'440'000});
    CHECK(port.offer(Time{20'000'000}, Bytes{1090}) == Time{28'720'000});
}

TEST_CASE("A limited FIFO refuses what finds it full, and a frame leaves it before one that arrives at the same time") {
    FrontEnd front_end;
    front_end.fifo = 2;
    FrontEndPort port(front_end, 1, 1);
    CHECK(port.offer(Time{0}, Bytes{1090}));
    CHECK(port.offer(Time{0}, Bytes{1090}));
    CHECK_FALSE(port.offer(Time{0}, Bytes{1090}));
    CHECK_FALSE(port.offer(Time{8'719'999}, Bytes{1090}));
    CHECK(port.offer(Time{8'720'000}, Bytes{1090}) == Time{26'160'000});
}

TEST_CASE("Fragments of one module never overtake each other, however large the jitter") {
    FrontEnd front_end;
    front_end.jitter = Time{1'000'000};
    FrontEndPort port(front_end, 3, 5);
    Time last{0};
    for (std::int64_t event = 1; event <= 1000; ++event) {
        const Time trigger{event * 1000};
        const Time offered = port.offer_time(event, trigger);
        CHECK(offered >= last);
        CHECK(offered >= trigger);
        last = offered;
    }
}

TEST_CASE("A link pauses between the frames of an event, and not before the next event") {
    // 1466 B last 11.728 us and 366 B 2.928 us. The next event has waited since 20 us.
    FrontEndPort port(FrontEnd{}, 1, 1);
    const Time gap{10'000'000};
    CHECK(port.offer(Time{0}, Bytes{1466}) == Time{11'728'000});
    CHECK(port.offer(Time{0}, Bytes{1466}, gap) == Time{33'456'000});
    CHECK(port.offer(Time{0}, Bytes{1466}, gap) == Time{55'184'000});
    CHECK(port.offer(Time{0}, Bytes{366}, gap) == Time{68'112'000});
    CHECK(port.offer(Time{20'000'000}, Bytes{1466}) == Time{79'840'000});
}

namespace {

constexpr BitRate kGigabit{1'000'000'000};  // 125 B a microsecond
constexpr Bytes kFrame{125};

Timestamp at(std::int64_t microseconds) { return Time{microseconds * 1'000'000}; }

}  // namespace

TEST_CASE("A frame holds its place in a limited FIFO until its last bit has left") {
    OutputFifo fifo(kGigabit, {}, 2);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    CHECK(fifo.offer(at(0), kFrame) == at(2));
    CHECK_FALSE(fifo.offer(at(0), kFrame));
    CHECK(fifo.offer(at(1), kFrame) == at(3));
    CHECK(fifo.begin() == at(2));
    CHECK(fifo.free() == at(3));
}

TEST_CASE("A new rate holds for the frames that are taken from then on") {
    OutputFifo fifo(kGigabit, {}, std::nullopt);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    fifo.set_rate(BitRate{500'000'000}, {});
    CHECK(fifo.free() == at(1));
    CHECK(fifo.offer(at(0), kFrame) == at(3));
}

TEST_CASE("A FIFO that is limited later is told what it holds") {
    OutputFifo fifo(kGigabit, {}, std::nullopt);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    fifo.set_capacity(1, {at(1)});
    CHECK_FALSE(fifo.offer(at(0), kFrame));
    CHECK(fifo.offer(at(1), kFrame) == at(2));
}
