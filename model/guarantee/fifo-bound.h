// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// Bounds the output FIFO of a module that has a limit. It is a queue of that module's frames alone, which its link
/// empties: with h_k, J and f frames for each trigger as in Guarantee, and a slot of s on the slowest link, it holds at
/// most
///     max over k of f (k + 1) - floor(max(h_k - J, 0) / s),
/// the frame that is being sent among them, and modules in step reach that.
/// @return nothing, and why, where too many triggers would have to be followed
std::optional<FifoGuarantee> bound_fifo(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                        UnsupportedKey* why);

}  // namespace watershed
