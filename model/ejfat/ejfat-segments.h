// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>

#include "model/base/random.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// Cuts a source's part of an event into packets.
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
    /// Packets of all sources together.
    std::int64_t packets() const {
        std::int64_t all = 0;
        for (int source = 0; source < source_.count; ++source) all += packets(source);
        return all;
    }
    /// Bytes of an event in the packet with this number, from 0.
    std::int64_t data(int source, std::int64_t packet) const {
        return std::min(room(), part(source) - packet * room());
    }
    /// Bytes of a whole event on the links into the balancer, preambles and gaps included.
    Bytes wire() const {
        Bytes all{0};
        for (int source = 0; source < source_.count; ++source) all += wire(source);
        return all;
    }
    /// Bytes of a source's part of an event on its link, preambles and gaps included.
    Bytes wire(int source) const { return Bytes{part(source) + packets(source) * (kHeaders + kLinkOverhead)}; }

  private:
    static constexpr std::int64_t kLinkOverhead = 38;  ///< preamble 8, MAC 14, FCS 4, gap 12

    const EjfatSource& source_;
    Bytes size_;
};

/// Picoseconds in which `bytes` pass at this rate, times n.
inline Time times_of(Bytes bytes, BitRate rate, std::int64_t n) {
    return Time{static_cast<std::int64_t>(Wide{n} * bytes.count * 8 * 1'000'000'000'000 / rate.count)};
}

/// Mean time between two events.
inline Time event_period(const EjfatPoint& point) { return times_of(point.event_size, point.bit_rate, 1); }

/// When the events are, the first at `start` if they are periodic. Clocks made alike agree.
class EjfatEventClock {
  public:
    EjfatEventClock(const EjfatSource& source, const EjfatPoint& point, std::uint64_t seed)
        : source_(source), point_(point), seed_(seed) {}
    Time next() {
        const std::int64_t index = index_++;
        if (source_.arrivals == EjfatSource::Arrivals::Periodic)
            return source_.start + times_of(point_.event_size, point_.bit_rate, index);
        const double u = std::ldexp(
            static_cast<double>(random_bits(seed_, Stream::EjfatArrival, static_cast<std::uint64_t>(index)) >> 11),
            -53);
        last_ += Time{static_cast<std::int64_t>(-std::log1p(-u) * static_cast<double>(event_period(point_).count()))};
        return source_.start + last_;
    }

  private:
    const EjfatSource& source_;
    EjfatPoint point_;
    std::uint64_t seed_;
    std::int64_t index_ = 0;
    Time last_{0};
};

}  // namespace watershed
