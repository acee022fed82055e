// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/dynamic-threshold.h"

#include "model/switch/memory-units.h"
#include "model/switch/sharing.h"

namespace watershed::policies {

const SharingPolicy dynamic_threshold = [] {
    SharingPolicy policy;
    policy.name = "dynamic-threshold";
    policy.help = "a queue may grow while it is below alpha times the free memory";
    policy.drawn = ", dynamic threshold";
    policy.has_alpha = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<DynamicThreshold>(layout, buffer.alpha, buffer.class_alphas);
    };
    return policy;
}();

}  // namespace watershed::policies
