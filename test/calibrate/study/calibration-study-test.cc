// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <set>
#include <sstream>

#include "test/calibrate/study/calibration-table.h"
#include "test/catch.h"

using namespace watershed;
using namespace watershed::calibration;

namespace {

Campaign campaign(const std::string& kind, std::int64_t depth, std::int64_t payload = 1024) {
    Campaign one;
    one.truth.kind = kind;
    one.truth.queue.per_input = kind == "per-input-frames";
    one.truth.queue.unit = kind == "shared-bytes" ? MemorySize::Unit::Byte : MemorySize::Unit::Frame;
    one.truth.queue.depth = depth;
    one.conditions = default_conditions();
    LossMapRow row;
    row.ports = 8;
    row.payload = Bytes{payload};
    one.map.rows = {row};
    return one;
}

constexpr QueueModel kSharedFrames{Buffer::Sharing::Shared, MemorySize::Unit::Frame},
    kSharedBytes{Buffer::Sharing::Shared, MemorySize::Unit::Byte},
    kPerInputFrames{Buffer::Sharing::PerInput, MemorySize::Unit::Frame};

}  // namespace

TEST_CASE("An interval in another unit holds a depth if it holds as many frames in the whole switch") {
    // 4522 frames of 1070 B are 4838540 B, and up to 1069 B more hold no further one.
    const Campaign frames = campaign("shared-frames", 4522);
    CHECK(holds(kSharedFrames, {4522, 4522}, frames));
    CHECK_FALSE(holds(kSharedFrames, {4523, 4600}, frames));
    CHECK(holds(kSharedBytes, {4838540, 4838540}, frames));
    CHECK(holds(kSharedBytes, {4839609, 4839609}, frames));
    CHECK_FALSE(holds(kSharedBytes, {4839610, 5e6}, frames));
    CHECK_FALSE(holds(kPerInputFrames, {566, 570}, frames));  // 8 inputs: 4528
    CHECK(holds(kPerInputFrames, {565, 566}, frames));
    CHECK(holds(kSharedFrames, {std::nullopt, 5000}, frames));
    CHECK(holds(kSharedFrames, {4522, 4522}, campaign("shared-bytes", 4839000)));
    CHECK_FALSE(
        holds(kSharedBytes, {4839001, 4839609}, campaign("shared-bytes", 4839000)));  // in its own unit to the byte
}

TEST_CASE("Many rows that are exact do not hide the depth") {
    // Two runs of the sampler alone would agree on a depth that is 4 frames off, beyond what the rows allow.
    const Cell cell{"shared-bytes", "none", true, Placement::Grid, 60};
    constexpr std::uint64_t kSeed = 11;
    for (const int number : {2, 3})
        for (const calibration::Outcome& outcome : outcomes_of({cell}, seed_of(cell, kSeed, number))) {
            CHECK(outcome.depth95);
            CHECK(outcome.width < 5e-4);
        }
}

TEST_CASE("A bucket is as many frames more of the whole switch, whatever the kind") {
    Campaign inputs = campaign("per-input-frames", 26);  // of 8 inputs: 208 frames
    inputs.truth.queue.bucket = 12 * 1090 + 500;
    CHECK(holds(kSharedFrames, {220, 220}, inputs));
    CHECK(holds(kSharedFrames, {220.5, 221}, inputs));
    CHECK_FALSE(holds(kSharedFrames, {222, 230}, inputs));
    CHECK_FALSE(holds(kSharedFrames, {200, 219}, inputs));
    CHECK(holds(kPerInputFrames, {27.5, 27.6}, inputs));  // in its own unit 26 + 12.46 / 8
    CHECK_FALSE(holds(kPerInputFrames, {26, 27.5}, inputs));
}

TEST_CASE("The rank of a truth is the weight below it, spread evenly between points") {
    const std::vector<std::pair<double, double>> values{{3, 1}, {1, 1}, {2, 2}};  // 0.5 to 1.5, to 2.5, to 3.5
    CHECK(*rank_of(values, 0.4, 0.3) == 0);
    CHECK(*rank_of(values, 1, 0.3) == Approx(0.125));
    CHECK(*rank_of(values, 2, 0.3) == Approx(0.5));
    CHECK(*rank_of(values, 3.25, 0.3) == Approx(0.9375));
    CHECK(*rank_of(values, 4, 0.3) == 1);
    CHECK(*rank_of({{2, 1}, {2, 3}}, 2, 0.3) == 0.3);  // known exactly
    CHECK(*rank_of({{2, 1}}, 1.9, 0.3) == 0);
    CHECK_FALSE(rank_of({}, 1, 0.3));
}

