// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/known-options.h"

#include <rapidcheck.h>

#include <cmath>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

FitOptions options_with(const std::vector<std::string>& fixed, const std::vector<std::string>& bounds = {},
                        const std::vector<std::string>& free = {}) {
    KnownOptions options;
    options.fixed = fixed, options.bounds = bounds, options.free = free;
    return fit_options_of(options);
}

/// Options of values, of limits and of free parameters, and a part of the error.
struct Refused {
    std::vector<std::string> fixed, bounds, free;
    std::string error;
};
void check_refused(const std::vector<Refused>& all) {
    for (const Refused& one : all)
        CHECK_THROWS_WITH(options_with(one.fixed, one.bounds, one.free), Contains(one.error));
}

}  // namespace

TEST_CASE("What is fixed on the command line is known to the fit") {
    const FitOptions known = options_with({"service_rate=10 Gb/s", "depth=308000 frames"}, {"noise=0:5 %"});
    REQUIRE(known.noise);
    CHECK(known.noise->low == 0);
    CHECK(known.noise->high == Approx(0.05));
    CHECK(known.service_rate == BitRate{10'000'000'000});
    CHECK(known.depth == MemorySize{308'000, MemorySize::Unit::Frame});
}

TEST_CASE("Wrong names, wrong units and conflicts are refused with what was expected") {
    check_refused(
        {{{"rate=10 Gb/s"}, {}, {}, "expected service_rate, depth, noise, loss, bucket, traffic, sharing or kind"},
         {{"service_rate=10"}, {}, {}, "--fix service_rate=10"},
         {{"service_rate=10 Gb/s"}, {}, {"service_rate"}, "conflicts"},
         {{"noise=0.02"},
          {},
          {},
          "--fix noise=0.02: found \"0.02\", expected a part of a burst's length such as \"2 %\""},
         {{"noise=2 %"}, {"noise=0:5 %"}, {}, "conflicts"},
         {{}, {"noise=1 frames:5 %"}, {}, "one unit"},
         {{}, {"noise=5 %:1 %"}, {}, "lower limit first"}});
    KnownOptions options;
    options.overrides = {"switch.uplinks=2"};
    CHECK_THROWS_WITH(conditions_of(options), Contains("--scenario"));
}

TEST_CASE("What may disturb a burst is known as a value or as limits") {
    FitOptions known = options_with({"loss=0.1 %", "bucket=3 kB", "traffic=5 %"});
    REQUIRE(known.loss);
    REQUIRE(known.bucket);
    CHECK(known.loss->low == Approx(0.001));
    CHECK(known.loss->high == known.loss->low);
    REQUIRE(known.traffic);
    CHECK(known.traffic->low == Approx(0.05));
    CHECK(known.traffic->high == Approx(0.05));
    CHECK(known.bucket->low == 3000);
    CHECK(known.bucket->high == 3000);
    known = options_with({"loss=0"}, {"bucket=0:30 kB"});
    CHECK(known.loss->high == 0);
    CHECK(known.bucket->low == 0);
    CHECK(known.bucket->high == 30'000);
    CHECK(options_with({}, {"loss=0:1 %"}).loss->high == Approx(0.01));
}

TEST_CASE("A loss without its per cent, a bucket without its unit and limits in the wrong order are refused") {
    for (const char* text : {"loss=0.1", "loss=100 %", "loss=", "loss=-1 %", "bucket=3", "bucket=-3 kB",
                             "bucket=", "bucket=3 frames", "traffic=0.1", "traffic=100 %"})
        CHECK_THROWS_AS(options_with({text}), InputError);
    for (const char* text : {"loss=1 %:0", "bucket=30 kB:0", "traffic=2 %:1 %", "bucket=3 kB",
                             "sharing=shared:per-input", "kind=shared-bytes:shared-frames"})
        CHECK_THROWS_AS(options_with({}, {text}), InputError);
    CHECK_THROWS_AS(options_with({"loss=1 %"}, {"loss=0:2 %"}), InputError);
    CHECK_THROWS_AS(options_with({"bucket=1 kB"}, {"bucket=0:2 kB"}), InputError);
}

TEST_CASE("The kind of memory may be known, as a whole or by how it is shared") {
    CHECK(options_with({"sharing=per-input"}).sharing == Buffer::Sharing::PerInput);
    CHECK_FALSE(options_with({"sharing=per-input"}).kind);
    for (const QueueModel& kind : reportable_kinds()) CHECK(options_with({"kind=" + kind.name()}).kind == kind.name());
    for (const Feature feature : kFeatures) CHECK(options_with({"kind=" + to_text(feature)}).kind == to_text(feature));
    check_refused(
        {{{"kind=shared"},
          {},
          {},
          "--fix kind=shared: found \"shared\", expected the name of a kind of memory, one of shared-frames, "},
         {{"kind=shared-framse"}, {}, {}, "did you mean shared-frames?"},
         {{"kind=per-input-frames-resume"}, {}, {}, "expected the name of a kind"},
         {{"sharing=dynamic"}, {}, {}, "shared, per-input or per-output"},
         {{"kind=shared-bytes"}, {}, {"kind"}, "conflicts"}});
}

TEST_CASE("A kind that contradicts what else is known is refused") {
    check_refused(
        {{{"kind=shared-bytes", "sharing=per-input"},
          {},
          {},
          "--fix kind=shared-bytes: conflicts with the sharing that was given, expected a memory that is shared"},
         {{"depth=100 frames", "kind=shared-bytes"}, {}, {}, "given in frames, expected bytes"},
         {{"kind=shared-bytes"}, {"depth=100 frames:200 frames"}, {}, "given in frames, expected bytes"}});
    CHECK(options_with({"kind=shared-bytes", "sharing=shared"}, {"depth=100 kB:200 kB"}).kind == "shared-bytes");
}

TEST_CASE("A prior is a law of depth or rate, or the weight of a kind") {
    const auto with = [](const std::vector<std::string>& priors) {
        KnownOptions options;
        options.priors = priors;
        return fit_options_of(options);
    };
    const FitOptions options =
        with({"depth=lognormal:100 kB:0.5", "rate=normal:10 Gb/s:5 Mb/s", "kind.shared-bytes=3"});
    REQUIRE((options.depth_prior && options.rate_prior));
    CHECK(options.depth_prior->first == 100e3);
    CHECK(options.depth_prior->second == 0.5);
    CHECK(options.rate_prior->second == 5e6);
    CHECK(options.kind_weights.at("shared-bytes") == 3);
    CHECK(with({"depth=uniform:10 frames:20 frames"}).depth_prior->unit == MemorySize::Unit::Frame);
    for (const std::string text : {"depth=lognormal:100 kB", "depth=lognormal:100 kB:0", "depth=uniform:2 MB:1 MB",
                                   "depth=uniform:1 MB:9 frames", "depth=beta:1 MB:2 MB",
                                   "depth=normal:9 cells:2 cells", "rate=normal:10 Gb/s:5", "width=uniform:1 B:2 B",
                                   "kind.shared-bytes=0", "kind.shared=1", "kind.resume=1", "depth"})
        CHECK_THROWS_WITH(with({text}), StartsWith("--prior " + text + ": "));
    CHECK_THROWS_WITH(with({"kind.shared-bytes=3", "kind.shared-bytes=4"}), Contains("found twice"));
    KnownOptions both;
    both.fixed = {"depth=100 kB"};
    both.priors = {"depth=lognormal:100 kB:0.5"};
    CHECK_THROWS_WITH(fit_options_of(both), Contains("conflicts"));
}

TEST_CASE("A value that is given twice is refused, whichever of the two was meant") {
    check_refused({{{"depth=2803 frames", "depth=2900 frames"}, {}, {}, "--fix depth=2900 frames: found twice"},
                   {{},
                    {"service_rate=9 Gb/s:10 Gb/s", "service_rate=1 Gb/s:2 Gb/s"},
                    {},
                    "--bound service_rate=1 Gb/s:2 Gb/s: found twice"}});
    for (const std::string text :
         {"noise=2 %", "loss=1 %", "bucket=3 kB", "traffic=5 %", "sharing=shared", "kind=shared-bytes"})
        check_refused({{{text, text}, {}, {}, "--fix " + text + ": found twice"}});
}

TEST_CASE("Noise is a part of a burst's length, a number of frames, or none") {
    CHECK(parse_noise("2 %").low == Approx(0.02));
    CHECK(parse_noise("2 %").high == Approx(0.02));
    CHECK(parse_noise("2%").relative);
    CHECK(parse_noise("2.5 frames").high == Approx(2.5));
    CHECK_FALSE(parse_noise("2.5 frames").relative);
    CHECK(parse_noise("0").none());
    CHECK(parse_noise("0 %").none());
    CHECK_FALSE(parse_noise("1 frames").none());
    for (const char* const wrong : {"0.02", "-1 %", "2 % frames", "frames", "", "2 bytes"})
        CHECK_THROWS_WITH(parse_noise(wrong), Contains("expected a part of a burst's length"));
}
