// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/network/network.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Back-pressure: a trigger is refused if the memory of the switch held so much some time before, after all that
/// happened until then, at that instant, too.
struct AlmostFull {
    Time latency;        ///< from the look at the memory to the trigger
    std::int64_t level;  ///< in the unit of the memory

    /// @return std::nullopt if no rule asks for it
    /// @throws KeyError where not one memory is followed, or others would have to know all triggers before
    static std::optional<AlmostFull> of(const NetworkScenario& scenario);

    bool refuses(const SwitchMemory& memory) const;
};

}  // namespace watershed
