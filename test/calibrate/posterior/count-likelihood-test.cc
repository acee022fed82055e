// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/count-likelihood.h"

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/burst-likelihood.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Where 3000 frames behind 10 Gb/s lose `beyond` frames more than the whole frames that the link drains leave.
Burst counted(std::int64_t events, std::int64_t beyond) {
    Burst burst = burst_of_44(events);
    burst.lossy = burst.counted = true;
    burst.lost = burst.fragments() - 3000 - static_cast<std::int64_t>(burst.drain() * 1e10) + beyond;
    return burst;
}

CountLikelihood likelihood_of(const std::vector<Burst>& bursts, double scatter,
                              const std::optional<KnownNoise>& known = {}) {
    CountFit fit;
    fit.depth = 3000;
    fit.rate = 1e10;
    fit.scatter = scatter;
    return {{}, bursts, fit, count_nuisances(bursts, fit, known)};
}

std::vector<double> log_likelihoods(const CountLikelihood& likelihood, double depth) {
    std::vector<double> sums(likelihood.nuisances().size(), 0);
    likelihood.add(depth, 1e10, sums);
    return sums;
}

double normal(double off, double variance) {
    return std::exp(-off * off / (2 * variance)) / std::sqrt(2 * M_PI * variance);
}

}  // namespace

TEST_CASE("A number of lost frames points to one depth, a lossless burst to all depths above") {
    const CountLikelihood likelihood = likelihood_of({counted(200, 0), burst_of_44(100)}, 3);
    const auto most = [&](double depth) {
        const std::vector<double> sums = log_likelihoods(likelihood, depth);
        return *std::max_element(sums.begin(), sums.end());
    };
    CHECK(most(3000) > most(2990));
    CHECK(most(3000) > most(3010));
    CHECK(most(3000) > most(2000) + 5);
}

TEST_CASE("Noise that is known is of its own kind and size only") {
    const CountLikelihood free = likelihood_of({counted(200, 0), burst_of_44(100)}, 3),
                          told = likelihood_of({counted(200, 0), burst_of_44(100)}, 3, KnownNoise{2, 2, false});
    CHECK(free.nuisances().size() > 10);
    REQUIRE(told.nuisances().size() == 1);
    CHECK(told.nuisances().front().noise == 2);
    CHECK_FALSE(told.nuisances().front().relative);
    CHECK(told.nuisances().front().log_prior == 0);
}

TEST_CASE(
    "What bursts share is integrated over: a rounding in each setting, and a part of a frame in all with these ports "
    "and this payload") {
    // int N(a; 0, 1/4) prod_settings [ int N(b; 0, 1/12) prod_repeats N(m - a - b; 0, s^2 + 1/12) db ] da, midpoint
    // rule
    const std::vector<std::vector<Burst>> settings{
        {counted(200, 0), counted(200, 1)}, {counted(260, 0)}, {counted(300, -1), counted(300, -1), counted(300, 0)}};
    std::vector<Burst> bursts;
    for (const auto& setting : settings) bursts.insert(bursts.end(), setting.begin(), setting.end());
    const CountLikelihood likelihood = likelihood_of(bursts, 0.4);
    const std::vector<double> sums = log_likelihoods(likelihood, 3000);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Nuisance& nuisance = likelihood.nuisances()[i];
        if (nuisance.relative || nuisance.noise > 0.9) continue;
        const double variance = nuisance.noise * nuisance.noise + 1.0 / 12, step = 0.02;
        double integral = 0;
        for (double a = -3 + step / 2; a < 3; a += step) {
            double product = normal(a, 0.25) * step;
            for (const auto& setting : settings) {
                double inner = 0;
                for (double b = -2 + step / 2; b < 2; b += step) {
                    double repeats = normal(b, 1.0 / 12) * step;
                    for (const Burst& burst : setting)
                        repeats *= (1 - kDisturbed) * normal(kept_residual({}, burst, 3000, 1e10) - a - b, variance);
                    inner += repeats;
                }
                product *= inner;
            }
            integral += product;
        }
        CHECK(sums[i] == Approx(std::log(integral)).epsilon(1e-6));
    }
}

TEST_CASE("A disturbed count costs the same wherever it lies, and its neighbours keep their say") {
    // Of 9 bursts one lost 400 frames too many, or 2000: log(1 % / (sent + 1)) either way
    const auto with = [](std::int64_t beyond) {
        std::vector<Burst> bursts;
        for (std::int64_t events = 200; events < 280; events += 10) bursts.push_back(counted(events, 0));
        bursts.push_back(counted(300, beyond));
        return log_likelihoods(likelihood_of(bursts, 2), 3000);
    };
    const std::vector<double> near = with(400), far = with(2000), none = with(0);
    CHECK(near == far);
    // The likeliest noise: the density of one count more, some -log(2 sqrt(2 pi)), against the price.
    const double best = *std::max_element(none.begin(), none.end()) - *std::max_element(near.begin(), near.end());
    CHECK(best == Approx(-std::log(kDisturbed / (300 * 44 + 1))).margin(2));
}
