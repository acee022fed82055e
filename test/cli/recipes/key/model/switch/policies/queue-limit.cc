// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/buffer.h"
#include "model/switch/limit.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

struct QueueLimit final : Limit {
    explicit QueueLimit(std::int64_t amount) : most(amount) {}
    bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount, Bytes) const override {
        return accounts.held(queue) + amount <= most;
    }

    std::int64_t most;
};

}  // namespace

namespace policies {

std::unique_ptr<Limit> queue_limit(const Buffer& buffer, const MemoryUnits& units) {
    if (!buffer.queue_limit) return nullptr;
    return std::make_unique<QueueLimit>(units.amount("switch.buffer.queue_limit", *buffer.queue_limit));
}

}  // namespace policies

}  // namespace watershed
