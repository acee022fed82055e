// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/buffer.h"
#include "model/switch/limit.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Most that all queues of a port may hold together.
class PortLimit final : public Limit {
  public:
    explicit PortLimit(std::int64_t most) : most_(most) {}
    bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount) const override {
        const int classes = accounts.layout().classes, first = queue - queue % classes;
        for (int each = first; each < first + classes; ++each) amount += accounts.held(each);
        return amount <= most_;
    }

  private:
    std::int64_t most_;
};

}  // namespace

namespace policies {

std::unique_ptr<Limit> port_limit(const Buffer& buffer, const MemoryUnits& units);

std::unique_ptr<Limit> port_limit(const Buffer& buffer, const MemoryUnits& units) {
    if (!buffer.port_limit) return nullptr;
    return std::make_unique<PortLimit>(units.amount("switch.buffer.port_limit", *buffer.port_limit));
}

}  // namespace policies
}  // namespace watershed
