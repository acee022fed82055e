// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"

/// Doubts of a fitted rate that a port of the scenario cannot have, or hardly has.
namespace watershed {

/// Returns the relative deviation of the fitted rate from the scenario's, if above a tenth and beyond its 95 %
/// interval, or likely so; and if all of the interval is faster than the clock of a port may be, 100 ppm, and rounded
/// separations let it seem. std::nullopt if the rate is given or no scenario counts, if bursts contradict each other,
/// and for receivers.
std::optional<double> rate_off_nominal(const Fit& fit);
/// Deviation of the rate in words, or two empty texts.
struct RateMismatch {
    /// "service rate 50 % below the scenario's 5 Gb/s", and its usual causes.
    std::string off, reasons;
    bool of_no_port = false;  ///< true if all of the 95 % interval is faster than the scenario's by more than a half
};
RateMismatch rate_doubt(const Fit& fit);

}  // namespace watershed
