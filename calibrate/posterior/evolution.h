// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>

#include "calibrate/posterior/annealed-sampler.h"

/// The largest value of a function that has many peaks, narrow ones among them.
namespace watershed {

template <std::size_t N>
struct Peak {
    std::array<double, N> at{};
    double value = -HUGE_VAL;
};

/// Differential evolution, rand/1/bin (Storn and Price, Journal of Global Optimization 11, 1997), within a box. The
/// same peak every time.
/// @param starts  members of the first generation; the others lie anywhere in the box
/// @param least   gives up where a quarter of the generations has not found as much
template <std::size_t N, class Function>
Peak<N> evolve(const Function& function, const std::array<double, N>& low, const std::array<double, N>& high,
               const std::vector<std::array<double, N>>& starts, std::size_t members, int generations,
               double least = -HUGE_VAL) {
    constexpr double kCrossover = 0.9, kLeastStep = 0.4, kMostStep = 0.9,
                     kAlike = 0.1;  // the last, of logarithms of likelihoods
    RandomBits random(1);
    const auto pick = [&] { return static_cast<std::size_t>(uniform(random) * static_cast<double>(members)); };
    std::vector<Peak<N>> all(members);
    for (std::size_t m = 0; m < members; ++m) {
        for (std::size_t i = 0; i < N; ++i)
            all[m].at[i] = m < starts.size() ? std::clamp(starts[m][i], low[i], high[i])
                                             : low[i] + (high[i] - low[i]) * uniform(random);
        all[m].value = rounded_to_decide(function(all[m].at));
    }
    const auto lower = [](const Peak<N>& a, const Peak<N>& b) { return a.value < b.value; };
    for (int generation = 0; generation < generations; ++generation) {
        for (Peak<N>& one : all) {
            const Peak<N>&a = all[pick()], &b = all[pick()], &c = all[pick()];
            const double step = kLeastStep + (kMostStep - kLeastStep) * uniform(random);
            const std::size_t certain = static_cast<std::size_t>(uniform(random) * N);
            Peak<N> trial = one;
            for (std::size_t i = 0; i < N; ++i)
                if (i == certain || uniform(random) < kCrossover)
                    trial.at[i] = std::clamp(a.at[i] + step * (b.at[i] - c.at[i]), low[i], high[i]);
            trial.value = rounded_to_decide(function(trial.at));
            if (trial.value >= one.value) one = trial;
        }
        const auto [worst, best] = std::minmax_element(all.begin(), all.end(), lower);
        if (best->value - worst->value < kAlike || (generation == generations / 4 && best->value < least)) break;
    }
    return *std::max_element(all.begin(), all.end(), lower);
}

}  // namespace watershed
