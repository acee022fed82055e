// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/known.h"

#include "test/catch.h"

#include "scenarios/input-error.h"

using namespace watershed;

TEST_CASE("What is fixed on the command line is known to the fit") {
    KnownOptions options;
    options.fixed = {"service_rate=10 Gb/s", "depth=308000 frames"};
    options.bounds = {"noise=0:5 %"};
    const FitOptions known = fit_options_of(options);
    REQUIRE(known.noise);
    CHECK(known.noise->low == 0);
    CHECK(known.noise->high == Approx(0.05));
    CHECK(known.service_rate == BitRate{10'000'000'000});
    CHECK(known.depth == MemorySize{308'000, MemorySize::Unit::Frame});
}

TEST_CASE("Wrong names, wrong units and conflicts are refused with what was expected") {
    KnownOptions options;
    options.fixed = {"rate=10 Gb/s"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("rate") && Contains("expected service_rate, depth or noise"));
    options.fixed = {"service_rate=10"};
    CHECK_THROWS_AS(fit_options_of(options), InputError);
    options.fixed = {"service_rate=10 Gb/s"};
    options.free = {"service_rate"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("conflicts"));
    options = {};
    options.fixed = {"noise=0.02"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("--fix noise=0.02") && Contains("2 %"));
    options.fixed = {"noise=2 %"};
    options.bounds = {"noise=0:5 %"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("conflicts"));
    options.fixed = {};
    options.bounds = {"noise=1 frames:5 %"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("one unit"));
    options.bounds = {"noise=5 %:1 %"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("lower limit first"));
    options = {};
    options.overrides = {"switch.uplinks=2"};
    CHECK_THROWS_WITH(conditions_of(options), Contains("--scenario"));
}

TEST_CASE("A value that is given twice is refused, whichever of the two was meant") {
    KnownOptions options;
    options.fixed = {"depth=2803 frames", "depth=2900 frames"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("--fix depth=2900 frames: found twice"));
    options.fixed.clear();
    options.bounds = {"service_rate=9 Gb/s:10 Gb/s", "service_rate=1 Gb/s:2 Gb/s"};
    CHECK_THROWS_WITH(fit_options_of(options), Contains("--bound service_rate=1 Gb/s:2 Gb/s: found twice"));
}
