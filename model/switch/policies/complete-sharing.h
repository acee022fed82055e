// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/switch/queue-accounts.h"

namespace watershed {

/// A queue may grow as long as its pool has room. With one pool for all queues this is complete sharing, with one for
/// each queue complete partitioning (Kamoun and Kleinrock, 1980).
class CompleteSharing final : public QueueAccounts {
  public:
    using QueueAccounts::QueueAccounts;

  private:
    bool may_grow(int, std::int64_t) const override { return true; }
};

}  // namespace watershed
