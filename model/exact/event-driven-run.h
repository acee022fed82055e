// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/obstacle.h"
#include "model/base/outcome.h"
#include "model/network/incast.h"

namespace watershed {

/// The first key of this scenario that makes frames wait or leave otherwise than in the order of admission,
/// pushes them out, or holds their senders, at any of its switches: a departure is then not known at admission, and
/// run_event_driven() must follow every event. The key is named as of [switch].
Obstacle needs_events(const Incast& scenario);

/// Follows a scenario, of any network of switches, event by event in integer arithmetic; at one instant in the order of
/// StepPlace.
Outcome run_event_driven(const Incast& scenario, const Observer* observer);

}  // namespace watershed
