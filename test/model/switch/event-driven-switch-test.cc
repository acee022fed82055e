// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/event-driven-switch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "model/base/random.h"
#include "test/catch.h"

using namespace watershed;

namespace {

using Kind = Scheduling::Kind;

/// @param heads  classes that have frames, and the first frame of each
std::optional<std::size_t> next_of(ClassScheduler& scheduler, const std::map<std::size_t, std::int64_t>& heads) {
    unsigned classes = 0;
    for (const auto& [traffic_class, wire] : heads) classes |= 1u << traffic_class;
    return scheduler.next(
        classes, [](std::size_t) { return true; }, [&](std::size_t each) { return Bytes{heads.at(each)}; });
}

}  // namespace

TEST_CASE("Under strict priority the highest class that has a frame goes first, and none goes where there is none") {
    ClassScheduler scheduler({Kind::StrictPriority, {}, {}});
    CHECK(next_of(scheduler, {{0, 100}, {3, 1500}, {5, 64}}) == 5);
    CHECK(next_of(scheduler, {{0, 100}, {3, 1500}}) == 3);
    CHECK(next_of(scheduler, {{0, 100}}) == 0);
    CHECK(next_of(scheduler, {}) == std::nullopt);
}

// Weights 2 for class 0 and 3 for class 1: each round has three frames of class 1 and then two of class 0.
TEST_CASE("Weighted round robin gives each class the frames of its weight, from the highest class down") {
    ClassScheduler scheduler({Kind::WeightedRoundRobin, {2, 3}, {}});
    std::vector<std::size_t> order;
    for (int i = 0; i < 10; ++i) order.push_back(*next_of(scheduler, {{0, 1500}, {1, 64}}));
    CHECK(order == std::vector<std::size_t>{1, 1, 1, 0, 0, 1, 1, 1, 0, 0});
    // Class 1 has nothing after one frame of its turn: the rest of the turn is lost.
    CHECK(next_of(scheduler, {{0, 1500}, {1, 64}}) == 1);
    CHECK(next_of(scheduler, {{0, 1500}}) == 0);
    CHECK(next_of(scheduler, {{0, 1500}, {1, 64}}) == 0);
    CHECK(next_of(scheduler, {{0, 1500}, {1, 64}}) == 1);
}

// Quantum 1000 B and frames of 1500 B in class 2: its first turn saves 1000 B, the second sends one and saves 500 B,
// the third sends one and saves nothing. Class 0 has frames of 500 B and sends two in each turn.
TEST_CASE("Deficit round robin keeps what a frame is too large for until the next turn") {
    ClassScheduler scheduler({Kind::DeficitRoundRobin, {}, Bytes{1000}});
    std::vector<std::size_t> order;
    for (int i = 0; i < 8; ++i) order.push_back(*next_of(scheduler, {{0, 500}, {2, 1500}}));
    CHECK(order == std::vector<std::size_t>{0, 0, 2, 0, 0, 2, 0, 0});
    CHECK(scheduler.left(2) == 0);
}

// Shreedhar and Varghese, Lemma 2: of classes that always have frames, none is more than a frame away from its weight
// times quantum times rounds. Two of them are thus never further apart than one quantum and a largest frame each, in
// bytes over weight.
TEST_CASE(
    "Under deficit round robin no class that has frames falls behind another by more than a quantum and a frame") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        std::uint64_t state = mixed(seed);
        const auto draw = [&](std::int64_t least, std::int64_t most) {
            state = mixed(state);
            return least + uniform_up_to(state, most - least);
        };
        Scheduling scheduling{Kind::DeficitRoundRobin, {}, Bytes{draw(64, 3000)}};
        for (int i = 0; i < kTrafficClasses; ++i) scheduling.weights.push_back(draw(1, 5));
        ClassScheduler scheduler(scheduling);
        std::map<std::size_t, std::int64_t> all;
        const int classes = static_cast<int>(draw(2, kTrafficClasses));
        for (int i = 0; i < classes; ++i) all[static_cast<std::size_t>(i)] = draw(84, 1538);
        std::vector<double> served(static_cast<std::size_t>(classes));
        for (int i = 0; i < 2000; ++i) {
            const auto chosen = *next_of(scheduler, all);
            served[chosen] += static_cast<double>(all[chosen]) / static_cast<double>(scheduling.weights[chosen]);
            REQUIRE(scheduler.left(static_cast<int>(chosen)) >= 0);
            all[chosen] = draw(84, 1538);
            const auto [least, most] = std::minmax_element(served.begin(), served.end());
            REQUIRE(*most - *least <= static_cast<double>(scheduling.quantum.count) + 2 * 1538);
        }
    }
}

TEST_CASE("Each stream has a peak of its own, in frames and in bytes, which need not be at the same time") {
    StreamOccupancy occupancy(2);
    occupancy.change(0, Bytes{100}, +1);
    occupancy.change(0, Bytes{100}, +1);
    occupancy.change(1, Bytes{64}, +1);
    occupancy.change(0, Bytes{100}, -1);
    occupancy.change(0, Bytes{100}, -1);
    occupancy.change(0, Bytes{900}, +1);
    CHECK(occupancy.peaks()[0].frames == 2);
    CHECK(occupancy.peaks()[0].bytes == Bytes{900});
    CHECK(occupancy.peaks()[1].frames == 1);
    CHECK(occupancy.peaks()[1].bytes == Bytes{64});
}
