// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "test/calibrate/recovery-study.h"

/// Simulated campaigns against switches with descriptors, resume levels, dynamic thresholds, uneven uplinks, memories
/// of outputs.
namespace watershed::recovery {

struct FeatureKind {
    std::string name;
    Feature feature = Feature::None;
    bool outputs = false;  ///< memories of the outputs, which are no feature but a way of sharing
};

inline std::vector<FeatureKind> feature_kinds() {
    return {{"descriptors", Feature::Descriptors, false},
            {"resume", Feature::Resume, false},
            {"dynamic-threshold", Feature::DynamicThreshold, false},
            {"uneven-uplinks", Feature::UnevenUplinks, false},
            {"per-output", Feature::None, true}};
}

inline std::vector<Noise> feature_noises() {
    std::vector<Noise> all(3);
    all[0].name = "counts, exact";
    all[1].name = "counts, 3 frames";
    all[2].name = "lossy or not, 2 %";
    all[1].apparatus.noise.frames = 3;
    all[2].apparatus.counts = false;
    all[2].apparatus.noise.length = 0.02;
    return all;
}

/// A switch of this kind with a random depth, rate and value, and bursts around its watershed that can show what it
/// has.
inline Campaign feature_campaign(const FeatureKind& kind, const SetupImperfections& apparatus, std::uint64_t seed,
                                 int bursts) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::size_t n) {
        return static_cast<std::size_t>(between(random, 0, static_cast<double>(n)));
    };
    Campaign made;
    Scenario hidden;
    Buffer& buffer = hidden.network_switch.buffer;
    QueueModel& truth = made.truth;
    truth.feature = kind.feature;
    truth.unit = kind.feature == Feature::Descriptors || pick(2) ? MemorySize::Unit::Byte : MemorySize::Unit::Frame;
    double frames = std::floor(between(random, 1500, 15'000));
    std::vector<int> uplinks{1};
    int fullest = 0;
    constexpr int kPorts = 44;
    switch (kind.feature) {
        case Feature::Descriptors:
            truth.value = std::floor(frames * between(random, 1.1, 1.7));  // of 512 B, 1.92 times as many would fit
            buffer.descriptors = static_cast<std::int64_t>(truth.value);
            break;
        case Feature::Resume: {
            const auto percent = static_cast<std::int64_t>(between(random, 30, 96));
            truth.value = static_cast<double>(percent) / 100;
            buffer.resume = Ratio{percent, 100};
            break;
        }
        case Feature::DynamicThreshold: {
            const auto eighths = static_cast<std::int64_t>(std::exp(between(random, std::log(2), std::log(33))));
            truth.value = static_cast<double>(eighths) / 8;
            buffer.sharing = Buffer::Sharing::DynamicThreshold;
            buffer.alpha = Ratio{eighths, 8};
            uplinks = {1, 2, 4};
            break;
        }
        case Feature::UnevenUplinks:
            fullest = static_cast<int>(between(random, 25, 35));
            truth.value = static_cast<double>(fullest) / kPorts;
            uplinks = {2};
            hidden.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
            for (int module = 0; module < kPorts; ++module)
                hidden.network_switch.uplink_choice.list.push_back(
                    (module + 1) * fullest / kPorts > module * fullest / kPorts ? 1 : 2);
            break;
        case Feature::Reserve:
        case Feature::OutputReserve: break;  // no feature_kinds()
        case Feature::None:
            truth.sharing = buffer.sharing = Buffer::Sharing::PerOutput;
            uplinks = {1, 2, 4};
            break;
    }
    made.depth = truth.unit == MemorySize::Unit::Byte ? std::floor(frames * between(random, 1000, 1140)) : frames;
    made.rate = std::floor(between(random, 9e9, 11e9));
    buffer.size = {static_cast<std::int64_t>(made.depth), truth.unit};
    hidden.network_switch.uplink_rate = BitRate{static_cast<std::int64_t>(made.rate)};
    SetupImperfections disturbed = apparatus;
    disturbed.seed = seed;
    std::vector<BurstSetting> wanted;
    for (int i = 0; i < bursts; ++i) {
        Burst like;
        like.ports = kPorts;
        // A third payload, because cells of some size explain any two.
        like.payload =
            truth.unit == MemorySize::Unit::Frame ? 1024 : 1024 >> pick(kind.feature == Feature::Descriptors ? 3 : 2);
        like.wire = like.payload + 66;
        like.buffer = like.payload + 46;
        like.uplinks = uplinks[pick(uplinks.size())];
        const double slot = static_cast<double>(like.wire) * 8e12 / made.rate,
                     saturation = kPorts * slot / like.uplinks, least = static_cast<double>(like.wire) * 8e12 / 1e9;
        const double farthest = kind.feature == Feature::UnevenUplinks ? 0.9 * fullest * slot : 0.85 * saturation;
        const Time separation{
            10'000 * std::llround(std::max(least + 10'000, between(random, 0.25 * saturation, farthest)) / 10'000)};
        const auto longest = longest_lossless(truth, like, separation, made.depth, made.rate);
        if (!longest) continue;
        BurstSetting burst{
            kPorts, Bytes{like.payload}, separation,
            std::max<std::int64_t>(2, std::llround(static_cast<double>(*longest) * between(random, 0.75, 1.5)))};
        burst.uplinks = like.uplinks;
        wanted.push_back(burst);
    }
    made.map = {"campaign", measure_all(SimulatedSwitch(hidden, disturbed), wanted)};
    return made;
}

/// Result of one campaign against a switch with a feature.
struct FeatureOutcome {
    bool right = false, undecided = false, depth95 = false, value95 = false;
    double depth_error = 0;  ///< relative
};

inline FeatureOutcome judged_feature(const Campaign& made, const Fit& fit) {
    FeatureOutcome outcome;
    const auto inside = [](const Interval& interval, double value) {
        return interval.low && interval.high && *interval.low <= value && value <= *interval.high;
    };
    for (const ModelFit& one : fit.models) {
        // Frames of one size fill memories in frames and in bytes alike.
        const bool same = one.model.feature == made.truth.feature && one.model.sharing == made.truth.sharing &&
                          (one.model.unit == made.truth.unit ||
                           (made.truth.unit == MemorySize::Unit::Frame && one.model.unit == MemorySize::Unit::Byte));
        if (!same || !one.depth.value) continue;
        const bool best = &one == &fit.best();
        if (!best && (outcome.right || one.probability < 0.01 * fit.best().probability)) continue;
        constexpr double kBuffer = 1070;
        const double scale = one.model.unit == made.truth.unit ? 1 : kBuffer;
        outcome.right = best;
        outcome.undecided = !best;
        // Bytes that are no whole frame make no difference.
        outcome.depth95 = inside(one.depth.interval95, made.depth * scale) ||
                          (scale > 1 && inside(one.depth.interval95, (made.depth + 0.5) * scale));
        outcome.value95 = !one.feature || inside(one.feature->interval95, made.truth.value);
        outcome.depth_error = std::abs(*one.depth.value / made.depth / scale - 1);
    }
    return outcome;
}

struct FeatureTally {
    std::string kind, noise;
    int campaigns = 0, right = 0, undecided = 0, depth95 = 0, value95 = 0;
    std::vector<double> errors{};
};

/// The campaigns take turns over kinds and noises, each with the next seed. Flags know nothing of resume levels.
inline std::vector<FeatureTally> feature_study(int campaigns, std::uint64_t seed, int bursts, int jobs) {
    struct Cell {
        FeatureKind kind;
        Noise noise;
    };
    std::vector<Cell> cells;
    for (const FeatureKind& kind : feature_kinds())
        for (const Noise& noise : feature_noises())
            if (kind.feature != Feature::Resume || noise.apparatus.counts) cells.push_back({kind, noise});
    const auto outcomes = do_in_processes(jobs, static_cast<std::size_t>(campaigns), [&](std::size_t i) {
        const Cell& cell = cells[i % cells.size()];
        const Campaign made = feature_campaign(cell.kind, cell.noise.apparatus, seed + i, bursts);
        const FeatureOutcome one = judged_feature(made, fit_loss_map(made.map, default_conditions(), {}));
        std::ostringstream out;
        out.precision(17);
        out << one.right << ' ' << one.undecided << ' ' << one.depth95 << ' ' << one.value95 << ' ' << one.depth_error;
        return out.str();
    });
    std::vector<FeatureTally> tallies;
    for (const Cell& cell : cells) tallies.push_back({cell.kind.name, cell.noise.name});
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        FeatureOutcome one;
        std::istringstream(outcomes[i]) >> one.right >> one.undecided >> one.depth95 >> one.value95 >> one.depth_error;
        FeatureTally& tally = tallies[i % cells.size()];
        ++tally.campaigns;
        tally.right += one.right, tally.undecided += one.undecided;
        if (!one.right && !one.undecided) continue;
        tally.depth95 += one.depth95, tally.value95 += one.value95;
        tally.errors.push_back(one.depth_error);
    }
    return tallies;
}

inline void print(std::ostream& out, std::vector<FeatureTally> tallies) {
    out << std::left << std::setw(19) << "feature" << std::setw(19) << "noise" << std::right;
    for (const char* const head : {"campaigns", "right", "undecided", "wrong"}) out << std::setw(10) << head;
    for (const char* const head : {"depth 95 %", "value 95 %", "median error of depth / %"})
        out << std::setw(head[0] == 'm' ? 27 : 12) << head;
    out << '\n';
    for (FeatureTally& t : tallies) {
        const int found = t.right + t.undecided;
        std::sort(t.errors.begin(), t.errors.end());
        out << std::left << std::setw(19) << t.kind << std::setw(19) << t.noise << std::right << std::setw(10)
            << t.campaigns << std::setw(10) << t.right << std::setw(10) << t.undecided << std::setw(10)
            << t.campaigns - found << std::fixed << std::setprecision(3);
        if (found > 0)
            out << std::setw(12) << static_cast<double>(t.depth95) / found << std::setw(12)
                << static_cast<double>(t.value95) / found << std::setw(27) << 100 * t.errors[t.errors.size() / 2];
        out << '\n';
    }
}

}  // namespace watershed::recovery
