// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/timestamp.h"
#include "model/network/network.h"

namespace watershed {

/// The grid on which the exact times of a camera are told.
struct ExactTimes {
    TimeGrid grid;
    /// Every byte lasts a whole number of ticks on every link. Otherwise (clocks or rates with many odd digits, each
    /// link its own) this holds for as many links as there is room for, and frames of the others end rounded up to a
    /// tick, 10^-18 ps.
    bool whole = true;
};

/// Returns the duration of a slot on a link of this rate, in whole ticks of the grid.
/// @throws TimeExceeded if it is too long
TickDuration span_of(const TransmissionTime& slot, BitRate rate, TimeGrid grid);

/// The coarsest grid on which a byte lasts a whole number of ticks on all links and on the fabric; one tick where bytes
/// last whole picoseconds.
ExactTimes exact_times(const NetworkScenario& scenario);

}  // namespace watershed
