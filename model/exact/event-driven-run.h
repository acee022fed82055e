// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/outcome.h"
#include "model/base/unsupported-key.h"
#include "model/network/network-scenario.h"

namespace watershed {

/// The first key of this scenario that makes frames wait or leave otherwise than in the order of admission,
/// pushes them out, or holds their senders, at any of its switches: a departure is then not known at admission, and
/// run_event_driven() must follow every event. The key is named as of [switch].
UnsupportedKey needs_events(const NetworkScenario& scenario);

/// Follows a scenario, of any network of switches, event by event in integer arithmetic; at one instant in the order of
/// SameTimeOrder.
Outcome run_event_driven(const NetworkScenario& scenario, const Observer* observer);

}  // namespace watershed
