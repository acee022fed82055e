// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>

#include "calibrate/advice/burst-planner.h"
#include "calibrate/advice/campaign.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kWireSpeed{8'720'000};

CampaignPlan plan() {
    Scenario scenario;
    scenario.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
    CampaignPlan one;
    one.conditions = conditions_of(scenario, "s.toml");
    one.prior = prior_of(scenario, one.conditions);
    one.grid_separations = {Time{9'000'000}, Time{20'000'000}, Time{30'000'000}};
    one.grid_lengths = {10, 20, 40, 80};
    return one;
}

/// A switch whose longest lossless burst is the same at every separation.
LossMapRow row(const BurstSetting& setting, std::int64_t longest) {
    LossMapRow one;
    one.ports = setting.ports, one.payload = setting.payload, one.separation = setting.separation,
    one.events = setting.events;
    one.frames_sent = setting.ports * setting.events;
    one.frames_received = one.frames_sent - (setting.events > longest ? 1 : 0);
    return one;
}

std::vector<LossMapRow> follow(Strategy& strategy, std::int64_t longest) {
    std::vector<LossMapRow> rows;
    while (const auto setting = strategy.next(rows, std::nullopt)) rows.push_back(row(*setting, longest));
    return rows;
}

}  // namespace

TEST_CASE("A grid measures each of its points once, in an order that only the seed decides") {
    CampaignPlan one = plan();
    const auto rows = follow(*make_strategy("grid", one), 30);
    std::set<std::pair<Time, std::int64_t>> points;
    for (const LossMapRow& each : rows) points.emplace(each.separation, each.events);
    CHECK(rows.size() == 12);
    CHECK(points.size() == 12);
    const auto order = [](const std::vector<LossMapRow>& measured) {
        std::vector<std::pair<Time, std::int64_t>> settings;
        for (const LossMapRow& each : measured) settings.emplace_back(each.separation, each.events);
        return settings;
    };
    CHECK(order(rows) == order(follow(*make_strategy("grid", one), 30)));
    one.seed = 2;
    CHECK(order(rows) != order(follow(*make_strategy("grid", one), 30)));
}

TEST_CASE("Bisection doubles the length until frames are lost and then halves the bracket") {
    const CampaignPlan one = plan();
    const auto rows = follow(*make_strategy("bisection", one), 29);
    std::vector<std::int64_t> lengths;
    for (const LossMapRow& each : rows)
        if (each.separation == Time{8'720'000}) lengths.push_back(each.events);
    // 1, 2, 4, 8, 16, 32; then the middle of a bracket as a ratio: sqrt(16 32) = 23, sqrt(23 32) = 27, sqrt(27 32) =
    // 29, sqrt(29 32) = 30.
    CHECK(lengths == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 23, 27, 29, 30});
    CHECK(rows.front().separation == kWireSpeed);
    CHECK(rows.back().separation > kWireSpeed);
}

TEST_CASE("Bisection gives up a separation whose outcomes contradict each other") {
    const CampaignPlan one = plan();
    const auto strategy = make_strategy("bisection", one);
    const auto at = [](std::int64_t events) { return BurstSetting{44, Bytes{1024}, kWireSpeed, events}; };
    const auto next = strategy->next({row(at(100), 1000), row(at(50), 0)}, std::nullopt);
    REQUIRE(next);
    CHECK(next->separation > kWireSpeed);
}

TEST_CASE("The advised strategy begins with what the scenario advises") {
    const CampaignPlan one = plan();
    const auto strategy = make_strategy("advised", one);
    CHECK(strategy->needs_fit());
    const auto next = strategy->next({}, std::nullopt);
    REQUIRE(next);
    const Advice advice = advise(std::nullopt, one.prior, one.advice);
    CHECK(next->separation == advice.points[0].separation);
    CHECK(next->events == advice.points[0].events);
}

TEST_CASE("The advised strategy says stop only after its checks") {
    CampaignPlan one = plan();
    one.prior.counts = false;
    const auto strategy = make_strategy("advised", one);
    Scenario hidden;
    hidden.network_switch.buffer.size = {3071, MemorySize::Unit::Frame};
    const SimulatedSwitch measured(hidden, {});
    std::vector<LossMapRow> rows;
    std::optional<Fit> fit;
    std::optional<std::size_t> reached;
    while (const auto next = strategy->next(rows, fit)) {
        CHECK_FALSE(strategy->stopped());
        rows.push_back(measured.measure(static_cast<std::int64_t>(rows.size()), *next));
        fit = fit_loss_map({"map", rows}, one.conditions, one.fit);
        const auto estimate = BurstPlanner(fit, one.prior, one.advice).estimate();
        if (!reached && estimate && estimate->relative_half_width <= one.advice.precision) reached = rows.size();
        REQUIRE(rows.size() < 90);
    }
    CHECK(strategy->stopped());
    REQUIRE(reached);
    // Bursts that were measured for the depth may be checks too.
    CHECK(rows.size() > *reached);
    const CheckCount checked = advise(fit, one.prior, one.advice).checked;
    CHECK(checked.wanted >= 2);
    CHECK(checked.passed == checked.wanted);
}

TEST_CASE("A strategy that there is not is refused with those that there are") {
    const CampaignPlan one = plan();
    CHECK_THROWS_WITH(make_strategy("luck", one), Contains("grid, bisection or advised"));
}
