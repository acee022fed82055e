// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/study-campaign.h"

#include <cmath>

#include "test/catch.h"

using namespace watershed;
using namespace watershed::calibration;

namespace {

calibration::Draws shared_frames() {
    calibration::Draws draws;
    draws.kinds = {"shared-frames"};
    draws.two_mixes = 0;
    draws.depth_high = 2000;
    return draws;
}

/// Frames that the truth loses of each row without any disturbance, by the closed form.
std::vector<std::int64_t> undisturbed(const Campaign& campaign) {
    std::vector<std::int64_t> all;
    const TrueQueue& queue = campaign.truth.queue;
    for (const LossMapRow& row : campaign.map.rows) {
        const std::int64_t slot = (row.payload.count + queue.wire_overhead) * queue.uplink_ticks,
                           spacing = std::max(row.separation.count() * 1000,
                                              (row.payload.count + queue.wire_overhead) * queue.link_ticks);
        const auto drained = static_cast<std::int64_t>((row.events - 1) * Wide{spacing} / slot);
        all.push_back(std::max<std::int64_t>(0, row.frames_sent - drained - queue.depth));
    }
    return all;
}

}  // namespace

TEST_CASE(
    "An apparatus without disturbances measures what the switch loses, on a grid and by bisection, on both sides of "
    "the threshold") {
    for (const Placement placement : {Placement::Grid, Placement::Bisection}) {
        int lossy = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Campaign campaign = play(shared_frames(), placement, 24, seed, {});
            REQUIRE(campaign.map.rows.size() == 24);
            const std::vector<std::int64_t> expected = undisturbed(campaign);
            for (std::size_t i = 0; i < expected.size(); ++i) CHECK(campaign.map.rows[i].frames_lost() == expected[i]);
            for (const std::int64_t lost : expected) lossy += lost > 0;
        }
        CHECK(lossy > 24);
        CHECK(lossy < 4 * 24);
    }
}

TEST_CASE("A memory that grows by a fifth is the true one in the middle of a campaign") {
    calibration::Draws draws = shared_frames();
    draws.disturbances.depth_drift = OneOrNone::exactly(0.2);
    const Campaign campaign = play(draws, Placement::Grid, 25, 1, {});
    const std::vector<std::int64_t> expected = undisturbed(campaign);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::int64_t lost = campaign.map.rows[i].frames_lost();
        if (lost == 0 || expected[i] == 0) continue;
        const double grown = 0.2 * (static_cast<double>(i) / 24 - 0.5) * static_cast<double>(campaign.depth());
        CHECK(static_cast<double>(expected[i] - lost) == Approx(grown).margin(0.51));
    }
}

TEST_CASE("Bursts into uneven uplinks lie on both sides of the threshold, and the fit is told of two uplinks") {
    calibration::Draws draws = shared_frames();
    draws.disturbances.uneven = true;
    const Campaign campaign = play(draws, Placement::Grid, 24, 2, {});
    CHECK(campaign.conditions.uplinks == 2);
    std::int64_t lossy = 0;
    for (const LossMapRow& row : campaign.map.rows) lossy += !row.lossless();
    CHECK(lossy > 4);
    CHECK(lossy < 20);
}

TEST_CASE("Counts scatter by what was asked for, and not below nothing") {
    calibration::Draws draws = shared_frames();
    draws.disturbances.noise_frames = OneOrNone::exactly(3);
    double squares = 0;
    int rows = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Campaign campaign = play(draws, Placement::Grid, 60, seed, {});
        const std::vector<std::int64_t> expected = undisturbed(campaign);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(campaign.map.rows[i].frames_lost() >= 0);
            if (expected[i] < 20) continue;
            squares += std::pow(static_cast<double>(campaign.map.rows[i].frames_lost() - expected[i]), 2);
            ++rows;
        }
    }
    REQUIRE(rows > 200);
    CHECK(squares / rows == Approx(9 + 1.0 / 12).epsilon(4 * std::sqrt(2.0 / rows)));
}

