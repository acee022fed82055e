// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/burst-planner.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

HiddenSwitch memory_of(std::int64_t frames) {
    return {Buffer::Sharing::Shared, MemorySize::Unit::Frame, frames, 10'000'000'000, 1};
}

LossMapRow row(std::int64_t frames, int microseconds, std::int64_t events) {
    return measured(memory_of(frames), 44, 1024, Time{microseconds * 1'000'000}, events);
}

/// 3071 frames and 10 Gb/s, told to the frame by what bursts at two separations lose.
std::vector<LossMapRow> known_well() { return {row(3071, 9, 200), row(3071, 20, 400), row(3071, 9, 400)}; }

Fit fit_of_shared(const std::vector<LossMapRow>& rows) {
    FitOptions known;
    known.kind = "shared-frames", known.noise = KnownNoise{0, 0, true};
    return fit_loss_map({"map", rows}, default_conditions(), known);
}

PredictionScore score_of(const std::vector<LossMapRow>& rows) {
    const Fit fit = fit_of_shared(rows);
    return foretold_again(fit, prior_of(fit));
}

Prediction ended_as_foretold(bool held) {
    Prediction one;
    one.held = held;
    return one;
}

}  // namespace

TEST_CASE("What the rows before a pair foretold is kept beside what came") {
    // At 14 us 16 frames leave per event: 108 events want 44 108 - 16 107 = 3040 places, 113 want 3180.
    std::vector<LossMapRow> rows = known_well();
    rows.push_back(row(3071, 14, 108)), rows.push_back(row(3071, 14, 113));
    const PredictionScore score = score_of(rows);
    REQUIRE(score.rows.size() >= 2);
    const Prediction &longer = score.rows.back(), &shorter = score.rows[score.rows.size() - 2];
    CHECK(shorter.burst.row == 4);
    CHECK(shorter.probability_of_loss < 0.01);
    CHECK(longer.burst.row == 5);
    CHECK(longer.probability_of_loss > 0.99);
    CHECK(longer.fewest <= double(rows.back().frames_lost()));
    CHECK(longer.most >= double(rows.back().frames_lost()));
    CHECK(score.held() == int(score.rows.size()));
    CHECK_FALSE(score.surprised());
}

TEST_CASE("A burst that lost nothing though frames were foretold to be lost is a surprise, whatever fits afterwards") {
    std::vector<LossMapRow> rows = known_well();
    rows.push_back(row(3400, 14, 113));  // 3180 places of 3400
    REQUIRE(rows.back().lossless());
    // A fit in which some law, which is not written yet, explains all: what was foretold before stays.
    Fit fit = fit_of_shared(known_well());
    fit.map.rows = rows;
    Burst surprising = fit.bursts.back();
    surprising.row = 4, surprising.events = 113, surprising.separation = surprising.spacing = Time{14'000'000};
    surprising.sent = surprising.fragments(), surprising.lossy = false, surprising.lost = 0;
    fit.bursts.push_back(surprising);
    const PredictionScore score = foretold_again(fit, prior_of(fit));
    REQUIRE_FALSE(score.rows.empty());
    CHECK_FALSE(score.rows.back().held);
    CHECK(score.rows.back().burst.row == 4);
    CHECK(score.rows.back().probability_of_loss > 0.99);
    CHECK(score.rows.back().fewest > 0);
    CHECK(score.surprised());
    CHECK(score.since_surprise == 0);
}

TEST_CASE("A repeat foretells nothing of the law") {
    std::vector<LossMapRow> rows = known_well();
    rows.push_back(row(3071, 14, 113));
    const std::size_t once = score_of(rows).rows.size();
    rows.push_back(rows[0]), rows.push_back(rows[3]);
    CHECK(score_of(rows).rows.size() == once);
}

TEST_CASE("After a surprise three predictions must hold; five surprises, the last one too, are enough") {
    PredictionScore score;
    CHECK_FALSE(score.surprised());  // nothing was foretold
    score.rows = {ended_as_foretold(false), ended_as_foretold(true), ended_as_foretold(true)};
    score.since_surprise = 2;
    CHECK(score.surprised());
    CHECK(score.text() == "2 of the last 3 predictions held");
    score.rows.push_back(ended_as_foretold(true)), score.since_surprise = 3;
    CHECK_FALSE(score.surprised());
    score.rows.insert(score.rows.end(), 3, ended_as_foretold(false));
    score.since_surprise = 0;
    CHECK_FALSE(score.hopeless());  // four
    score.rows.push_back(ended_as_foretold(false));
    CHECK(score.hopeless());
    score.rows.push_back(ended_as_foretold(true)), score.since_surprise = 1;
    CHECK_FALSE(score.hopeless());
}

TEST_CASE("The law that is missing is one of what the odd bursts have in common") {
    Fit fit = fit_of_shared(known_well());
    Burst one = first_row(fit.bursts), other = one;
    other.separation = Time{14'000'000};
    CHECK_THAT(missing_law(fit, {one, other}), Contains("time between triggers") && Contains("9 us to 14 us"));
    one.ports = other.ports = 22;
    CHECK_THAT(missing_law(fit, {one, other}), Contains("number of ports"));
    one.payload = other.payload = 512;
    CHECK_THAT(missing_law(fit, {one, other}), Contains("size of frames"));
    fit.losses_begin_early = true;
    CHECK_THAT(missing_law(fit, {}), Contains("before the memory is full"));
}
