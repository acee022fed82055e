// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ModelFit kind(Buffer::Sharing sharing, MemorySize::Unit unit) {
    ModelFit one;
    one.model.sharing = sharing;
    one.model.unit = unit;
    return one;
}

constexpr auto kShared = Buffer::Sharing::Shared, kPerInput = Buffer::Sharing::PerInput;
constexpr auto kFrame = MemorySize::Unit::Frame, kByte = MemorySize::Unit::Byte;

const std::vector<ModelFit> kKinds{kind(kShared, kFrame), kind(kPerInput, kFrame), kind(kShared, kByte),
                                   kind(kPerInput, kByte)};

}  // namespace

TEST_CASE("Frames of one size fill frames and bytes alike, those of two sizes do not") {
    std::vector<Burst> bursts(2, burst_of_44(100));
    const auto like = equivalent_kinds(kKinds, bursts);
    CHECK_FALSE(like[0]);
    CHECK_FALSE(like[1]);  // another way of sharing
    CHECK(*like[2] == 0);
    CHECK(*like[3] == 1);
    bursts.back().payload = 512, bursts.back().wire = 578, bursts.back().buffer = 558;
    for (const auto& one : equivalent_kinds(kKinds, bursts)) CHECK_FALSE(one);
}

TEST_CASE("A counter of bytes tells frames from bytes, and one of frames does not") {
    std::vector<Burst> bursts(1, burst_of_44(100));
    bursts.front().peak = PeakReading{100, true, 1};
    CHECK(equivalent_kinds(kKinds, bursts)[2]);
    bursts.front().peak = PeakReading{107'000, false, 1};
    // Both count a frame as the bytes that it takes.
    CHECK(equivalent_kinds(kKinds, bursts)[2]);
    std::vector<ModelFit> cells{kind(kShared, kFrame), kind(kShared, MemorySize::Unit::Cell)};
    cells.back().model.cell = 200;  // of which 1070 B take six: 1200 B
    CHECK_FALSE(equivalent_kinds(cells, bursts)[1]);
}

TEST_CASE("Depths in another unit hold as many frames as before, and are spread evenly over what holds as many") {
    ParameterPosterior posterior;
    for (int i = 0; i < 1000; ++i) {
        BurstParameters one;
        one.depth = 50.5;
        posterior.samples.push_back(one);
    }
    const double cost = 1070;
    double least = HUGE_VAL, most = 0, sum = 0;
    for (const BurstParameters& one :
         in_unit_of(kKinds[2].model, kKinds[0].model, burst_of_44(100), posterior).samples) {
        CHECK(std::floor(one.depth / cost) == 50);
        least = std::min(least, one.depth), most = std::max(most, one.depth), sum += one.depth / 1000;
    }
    CHECK(least < 50.01 * cost);
    CHECK(most > 50.99 * cost);
    CHECK(sum == Approx(50.5 * cost).epsilon(1e-4));
}

TEST_CASE("Where nothing was lost kinds that fill the counter alike are as probable as each other") {
    std::vector<Burst> bursts(1, burst_of_44(100));
    bursts.front().peak = PeakReading{107'000, false, 1};
    std::vector<ModelFit> kinds = kKinds;
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i].log_evidence = -static_cast<double>(i);
    kinds.back().model.per_packet = true;
    equalize_lossless_evidence(kinds, bursts);
    CHECK(kinds[1].log_evidence == 0);
    CHECK(kinds[2].log_evidence == 0);
    CHECK(kinds[3].log_evidence == -3);  // another service
}
