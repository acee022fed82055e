// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/two-each.h"

namespace watershed {

const SharingPolicy policies::two_each = [] {
    SharingPolicy policy;
    policy.name = "two-each";
    policy.help = "no queue holds more than two";
    policy.make = [](const Buffer&, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<TwoEach>(layout);
    };
    return policy;
}();

}  // namespace watershed
