// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/exact/engine.h"
#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// The first triggers, as early as dead time and rules of some trigger allow, of which the last one loses a frame in
/// the scenario's own memory and order of ties; nothing if so many lose none.
std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit);

}  // namespace watershed
