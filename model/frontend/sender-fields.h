// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/field.h"
#include "model/frontend/senders.h"

namespace watershed {

using SenderField =
    Field<Senders, std::optional<Time>, Frequency, std::vector<Time>, ClockTolerance, std::vector<ClockTolerance>,
          std::vector<PayloadShare>, FragmentList, std::vector<TriggerRule>>;

/// All that a scenario may say of frames, front ends and triggers; in the order of the manual.
const std::vector<SenderField>& sender_fields();

}  // namespace watershed
