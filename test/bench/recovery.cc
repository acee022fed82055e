// SPDX-License-Identifier: GPL-2.0-only
// Simulated measuring campaigns: do the intervals of the fit hold what they promise? test/calibrate/recovery.txt is such a table.
#include <cstdlib>
#include <iostream>

#include "test/calibrate/recovery-study.h"

int main(int argc, char** argv) {
    const int campaigns = argc > 1 ? std::atoi(argv[1]) : 500;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
    std::cout << campaigns << " simulated campaigns of 40, 80 and 160 bursts, seed " << seed << "; share of truths inside the intervals\n";
    watershed::recovery::print(std::cout, watershed::recovery::study(campaigns, seed, {40, 80, 160}));
}
