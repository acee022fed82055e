// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// No queue holds more than two.
class TwoEach final : public LimitingPolicy {
  public:
    explicit TwoEach(const Layout& layout) : LimitingPolicy(layout) {}

  private:
    bool may_grow(int queue, std::int64_t) const override { return drawn(queue) < 2; }
};

}  // namespace

extern const SharingPolicy two_each;
const SharingPolicy two_each = [] {
    SharingPolicy policy;
    policy.name = "two-each";
    policy.help = "no queue holds more than two";
    policy.make = [](const Buffer&, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<TwoEach>(layout);
    };
    return policy;
}();

}  // namespace watershed::policies
