// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/burst.h"

#include <map>

#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// The time a frame holds a link, rounded up as a clock of picoseconds sees it.
Time slot_on(std::int64_t wire, BitRate rate) {
    constexpr Wide kPicosecondsPerSecond = 1'000'000'000'000;
    return Time{std::int64_t(ceil_div<Wide>(Wide{8} * wire * kPicosecondsPerSecond, rate.count))};
}

FrameSizes sizes_of(Bytes payload, const Conditions& conditions, const std::string& where) {
    FrameFormat format = conditions.frame;
    format.payload = payload;
    try {
        const auto frames = frames_of_fragment(format);
        if (frames.size() == 1) return frames.front();
    } catch (const std::invalid_argument& error) {
        throw InputError(where + ": payload_bytes: " + error.what());
    }
    throw InputError(where + ": payload_bytes: found " + std::to_string(payload.count) +
                     " B, which is several frames under frame.split; the fit expects one frame per fragment");
}

/// Returns the mean separation of a row; a difference below half the time between two frames does not count.
Time mean_separation(const LossMapRow& row) {
    if (!row.span || row.events < 2) return row.separation;
    const Time off = *row.span - row.separation * (row.events - 1);
    if (std::abs(off.count()) <= row.separation.count() / (2 * row.ports)) return row.separation;
    return *row.span / (row.events - 1);
}

}  // namespace

Conditions conditions_of(const Scenario& scenario, const std::string& file) {
    expect_one_switch(scenario, file);
    const Buffer& buffer = scenario.network_switch.buffer;
    // All other ways of sharing are, towards one burst into one uplink, a limit on what is queued in all.
    const auto sharing =
        buffer.sharing == Buffer::Sharing::PerInput ? Buffer::Sharing::PerInput : Buffer::Sharing::Shared;
    const auto unit = buffer.cell.count > 0 ? MemorySize::Unit::Cell : buffer.size.unit;
    return {scenario.frame,    scenario.front_end.link_rate, scenario.network_switch.uplinks,    sharing, unit, file,
            buffer.cell.count, buffer.cell_header.count,     scenario.network_switch.uplink_rate};
}

std::vector<Burst> bursts_of(const LossMap& map, const Conditions& conditions, CountUse use) {
    std::map<std::int64_t, std::optional<FrameSizes>> sizes;
    std::vector<Burst> bursts;
    bursts.reserve(map.rows.size());
    for (std::size_t i = 0; i < map.rows.size(); ++i) {
        const LossMapRow& row = map.rows[i];
        std::optional<FrameSizes>& known = sizes[row.payload.count];
        if (!known) known = sizes_of(row.payload, conditions, map.source + ":" + std::to_string(row.line));
        const FrameSizes& frame = *known;
        Burst burst;
        burst.row = row.beginning_of > 0 ? row.beginning_of : int(i) + 1;
        burst.line = row.line;
        burst.ports = row.ports;
        burst.uplinks = row.congested_uplinks.value_or(conditions.uplinks);
        burst.events = row.events;
        burst.separation = row.separation;
        burst.spacing = std::max(mean_separation(row), slot_on(frame.wire.count, conditions.link_rate));
        // An output that stands still drains as much as if the burst had been so much shorter.
        if (row.stalled > Time{0} && row.events > 1)
            burst.spacing = std::max(Time{1}, burst.spacing - row.stalled / (row.events - 1));
        burst.payload = row.payload.count;
        burst.wire = frame.wire.count;
        burst.buffer = frame.buffer.count;
        burst.sent = row.frames_sent;
        burst.lost = row.frames_lost();
        burst.lossy = !row.lossless();
        burst.counted = burst.sent_once();
        if (!row.span) burst.lateness = row.worst_trigger_lateness;
        burst.peak = row.peak;
        burst.delay = row.delay;
        burst.handover = row.handover;
        burst.worst_lateness = row.worst_trigger_lateness.value_or(Time{0});
        if (!row.counted) burst.outcome = Burst::Outcome::Untold;
        bursts.push_back(burst);
    }
    const bool one_frame_each = boost::algorithm::all_of(bursts, [](const Burst& burst) { return burst.lost <= 1; });
    if (use == CountUse::Flag || (use == CountUse::Auto && one_frame_each))
        for (Burst& burst : bursts) burst.counted = false;
    infer_outcomes_by_peaks(bursts);
    return bursts;
}

double ChosenPrior::log_density(double log_value) const {
    const auto normal = [](double value, double mean, double sigma) {
        return -std::pow((value - mean) / sigma, 2) / 2;
    };
    switch (family) {
        case Family::LogNormal: return normal(log_value, std::log(first), second);
        case Family::Uniform: return log_value;
        case Family::Normal: return normal(std::exp(log_value), first, second) + log_value;
    }
    return 0;
}

KnownRange ChosenPrior::log_range() const {
    constexpr double kSigmas = 7, kSmallest = 1e-6;  // standard deviations, and part of the largest value
    if (family == Family::LogNormal) return {std::log(first) - kSigmas * second, std::log(first) + kSigmas * second};
    const double most = family == Family::Uniform ? second : first + kSigmas * second,
                 least = family == Family::Uniform ? first : first - kSigmas * second;
    return {std::log(std::max(least, kSmallest * most)), std::log(most)};
}

ChosenPrior ChosenPrior::scaled(double factor) const {
    ChosenPrior other = *this;
    other.first *= factor;
    if (family != Family::LogNormal) other.second *= factor;
    return other;
}

}  // namespace watershed
