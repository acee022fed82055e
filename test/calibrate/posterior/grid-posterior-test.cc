// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/grid-posterior.h"

#include <cmath>

#include "calibrate/posterior/statistics.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Gaussian in depth and rate, with a correlation.
class Gaussian : public Likelihood {
  public:
    Gaussian(double depth_sigma, double rate_sigma, double correlation)
        : depth_sigma_(depth_sigma), rate_sigma_(rate_sigma), correlation_(correlation) {}
    void add(double depth, double rate, std::vector<double>& sums) const override {
        const double u = (depth - 1000) / depth_sigma_, v = (rate - 1e9) / rate_sigma_,
                     rest = 1 - correlation_ * correlation_;
        sums[0] -= (u * u - 2 * correlation_ * u * v + v * v) / (2 * rest) +
                   std::log(2 * M_PI * depth_sigma_ * rate_sigma_ * std::sqrt(rest));
    }
    const std::vector<Nuisance>& nuisances() const override { return nuisances_; }

  private:
    double depth_sigma_, rate_sigma_, correlation_;
    std::vector<Nuisance> nuisances_{Nuisance{}};
};

double quantile(const GridPosterior& posterior, double SupportPoint::*member, double share) {
    std::vector<std::pair<double, double>> values;
    for (const SupportPoint& point : posterior.points) values.emplace_back(point.*member, point.weight);
    return weighted_quantile(values, share);
}

SearchBox box() {
    SearchBox box;
    box.depth_low = 10;
    box.depth_high = 100'000;
    box.rate_low = 0;
    box.rate_high = 1e10;
    return box;
}

}  // namespace

TEST_CASE("The grid finds a Gaussian wherever it begins, with its width, correlation and evidence") {
    // evidence = prior density at the peak: 1 / (1000 ln(100000 / 10)) / 1e10
    const double evidence = -std::log(1000 * std::log(1e4) * 1e10);
    for (const double correlation : {0.0, -0.7, 0.95})
        for (const double start : {0.995, 1.0, 1.01})
            for (const double scale : {0.001, 0.02}) {
                const GridPosterior posterior =
                    grid_posterior(Gaussian(5, 2e6, correlation), box(), 1000 * start, 1e9 * start, scale, scale);
                CHECK(quantile(posterior, &SupportPoint::depth, 0.5) == Approx(1000).margin(0.3));
                CHECK((quantile(posterior, &SupportPoint::depth, 0.84) -
                       quantile(posterior, &SupportPoint::depth, 0.16)) /
                          2 ==
                      Approx(5).epsilon(0.08));
                CHECK((quantile(posterior, &SupportPoint::rate, 0.975) -
                       quantile(posterior, &SupportPoint::rate, 0.025)) /
                          2 ==
                      Approx(1.96 * 2e6).epsilon(0.08));
                CHECK(correlation_of(posterior.points) == Approx(correlation).margin(0.03));
                CHECK(posterior.log_evidence == Approx(evidence).margin(0.05));
            }
}

TEST_CASE("What is known has no width") {
    SearchBox known = box();
    known.rate_low = known.rate_high = 1e9;
    known.rate_known = true;
    const GridPosterior posterior = grid_posterior(Gaussian(5, 2e6, 0), known, 1000, 1e9, 0.02, 0.02);
    for (const SupportPoint& point : posterior.points) REQUIRE(point.rate == Approx(1e9).epsilon(1e-12));
    CHECK((quantile(posterior, &SupportPoint::depth, 0.84) - quantile(posterior, &SupportPoint::depth, 0.16)) / 2 ==
          Approx(5).epsilon(0.08));
}

TEST_CASE("Nuisances that weigh nothing are left out and come back with no weight") {
    const std::vector<Nuisance> all{
        {0.01, true, 0, 0, 0}, {0.02, true, 0, 0, 0}, {0.02, true, 0.1, 0, 0}, {0.02, false, 0.1, 0, 0}};
    const std::vector<double> weights{0, 0.25, 1e-7, 0.75};
    const std::vector<Nuisance> some = likely(all, weights);
    REQUIRE(some.size() == 2);
    CHECK(some[0].noise == 0.02);
    CHECK_FALSE(some[1].relative);
    CHECK(weights_of_all(all, some, {0.25, 0.75}) == std::vector<double>{0, 0.25, 0, 0.75});
}

TEST_CASE("Widths are standard deviations relative to the mean, whatever the weights add up to") {
    const RelativeWidths widths = widths_of({{90, 10, 3, 0}, {110, 10, 3, 0}});
    CHECK(widths.depth == Approx(0.1));
    CHECK(widths.rate == Approx(0).margin(1e-12));
}
