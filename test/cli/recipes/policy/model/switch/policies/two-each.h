// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed {

/// No queue holds more than two.
class TwoEach final : public QueueAccounts {
  public:
    using QueueAccounts::QueueAccounts;

  private:
    bool may_grow(int queue, std::int64_t) const override { return drawn(queue) < 2; }
};

namespace policies {
extern const SharingPolicy two_each;
}

}  // namespace watershed
