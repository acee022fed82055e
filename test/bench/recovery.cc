// SPDX-License-Identifier: GPL-2.0-only
// Simulated measuring campaigns: do the intervals of the fit hold what they promise? test/calibrate/recovery.txt is what
// `build/bench-recovery 3000 2000` prints.
#include <cstdlib>
#include <iostream>

#include "test/calibrate/recovery-study.h"

int main(int argc, char** argv) {
    const int campaigns = argc > 1 ? std::atoi(argv[1]) : 300;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000;
    std::cout << campaigns << " simulated campaigns against shared and per-input memories in frames and bytes, seeds " << seed << " to " << seed + static_cast<std::uint64_t>(campaigns) - 1 << ": share of the\n"
                 "68 % and 95 % intervals that hold the truth, with its binomial error; mean and variance of the pulls, with the errors of 0 and 1. A pull is\n"
                 "minus the normal quantile of the posterior probability below the truth, at most 4: a truth just beyond the edge of a posterior that has\n"
                 "edges counts as 4. Few exact flags do not tell no noise from little: their intervals leave room for it and hold more than they say. Maps\n"
                 "that noise leaves separated by luck look as exact, and their intervals hold less.\n\n";
    watershed::recovery::print(std::cout, watershed::recovery::study(campaigns, seed, {40, 80, 160}, watershed::default_jobs()));
}
