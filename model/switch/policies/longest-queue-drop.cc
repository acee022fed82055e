// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// Push-out of the longest queue: a queue may grow as long as its pool has room; where it has none, the last frame of
/// the pool's longest queue goes instead of the one that arrives (Wei, Coyle and Hsiao, GLOBECOM 1991; Aiello,
/// Kesselman and Mansour, ACM Transactions on Algorithms 5, 2008). The length of a queue is what it draws from the
/// pool. Among queues of one length the arriving frame's own counts as the longest, and then that with the lowest
/// number; if its own is the longest, that frame goes itself.
class LongestQueueDrop final : public QueueAccounts {
  public:
    using QueueAccounts::QueueAccounts;

    std::optional<int> victim(int queue, const MayLose& may_lose) const override {
        int longest = queue;
        for (int other = 0; other < layout().queues; ++other)
            if (pool_of(other) == pool_of(queue) && drawn(other) > drawn(longest) && may_lose(other)) longest = other;
        if (longest == queue) return std::nullopt;
        return longest;
    }
};

}  // namespace

extern const SharingPolicy longest_queue_drop;
const SharingPolicy longest_queue_drop = [] {
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

}  // namespace watershed::policies
