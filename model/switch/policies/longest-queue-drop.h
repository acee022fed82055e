// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed {

/// Push-out of the longest queue: a queue may grow as long as its pool has room; where it has none, the last frame of
/// the pool's longest queue goes instead of the one that arrives (Wei, Coyle and Hsiao, GLOBECOM 1991; Aiello,
/// Kesselman and Mansour, ACM Transactions on Algorithms 5, 2008). The length of a queue is what it draws from the
/// pool. Among queues of one length the arriving frame's own counts as the longest, and then that with the lowest
/// number; if its own is the longest, that frame goes itself.
class LongestQueueDrop final : public QueueAccounts {
  public:
    using QueueAccounts::QueueAccounts;

    std::optional<int> victim(int queue, const MayLose& may_lose) const override;

  private:
    bool may_grow(int, std::int64_t) const override { return true; }
};

namespace policies {
extern const SharingPolicy longest_queue_drop;
}

}  // namespace watershed
