// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/annealed-sampler.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "calibrate/posterior/threads.h"
#include "test/catch.h"

using namespace watershed;

namespace {

double log_normal(double x, double middle, double sigma) {
    return -0.5 * std::pow((x - middle) / sigma, 2) - std::log(sigma * std::sqrt(2 * M_PI));
}

/// A target over two correlated coordinates and one between 0 and 1, from a start that is wider and somewhere else.
AnnealedProblem problem_of(std::function<double(const Point&)> log_target) {
    AnnealedProblem problem;
    problem.dimensions = 3;
    problem.leading = 2;
    problem.log_target = [target = std::move(log_target)](const Point& at, double /*least*/) { return target(at); };
    problem.log_start = [](const Point& at) { return log_normal(at[0], 1, 4) + log_normal(at[1], -1, 4); };
    problem.draw_start = [](RandomBits& random) {
        const double length = std::sqrt(-2 * std::log(uniform(random))), angle = 2 * M_PI * uniform(random);
        return Point{1 + 4 * length * std::cos(angle), -1 + 4 * length * std::sin(angle), uniform(random)};
    };
    return problem;
}

double share(const AnnealedSamples& samples, const std::function<bool(const Point&)>& holds) {
    return static_cast<double>(std::count_if(samples.points.begin(), samples.points.end(), holds)) /
           static_cast<double>(samples.points.size());
}

}  // namespace

TEST_CASE("the evidence is the sum of the target, and samples lie as the target does") {
    // Seven times a narrow, correlated pair of normal numbers, and a triangle over the third coordinate, 2 x.
    const AnnealedProblem problem = problem_of([](const Point& at) {
        return std::log(7.0) + log_normal(at[0], 2, 0.01) + log_normal(at[1], 3 + 5 * (at[0] - 2), 0.002) +
               std::log(2 * at[2]);
    });
    for (const std::uint64_t seed : {1, 2, 3}) {
        const AnnealedSamples samples = sample_annealed(problem, {}, seed);
        CHECK(samples.log_evidence == Approx(std::log(7.0)).margin(1));
        CHECK(share(samples, [](const Point& at) { return at[0] < 2; }) == Approx(0.5).margin(0.1));
        CHECK(share(samples, [](const Point& at) { return std::abs(at[0] - 2) < 0.0196; }) ==
              Approx(0.95).margin(0.04));
        CHECK(share(samples, [](const Point& at) { return at[2] < 0.5; }) == Approx(0.25).margin(0.08));
    }
}

TEST_CASE("two modes of one weight are both found") {
    const AnnealedProblem problem = problem_of([](const Point& at) {
        const double a = log_normal(at[0], -2, 0.05), b = log_normal(at[0], 4, 0.05), most = std::max(a, b);
        return most + std::log((std::exp(a - most) + std::exp(b - most)) / 2) + log_normal(at[1], 0, 0.1);
    });
    const AnnealedSamples samples = sample_annealed(problem, {}, 1);
    CHECK(samples.log_evidence == Approx(0).margin(0.5));
    CHECK(share(samples, [](const Point& at) { return at[0] < 1; }) == Approx(0.5).margin(0.2));
}

TEST_CASE("a slide along a ridge takes no part in what the samples are") {
    // Only the sum of the first coordinate and of the third, as a whole number of tenths, matters: the slide moves one
    // against the other.
    AnnealedProblem problem =
        problem_of([](const Point& at) { return log_normal(at[0] + at[2], 1, 0.01) + log_normal(at[1], 0, 1); });
    const double without = share(sample_annealed(problem, {800}, 1), [](const Point& at) { return at[2] < 0.3; });
    problem.slide = [](Point& at, RandomBits& random) {
        const double by = 0.4 * (uniform(random) - 0.5);
        at[0] += by, at[2] -= by;
        return 0.0;
    };
    const double with = share(sample_annealed(problem, {800}, 1), [](const Point& at) { return at[2] < 0.3; });
    CHECK(without == Approx(0.3).margin(0.1));
    CHECK(with == Approx(0.3).margin(0.06));
}

TEST_CASE("the same seed gives the same samples, bit for bit, with any number of threads") {
    const AnnealedProblem problem =
        problem_of([](const Point& at) { return log_normal(at[0], 0, 1) + log_normal(at[1], 0, 1); });
    const AnnealedSamples a = sample_annealed(problem, {}, 5);
    for (const int threads : {1, 2, 5}) {
        limit_threads(threads);
        const AnnealedSamples b = sample_annealed(problem, {}, 5);
        CHECK(a.points == b.points);
        CHECK(a.log_evidence == b.log_evidence);
    }
    limit_threads(static_cast<int>(std::thread::hardware_concurrency()));
    CHECK(a.points != sample_annealed(problem, {}, 6).points);
}

TEST_CASE("The highest of many narrow peaks is found, the same one every time") {
    // Rastrigin's function: 11 x 11 peaks in the box, the highest at (0.3, -0.7), its neighbours lower by one.
    const auto rastrigin = [](const std::array<double, 2>& at) {
        double value = 0;
        for (const double x : {at[0] - 0.3, at[1] + 0.7}) value -= x * x - 10 * std::cos(2 * M_PI * x) + 10;
        return value;
    };
    const std::array<double, 2> low{-5, -5}, high{5, 5};
    const Peak<2> peak = evolve<2>(rastrigin, low, high, {}, 40, 300);
    // Values that differ by less than 0.1 are as good, and the peak falls by 198 times the square of the distance.
    CHECK(peak.value > -0.1);
    CHECK(peak.at[0] == Approx(0.3).margin(0.03));
    CHECK(peak.at[1] == Approx(-0.7).margin(0.03));
    CHECK(evolve<2>(rastrigin, low, high, {}, 40, 300).at == peak.at);
}

TEST_CASE("Starts outside the box are brought to its edge, and the best member is never lost") {
    const auto slope = [](const std::array<double, 1>& at) { return at[0]; };
    const Peak<1> peak = evolve<1>(slope, {0}, {2}, {{7}}, 4, 1);
    CHECK(peak.at[0] == 2);
    CHECK(peak.value == 2);
}

TEST_CASE("A search gives up where a quarter of its time has not found what is worth it") {
    int calls = 0;
    const auto teeth = [&](const std::array<double, 1>& at) { return ++calls, std::fmod(1e7 * at[0], 1000); };
    const Peak<1> given_up = evolve<1>(teeth, {0}, {2}, {}, 10, 20, 1500);
    CHECK(given_up.value < 1500);
    CHECK(calls == 10 + 6 * 10);
    CHECK(evolve<1>(teeth, {0}, {2}, {}, 10, 20, 100).value == evolve<1>(teeth, {0}, {2}, {}, 10, 20).value);
}
