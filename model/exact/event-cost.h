// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/network/incast.h"

namespace watershed {

/// About what an event costs the exact engine, in frames that are followed one by one. A budget of work in this unit is
/// the same on every machine.
double cost_of_event(const Incast& scenario);

}  // namespace watershed
