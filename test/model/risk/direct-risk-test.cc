// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/direct-risk.h"

#include <random>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario m_d_1(double load) {
    // 10 modules whose links take a thousandth of a frame time: an event is one customer of 10 frame times, 8.72 us.
    Scenario s;
    s.front_end.modules = 10;
    s.front_end.link_rate = BitRate{10'000'000'000'000};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{static_cast<std::int64_t>(load / 8.72e-6 * 1e6)};
    s.trigger.dead_time = Time{0};
    s.network_switch.buffer.size = {1'000'000};
    return s;
}

}  // namespace

TEST_CASE("The mean queue of M/D/1 is that of Pollaczek and Khinchine, as the exact engine counts it") {
    // Mean wait load/(1 - load) half a service; a frame then waits for those of its event before it: 5.5 frame times
    // with itself. By Little's law the switch holds rate 10 (wait + 5.5 frame times) frames on average: 10 load (5
    // load/(1 - load) + 5.5)/10.
    const double load = 0.6;
    Scenario s = m_d_1(load);
    s.trigger.events = 200'000;
    double area = 0, last = 0, held = 0;
    Observer observer;
    observer.occupancy = [&](Time time, std::int64_t frames, Bytes) {
        const auto now = static_cast<double>(time.count());
        area += held * (now - last);
        last = now;
        held = static_cast<double>(frames);
    };
    ExactEngine().run(s, &observer);
    CHECK(area / last == Approx(load * (5 * load / (1 - load) + 5.5)).epsilon(0.015));
}

TEST_CASE("Counts of independent events have the interval of Clopper and Pearson") {
    // 10 of 1000, spread evenly: 0.0048 to 0.0183 by their tables.
    IncompleteCounts counts{1000, {1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1}, 10, 10};
    const Enclosure p = loss_probability({counts});
    CHECK(p.estimate == Approx(0.01));
    CHECK(p.lower == Approx(0.00481).epsilon(0.01));
    CHECK(p.upper == Approx(0.0183).epsilon(0.01));
}

TEST_CASE("Events lost in episodes tell as little as so many episodes") {
    // Two episodes of five: about as uncertain as 2 of 200.
    IncompleteCounts counts{1000, {5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0}, 2, 50};
    const Enclosure p = loss_probability({counts});
    CHECK(p.estimate == Approx(0.01));
    CHECK(p.lower < 0.0016);
    CHECK(p.upper > 0.034);
}

TEST_CASE("No loss in n events leaves 3.7 / n open") {
    const Enclosure p = loss_probability({IncompleteCounts{1'000'000, std::vector<std::int64_t>(16), 0, 0}});
    CHECK(p.lower == 0);
    CHECK(p.estimate == 0);
    CHECK(p.upper == Approx(3.69e-6).epsilon(0.01));
    const Enclosure all =
        loss_probability({IncompleteCounts{1600, std::vector<std::int64_t>(16, 100), 1, 1600.0 * 1600}});
    CHECK(all.upper == 1);
    CHECK(all.estimate == 1);
}

TEST_CASE(
    "The interval of 95 % covers the probability in about 95 of 100 simulations, though events are lost in episodes") {
    // Room for 25 frames at load 0.6, which loses about 13 %; what a long run gives stands for the truth.
    Scenario s = m_d_1(0.6);
    s.network_switch.buffer.size = {25};
    ExactEngine engine;
    std::vector<IncompleteCounts> all;
    for (std::uint64_t i = 0; i < 400; ++i) all.push_back(count_incomplete(engine, s, 2000, i));
    const double truth = loss_probability(all).estimate;
    CHECK(truth > 0.05);
    int covered = 0;
    for (std::size_t i = 0; i < all.size(); i += 4) {
        const Enclosure p = loss_probability({all[i], all[i + 1], all[i + 2], all[i + 3]});
        covered += p.lower <= truth && truth <= p.upper;
    }
    CHECK(covered >= 88);  // of 100, three standard deviations below 95
}