TEST_CASE("Ranks of draws from the posterior itself are even, and those of one that is too narrow are not") {
    std::mt19937_64 random(5);
    const auto ranks = [&](double width) {
        std::array<int, kRankBins> bins{};
        for (int i = 0; i < 2000; ++i) {
            std::vector<std::pair<double, double>> posterior;
            for (int k = -40; k <= 40; ++k) posterior.emplace_back(width * k / 10.0, std::exp(-k * k / 200.0));
            ++bins[std::min(kRankBins - 1,
                            static_cast<std::size_t>(*rank_of(posterior, normal(random), 0.5) * kRankBins))];
        }
        return bins;
    };
    CHECK(evenness(ranks(1)) > 0.001);
    CHECK(evenness(ranks(0.8)) < 0.001);
    CHECK(evenness({1, 0, 0, 0, 0, 0, 0, 0, 0, 0}) == 1);  // too few to tell
    // Chi squared of 9 degrees of freedom exceeds 16.92 in one case of twenty: bins of 100 +- 13 alternating give 16.9.
    CHECK(evenness({113, 87, 113, 87, 113, 87, 113, 87, 113, 87}) == Approx(0.05).margin(0.001));
}

TEST_CASE("A truth in frames without noise is found by a fit that is told so, and campaigns repeat by their seed") {
    const Cell cell{"shared-frames", "none (told)", true, Placement::Grid, 24};
    int inside = 0;
    for (int number = 0; number < 10; ++number) {
        const std::uint64_t seed = seed_of(cell, 1, number);
        const calibration::Outcome outcome = outcomes_of({cell}, seed).front();
        CHECK(outcome.rows == 24);
        inside += outcome.depth95;
        if (number == 0) CHECK(outcomes_of({cell}, seed).front().width == outcome.width);
    }
    CHECK(inside == 10);  // nothing scatters: what every count allows holds the truth
}

TEST_CASE("An advised campaign serves cells of all lengths, which see its first bursts; others have one each") {
    const Cell two{"shared-frames", "none", true, Placement::Advised, 2},
        four{"shared-frames", "none", true, Placement::Advised, 4},
        flags{"shared-frames", "none", false, Placement::Advised, 2},
        grid{"shared-frames", "none", true, Placement::Grid, 3},
        longer{"shared-frames", "none", true, Placement::Grid, 6};
    const auto served = by_campaign({grid, longer, two, four, flags});
    REQUIRE(served.size() == 4);
    CHECK(served[2].size() == 2);
    CHECK(seed_of(two, 1, 0) == seed_of(four, 1, 0));
    CHECK(seed_of(grid, 1, 0) != seed_of(longer, 1, 0));
    std::vector<std::vector<LossMapRow>> maps;
    const auto outcomes = outcomes_of(served[2], seed_of(two, 1, 0),
                                      [&](const Cell&, const Campaign& campaign, const Fit&,
                                          const calibration::Outcome&) { maps.push_back(campaign.map.rows); });
    CHECK(outcomes[0].rows == 2);
    CHECK(outcomes[1].rows == 4);
    for (std::size_t i = 0; i < 2; ++i) CHECK(maps[0][i].events == maps[1][i].events);
    // Played for one of the cells alone it is the same campaign.
    CHECK(outcomes_of({two}, seed_of(two, 1, 0)).front().width == outcomes[0].width);
    const std::vector<Tally> tallies = study({grid, longer}, 1, 1, 1);
    REQUIRE(tallies.size() == 2);
    CHECK(tallies[0].rows == 3);
    CHECK(tallies[1].rows == 6);
    CHECK(tallies[1].cell.name() == longer.name());
}

TEST_CASE("The study has each cell once, and sums over them what they have in common") {
    std::set<std::string> names;
    for (const Cell& cell : all_cells()) names.insert(cell.name());
    CHECK(names.size() == all_cells().size());
    // 9 subjects with 3 kinds of noise without numbers and 4 with them, a known rate without them, 6 that break laws
    // with one each, and "any"; 2 placements of 5 lengths, and advice of 4 and until it stops.
    CHECK(names.size() == (9 * 7 + 3 + 6 * 2 + 2) * 15);

    Tally one, other;
    one.cell = {"shared-frames", "none", true, Placement::Grid, 6};
    other.cell = {"drift", "3 frames", true, Placement::Grid, 6};
    calibration::Outcome outcome;
    outcome.rows = 6;
    outcome.depth_bounded = outcome.depth95 = true;
    outcome.width = 0.02;
    outcome.depth_rank = 0.55;
    one.add(outcome), one.add(outcome), other.add(outcome);
    one.finish(), other.finish();
    CHECK(one.width == 0.02);
    CHECK(one.depth_ranks[5] == 2);
    const std::vector<Margin> sums = margins({one, other});
    const auto of = [&](const std::string& name) {
        for (const Margin& margin : sums)
            if (margin.name == name) return margin.sum.depth95;
        return -1;
    };
    CHECK(of("all, laws kept") == 2);
    CHECK(of("all, laws broken") == 1);
    CHECK(of("drift") == 1);
    CHECK(of("6 rows") == 2);  // laws kept only
    std::ostringstream csv;
    write_csv(csv, {one, other});
    CHECK_THAT(csv.str(), Contains("shared-frames,none,used,grid,6,kept,2,0,2,0,2,") &&
                              Contains("drift,3 frames,used,grid,6,broken,1,0,1,0,1,"));
}
