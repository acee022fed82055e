// SPDX-License-Identifier: GPL-2.0-only
// Simulated measuring campaigns: do the intervals of the fit hold what they promise? test/calibrate/recovery.txt is what
// `build/bench-recovery 5000 2000` prints.
#include <cstdlib>
#include <iostream>

#include "test/calibrate/recovery-study.h"

int main(int argc, char** argv) {
    const int campaigns = argc > 1 ? std::atoi(argv[1]) : 300;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000;
    std::cout << campaigns << " simulated campaigns against shared and per-input memories in frames and bytes, seeds " << seed << " to " << seed + static_cast<std::uint64_t>(campaigns) - 1 << ": share of the\n"
                 "68 % and 95 % intervals that hold the truth, with its binomial error; mean and variance of the pulls, with the errors of 0 and 1. A pull is\n"
                 "minus the normal quantile of the posterior probability below the truth, at most 4: a truth just beyond the edge of a posterior that has\n"
                 "edges counts as 4. Told: the fit knows the noise (--fix noise). Else it supposes that one switch in ten has none, and the others any up to\n"
                 "30 % of a burst's length alike: of switches with noise of 0 to 10 % drawn in this way intervals hold the truth as often as they say. Of\n"
                 "switches that all have one noise they need not: flags without noise do not tell it from little, so that intervals leave room for it and\n"
                 "hold more, and where luck hides a little noise they hold less.\n\n";
    watershed::recovery::print(std::cout, watershed::recovery::study(campaigns, seed, {40, 80, 160}, watershed::default_jobs()));
}
