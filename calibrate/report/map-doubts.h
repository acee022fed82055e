// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// What in a loss map is likely a slip of its writer, though it can be read.
namespace watershed {

/// Columns that resemble a known one, and, where a scenario is given, separations that are off by a factor near 1000:
/// far below a frame's time on its link, so that no trigger can be answered, or so far above the time that the uplink
/// needs for an event that none can lose.
std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions);

/// By which part of it the fitted service rate is off the scenario's uplink rate, if that is more than a tenth and
/// beyond its 95 % interval, or if five sixths of what the chosen kind leaves possible lie so. Nothing where the rate
/// is given or the scenario's counts for nothing, where bursts contradict each other, and of a receiver.
std::optional<double> rate_off_nominal(const Fit& fit);
/// The same in words, "service rate 50 % below the scenario's 5 Gb/s", and what usually makes it so; empty or both.
struct RateDoubt {
    std::string off, reasons;
};
RateDoubt rate_doubt(const Fit& fit);

/// "uneven uplinks, ", what the chosen kind has beside a plain memory; "perhaps uneven uplinks (86 %), ", if it is a
/// plain memory and one with a feature is nearly as likely, or likelier; else empty.
std::string feature_doubt(const Fit& fit);

/// Of the fitted service rate beside the scenario's: a factor near 1000, or near 8 as between bits and bytes.
std::vector<std::string> warnings_of(const Fit& fit);

/// Says them on standard error.
void warn_of(const std::vector<std::string>& doubts);

}  // namespace watershed
