// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/outcome.h"
#include "model/scenario.h"

/// Streams beside a camera that hardly sends, of which the outcome is known by hand.
namespace watershed {

using Kind = Scheduling::Kind;
using Pattern = TrafficStream::Pattern;

constexpr Time kMicrosecond{1'000'000};
/// A frame of 1024 B costs a link 1090 B: 8.72 us at 1 Gb/s.
constexpr std::int64_t kSlot = 8'720'000;

inline TrafficStream constant(const std::string& name, BitRate rate, int traffic_class) {
    TrafficStream stream;
    stream.phase = Time{0};
    stream.name = name;
    stream.rate.bits = rate;
    stream.traffic_class = traffic_class;
    return stream;
}

/// A camera of one module that sends one frame at the very beginning.
inline Scenario quiet_camera() {
    Scenario s;
    s.front_end.modules = 1;
    s.trigger.events = 1;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
    return s;
}

inline double received(const Outcome& outcome, std::size_t stream) {
    return static_cast<double>(outcome.streams[stream].frames_received);
}

}  // namespace watershed
