// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/longest-queue-drop.h"

namespace watershed {

std::optional<int> LongestQueueDrop::victim(int queue, const MayLose& may_lose) const {
    int longest = queue;
    for (int other = 0; other < layout().queues; ++other)
        if (pool_of(other) == pool_of(queue) && drawn(other) > drawn(longest) && may_lose(other)) longest = other;
    if (longest == queue) return std::nullopt;
    return longest;
}

const SharingPolicy policies::longest_queue_drop = [] {
    SharingPolicy policy;
    policy.name = "longest-queue-drop";
    policy.help =
        "one memory for all; when it is full, the last frame of the longest queue goes instead of the one that arrives";
    policy.drawn = ", longest queue drops";
    policy.make = [](const Buffer&, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<LongestQueueDrop>(layout);
    };
    policy.evicts = true;
    return policy;
}();

}  // namespace watershed
