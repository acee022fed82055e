// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/maps.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "test/calibrate/reference-queue.h"

namespace watershed {

LossMapRow measured(const HiddenSwitch& hidden, int ports, std::int64_t payload, Time separation, std::int64_t events) {
    constexpr std::int64_t kBitPicoseconds = 8'000'000'000'000, kLinkRate = 1'000'000'000;
    const std::int64_t wire = payload + 66, buffer = payload + 46;
    QueueSetting setting;
    setting.ports = ports;
    setting.events = events;
    setting.spacing = std::max(separation.count(), ceil_div(wire * kBitPicoseconds, kLinkRate));
    setting.slot = ceil_div(wire * kBitPicoseconds, hidden.rate);
    setting.room = hidden.unit == MemorySize::Unit::Byte ? hidden.depth / buffer : hidden.depth;
    setting.uplinks = hidden.uplinks;
    setting.sharing = hidden.sharing;
    LossMapRow row;
    row.ports = ports;
    row.congested_uplinks = hidden.uplinks;
    row.payload = Bytes{payload};
    row.separation = separation;
    row.events = events;
    row.frames_sent = ports * events;
    row.frames_received = row.frames_sent - lost_frame_by_frame(setting);
    return row;
}

std::vector<LossMapRow> measured_grid(const HiddenSwitch& hidden, const std::vector<std::int64_t>& microseconds,
                                      const std::vector<std::int64_t>& events, const std::vector<int>& ports,
                                      const std::vector<std::int64_t>& payloads) {
    std::vector<LossMapRow> rows;
    for (const int modules : ports)
        for (const std::int64_t payload : payloads)
            for (const std::int64_t separation : microseconds)
                for (const std::int64_t length : events)
                    rows.push_back(measured(hidden, modules, payload, Time{separation * 1'000'000}, length));
    return rows;
}

std::vector<LossMapRow> noisy_map(std::int64_t depth, double spread, int bursts, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 1);
    std::uniform_real_distribution<double> around(0.6, 1.4);
    std::vector<LossMapRow> rows;
    for (int i = 0; i < bursts; ++i) {
        const std::int64_t separations[] = {9, 12, 16, 20, 25, 30, 34};
        const Time separation{separations[i % 7] * 1'000'000};
        Burst like;
        like.ports = 44;
        like.wire = 1090;
        const double longest =
            static_cast<double>(*longest_lossless({}, like, separation, static_cast<double>(depth), 1e10));
        LossMapRow row;
        row.ports = 44;
        row.payload = Bytes{1024};
        row.separation = separation;
        row.events = static_cast<std::int64_t>(longest * around(random));
        row.frames_sent = 44 * row.events;
        row.frames_received =
            row.frames_sent - (static_cast<double>(row.events) > longest * std::exp(spread * noise(random)));
        rows.push_back(row);
    }
    return rows;
}

Burst burst_of_44(std::int64_t events) {
    Burst burst;
    burst.ports = 44;
    burst.payload = 1024;
    burst.wire = 1090;
    burst.buffer = 1070;
    burst.spacing = Time{20'000'000};
    burst.events = events;
    return burst;
}

Burst ended(const QueueModel& model, Burst burst, std::int64_t depth, double rate) {
    burst.sent = burst.fragments();
    burst.lost = frames_lost(model, burst, model.room(burst, depth), static_cast<std::int64_t>(burst.drain() * rate));
    burst.lossy = burst.lost > 0;
    burst.counted = true;
    return burst;
}

std::vector<Burst> bursts_with_descriptors() {
    QueueModel model;
    model.unit = MemorySize::Unit::Byte;
    model.feature = Feature::Descriptors;
    model.value = 3500;
    std::vector<Burst> bursts;
    for (const std::int64_t payload : {1024, 512})
        for (const std::int64_t events : {90, 110, 125, 135, 150, 162, 170, 185, 220, 300}) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(bursts.size()) + 1;
            burst.payload = payload, burst.wire = payload + 66, burst.buffer = payload + 46;
            burst.spacing = Time{(payload == 1024 ? 20'000'000 : 10'000'000) - 10'000 * burst.row};
            bursts.push_back(ended(model, burst, 3'000'000, 10e9));
        }
    return bursts;
}

LossMapRow as_flag(LossMapRow row) {
    row.frames_received = row.lossless() ? row.frames_sent : row.frames_sent - 1;
    return row;
}

std::vector<LossMapRow> as_flags(std::vector<LossMapRow> rows) {
    for (LossMapRow& row : rows) row = as_flag(row);
    return rows;
}

std::vector<Burst> bursts_of_3080() {
    std::vector<Burst> bursts;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 80, 100, 120, 140, 180, 240, 300}) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(bursts.size()) + 1;
            burst.spacing = Time{microseconds * 1'000'000};
            bursts.push_back(ended({}, burst, 3080, 10e9));
        }
    return bursts;
}

}  // namespace watershed
