// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>

#include "model/switch/buffer.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed {

/// The accounts of the policy of that name, in frames.
inline std::unique_ptr<QueueAccounts> made(const char* sharing, const QueueAccounts::Layout& layout,
                                           Ratio alpha = {1, 1}, std::int64_t excess = 0) {
    Buffer buffer;
    buffer.size = {layout.pool_size, MemorySize::Unit::Frame};
    buffer.alpha = alpha;
    buffer.excess = {excess, MemorySize::Unit::Frame};
    return Sharing::named(sharing)->make(buffer, MemoryUnits(buffer), layout);
}

}  // namespace watershed
