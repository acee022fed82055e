// SPDX-License-Identifier: GPL-2.0-only
#include <sstream>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/report/fit-report.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080};

std::vector<LossMapRow> rows_of_3080() { return measured_grid(kHidden, {9, 14, 20, 33}); }

/// A burst of one module that lets so many frames through.
Burst lets_through(int row, std::int64_t events, Time separation, std::int64_t frames) {
    Burst burst = burst_of_44(events);
    burst.row = row;
    burst.ports = 1;
    burst.spacing = burst.separation = separation;
    burst.sent = events, burst.lost = events - frames;
    burst.lossy = burst.counted = true;
    return burst;
}

}  // namespace

TEST_CASE("Rows that were noted wrongly are blamed, not those that they contradict, with what they should have lost") {
    // Three of 24 rows are wrong: one lost 300 frames more, one 200 fewer, and one that loses hundreds none.
    std::vector<LossMapRow> rows = rows_of_3080();
    std::vector<std::size_t> lossy;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].frames_lost() > 400) lossy.push_back(i);
    REQUIRE(lossy.size() >= 6);
    const std::vector<std::size_t> wrong{lossy[1], lossy[3], lossy[5]};
    std::vector<std::int64_t> right;
    for (const std::size_t i : wrong) right.push_back(rows[i].frames_lost());
    rows[wrong[0]].frames_received -= 300;
    rows[wrong[1]].frames_received += 200;
    rows[wrong[2]].frames_received = rows[wrong[2]].frames_sent;
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    REQUIRE(fit.suspects.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        INFO("row " << wrong[i] + 1 << " should have lost " << right[i]);
        CHECK(fit.suspects[i].row == static_cast<int>(wrong[i]) + 1);
        CHECK(fit.suspects[i].fewest <= right[i]);
        CHECK(fit.suspects[i].most >= right[i]);
        CHECK(100 * (fit.suspects[i].most - fit.suspects[i].fewest) <= 2 * right[i]);  // known to 2 %
        CHECK(fit.best().violating[i] == fit.suspects[i].row);
    }
    const nlohmann::json json = to_json(fit, diagnose(fit, 1));
    CHECK_THAT(json["headline"].get<std::string>(), Contains("a plain memory explains every count but those of rows"));
    CHECK(json["suspects"].size() == 3);
    std::ostringstream text;
    print_report(text, json);
    CHECK_THAT(text.str(), Contains("suspect          row") && Contains("should have lost") &&
                               Contains("Without the suspect rows every outcome is explained"));
}

TEST_CASE("No row is suspect where all are explained, nor where a third of them is wrong") {
    std::vector<LossMapRow> rows = rows_of_3080();
    CHECK(fit_loss_map({"map", rows}, default_conditions(), {}).suspects.empty());
    for (std::size_t i = 0; i < rows.size(); i += 2)
        if (!rows[i].lossless()) rows[i].frames_received = rows[i].frames_received * 9 / 10 + 7 * std::int64_t(i);
    CHECK(fit_loss_map({"map", rows}, default_conditions(), {}).suspects.empty());
}

TEST_CASE("A row that the likeliest sample explains by its token bucket contradicts nothing") {
    // 2000 modules at once into 1000 frames lose 1000. Of two events of 1000, 20 us apart, 22.9 frames drain and 6 more
    // from the bucket, whole ones alone: 972.
    std::vector<Burst> bursts(2, burst_of_44(1));
    bursts[1].events = 2;
    for (std::size_t i = 0; i < 2; ++i) {
        bursts[i].row = static_cast<int>(i) + 1;
        bursts[i].ports = 2000 / bursts[i].events;
        bursts[i].sent = 2000, bursts[i].lossy = bursts[i].counted = true;
    }
    const FitInput map(bursts, kUnknown);
    ModelFit one;
    one.parameters = {BurstParameters{1000, 1e10}};
    one.parameters.front().bucket = 6 * 1090;
    one.mixes = BurstLikelihood::mixes_of(bursts);
    const BurstLikelihood likelihood(one.model, bursts, one.mixes);
    CHECK(frames_lost_by(likelihood, 1, one.parameters.front()) == 972);
    bursts[0].lost = 1000, bursts[1].lost = 972;
    const FitInput explained(bursts, kUnknown);
    one.violating = {2};
    acquit_explained(one, explained);
    CHECK(one.violating.empty());
    one.violating = one.strays = {2};  // a stray burst stays one
    acquit_explained(one, explained);
    CHECK(one.violating == std::vector<int>{2});
    bursts[1].lost = 978;
    one.strays.clear();
    acquit_explained(one, FitInput(bursts, kUnknown));
    CHECK(one.violating == std::vector<int>{2});
}

TEST_CASE("What a memory lets through never falls with the length, nor as frames get smaller or come more often") {
    constexpr Time kTenUs{10'000'000};
    const Burst shorter = lets_through(1, 1000, kTenUs, 180);
    CHECK(outdone_row({shorter, lets_through(2, 1100, kTenUs, 190)}).empty());
    CHECK(outdone_row({shorter, lets_through(2, 1100, kTenUs, 25)}) ==
          "row 2, which lets 25 frames through, though row 1 lets 180 through in a shorter burst");
    CHECK(outdone_row({shorter, lets_through(2, 1100, kTenUs, 170)}).empty());  // a tenth may be scatter
    CHECK(outdone_row({shorter, lets_through(2, 900, kTenUs, 25)}).empty());
    // One by one, each when the uplink is idle: few frames of a long burst, and nothing is wrong.
    CHECK(outdone_row({shorter, lets_through(2, 40, Time{1'000'000'000}, 25)}).empty());
    Burst larger = lets_through(2, 1100, kTenUs, 25), smaller = larger;
    larger.buffer *= 10, larger.wire *= 10;
    CHECK(outdone_row({shorter, larger}).empty());
    smaller.buffer /= 2, smaller.wire /= 2;
    CHECK_FALSE(outdone_row({shorter, smaller}).empty());
}

TEST_CASE("Bursts that all lose, one fewer frames let through than a shorter one, give no rate and no limit") {
    std::istringstream in(
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n1,1460,12.208,770,770,173\n"
        "1,1460,12.208,768,768,183\n1,1460,12.208,775,775,185\n1,100,1.328,11250,11250,25\n");
    const Fit fit = fit_loss_map(read_loss_map(in, "map.csv"), default_conditions(), {});
    CHECK(fit.status == FitStatus::Misfit);
    const nlohmann::json json = to_json(fit);
    CHECK_THAT(json["headline"].get<std::string>(), Contains("misfit by row 4, which lets 25 frames through"));
    CHECK(json["answer"] == "");
}
