// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/hpcc.h"

#include <cmath>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr BitRate kFast{100'000'000'000};

/// T = 10 us, so that 100 Gb/s hold 125000 B; W_AI = 100 B.
Hpcc ten() {
    Hpcc hpcc;
    hpcc.base_rtt = Time{10'000'000};
    hpcc.additive = Bytes{100};
    return hpcc;
}

Acknowledgement news(std::uint64_t expected, std::uint64_t next, std::vector<LinkReport> links) {
    Acknowledgement made;
    made.expected = expected;
    made.next = next;
    made.links = std::move(links);
    return made;
}

LinkReport report(std::int64_t ns, std::int64_t sent, std::int64_t queue, BitRate rate = kFast) {
    return {Time{ns * 1000}, Bytes{sent}, Bytes{queue}, rate};
}

}  // namespace

// The second report is a round trip T behind the first, so U is what it says: a full link and min(25000, 12500) B of
// 125000 B that wait, 1.1. The window shrinks at once, and W_c with it once what was sent after the last update is
// acknowledged.
TEST_CASE("HPCC divides the window of the last round trip by how much the busiest link exceeds its target") {
    HpccFlow flow(ten(), kFast);
    CHECK(flow.window() == 125000);
    CHECK(flow.rate(Time{0}) == 100e9);
    flow.acknowledged(news(1, 100, {report(0, 0, 25000)}), Time{0});
    CHECK(flow.window() == 125000);
    flow.acknowledged(news(2, 110, {report(10'000, 125'000, 12'500)}), Time{0});
    CHECK(flow.get_utilisation() == Approx(1.1));
    CHECK(flow.window() == Approx(125000 * 0.95 / 1.1 + 100));
    CHECK(flow.rate(Time{0}) == Approx((125000 * 0.95 / 1.1 + 100) * 8 / 10e-6));
    // The same round trip, a quarter of T later: a full link without a queue. From W_c, not from W.
    flow.acknowledged(news(3, 110, {report(12'500, 156'250, 0)}), Time{0});
    const double mixed = 0.75 * 1.1 + 0.25;
    CHECK(flow.get_utilisation() == Approx(mixed));
    CHECK(flow.window() == Approx(125000 * 0.95 / mixed + 100));
    // The first of the next one: T later, a full link.
    flow.acknowledged(news(101, 200, {report(22'500, 281'250, 0)}), Time{0});
    CHECK(flow.window() == Approx(125000 * 0.95 + 100));
    flow.acknowledged(news(201, 300, {report(32'500, 406'250, 0)}), Time{0});
    CHECK(flow.window() == Approx((125000 * 0.95 + 100) * 0.95 + 100));
}

TEST_CASE("HPCC looks at the busiest of the links on the way") {
    HpccFlow flow(ten(), kFast);
    const BitRate slow{40'000'000'000};
    flow.acknowledged(news(1, 1, {report(0, 0, 0), report(500, 0, 0, slow), report(900, 0, 0)}), Time{0});
    // 30000 B in T are 0.24 of 100 Gb/s, and 0.6 of 40 Gb/s; 5000 B that wait are 0.1 of 40 Gb/s.
    flow.acknowledged(
        news(2, 3, {report(10'000, 30'000, 0), report(10'500, 30'000, 0, slow), report(10'900, 30'000, 0)}), Time{0});
    CHECK(flow.get_utilisation() == Approx(0.6));
    flow.acknowledged(
        news(4, 5, {report(20'000, 60'000, 0), report(20'500, 60'000, 5000, slow), report(20'900, 60'000, 0)}),
        Time{0});
    flow.acknowledged(
        news(6, 7, {report(30'000, 90'000, 0), report(30'500, 90'000, 6000, slow), report(30'900, 90'000, 0)}),
        Time{0});
    CHECK(flow.get_utilisation() == Approx(0.7));
}

// A link that is not busy: W grows by W_AI five times, and then by eta / U.
TEST_CASE("HPCC adds five times before it multiplies") {
    HpccFlow flow(ten(), kFast);
    std::int64_t round = 0, sent = 0;
    const auto next_round = [&](double utilisation) {
        ++round;
        sent += std::llround(125000 * utilisation);
        const auto number = static_cast<std::uint64_t>(round);
        flow.acknowledged(news(number, number, {report(10'000 * round, sent, 0)}), Time{0});
    };
    next_round(0);
    next_round(1.9);  // W_c = 62500 + 100
    CHECK(flow.window() == Approx(62600));
    for (int stage = 1; stage <= 5; ++stage) {
        next_round(0.5);
        CHECK(flow.window() == Approx(62600 + 100 * stage));
    }
    next_round(0.76);
    CHECK(flow.window() == Approx(63100 * 0.95 / 0.76 + 100));
}

// At rest W = W eta / U + W_AI for each of n flows, so that all have the same, and with U = n W / (B T)
//     W = eta B T / n + W_AI.
TEST_CASE("Flows of HPCC share a link equally, at eta of it and n W_AI more") {
    for (const std::size_t flows : {1U, 2U, 5U}) {
        std::vector<HpccFlow> all(flows, HpccFlow(ten(), kFast));
        std::int64_t sent = 0;
        for (std::int64_t round = 1; round < 20'000; ++round) {
            const auto number = static_cast<std::uint64_t>(round);
            double rates = 0;
            std::size_t active = 0;
            for (auto& flow : all)  // one after the other
                if (round > 500 * static_cast<std::int64_t>(active++)) rates += flow.rate(Time{0});
            sent += std::llround(rates * 10e-6 / 8);
            active = 0;
            for (auto& flow : all)
                if (round > 500 * static_cast<std::int64_t>(active++))
                    flow.acknowledged(news(number, number, {report(10'000 * round, sent, 0)}), Time{0});
        }
        for (auto& flow : all)
            CHECK(flow.rate(Time{0}) ==
                  Approx(0.95 * 100e9 / static_cast<double>(flows) + 100 * 8 / 10e-6).epsilon(1e-3));
    }
}
