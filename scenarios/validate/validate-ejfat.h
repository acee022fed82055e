// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// M. Goodrich et al., EJFAT: a load balancer between data sources and worker nodes.
std::vector<Comparison> validate_ejfat(const Validation& validation);

}  // namespace watershed
