// SPDX-License-Identifier: GPL-2.0-only
// Simulated measuring campaigns against switches that are not plain: does the fit find what they have?
// test/calibrate/features.txt is what `build/bench-features 140 5000` prints.
#include <cstdlib>
#include <iostream>

#include "test/calibrate/feature-study.h"

int main(int argc, char** argv) {
    constexpr int kBursts = 60;
    const int campaigns = argc > 1 ? std::atoi(argv[1]) : 140;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 5000;
    std::cout
        << campaigns << " simulated campaigns of " << kBursts
        << " bursts against memories with descriptors, resume levels, dynamic thresholds, uneven uplinks, and of "
           "outputs, seeds "
        << seed << " to " << seed + static_cast<std::uint64_t>(campaigns) - 1
        << ":\nwhether the model is chosen (right), at least a hundredth as likely as the chosen one (undecided), or "
           "neither; how often the 95 % intervals of depth\n"
           "and of the feature's value hold the truth, and the median error of the depth, where it was found.\n\n";
    watershed::recovery::print(std::cout,
                               watershed::recovery::feature_study(campaigns, seed, kBursts, watershed::default_jobs()));
}
