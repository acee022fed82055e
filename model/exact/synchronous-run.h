// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/base/outcome.h"
#include "model/exact/synchronous-camera.h"

/// Two fast paths of the exact engine for synchronous cameras; their outcomes equal the general path's in every member.
namespace watershed {

/// Whether these paths can run the camera; run_by_trigger() wants more.
inline bool runs_fast(const SynchronousCamera& camera) { return camera.times.whole; }
/// Whether run_by_trigger() can run a camera that runs_fast().
inline bool runs_by_trigger(const SynchronousCamera& camera) {
    return camera.pools == SynchronousCamera::Pools::All && camera.counts_suffice();
}

/// Runs trigger by trigger: a trigger's frames meet one occupancy, so that the number admitted tells the fate of each.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_trigger(const SynchronousCamera& camera, const Incast& scenario, const Observer* observer);

/// Runs frame by frame.
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_by_frame(const SynchronousCamera& camera, const Incast& scenario, const Observer* observer);

}  // namespace watershed
