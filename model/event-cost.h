// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/scenario.h"

namespace watershed {

/// What an event costs the exact engine, about, in frames that are followed one by one: work is budgeted by it, so that a budget is the
/// same on every machine.
double cost_of_event(const Scenario& scenario);

}  // namespace watershed
