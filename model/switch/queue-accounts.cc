// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/queue-accounts.h"

#include <stdexcept>
#include <string>

namespace watershed {

void QueueAccounts::broken(int queue, std::int64_t before, std::int64_t difference) const {
    throw std::logic_error("the accounts of the memory do not balance: queue " + std::to_string(queue) + " held " +
                           std::to_string(before) + " and changed by " + std::to_string(difference) + ", pool of " +
                           std::to_string(layout_.pool_size) + " with " +
                           std::to_string(drawn_[static_cast<std::size_t>(pool_of(queue))]) + " drawn");
}

}  // namespace watershed
