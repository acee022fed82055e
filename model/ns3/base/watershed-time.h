// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <algorithm>

#include "model/base/quantities.h"

namespace watershed {

/// Converts a time for ns-3; exact where ns-3's resolution is a picosecond, truncated where it is coarser.
inline ns3::Time ToNs3(Time time) {
    const auto count = static_cast<std::uint64_t>(time.count());
    return ns3::Time::GetResolution() == ns3::Time::PS ? ns3::TimeStep(count) : ns3::PicoSeconds(count);
}

/// Converts a time for ns-3, rounded up where its resolution is coarser: for waiting until something is over.
inline ns3::Time ToNs3Up(Time time) {
    const ns3::Time down = ToNs3(time);
    return down.GetPicoSeconds() < time.count() ? down + ns3::TimeStep(1) : down;
}

inline Time FromNs3(const ns3::Time& time) { return Time{time.GetPicoSeconds()}; }

/// Returns the resolution of ns-3's clock; a picosecond where it is finer.
inline Time Tick() { return std::max(Time{1}, FromNs3(ns3::TimeStep(1))); }

inline Time Now() { return FromNs3(ns3::Simulator::Now()); }

}  // namespace watershed
