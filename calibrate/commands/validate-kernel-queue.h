// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace watershed {

/// Own measurement of a Linux token bucket filter: what a fit finds in the two loss maps beside what was configured,
/// and the losses of all measured bursts beside those of the configured queue.
std::vector<Comparison> validate_kernel_queue(const Validation& validation);

}  // namespace watershed
