// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/axis.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A quantity that varies much is drawn as it is, bytes in a unit that suits them") {
    const Axis frames = axis_for("depth", "frames", 46, 40, 52);
    CHECK(frames.label == "depth / frames");
    CHECK(frames(46) == 46);
    const Axis bytes = axis_for("depth", "bytes", 2e6, 1e6, 3e6);
    CHECK(bytes.label == "depth / MB");
    CHECK(bytes(2.5e6) == Approx(2.5));
}

TEST_CASE("A quantity that is known well is drawn as its deviation") {
    const Axis percent = axis_for("depth", "frames", 3080, 3060, 3100);
    CHECK(percent.label == "depth, deviation from 3080 frames / %");
    CHECK(percent(3080 * 1.001) == Approx(0.1));
    CHECK(axis_for("service rate", "frames/s", 1e6, 1e6 - 5, 1e6 + 5).label.find("ppm") != std::string::npos);
}

TEST_CASE("Millions of frames are counted in millions, not with exponents that cover the label") {
    const Axis axis = axis_for("service rate", "frames/s", 0.98e6, 0.7e6, 1.3e6);
    CHECK(axis.label == "service rate / million frames/s");
    CHECK(axis(1.3e6) == Approx(1.3));
}

TEST_CASE("Numbers that need many digits have a common power of a thousand, which the label names") {
    CHECK(axis_power(999'999).exponent == 0);
    CHECK(axis_power(0.001).exponent == 0);
    CHECK(axis_power(0).exponent == 0);
    CHECK(axis_power(4.8e10).exponent == 9);
    CHECK(axis_power(1e6).exponent == 6);
    CHECK(axis_power(5e-8).exponent == -9);
    CHECK(axis_power(4.8e10)(4.8e10) == Approx(48));
    const AxisPower power{9};
    CHECK(power.label("requested spacing / µs") == "requested spacing / (10⁹ µs)");
    CHECK(power.label("data / (Gb/s)") == "data / (10⁹ Gb/s)");
    CHECK(power.label("slots") == "slots / 10⁹");
    CHECK(AxisPower{}.label("slots") == "slots");
}
