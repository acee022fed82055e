// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/unsupported-key.h"
#include "model/exact/uniform-camera.h"
#include "model/network/network.h"

namespace watershed {

/// Whether run_by_frame() can run the camera; run_by_trigger() wants one for which counts suffice.
inline bool runs_fast(const SynchronousCamera& camera) { return camera.times.whole; }

/// Runs a synchronous camera trigger by trigger, with the outcome of run_event_driven(): a trigger's frames meet one
/// occupancy, and an uplink's frames are only counted.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_trigger(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// Runs a synchronous camera frame by frame, with the outcome of run_event_driven().
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_frame(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// Runs frames of one size one by one through switches where they wait for their uplink alone, with the outcome of
/// run_event_driven().
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_uniform(const UniformCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// The first key of this scenario that makes frames wait or leave otherwise than in the order of admission,
/// pushes them out, or holds their senders, at any of its switches: a departure is then not known at admission, and
/// run_event_driven() must follow every event. The key is named as of [switch].
UnsupportedKey needs_events(const NetworkScenario& scenario);

/// Follows any scenario, of any network of switches, event by event in integer arithmetic; at one instant in the order
/// of SameTimeOrder.
Outcome run_event_driven(const NetworkScenario& scenario, const Observer* observer);

/// The first key, if any, that is modelled at a single switch only, although the scenario has several; otherwise empty.
std::string key_for_one_switch(const NetworkScenario& scenario);

/// Whether run_per_switch() can run this scenario: all switches lead to the server alone, so that each is a scenario of
/// its own.
bool is_separable(const NetworkScenario& scenario, const Network& network);

/// For each switch the first one, perhaps itself, that sees the same: what happens there is known once that one has
/// been followed.
std::vector<int> representative_switch(const NetworkScenario& scenario, const Network& network);

/// Runs switch by switch and puts the outcomes together. Of switches that see the same, only the first is run.
/// @param observer  of whose members only `progress` and `incomplete` are told
/// @param run       runs one switch
Outcome run_per_switch(const NetworkScenario& scenario, const Network& network, const Observer* observer,
                       const std::function<Outcome(const NetworkScenario&, const Observer*)>& run);

}  // namespace watershed
