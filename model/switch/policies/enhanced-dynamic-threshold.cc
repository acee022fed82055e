// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/enhanced-dynamic-threshold.h"

#include "model/switch/memory-units.h"
#include "model/switch/sharing.h"

namespace watershed::policies {

const SharingPolicy enhanced_dynamic_threshold = [] {
    SharingPolicy policy;
    policy.name = "enhanced-dynamic-threshold";
    policy.help = "a queue may exceed its dynamic threshold by `excess` each time it has been empty";
    policy.drawn = ", enhanced threshold";
    policy.has_alpha = true;
    policy.has_excess = true;
    policy.remembers = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits& units,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<EnhancedDynamicThreshold>(layout, buffer.alpha,
                                                          units.amount("switch.buffer.excess", buffer.excess));
    };
    return policy;
}();

}  // namespace watershed::policies
