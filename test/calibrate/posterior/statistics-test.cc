// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/statistics.h"

#include <map>
#include <random>

#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "The normal quantile is the way back from the normal distribution function, of which known values are right") {
    CHECK(normal_cdf(0) == 0.5);
    CHECK(normal_cdf(1.959963984540054) == Approx(0.975).epsilon(1e-12));
    CHECK(normal_cdf(-8) == Approx(6.220960574271786e-16).epsilon(1e-9));
    for (const double sigmas : {-7.0, -2.5, -0.1, 0.0, 0.3, 1.0, 4.0})
        CHECK_THAT(normal_quantile(normal_cdf(sigmas)), WithinAbs(sigmas, 1e-9));
}

TEST_CASE("A sum of numbers that are known by their logarithms neither overflows nor vanishes") {
    CHECK(log_sum(std::log(3), std::log(4)) == Approx(std::log(7)));
    CHECK(log_sum(-1000, -1000) == Approx(-1000 + std::log(2)));
    CHECK(log_sum(-HUGE_VAL, 5) == 5);
    CHECK(log_sum({std::log(1), std::log(2), std::log(3)}) == Approx(std::log(6)));
    CHECK(log_sum({2000, 2000, -HUGE_VAL}) == Approx(2000 + std::log(2)));
    CHECK(log_sum({-HUGE_VAL, -HUGE_VAL}) == -HUGE_VAL);
}

TEST_CASE("A stepped quantile is one of the values: the first with enough weight up to it") {
    const std::vector<std::pair<int, double>> values{{1, 1}, {2, 2}, {5, 1}};
    CHECK(empirical_quantile(values, 0) == 1);
    CHECK(empirical_quantile(values, 0.25) == 1);
    CHECK(empirical_quantile(values, 0.26) == 2);
    CHECK(empirical_quantile(values, 0.75) == 2);
    CHECK(empirical_quantile(values, 1) == 5);
    CHECK(empirical_quantile(std::map<double, double>{{1.5, 1}, {2.5, 1}}, 0.5, 2) == 1.5);
}

TEST_CASE("A quantile lies between the middles of its neighbours") {
    CHECK(weighted_quantile({{3, 1}, {1, 1}, {2, 2}}, 0.5) == Approx(2));
    CHECK(weighted_quantile({{1, 1}, {2, 1}}, 0.5) == Approx(1.5));
    CHECK(weighted_quantile({{7, 0.1}}, 0.975) == 7);
    // Four values of one weight are cells of a uniform distribution from 0.5 to 4.5.
    for (const double share : {0.0, 0.025, 0.16, 0.5, 0.84, 0.975, 1.0})
        CHECK(weighted_quantile({{1, 1}, {2, 1}, {3, 1}, {4, 1}}, share) == Approx(0.5 + 4 * share));
}

TEST_CASE("Values know a mean as well as fewer independent ones, by their correlation along a chain") {
    constexpr std::size_t kChains = 4000, kLength = 7;
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    // A chain x' = r x + sqrt(1 - r^2) e has correlations r^k: its mean of 7 has the variance of one value times
    // (1 + 2 sum_(k < 7) (1 - k/7) r^k) / 7.
    for (const double r : {0.0, 0.5, 0.9}) {
        std::vector<double> values;
        double sum = 1;
        for (std::size_t k = 1; k < kLength; ++k) sum += 2 * (1 - double(k) / kLength) * std::pow(r, k);
        for (std::size_t i = 0; i < kChains * kLength; ++i)
            values.push_back(i < kChains ? normal(random)
                                         : r * values[i - kChains] + std::sqrt(1 - r * r) * normal(random));
        CHECK(effective_samples(values, kChains) == Approx(kChains * kLength / sum).epsilon(0.05));
    }
    // Chains that never move are worth one value each: 1 + 2 sum (1 - k/7) = 7.
    std::vector<double> still;
    for (std::size_t i = 0; i < kChains * kLength; ++i) still.push_back(double(i % kChains));
    CHECK(effective_samples(still, kChains) == Approx(kChains));
    CHECK(effective_samples(std::vector<double>(14, 3.0), 2) == 14);
}
