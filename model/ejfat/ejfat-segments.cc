// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-segments.h"

#include <cmath>

#include "model/base/random.h"

namespace watershed {
namespace {

constexpr std::int64_t kLinkOverhead = 38;  // preamble 8, MAC 14, FCS 4, gap 12

/// Picoseconds in which `bytes` pass at this rate, times n.
Time times_of(Bytes bytes, BitRate rate, std::int64_t n) {
    return Time{static_cast<std::int64_t>(Wide{n} * bytes.count * 8 * 1'000'000'000'000 / rate.count)};
}

}  // namespace

std::int64_t EjfatSegmenter::packets() const {
    std::int64_t all = 0;
    for (int source = 0; source < source_.count; ++source) all += packets(source);
    return all;
}

Bytes EjfatSegmenter::wire(int source) const {
    return Bytes{part(source) + packets(source) * (kHeaders + kLinkOverhead)};
}

Bytes EjfatSegmenter::wire() const {
    Bytes all{0};
    for (int source = 0; source < source_.count; ++source) all += wire(source);
    return all;
}

Time event_period(const EjfatPoint& point) { return times_of(point.event_size, point.bit_rate, 1); }

Time EjfatEventClock::next() {
    const std::int64_t index = index_++;
    if (source_.arrivals == EjfatSource::Arrivals::Periodic)
        return source_.start + times_of(point_.event_size, point_.bit_rate, index);
    const double u = std::ldexp(
        static_cast<double>(random_bits(seed_, Stream::EjfatArrival, static_cast<std::uint64_t>(index)) >> 11), -53);
    last_ += Time{static_cast<std::int64_t>(-std::log1p(-u) * static_cast<double>(event_period(point_).count()))};
    return source_.start + last_;
}

}  // namespace watershed
