// SPDX-License-Identifier: GPL-2.0-only
// Simulated measuring campaigns: do the intervals of the fit hold what they promise? test/calibrate/recovery.txt is such a table.
#include <cstdlib>
#include <iostream>

#include "test/calibrate/recovery-study.h"

int main(int argc, char** argv) {
    const int campaigns = argc > 1 ? std::atoi(argv[1]) : 500;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
    std::cout << campaigns << " simulated campaigns of 40, 80 and 160 bursts, seed " << seed << "; share of truths inside the intervals\n"
              << "binomial error with 100 campaigns: 0.05 of 0.68, 0.02 of 0.95. Exact flags leave brackets, flat inside, and room for noise that\n"
              << "is not seen: their intervals hold more than they say, and their pulls vary by less than 1.\n";
    watershed::recovery::print(std::cout, watershed::recovery::study(campaigns, seed, {40, 80, 160}));
}
