// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/guarantee/switch-analysis.h"

namespace watershed {

/// Adds to the jitter of a module and of the streams over its link the time for which they hold each other up.
///
/// The link is a queue: an event takes S on it, with the gaps between its frames, a stream's frame s. Let R be the
/// longest time from the instant at which an event or a frame is ready until it has left (bound_mixed_queue()). Without
/// the streams, frame q of an event leaves c_q or more after it is ready, with them at most R - (S - c_q). So each
/// frame of the module is late by R - S at most, and each frame of a stream by R - s. R - S and R - s are longest on
/// the slowest link.
/// If triggers may ask for more than the link sends, analysis.links_bounded becomes false instead; with a distance of
/// analysis.least_distance they do not.
/// @param module  a kind of one module
/// @param analysis  switch of that module with all its streams, whose jitter is changed
/// @param why     receives the key by which nothing bounds R
/// @return false in that case
bool hold_up(GroupAnalysis& module, SwitchAnalysis& analysis, UnsupportedKey* why);

}  // namespace watershed
