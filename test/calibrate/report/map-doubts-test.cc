// SPDX-License-Identifier: GPL-2.0-only
#include <sstream>

#include "calibrate/fit/rate-doubt.h"
#include "calibrate/report/fit-report.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// 28 ports of 1 Gb/s, 1024 B, an uplink of 10 Gb/s: a frame takes 8.72 us on its link, an event 28 x 0.872 us on the
/// uplink.
Conditions rack() {
    Conditions conditions = default_conditions();
    conditions.scenario = "rack.toml";
    conditions.nominal_rate = BitRate{10'000'000'000};
    return conditions;
}

LossMap map_of(const std::string& header, const std::string& rows) {
    std::istringstream in(header + "\n" + rows);
    return read_loss_map(in, "map.csv");
}

const std::string kHeader = "ports,payload_bytes,separation_us,events,frames_sent,frames_received";

Fit fit_with_rate(double bits_per_s) {
    Fit fit;
    fit.conditions = rack();
    fit.map.source = "map.csv";
    fit.models.emplace_back();
    fit.models.front().rate.value = bits_per_s;
    fit.models.front().rate.interval95 = {0.99 * bits_per_s, 1.01 * bits_per_s};
    return fit;
}

}  // namespace

TEST_CASE("Separations of a usual map raise no doubts, nor do odd ones where no scenario says what is usual") {
    const LossMap usual =
        map_of(kHeader, "28,1024,8.72,100,2800,2700\n28,1024,24,100,2800,2800\n28,1024,60,100,2800,2800\n");
    CHECK(warnings_of(usual, rack()).empty());
    const LossMap in_nanoseconds = map_of(kHeader, "28,1024,8720,100,2800,2700\n28,1024,24000,100,2800,2800\n");
    CHECK(warnings_of(in_nanoseconds, default_conditions()).empty());
}

TEST_CASE("Nanoseconds or milliseconds in a column of microseconds are called a likely slip") {
    const LossMap in_nanoseconds = map_of(kHeader, "28,1024,24000,100,2800,2700\n28,1024,8720,100,2800,2700\n");
    REQUIRE(warnings_of(in_nanoseconds, rack()).size() == 1);
    CHECK_THAT(warnings_of(in_nanoseconds, rack()).front(),
               Contains("map.csv:3: separation_us: found 8720") && Contains("a likely slip of units"));
    const LossMap in_milliseconds = map_of(kHeader, "28,1024,0.00872,100,2800,2700\n28,1024,0.024,100,2800,2700\n");
    REQUIRE(warnings_of(in_milliseconds, rack()).size() == 1);
    CHECK_THAT(warnings_of(in_milliseconds, rack()).front(), Contains("map.csv:3: separation_us: found 0.024") &&
                                                                 Contains("8.72 us on its link") &&
                                                                 Contains("a likely slip of units"));
    // One burst far apart among others checks the line, and one with all modules at once the memory: no slip.
    const LossMap mixed =
        map_of(kHeader, "28,1024,24000,100,2800,2800\n28,1024,8.72,100,2800,2700\n28,1024,0.001,10,280,280\n");
    CHECK(warnings_of(mixed, rack()).empty());
    const LossMap back_to_back = map_of(kHeader, "28,1024,0,10,280,280\n");
    CHECK(warnings_of(back_to_back, rack()).empty());
}

