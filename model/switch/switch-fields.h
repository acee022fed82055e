// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/field.h"
#include "model/switch/switch.h"

namespace watershed {

using SwitchField = Field<Switch, std::optional<ResumeLevel>, std::vector<PortGroup>, std::vector<GateEntry>>;

/// All that a scenario may say of a switch, its flow control and its memory; in the order of the manual.
const std::vector<SwitchField>& switch_fields();

}  // namespace watershed
