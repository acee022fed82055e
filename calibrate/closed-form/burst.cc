// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/burst.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// The time a frame holds a link, rounded up as a clock of picoseconds sees it.
Time slot_on(std::int64_t wire, BitRate rate) {
    constexpr Wide kPicosecondsPerSecond = 1'000'000'000'000;
    return Time{static_cast<std::int64_t>(ceil_div<Wide>(Wide{8} * wire * kPicosecondsPerSecond, rate.count))};
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

}  // namespace

Conditions default_conditions() {
    Conditions conditions;
    conditions.frame.mtu =
        Bytes{65535};  // a measured map says what was sent; whether the MTU allows it is no question here
    return conditions;
}

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
        burst.row = row.beginning_of > 0 ? row.beginning_of : static_cast<int>(i) + 1;
        burst.line = row.line;
        burst.ports = row.ports;
        burst.uplinks = row.congested_uplinks.value_or(conditions.uplinks);
        burst.events = row.events;
        burst.separation = row.separation;
        burst.spacing = std::max(row.separation, slot_on(frame.wire.count, conditions.link_rate));
        burst.payload = row.payload.count;
        burst.wire = frame.wire.count;
        burst.buffer = frame.buffer.count;
        burst.sent = row.frames_sent;
        burst.lost = row.frames_lost();
        burst.lossy = !row.lossless();
        burst.counted = burst.sent_once();
        burst.lateness = row.worst_trigger_lateness;
        burst.peak = row.peak;
        if (!row.counted) burst.outcome = Burst::Outcome::Untold;
        bursts.push_back(burst);
    }
    const bool one_frame_each =
        std::all_of(bursts.begin(), bursts.end(), [](const Burst& burst) { return burst.lost <= 1; });
    if (use == CountUse::Flag || (use == CountUse::Auto && one_frame_each))
        for (Burst& burst : bursts) burst.counted = false;
    tell_outcomes_by_peaks(bursts);
    return bursts;
}

const Burst& first_row(const std::vector<Burst>& bursts) {
    return *std::min_element(bursts.begin(), bursts.end(),
                             [](const Burst& a, const Burst& b) { return a.row < b.row; });
}

}  // namespace watershed