TEST_CASE("A fitted rate off by 8 or 1000 is called a likely slip, one off by anything else is a measurement") {
    for (const double factor : {8.0, 1 / 8.0, 1000.0, 1 / 1000.0, 8.3, 940.0}) {
        INFO(factor);
        REQUIRE(warnings_of(fit_with_rate(factor * 1e10)).size() == 1);
        CHECK_THAT(warnings_of(fit_with_rate(factor * 1e10)).front(),
                   Contains("10 Gb/s of rack.toml; a likely slip of units"));
    }
    for (const double factor : {1.0, 0.5, 2.0, 4.0, 0.1, 10.0, 100.0})
        CHECK(warnings_of(fit_with_rate(factor * 1e10)).empty());
    Fit given = fit_with_rate(8e10);
    given.options.service_rate = BitRate{80'000'000'000};
    CHECK(warnings_of(given).empty());
    given = fit_with_rate(8e10);
    given.conditions.scenario.clear();
    CHECK(warnings_of(given).empty());
}

TEST_CASE("A column that resembles one which is not there is pointed out, others are ignored") {
    const LossMap misspelt = map_of(kHeader + ",latness_us,operator", "28,1024,24,100,2800,2700,1,me\n");
    CHECK_FALSE(misspelt.rows.front().worst_trigger_lateness);
    REQUIRE(warnings_of(misspelt, default_conditions()).size() == 1);
    CHECK(warnings_of(misspelt, default_conditions()).front() ==
          "map.csv: column \"latness_us\" is not known and not read; did you mean worst_trigger_lateness_us?");
    const LossMap both = map_of(kHeader + ",worst_trigger_lateness_us,lateness", "28,1024,24,100,2800,2700,1,1\n");
    CHECK(warnings_of(both, default_conditions()).empty());
}

TEST_CASE(
    "The first line names a feature that is chosen, and doubts a plain memory if one with a feature is likely, too") {
    Fit fit = fit_with_rate(1e10);
    fit.models.front().probability = 0.6;
    for (const double each : {0.15, 0.25}) {
        CHECK(feature_doubt(fit).empty());
        fit.models.push_back(fit.models.front());
        fit.models.back().model.feature = Feature::UnevenUplinks;
        fit.models.back().probability = each;
    }
    CHECK(feature_doubt(fit) == "perhaps uneven uplinks (40 %), ");
    std::swap(fit.models.front(), fit.models.back());
    CHECK(feature_doubt(fit) == "uneven uplinks, ");
}

TEST_CASE("A fitted rate more than a tenth off the scenario's is said with its usual reasons, unless it was given") {
    CHECK_FALSE(rate_off_nominal(fit_with_rate(9.1e9)));
    CHECK_FALSE(rate_off_nominal(fit_with_rate(1.005e10)));  // its interval begins below 10 Gb/s
    Fit fit = fit_with_rate(5e9);
    CHECK(rate_off_nominal(fit).value() == Approx(-0.5));
    CHECK(rate_doubt(fit).off == "service rate 50 % below the scenario's 10 Gb/s");
    CHECK_THAT(rate_doubt(fit).reasons, StartsWith("a shaper") && Contains("if the uplink is several links"));
    fit.conditions.uplinks = 2;
    CHECK_THAT(rate_doubt(fit).reasons, StartsWith("uneven hashing over the 2 uplinks"));
    Fit unsure = fit_with_rate(1.2e10);
    unsure.models.front().rate.interval95.low = 0.99e10;
    CHECK_FALSE(rate_off_nominal(unsure));
    unsure.models.front().parameters.resize(6);
    for (BurstParameters& each : unsure.models.front().parameters) each.rate = 1.2e10;
    unsure.models.front().parameters[0].rate = unsure.models.front().parameters[1].rate = 1e10;
    CHECK_FALSE(rate_off_nominal(unsure));
    unsure.models.front().parameters[1].rate = 1.2e10;
    CHECK(rate_off_nominal(unsure).value() == Approx(0.2));
    CHECK(rate_doubt(fit_with_rate(1.2e10)).off == "service rate 20 % above the scenario's 10 Gb/s");
    CHECK(rate_doubt(fit_with_rate(2.5e10)).off == "service rate 2.5 times the scenario's 10 Gb/s");
    Fit unknown = fit;
    unknown.options.rate_about_nominal = false;
    fit.options.service_rate = BitRate{5'000'000'000};
    for (const Fit& one : {unknown, fit}) CHECK(rate_doubt(one).off.empty());
}

TEST_CASE("A rate beyond what the clock of a port permits is said at any size, a lower one only from a tenth on") {
    // Ethernet permits 100 ppm: 10.001 Gb/s on a port of 10 Gb/s.
    Fit fit = fit_with_rate(1.055e10);
    CHECK(rate_doubt(fit).off == "service rate 5.5 % above the scenario's 10 Gb/s");
    CHECK_THAT(rate_doubt(fit).reasons, Contains("a receiver's limit") && Contains("a second queue"));
    fit.models.front().rate.interval95.low = 1.00009e10;
    CHECK(rate_doubt(fit).off.empty());
    fit = fit_with_rate(1.00123e10);
    fit.models.front().rate.interval95 = {1.0012e10, 1.0013e10};
    CHECK(rate_doubt(fit).off == "service rate 0.12 % above the scenario's 10 Gb/s");
    fit = fit_with_rate(0.95e10);
    CHECK(rate_doubt(fit).off.empty());
}

TEST_CASE("PAUSE is among the reasons of a rate far above the port's where bursts lose few of their frames") {
    Fit fit = fit_with_rate(1.83e10);
    Burst burst;
    burst.ports = 10, burst.events = 100;
    burst.lossy = burst.counted = true;
    for (const std::int64_t lost : {99, 101}) {  // frames of 1000
        burst.lost = lost;
        fit.bursts = {burst};
        CHECK((rate_doubt(fit).reasons.find("PAUSE") != std::string::npos) == (lost < 100));
    }
}
