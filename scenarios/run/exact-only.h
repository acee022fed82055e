// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/simulators.h"

namespace watershed {

/// What a program without ns-3 can simulate: cameras, in the exact engine. The rest throws InputError, which says where
/// ns-3 is to be had.
Simulators exact_only();

}  // namespace watershed