TEST_CASE("A few episodes of sizes that scatter leave the probability as open as they are few") {
    // Poissonian episodes, their sizes geometric: six of five or ten of three, as a rare loss of a deep memory gives.
    constexpr std::int64_t kEvents = 100'000;
    std::mt19937_64 bits(7);
    for (const auto& [episodes, size] : {std::pair{6, 5.0}, std::pair{10, 3.0}}) {
        const double truth = episodes * size / kEvents;
        std::poisson_distribution<int> number(episodes);
        std::geometric_distribution<std::int64_t> more(1 / size);
        int covered = 0, below = 0;
        constexpr int kTries = 2000;
        for (int i = 0; i < kTries; ++i) {
            IncompleteCounts counts{kEvents, std::vector<std::int64_t>(16), number(bits), 0};
            for (std::int64_t j = 0; j < counts.episodes; ++j) {
                const std::int64_t lost = 1 + more(bits);
                counts.batches[bits() % 16] += lost;
                counts.squares += static_cast<double>(lost * lost);
            }
            const Enclosure p = loss_probability({counts});
            covered += p.lower <= truth && truth <= p.upper;
            below += p.upper < truth;
        }
        INFO(episodes << " episodes: " << covered << " cover, " << below << " lie below");
        CHECK(covered >= 0.95 * kTries);
        CHECK(below <= 0.035 * kTries);
    }
}

TEST_CASE("Episodes and batches add up to the incomplete events") {
    Scenario s = m_d_1(0.9);
    s.network_switch.buffer.size = {25};
    ExactEngine engine;
    const IncompleteCounts counts = count_incomplete(engine, s, 10'000, 3);
    std::int64_t sum = 0;
    for (const std::int64_t batch : counts.batches) sum += batch;
    CHECK(sum > 100);
    CHECK(counts.episodes > 1);
    CHECK(counts.episodes <= sum);
    CHECK(counts.squares >= static_cast<double>(sum));
    CHECK(count_incomplete(engine, s, 10'000, 3).batches == counts.batches);
    CHECK(count_incomplete(engine, s, 10'000, 4).batches != counts.batches);
}

TEST_CASE("A warm-up of as many events as the memory remembers takes the empty beginning out of the count") {
    // Deep, a little above saturation: from an empty switch nothing is lost in 2000 events, in the long run one event
    // of hundred.
    Scenario s = m_d_1(1.004);
    s.network_switch.buffer.size = {400};
    ExactEngine engine;
    const InitialTransient settled = find_initial_transient(engine, s, 1'000'000);
    CHECK(settled.settled);
    CHECK(settled.filling == 41);  // links that take no time fill 400 frames with 40 events of ten; the next one loses
    const auto part = [&](const InitialCondition& beginning) {
        std::vector<IncompleteCounts> all;
        for (std::uint64_t i = 0; i < 40; ++i) all.push_back(count_incomplete(engine, s, 500, i, beginning));
        return loss_probability(all);
    };
    const Enclosure cold = part({}), warm = part({0, settled.events}), full = part({settled.filling, settled.events});
    INFO("after " << settled.events << " events: " << warm.lower << " to " << warm.upper << ", from full "
                  << full.estimate << ", without " << cold.estimate);
    CHECK(cold.upper < warm.lower);
    CHECK(warm.lower < full.upper);
    CHECK(full.lower < warm.upper);
}

TEST_CASE("A memory that remembers longer than may be simulated is said to") {
    Scenario s = m_d_1(0.9999);
    ExactEngine engine;
    const InitialTransient settled =
        find_initial_transient(engine, s, 20'000);  // a million frames, 100000 events of a burst
    CHECK(settled.filling > 100'000);
    CHECK_FALSE(settled.settled);
    CHECK(find_initial_transient(engine, m_d_1(0.5), 20'000).settled);
}