TEST_CASE("Frames are lost at random in the share that was asked for, and one bad row loses more") {
    calibration::Draws draws = shared_frames();
    draws.disturbances.loss = OneOrNone::exactly(0.01);
    double lost = 0, received = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Campaign campaign = play(draws, Placement::Grid, 24, seed, {});
        CHECK(campaign.truth.loss == 0.01);
        const std::vector<std::int64_t> expected = undisturbed(campaign);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            lost += static_cast<double>(campaign.map.rows[i].frames_lost() - expected[i]);
            received += static_cast<double>(campaign.map.rows[i].frames_sent - expected[i]);
        }
    }
    CHECK(lost == Approx(0.01 * received).margin(4 * std::sqrt(0.01 * received)));

    draws = shared_frames();
    draws.disturbances.bad_row = true;
    const Campaign campaign = play(draws, Placement::Grid, 24, 3, {});
    const std::vector<std::int64_t> expected = undisturbed(campaign);
    int bad = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::int64_t more = campaign.map.rows[i].frames_lost() - expected[i];
        bad += more != 0;
        if (more != 0) CHECK((more >= 10 && more <= 100 && i > 0));
    }
    CHECK(bad == 1);
}

TEST_CASE("A threshold that scatters by 2 % leaves the clearly lossy lossy and the clearly lossless lossless") {
    calibration::Draws draws = shared_frames();
    draws.disturbances.noise_length = OneOrNone::exactly(0.02);
    draws.counts = false;
    int near = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Campaign campaign = play(draws, Placement::Bisection, 24, seed, {});
        const TrueQueue& queue = campaign.truth.queue;
        for (const LossMapRow& row : campaign.map.rows) {
            CHECK(row.frames_lost() <= 1);
            // A burst that is 15 % shorter or longer is out of reach of 2 %: 7 standard deviations.
            const double slot = static_cast<double>((row.payload.count + queue.wire_overhead) * queue.uplink_ticks),
                         spacing = static_cast<double>(
                             std::max(row.separation.count() * 1000,
                                      (row.payload.count + queue.wire_overhead) * queue.link_ticks));
            const double growth = row.ports - spacing / slot,
                         longest = (static_cast<double>(queue.depth) - spacing / slot) / growth;
            if (static_cast<double>(row.events) > 1.15 * longest + 2)
                CHECK_FALSE(row.lossless());
            else if (static_cast<double>(row.events) < longest / 1.15 - 2)
                CHECK(row.lossless());
            else
                ++near;
        }
    }
    CHECK(near > 50);
}

TEST_CASE("A size that may be nothing is nothing as often as said, and else equally likely per factor") {
    std::mt19937_64 random(2);
    const OneOrNone size{0.25, 1, 100};
    int none = 0, below = 0;
    for (int i = 0; i < 4000; ++i) {
        const double value = size.draw(random);
        none += value == 0, below += value > 0 && value < 10;
    }
    CHECK(none == Approx(1000).margin(4 * 27.4));
    CHECK(below == Approx(1500).margin(4 * 30.6));
    CHECK(OneOrNone::exactly(3).draw(random) == 3);
    CHECK(OneOrNone{}.draw(random) == 0);
}

TEST_CASE("A bucket counts as depth in frames of the largest payload") {
    Campaign campaign;
    campaign.truth.queue.unit = MemorySize::Unit::Byte;
    campaign.truth.queue.depth = 100'000;
    campaign.truth.queue.bucket = 3 * (1024 + 66);
    LossMapRow small, large;
    small.payload = Bytes{200}, large.payload = Bytes{1024};
    small.ports = 8, large.ports = 4;
    campaign.map.rows = {small, large};
    CHECK(campaign.depth() == Approx(100'000 + 3 * (1024 + 46)));
    campaign.truth.queue.per_input = true;
    CHECK(campaign.depth() == Approx(100'000 + 3 * (1024 + 46) / 4.0));
}
