// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// How sources cut events into packets.
class EjfatSegmenter {
  public:
    /// IPv4 20, UDP 8, and the two headers.
    static constexpr std::int64_t kHeaders = 28 + EjfatBalancerHeader::kSize + EjfatReassemblyHeader::kSize;

    EjfatSegmenter(const EjfatSource& source, Bytes event_size) : source_(source), size_(event_size) {}

    /// Bytes of an event in a full packet.
    std::int64_t room() const { return source_.mtu.count - kHeaders; }
    /// The part of an event that a source has, counted from 0.
    std::int64_t part(int source) const {
        return size_.count * (source + 1) / source_.count - size_.count * source / source_.count;
    }
    std::int64_t packets(int source) const { return ceil_div(part(source), room()); }
    /// Of all sources together.
    std::int64_t packets() const;
    /// Bytes of an event in the packet with this number, from 0.
    std::int64_t data(int source, std::int64_t packet) const {
        return std::min(room(), part(source) - packet * room());
    }
    /// What a whole event costs the links into the balancer, preambles and gaps included.
    Bytes wire() const;
    /// The same of a source's part.
    Bytes wire(int source) const;

  private:
    const EjfatSource& source_;
    Bytes size_;
};

/// Mean time between two events.
Time event_period(const EjfatPoint& point);

/// When the events are, the first at `start` if they are periodic. Clocks made alike agree.
class EjfatEventClock {
  public:
    EjfatEventClock(const EjfatSource& source, const EjfatPoint& point, std::uint64_t seed)
        : source_(source), point_(point), seed_(seed) {}
    Time next();

  private:
    const EjfatSource& source_;
    EjfatPoint point_;
    std::uint64_t seed_;
    std::int64_t index_ = 0;
    Time last_{0};
};

}  // namespace watershed
