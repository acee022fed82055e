// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/coverage.h"

#include <cmath>

namespace watershed {
namespace {

using namespace calibration;

/// Cells of the study that are played again, so many campaigns of each: every kind of memory and every disturbance, few
/// bursts and many.
std::vector<Cell> part_of_the_study() {
    std::vector<Cell> cells;
    for (const int rows : {6, 24}) {
        for (const std::string& subject : lawful_subjects())
            cells.push_back({subject, "3 frames", true, Placement::Grid, rows});
        for (const char* const kind : {"shared-frames", "per-input-bytes"})
            for (const Placement placement : {Placement::Grid, Placement::Bisection})
                cells.push_back({kind, "2 %", false, placement, rows});
        for (const bool counts : {false, true}) cells.push_back({kAny, kAny, counts, Placement::Grid, rows});
    }
    return cells;
}

}  // namespace

std::vector<Comparison> compare_calibration(int campaigns, int jobs) {
    Tally all;
    for (const Tally& one : study(part_of_the_study(), campaigns, 1, jobs)) all.add(one);
    return compare_calibration(all);
}

std::vector<Comparison> compare_calibration(const Tally& all) {
    constexpr double kSigmas = 4;  // binomial: once in 16000 numbers by chance
    Comparisons compare("calibration");
    compare.from(
        "theory: an interval of 95 % holds the truth in 95 of 100 cases, and the ranks of the truth are even (S. Talts "
        "et al., 2018, arXiv:1804.06788)");
    const auto share = [&](const char* what, double promised, int inside, int of) {
        compare.theory(
            {what, "%"}, 100 * promised, 100.0 * inside / of,
            {100 * kSigmas * std::sqrt(promised * (1 - promised) / of), "four standard deviations, binomial"},
            "what the interval says, in " + std::to_string(of) +
                " simulated campaigns of 6 and 24 bursts, a part of test/calibrate/calibration.txt");
    };
    share("95 % intervals that hold the depth", 0.95, all.depth95, all.depth_bounded);
    share("68 % intervals that hold the depth", 0.68, all.depth68, all.depth_bounded);
    share("95 % intervals that hold the service rate", 0.95, all.rate95, all.rate_bounded);
    share("68 % intervals that hold the service rate", 0.68, all.rate68, all.rate_bounded);
    constexpr double kMostWrong = 0.005;
    share("campaigns in which a wrong kind of memory has more than 99 %", kMostWrong, all.surely_wrong, all.campaigns);
    return compare.all();
}

}  // namespace watershed
