// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/guarantee/switch-guarantee.h"

/// Memories that count the frames of each input.
namespace watershed {

/// Returns true if a memory for all decides by what an input holds, alone or beside the outputs.
bool counts_inputs(const Buffer& buffer);

/// Returns true if a memory of which counts_inputs() is true takes all frames while every count is at its largest.
///
/// Up to the first loss a switch behaves as with unlimited memory, so no count exceeds its bound there. A monotone rule
/// (SharingPolicy::is_monotone), which grants with less in any queue what it grants with more, loses nothing if it
/// grants the last frame of each input while all other counts are at their bounds.
///
/// Modules in step. When the last frame of a trigger has come, a queue of m modules holds the frames of the last b
/// triggers, apart from those of the oldest of them that have left: (b - 1) m + q frames, 0 < q <= m. So q of its
/// modules hold b frames and the others b - 1. Any q modules may be these, whatever slice their inputs belong to, and
/// any of the m may come last, because frames of one instant come in any order. Before this frame no input holds more.
/// So a memory that does not grant loses a frame in some order.
///
/// Modules out of step. Each input may hold its bound, all at once.
/// @param frame  size of a frame in the memory
bool takes_all_by_input(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame);

}  // namespace watershed
