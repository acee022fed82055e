// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/burst.h"

namespace watershed {

/// Times a service rate it is the part of what arrives that the uplinks send on while this burst lasts: their load,
/// turned round. 0 for a single event.
double sent_per_rate(const Burst& burst);

/// Jeffreys's prior of a service rate, to a factor: log of the standard deviation of d ln(threshold) / d ln(rate) over
/// bursts of which `sent_per_rate` is given. A rate is known the better the nearer it brings bursts to saturation; a
/// posterior that takes all rates as alike lies too low by a part of its width, the larger the fewer the bursts. 0
/// where all bursts are alike.
double log_spread_of_slopes(const std::vector<double>& sent_per_rate, double rate);

}  // namespace watershed
