// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/maps.h"

#include <algorithm>

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

LossMapRow as_flag(LossMapRow row) {
    row.frames_received = row.lossless() ? row.frames_sent : row.frames_sent - 1;
    return row;
}

}  // namespace watershed
