// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// R. Krawczyk, vCHEP 2021: LHCb's event distribution by RoCE.
std::vector<Comparison> validate_lhcb(const Validation& validation);

}  // namespace watershed
