// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// J. Cullen, NEXPReS: UDPmon over light paths and bandwidth on demand.
std::vector<Comparison> validate_nexpres(const Validation& validation);

}  // namespace watershed
