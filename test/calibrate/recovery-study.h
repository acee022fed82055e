// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <iomanip>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "calibrate/fit.h"
#include "calibrate/simulate.h"

/// Simulated measuring campaigns against hidden switches, and whether the fit finds what is hidden.
namespace watershed::recovery {

struct Noise {
    std::string name;
    Apparatus apparatus;
};

inline std::vector<Noise> noises() {
    std::vector<Noise> all(5);
    all[0].name = "lossy or not, exact";
    all[1].name = "lossy or not, 2 %";
    all[2].name = "lossy or not, 6 %";
    all[3].name = "counts, 3 frames";
    all[4].name = "counts, 20 frames";
    for (std::size_t i = 0; i < 3; ++i) all[i].apparatus.counts = false;
    all[1].apparatus.threshold_scale = 0.02;
    all[2].apparatus.threshold_scale = 0.06;
    all[3].apparatus.count_noise = 3;
    all[4].apparatus.count_noise = 20;
    return all;
}

/// Coverage, pulls and choices over the campaigns with one kind of noise.
struct Tally {
    std::string noise;
    int campaigns = 0;
    int right = 0, undecided = 0;                            ///< model chosen, or at least a hundredth as likely as the chosen one
    int depth68 = 0, depth95 = 0, rate68 = 0, rate95 = 0;    ///< truth inside
    double pulls = 0, squares = 0;                           ///< of the depth, in half widths of the 68 % interval

    double pull_mean() const { return pulls / campaigns; }
    double pull_variance() const { return squares / campaigns - pull_mean() * pull_mean(); }
};

inline double between(std::mt19937_64& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 12) + 0.5) * std::exp2(-52);
}

/// A switch that nobody is told, and what was measured of it.
struct Campaign {
    QueueModel truth;
    double depth = 0;
    double rate = 0;
    LossMap map;
};

/// Bursts around the watershed of a switch of random kind, depth and rate.
inline Campaign campaign(const Apparatus& apparatus, std::uint64_t seed, int bursts) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(between(random, 0, static_cast<double>(n))); };
    Campaign made;
    QueueModel& truth = made.truth;
    truth.sharing = pick(2) ? Buffer::Sharing::Shared : Buffer::Sharing::PerInput;
    truth.unit = pick(2) ? MemorySize::Unit::Frame : MemorySize::Unit::Byte;
    made.depth = std::floor(between(random, 30'000, 60'000));
    if (truth.sharing == Buffer::Sharing::PerInput) made.depth = std::floor(made.depth / 40);
    if (truth.unit == MemorySize::Unit::Byte) made.depth = std::floor(made.depth * between(random, 700, 800));
    made.rate = std::floor(between(random, 9e9, 11e9));
    Scenario hidden;
    hidden.network_switch.buffer.sharing = truth.sharing;
    hidden.network_switch.buffer.size = {static_cast<std::int64_t>(made.depth), truth.unit};
    hidden.network_switch.uplink_rate = BitRate{static_cast<std::int64_t>(made.rate)};
    Apparatus disturbed = apparatus;
    disturbed.seed = seed;
    std::vector<BurstSetting> wanted;
    for (int i = 0; i < bursts; ++i) {
        Burst like;
        like.ports = pick(2) ? 30 : 44;
        like.payload = pick(2) ? 512 : 1024;
        like.wire = like.payload + 66;
        like.buffer = like.payload + 46;
        const double saturation = static_cast<double>(like.ports * like.wire) * 8e12 / made.rate, least = static_cast<double>(like.wire) * 8e12 / 1e9;
        const Time separation{10'000 * std::llround(std::max(least + 10'000, between(random, 0.25, 0.85) * saturation) / 10'000)};
        const double longest = static_cast<double>(*longest_lossless(truth, like, separation, made.depth, made.rate));
        wanted.push_back({static_cast<int>(like.ports), Bytes{like.payload}, separation, std::max<std::int64_t>(2, std::llround(longest * between(random, 0.75, 1.3)))});
    }
    made.map = {"campaign", SimulatedSwitch(hidden, disturbed).measure_all(wanted)};
    return made;
}

inline void note(Tally& tally, const Campaign& made, const Fit& fit) {
    for (const ModelFit& one : fit.models) {
        if (one.model.name() != made.truth.name() || !one.depth.value || !one.rate.value) continue;
        const auto inside = [](const Interval& interval, double value) { return *interval.low <= value && value <= *interval.high; };
        ++tally.campaigns;
        tally.right += fit.best().model.name() == made.truth.name();
        tally.undecided += fit.best().model.name() != made.truth.name() && one.probability > 0.01 * fit.best().probability;
        tally.depth68 += inside(one.depth.interval68, made.depth);
        tally.depth95 += inside(one.depth.interval95, made.depth);
        tally.rate68 += inside(one.rate.interval68, made.rate);
        tally.rate95 += inside(one.rate.interval95, made.rate);
        const double half_width = std::max(1e-3, (*one.depth.interval68.high - *one.depth.interval68.low) / 2), pull = (*one.depth.value - made.depth) / half_width;
        tally.pulls += pull;
        tally.squares += pull * pull;
    }
}

/// The campaigns in turn over the kinds of noise and 40, 80 and 160 bursts, the first seeds of one another.
inline std::vector<Tally> study(int campaigns, std::uint64_t seed, const std::vector<int>& sizes) {
    const std::vector<Noise> kinds = noises();
    std::vector<Tally> tallies;
    for (const Noise& noise : kinds) tallies.push_back({noise.name});
    for (int i = 0; i < campaigns; ++i) {
        const auto kind = static_cast<std::size_t>(i) % kinds.size();
        const Campaign made = campaign(kinds[kind].apparatus, seed + static_cast<std::uint64_t>(i), sizes[static_cast<std::size_t>(i) / kinds.size() % sizes.size()]);
        note(tallies[kind], made, fit_loss_map(made.map, default_conditions(), {}));
    }
    return tallies;
}

inline void print(std::ostream& out, const std::vector<Tally>& tallies) {
    out << std::left << std::setw(22) << "noise" << std::right;
    for (const char* const head : {"campaigns", "right", "undecided", "wrong", "depth 68", "depth 95", "rate 68", "rate 95", "pull mean", "variance"}) out << std::setw(11) << head;
    out << '\n' << std::fixed;
    for (const Tally& t : tallies) {
        out << std::left << std::setw(22) << t.noise << std::right << std::setw(11) << t.campaigns << std::setw(11) << t.right << std::setw(11) << t.undecided << std::setw(11)
            << t.campaigns - t.right - t.undecided << std::setprecision(3);
        for (const int inside : {t.depth68, t.depth95, t.rate68, t.rate95}) out << std::setw(11) << static_cast<double>(inside) / t.campaigns;
        out << std::setprecision(2) << std::setw(11) << t.pull_mean() << std::setw(11) << t.pull_variance() << '\n';
    }
}

}  // namespace watershed::recovery
