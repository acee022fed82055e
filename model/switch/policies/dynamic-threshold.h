// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/quantities.h"
#include "model/switch/queue-accounts.h"

namespace watershed {

/// A queue may grow while it is below alpha times what is free in its pool (Choudhury and Hahne, IEEE/ACM Transactions
/// on Networking 6, 1998). n congested queues come to rest at alpha / (1 + n alpha) of the pool each, and the rest
/// stays free for queues that begin.
class DynamicThreshold final : public QueueAccounts {
  public:
    DynamicThreshold(const Layout& layout, Ratio alpha) : QueueAccounts(layout), alpha_(alpha) {}

  private:
    bool may_grow(int queue) const override {
        return Wide{drawn(queue)} * alpha_.denominator < Wide{free(queue)} * alpha_.numerator;
    }

    Ratio alpha_;
};

}  // namespace watershed
