// SPDX-License-Identifier: GPL-2.0-only
#include <cstdlib>

#include "calibrate/thresholds/thresholds.h"
#include "model/fill/fill-test.h"
#include "test/catch.h"

using namespace watershed;

namespace {

TrialCosts costs() {
    return trial_costs_from(
        CsvTable::read(std::string(std::getenv("WATERSHED_SOURCE")) + "/scenarios/data/mmu-probe-cost.csv"));
}

LadderModel tomahawk2() {
    LadderModel model;
    model.reserved = 6;
    return model;
}

}  // namespace

TEST_CASE("What trials cost is read from the table of the probe") {
    // 17.9 s for 90132 cells and 13.35 s for 20097: 4.55 s / 70035 cells
    const TrialCosts read = costs();
    CHECK(read.fill_cell == Approx(6.5e-5).epsilon(0.1));
    CHECK(read.fill + 20097 * read.fill_cell == Approx(13.4).epsilon(0.02));
    CHECK(read.refill == Approx(6.74));
    CHECK(read.step == Approx(2.04).margin(0.02));
    CHECK(read.stated == 5629);
}

TEST_CASE("Planned, the campaign of 94 minutes takes less than 20 with the same costs, and errs by less") {
    // The probe found 9429 cells of headroom pool, 21 too many.
    const ThresholdTruth truth = truth_of(tomahawk2(), 40059, 486, 9408, 21);
    const ThresholdCampaign planned = plan_campaign(truth, {}, 160'236, costs(), 1);
    CHECK(planned.seconds < 20 * 60);
    REQUIRE(planned.fit.pool);
    CHECK(planned.fit.pool->holds(9408));
    CHECK(planned.fit.pool->width() <= 1);
    CHECK(planned.fit.told_apart);
    for (int group = 1; group <= 21; ++group) {
        const auto xoff = planned.fit.hard_xoff(group);
        CHECK(xoff.holds(truth.xoff[static_cast<std::size_t>(group - 1)]));
        CHECK(xoff.width() <= 2);
    }
    CHECK(bisect_campaign(truth, 160'236, costs(), 68).seconds > 60 * 60);
}

TEST_CASE("The plan finds pool and thresholds of switches of other kinds") {
    for (const auto& [alpha, slice, headroom] :
         {std::tuple<Ratio, int, int>{{1, 8}, 44032, 265}, {{1, 2}, 32291, 520}, {{2, 1}, 75712, 1000}}) {
        LadderModel model;
        model.alpha = alpha;
        model.reserved = 34;
        const ThresholdTruth truth = truth_of(model, slice, headroom, 7 * headroom + 50, 9);
        const ThresholdCampaign planned = plan_campaign(truth, {}, 200'000, costs(), 1);
        REQUIRE(planned.fit.pool);
        CHECK(planned.fit.pool->holds(7 * headroom + 50));
        CHECK(planned.fit.told_apart);
        CHECK(planned.seconds < bisect_campaign(truth, 200'000, costs(), 68).seconds / 2);
    }
}

TEST_CASE("The truth of the plan is what a switch shows that is filled frame by frame") {
    NetworkScenario scenario;
    scenario.frame.payload = Bytes{18};
    scenario.front_end.modules = 4 * 21;
    Switch& filled = scenario.network_switch;
    const auto cells = [](std::int64_t n) { return MemorySize{n, MemorySize::Unit::Cell}; };
    filled.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    filled.buffer.accounting = Buffer::Accounting::Ingress;
    filled.buffer.size = cells(160'236);
    filled.buffer.alpha = Ratio{1, 1};
    filled.buffer.slices = 4;
    filled.buffer.cell = Bytes{208};
    filled.buffer.reserved = cells(6);
    filled.buffer.headroom = cells(486);
    filled.buffer.headroom_pool = cells(4 * 9408);
    filled.flow_control.kind = FlowControl::Kind::Pfc;
    filled.flow_control.alpha = Ratio{1, 1};
    const auto probed = probe(scenario, 21, make_exact_tx_disabled_switch);
    const ThresholdTruth truth = truth_of(tomahawk2(), 40059, 486, 9408, 21);
    for (std::size_t k = 0; k < 21; ++k) {
        CHECK(probed[k].xoff == truth.xoff[k]);
        CHECK(probed[k].drop == truth.drop[k]);
    }
}

TEST_CASE("Before anything is known the first trial halves what a group can hold") {
    const auto trial = next_trial({}, 160'236, 21, 1);
    REQUIRE(trial);
    CHECK(trial->group == 1);
    CHECK_FALSE(trial->drop);
    CHECK(trial->way == ThresholdTrial::Way::Fill);
    CHECK(std::abs(trial->cells - 80'118) <= 1);
    CHECK(trial->seconds(TrialCosts{}) == Approx(12.04 + 6.5e-5 * static_cast<double>(trial->cells)));
}
