// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/gate-control-list.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr unsigned kSeven = 1u << 7, kOthers = 0x7f;

}  // namespace

TEST_CASE("A gate is open from the beginning of its entry to the end, in every cycle") {
    const GateControlList list({{Time{300}, kSeven}, {Time{650}, kOthers}, {Time{50}, 0}});
    for (const Time cycle : {Time{0}, Time{1000}, Time{7'000'000}}) {
        CHECK(list.is_open(7, cycle, cycle + Time{300}));
        CHECK_FALSE(list.is_open(7, cycle, cycle + Time{301}));
        CHECK(list.is_open(0, cycle + Time{300}, cycle + Time{950}));
        CHECK_FALSE(list.is_open(0, cycle + Time{299}, cycle + Time{950}));
        CHECK_FALSE(list.is_open(7, cycle + Time{960}, cycle + Time{970}));
        CHECK(list.opens(7, cycle + Time{1}, Time{300}) == cycle + Time{1000});
        CHECK(list.opens(3, cycle + Time{1}, Time{1}) == cycle + Time{300});
        CHECK(list.opens(3, cycle + Time{300}, Time{1}) == cycle + Time{1300});
    }
    // A tick before the cycle, and a tick after its gate has closed.
    CHECK_FALSE(list.is_open(7, Timestamp(Time{1000}, 1), Time{1010}));
    CHECK(list.is_open(7, Time{1000}, Timestamp(Time{1300}, 1)));
    CHECK(list.opens(7, Timestamp(Time{1000}, 1), Time{1}) == Time{1000});
}

TEST_CASE("Entries that follow each other are one window, and so are the last and the first") {
    const GateControlList list({{Time{100}, kSeven | 1}, {Time{100}, kSeven}, {Time{500}, 0}, {Time{300}, 1}});
    CHECK(list.is_open(7, Time{0}, Time{200}));
    CHECK(list.is_open(0, Time{700}, Time{1100}));
    CHECK(list.is_open(0, Time{1000}, Time{1100}));
    CHECK_FALSE(list.is_open(0, Time{700}, Time{1101}));
    CHECK(list.opens(0, Time{0}, Time{400}) == Time{700});
    const GateControlList always({{Time{3}, kSeven | 1}, {Time{2}, kSeven}});
    CHECK(always.is_open(7, Time{0}, Time{1'000'000}));
    CHECK_FALSE(always.is_open(0, Time{0}, Time{4}));
}

TEST_CASE("A frame that no window is long enough for is refused, and a window too short for it is passed over") {
    const GateControlList list({{Time{100}, 1}, {Time{100}, 0}, {Time{200}, 1}, {Time{100}, 0}});
    CHECK(list.opens(0, Time{0}, Time{101}) == Time{200});
    CHECK(list.opens(0, Time{200}, Time{200}) == Time{700});
    CHECK_THROWS_WITH(list.opens(0, Time{0}, Time{201}),
                      "switch.gates: class 0 is open for 200 ps at most, expected 201 ps, which a frame of it takes on "
                      "the link");
    CHECK_THROWS_WITH(list.opens(5, Time{0}, Time{1}), Contains("class 5 is open for 0 ps at most"));
    CHECK_THROWS_WITH(GateControlList({{Time{0}, 1}}), Contains("switch.gates: expected entries of more than 0 s"));
    CHECK_THROWS_WITH(GateControlList({{kLongestDelay, 1}, {Time{1}, 1}}), Contains("at most 10 days"));
}

TEST_CASE("What is open, and when it opens next, is as a list of instants says") {
    CHECK(rc::check("for random lists", [] {
        std::vector<GateEntry> entries;
        std::vector<unsigned> open;  // by picosecond
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
            entries.push_back({Time{*rc::gen::inRange(1, 9)}, static_cast<unsigned>(*rc::gen::inRange(0, 256))});
            open.insert(open.end(), static_cast<std::size_t>(entries.back().lasts.count()), entries.back().classes);
        }
        const GateControlList list(entries);
        const int traffic_class = *rc::gen::inRange(0, 8);
        const auto is_open = [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t at = from; at < to; ++at)
                if ((open[static_cast<std::size_t>(at) % open.size()] >> traffic_class & 1) == 0) return false;
            return true;
        };
        const std::int64_t begin = *rc::gen::inRange(0, 100), lasts = *rc::gen::inRange(1, 20);
        RC_ASSERT(list.is_open(traffic_class, Time{begin}, Time{begin + lasts}) == is_open(begin, begin + lasts));
        std::int64_t next = begin + 1;
        const auto opens = [&] { return is_open(next, next + lasts) && !is_open(next - 1, next); };
        while (next < begin + 100 && !opens()) ++next;
        if (next < begin + 100) RC_ASSERT(list.opens(traffic_class, Time{begin}, Time{lasts}) == Time{next});
    }));
}

TEST_CASE("Classes are numbers and ranges") {
    CHECK(read_classes("0-3, 6") == 0x4f);
    CHECK(read_classes(" 7") == kSeven);
    CHECK(read_classes("") == 0u);
    CHECK(read_classes(classes_text(0x4f)) == 0x4f);
    for (const char* wrong : {"8", "3-1", "1,", "a", "1 2"}) CHECK_FALSE(read_classes(wrong));
}
