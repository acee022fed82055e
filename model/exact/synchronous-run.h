// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/outcome.h"
#include "model/exact/synchronous-camera.h"

/// Two fast paths of the exact engine for synchronous cameras; their outcomes equal the general path's in every member.
namespace watershed {

/// Whether these paths can run the camera; run_by_trigger() wants one for which counts suffice.
inline bool runs_fast(const SynchronousCamera& camera) { return camera.times.whole; }

/// Runs trigger by trigger: a trigger's frames meet one occupancy, and an uplink's frames are only counted.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_trigger(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

/// Runs frame by frame.
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_frame(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer);

}  // namespace watershed
