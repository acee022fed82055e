// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/exact/engine.h"
#include "model/network/network.h"

/// Replay of a bound's triggers, and trains that lose frames.
namespace watershed {

/// Returns the scenario with triggers at `times` in place of its own.
NetworkScenario with_triggers(NetworkScenario scenario, const std::vector<Time>& times);
/// Returns the scenario with a memory of at least `frames` frames and default settings in each switch, and FIFOs
/// without limit. Frames move to a second tier of such a size as they do in the scenario, and leave later for it.
NetworkScenario with_ample_memory(NetworkScenario scenario, std::int64_t frames);

/// Returns the number of lost frames, of the camera and of the streams beside it.
std::int64_t all_frames_lost(const Outcome& outcome);
/// Returns about the number of frames that streams send beside the camera's.
double frames_of_streams(const NetworkScenario& scenario);

/// Returns the shortest beginning of the earliest train that loses a frame, with the scenario's own memory and order of
/// ties. Its last trigger causes the first loss. @return std::nullopt if `limit` triggers lose none
/// @param rules  trigger with the dead time and the rules of the train; each trigger comes as early as they allow
std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit);

}  // namespace watershed
