// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// Each input has a memory of its own.
inline bool has_account_by_input(const Buffer& buffer) {
    return buffer.sharing->pools == SharingPolicy::Pools::PerInput;
}

/// Whether a memory takes all that its queues hold at most, the last frame of each queue coming last.
/// @param frame  what each costs it
bool takes_all(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame);

/// The least size of the switch's memory with which it takes all; nothing where another limit is in the way.
std::optional<MemorySize> needed_size(const SwitchGuarantee& guarantee, Bytes frame);

}  // namespace watershed
