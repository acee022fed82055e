// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/annealed-sampler.h"
#include "test/catch.h"

using namespace watershed;

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
