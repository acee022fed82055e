// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/advice/campaign.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario believed() {
    Scenario one;
    one.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
    return one;
}

CampaignPlan plan() {
    CampaignPlan one;
    one.conditions = conditions_of(believed(), "s.toml");
    one.prior = prior_of(believed(), one.conditions);
    return one;
}

CampaignRecord record(double truth, std::vector<CampaignStage> stages) { return {truth, std::move(stages)}; }

}  // namespace

TEST_CASE("Hidden switches spread over the factor that is asked for, and each number is always the same one") {
    double lowest = 1e300, highest = 0, sum = 0;
    constexpr int kSwitches = 400;
    for (int number = 0; number < kSwitches; ++number) {
        const Scenario hidden = hidden_scenario(believed(), 7, number, 10, 0.01);
        const auto depth = static_cast<double>(hidden.network_switch.buffer.size.amount);
        lowest = std::min(lowest, depth), highest = std::max(highest, depth);
        sum += std::log(static_cast<double>(hidden.network_switch.uplink_rate.count) / 1e10) / kSwitches;
        CHECK(depth >= 100);
        CHECK(depth <= 10'000);
    }
    CHECK(lowest < 150);
    CHECK(highest > 6600);
    CHECK(std::abs(sum) < 5 * 0.01 / std::sqrt(kSwitches));
    CHECK(hidden_scenario(believed(), 7, 3, 10, 0.01).network_switch.buffer.size ==
          hidden_scenario(believed(), 7, 3, 10, 0.01).network_switch.buffer.size);
    CHECK(hidden_scenario(believed(), 7, 3, 1, 0).network_switch.buffer.size.amount == 1000);
}

TEST_CASE("An advised campaign finds the hidden depth, and its record tells what was known after each burst") {
    const CampaignPlan one = plan();
    const Scenario hidden = hidden_scenario(believed(), 1, 0, 10, 0.005);
    const double truth = true_target(hidden, one);
    CHECK(truth == static_cast<double>(hidden.network_switch.buffer.size.amount));
    const auto strategy = make_strategy("advised", one);
    const CampaignRecord played = play_campaign(SimulatedSwitch(hidden, {}), truth, *strategy, one, 42);
    REQUIRE_FALSE(played.stages.empty());
    CHECK(played.stages.size() < 42);
    for (std::size_t i = 0; i < played.stages.size(); ++i)
        CHECK(played.stages[i].bursts == static_cast<std::int64_t>(i) + 1);
    const CampaignStage& last = played.stages.back();
    REQUIRE(last.estimate);
    CHECK(last.estimate->relative_half_width <= 0.01);
    CHECK(std::abs(last.estimate->value / truth - 1) <= 0.01);
    CHECK(last.seconds > static_cast<double>(last.bursts));  // a second of preparation for each
}

TEST_CASE("A campaign ends after the bursts that it is given") {
    const CampaignPlan one = plan();
    const auto strategy = make_strategy("bisection", one);
    CHECK(play_campaign(SimulatedSwitch(believed(), {}), 1000, *strategy, one, 5).stages.back().bursts == 5);
}

TEST_CASE(
    "A summary counts bursts until the precision is reached, and campaigns that never reach it as infinitely many") {
    const std::vector<CampaignRecord> records{record(100, {{1, 1.5, std::nullopt},
                                                           {2, 3, TargetEstimate{90, 0.2, 72, 108}},
                                                           {3, 4.5, TargetEstimate{101, 0.02, 98.98, 103.02}}}),
                                              record(100, {{1, 1, TargetEstimate{95, 0.02, 93.1, 96.9}}}),
                                              record(100, {{1, 1, std::nullopt}, {2, 2, std::nullopt}})};
    const StrategySummary summary = summary_of("grid", records, 0.05, "shared-frames");
    CHECK(summary.campaigns == 3);
    CHECK(summary.reached == Approx(2.0 / 3));
    CHECK(summary.bursts.low == 1);
    CHECK(summary.bursts.median == 3);
    CHECK(std::isinf(summary.bursts.high));
    CHECK(summary.seconds.median == 4.5);
    CHECK(summary.covered == Approx(0.5));  // 101 +- 2.02 holds 100, 95 +- 1.9 does not
    CHECK(summary.error.high == Approx(0.05));
    CHECK(summary.bursts_in_all.high == 3);
    CHECK(std::isinf(summary.final_error.high));
    CHECK(summary.finally_covered == Approx(2.0 / 3));  // no estimate claims nothing wrong
}

TEST_CASE("A campaign that has ended keeps what it knew") {
    const std::vector<CampaignRecord> records{
        record(100, {{1, 1, std::nullopt}, {2, 2, TargetEstimate{100, 0.1, 90, 110}}}),
        record(100, {{1, 1, TargetEstimate{100, 0.4, 60, 140}},
                     {2, 2, TargetEstimate{100, 0.3, 70, 130}},
                     {3, 3, TargetEstimate{100, 0.2, 80, 120}}})};
    const auto points = progress_of(records);
    REQUIRE(points.size() == 3);
    CHECK(std::isinf(points[0].half_width.high));
    CHECK(points[1].half_width.low == Approx(0.1));
    CHECK(points[2].bursts == 3);
    CHECK(points[2].half_width.low == Approx(0.1));
    CHECK(points[2].half_width.high == Approx(0.2));
}

TEST_CASE("A summary tells how often the interval held at stop, and how often a wrong kind of memory was believed") {
    const auto stage = [](double low, double high, const char* kind, double probability) {
        return CampaignStage{5, 5, TargetEstimate{(low + high) / 2, 0.01, low, high}, kind, probability};
    };
    std::vector<CampaignRecord> records{record(100, {stage(98, 103, "shared-frames", 1)}),
                                        record(100, {stage(102, 104, "shared-frames", 1)}),
                                        record(100, {stage(90, 110, "per-input-frames", 0.999)}),
                                        record(100, {stage(90, 99.5, "per-input-frames", 0.98)})};
    for (std::size_t i = 0; i < 3; ++i) records[i].stopped = true;
    const StrategySummary summary = summary_of("advised", records, 0.05, "shared-frames");
    CHECK(summary.stopped == Approx(0.75));
    CHECK(summary.stop_covered ==
          Approx(2.0 / 3));                     // 102 to 104 does not hold 100; within one of an end counts as held
    CHECK(summary.wrong_kind == Approx(0.25));  // at 98 % it is no conviction
    CHECK(summary.stop_bursts.median == 5);
    CHECK(summary.finally_covered == Approx(0.75));
}

TEST_CASE("A campaign whose first bursts all come late goes on") {
    const CampaignPlan one = plan();
    SetupImperfections apparatus;
    apparatus.late = 1;
    const auto strategy = make_strategy("advised", one);
    const CampaignRecord played = play_campaign(SimulatedSwitch(believed(), apparatus), 1000, *strategy, one, 4);
    CHECK(played.stages.size() == 4);
    for (const CampaignStage& stage : played.stages) CHECK_FALSE(stage.estimate);
    CHECK_FALSE(played.stopped);
}
