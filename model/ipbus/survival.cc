// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/survival.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace watershed {

double periodic_survival(double load) { return std::min(1.0, 1 / load); }

double random_survival(double load, int room) {
    // Probability of so many arrivals during one service.
    std::vector<double> arrivals{std::exp(-load)};
    for (int k = 1; k <= room; ++k) arrivals.push_back(arrivals.back() * load / k);
    const auto a = [&](int k) { return arrivals[static_cast<std::size_t>(k)]; };

    // States left behind, 0 to room - 1, relative to the empty one: pi_k = pi_0 a_k + sum over i = 1 ... k + 1 of pi_i
    // a_(k-i+1).
    std::vector<double> pi{1};
    double sum = 1;
    for (int k = 0; k + 1 < room; ++k) {
        double next = pi[static_cast<std::size_t>(k)] - a(k);
        for (int i = 1; i <= k; ++i) next -= pi[static_cast<std::size_t>(i)] * a(k - i + 1);
        pi.push_back(next / a(0));
        sum += pi.back();
    }
    // A service is followed by the next, or with probability pi_0 by a wait for an arrival: 1 is served in every load +
    // pi_0 arrivals.
    return 1 / (load + 1 / sum);
}

}  // namespace watershed
