// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-result.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace watershed {

void IpbusResult::check_conservation() const {
    const auto balance = [](const char* what, std::int64_t total, std::int64_t parts) {
        if (total != parts)
            throw std::logic_error(std::string(what) + " unaccounted for: " + std::to_string(total) + " against " +
                                   std::to_string(parts));
    };
    balance("waveforms", waveforms.generated, waveforms.read + waveforms.rejected + waveforms.left);
    balance("requests", requests.requests, requests.answered + requests.abandoned + requests.open);
    std::int64_t lost = 0;
    for (const Outcome::Loss& loss : losses) lost += loss.frames;
    balance("frames", frames_sent, frames_received + lost);
}

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
