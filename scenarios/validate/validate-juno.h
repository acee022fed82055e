// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// R. Triozzi et al.: JUNO's readout by IPbus, and the flashing of its firmware.
std::vector<Comparison> validate_juno(const Validation& validation);

}  // namespace watershed
