// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>

#include "calibrate/closed-form/queue-model.h"

/// What uplinks that carry different numbers of modules lose of a memory that they share.
namespace watershed {

/// So many uplinks carry so many modules each.
struct UplinkLoad {
    std::int64_t modules = 0, uplinks = 0;
};

/// The fullest first; the last may be none.
struct UplinkLoads : std::array<UplinkLoad, 3> {
    std::int64_t most() const { return front().modules; }
    std::int64_t least() const {
        return (*this)[2].uplinks > 0 ? (*this)[2].modules : (*this)[1].uplinks > 0 ? (*this)[1].modules : most();
    }
    bool even() const { return least() == most(); }
};

/// Those of a burst: N modules over k uplinks, of which the first N mod k carry one module more, unless the fullest
/// uplink carries a share of its own.
UplinkLoads loads_of(const QueueModel& model, const Burst& burst);

/// What a burst towards uneven uplinks overflows by.
struct UnevenOverflow {
    double frames = 0;
    double unknown = 0;  ///< how far that may be off, for who asks first when places become free
};

/// Frames leave a full memory evenly, but enter it in proportion to the loads: the fullest uplink's queue takes the
/// memory over, until the others are empty and wait, and then all lose the same share as the fullest. That is so on
/// average over the orders in which modules may ask for free places; if theirs is given, whole places are counted.
/// @param drained  frames that an uplink which always has some sends from the first trigger to the last; not negative
UnevenOverflow overflow_of_uneven(const UplinkLoads& loads, const Burst& burst, double room, double drained,
                                  AskingOrder order);

}  // namespace watershed
