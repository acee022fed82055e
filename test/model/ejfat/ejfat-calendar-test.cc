// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-calendar.h"

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Ratio kHalf{1, 2}, kTwice{2, 1}, kNothing{0, 1};

std::vector<EjfatMember> members_of(const std::vector<double>& weights) {
    std::vector<EjfatMember> members;
    for (const double weight : weights) members.push_back({static_cast<int>(members.size()), weight});
    return members;
}

int sum(const std::vector<int>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0); }

}  // namespace

TEST_CASE("Slots go by weight") {
    // 512 * 1/4 = 128 and 512 * 3/4 = 384.
    CHECK(slots_from_weights(members_of({500, 1500}), 512, kNothing, kNothing) == std::vector<int>{128, 384});
    // 512 / 3 = 170.67 rounds to 171 three times, one more than there are; they take turns until none is left.
    CHECK(slots_from_weights(members_of({1000, 1000, 1000}), 512, kHalf, kTwice) == std::vector<int>{171, 171, 170});
    // 512 / 10 = 51.2 rounds to 51; two are left over, given to 2 % 10 and 1 % 10.
    CHECK(slots_from_weights(members_of(std::vector<double>(10, 1000)), 512, kHalf, kTwice) ==
          std::vector<int>{51, 52, 52, 51, 51, 51, 51, 51, 51, 51});
}

TEST_CASE("No share is below the least or above the most, of an even one") {
    // Even: 128. 512 * 100/4000 = 12.8 is raised to 64; the others have 512 * 1300/4000 = 166; 64 + 3 * 166 = 562 are
    // 50 too many, which the members lose from the end of their turns.
    const auto slots = slots_from_weights(members_of({100, 1300, 1300, 1300}), 512, kHalf, kTwice);
    CHECK(slots[0] == 64);
    CHECK(sum(slots) == 512);
    // 512 * 3700/4000 = 473.6 is cut to 256, and what is left over goes round.
    const auto cut = slots_from_weights(members_of({3700, 100, 100, 100}), 512, kHalf, kTwice);
    CHECK(sum(cut) == 512);
    CHECK(cut[0] < 473);
}

TEST_CASE("With more members than slots some have none") {
    const auto slots = slots_from_weights(members_of(std::vector<double>(600, 1000)), 512, kHalf, kTwice);
    CHECK(sum(slots) == 512);
    CHECK(std::count(slots.begin(), slots.end(), 0) == 88);
}

TEST_CASE("Every calendar gives out all of its slots, as the shares say, whatever the weights") {
    const bool holds = rc::check([] {
        const int n = *rc::gen::inRange(1, 40), number = *rc::gen::inRange(1, 600);
        std::vector<double> weights;
        for (int i = 0; i < n; ++i) weights.push_back(*rc::gen::inRange(1, 5000));
        const auto members = members_of(weights);
        const auto shares = slots_from_weights(members, number, Ratio{*rc::gen::inRange(0, 11), 10},
                                               Ratio{*rc::gen::inRange(10, 40), 10});
        RC_ASSERT(sum(shares) == number);
        const EjfatCalendar calendar =
            make_calendar(members, shares, number, 1, *rc::gen::inRange<std::uint64_t>(0, 100));
        RC_ASSERT(static_cast<int>(calendar.size()) == number);
        for (int i = 0; i < n; ++i)
            RC_ASSERT(std::count(calendar.begin(), calendar.end(), i) == shares[static_cast<std::size_t>(i)]);
    });
    REQUIRE(holds);
}

TEST_CASE("Without members no slot leads anywhere") {
    CHECK(slots_from_weights({}, 512, kHalf, kTwice).empty());
    const EjfatCalendar calendar = make_calendar({}, {}, 8, 1, 0);
    CHECK(calendar == EjfatCalendar(8, kNoNode));
}

TEST_CASE("An event belongs to the epoch that began last at or before it") {
    EjfatEpochs epochs;
    CHECK(epochs.node_of(5) == kNoNode);
    epochs.add({10, {0, 1}});
    epochs.add({15, {2, 3}});
    CHECK(epochs.node_of(9) == kNoNode);
    CHECK(epochs.node_of(10) == 0);
    CHECK(epochs.node_of(13) == 1);
    CHECK(epochs.node_of(14) == 0);
    CHECK(epochs.node_of(15) == 3);
    CHECK(epochs.node_of(1'000'000) == 2);
    CHECK_THROWS_AS(epochs.add({15, {0}}), std::logic_error);
}

TEST_CASE("An epoch that begins behind the events that have come changes the node of none of them") {
    const bool holds = rc::check([] {
        EjfatEpochs epochs;
        std::uint64_t boundary = 0, seen = 0;
        std::vector<int> given;
        for (int epoch = 0; epoch < 10; ++epoch) {
            epochs.add({boundary, {*rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9)}});
            const auto events = *rc::gen::inRange<std::uint64_t>(0, 20);
            for (std::uint64_t i = 0; i < events; ++i) given.push_back(epochs.node_of(seen++));
            boundary = std::max(boundary + 1, seen) + *rc::gen::inRange<std::uint64_t>(0, 5);
        }
        for (std::size_t event = 0; event < given.size(); ++event) RC_ASSERT(epochs.node_of(event) == given[event]);
    });
    REQUIRE(holds);
}
