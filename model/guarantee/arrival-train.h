// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/slot.h"

/// Trains of arrivals that keep distances, in exact times.
namespace watershed {

/// Exact times, in ticks of which a picosecond has so many.
struct Ticks {
    Wide in_picosecond = 1;

    Wide of(Time time) const { return Wide{time.count()} * in_picosecond; }
    Wide of(const Slot& slot) const { return slot.numerator * (in_picosecond / slot.denominator); }
};

/// In which each slot is whole; nothing where times would not fit.
std::optional<Ticks> ticks_for(const std::vector<Slot>& slots);

/// A distance that all arrivals keep.
struct ArrivalSpacing {
    std::int64_t triggers;
    Wide apart;

    /// Whether in the long run this one admits fewer triggers.
    bool is_wider_than(const ArrivalSpacing& other) const {
        return static_cast<double>(apart) * static_cast<double>(other.triggers) >
               static_cast<double>(other.apart) * static_cast<double>(triggers);
    }
};

/// Arrivals at a switch: a link sends one frame after the other.
std::vector<Wide> behind_link(const std::vector<Time>& triggers, const Ticks& ticks, Wide slot);
ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings);
/// The earliest that may follow.
Wide next_time(const std::vector<Wide>& times, const std::vector<ArrivalSpacing>& spacings);
/// The least distance of two of these times that are k apart, for each k.
std::vector<Wide> least_distances(const std::vector<Wide>& times);

}  // namespace watershed
