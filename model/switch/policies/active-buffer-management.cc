// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/active-buffer-management.h"

#include "model/switch/memory-units.h"
#include "model/switch/sharing.h"

namespace watershed::policies {

const SharingPolicy active_buffer_management = [] {
    SharingPolicy policy;
    policy.name = "abm";
    policy.help =
        "the dynamic threshold with alpha divided by the number of congested queues, which hold nine tenths of their "
        "threshold";
    policy.drawn = ", ABM";
    policy.has_alpha = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<ActiveBufferManagement>(layout, buffer.alpha);
    };
    return policy;
}();

}  // namespace watershed::policies
