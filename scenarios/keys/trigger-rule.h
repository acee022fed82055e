// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/frontend/senders.h"

namespace watershed {

/// "3 in 40 us", "bucket of 3, one in 12 us" or "almost full at 40 frames, after 5 us". @throws std::invalid_argument
TriggerRule parse_trigger_rule(const std::string& text);
/// The text that parses back to the same rule.
std::string to_text(const TriggerRule& rule);

}  // namespace watershed
