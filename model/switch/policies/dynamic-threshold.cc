// SPDX-License-Identifier: GPL-2.0-only
#include <utility>
#include <vector>

#include "model/base/quantities.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// A queue may grow while it is below alpha times what is free in its pool (Choudhury and Hahne, IEEE/ACM Transactions
/// on Networking 6, 1998). n congested queues come to rest at alpha / (1 + n alpha) of the pool each, and the rest
/// stays free for queues that begin.
class DynamicThreshold final : public QueueAccounts {
  public:
    /// @param of_classes  in place of alpha, from class 0 on
    DynamicThreshold(const Layout& layout, Ratio alpha, std::vector<Ratio> of_classes = {})
        : QueueAccounts(layout, of_classes.empty() ? std::optional(alpha) : std::nullopt),
          alpha_(alpha),
          of_classes_(std::move(of_classes)) {}

  private:
    bool may_grow(int queue, std::int64_t /*amount*/) const override {
        return is_below(queue, of_class(queue % layout().classes));
    }
    const Ratio& of_class(int traffic_class) const {
        const auto index = static_cast<std::size_t>(traffic_class);
        return index < of_classes_.size() ? of_classes_[index] : alpha_;
    }

    Ratio alpha_;
    std::vector<Ratio> of_classes_;
};

}  // namespace

const SharingPolicy dynamic_threshold = [] {
    SharingPolicy policy;
    policy.name = "dynamic-threshold";
    policy.help = "a queue may grow while it is below alpha times the free memory";
    policy.drawn = ", dynamic threshold";
    policy.has_alpha = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<DynamicThreshold>(layout, buffer.alpha, buffer.class_alphas);
    };
    return policy;
}();

}  // namespace watershed::policies
