// SPDX-License-Identifier: GPL-2.0-only
#include <utility>

#include "model/switch/buffer.h"
#include "model/switch/limit.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Most that the queue of each class may hold, from class 0 on; classes beyond the list have no limit.
class ClassLimits final : public Limit {
  public:
    explicit ClassLimits(std::vector<std::int64_t> most) : most_(std::move(most)) {}
    bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount, Bytes) const override {
        const auto traffic_class = static_cast<std::size_t>(queue % accounts.layout().classes);
        return traffic_class >= most_.size() || accounts.held(queue) + amount <= most_[traffic_class];
    }

  private:
    std::vector<std::int64_t> most_;
};

}  // namespace

namespace policies {

std::unique_ptr<Limit> class_limits(const Buffer& buffer, const MemoryUnits& units);

std::unique_ptr<Limit> class_limits(const Buffer& buffer, const MemoryUnits& units) {
    if (buffer.class_limits.empty()) return nullptr;
    std::vector<std::int64_t> most;
    for (const MemorySize limit : buffer.class_limits)
        most.push_back(units.amount("switch.buffer.class_limits", limit));
    return std::make_unique<ClassLimits>(std::move(most));
}

}  // namespace policies
}  // namespace watershed
