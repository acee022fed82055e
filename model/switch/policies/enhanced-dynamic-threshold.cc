// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/quantities.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// A dynamic threshold that lets a burst pass: a queue may also grow above its threshold until it has taken `excess`
/// there, and has that to spend again once it has been empty. The idea is that of Shan, Jiang and Ren (INFOCOM 2015),
/// who end the freedom by timers and counters; here it is an amount, since a policy sees no clock.
class EnhancedDynamicThreshold final : public RememberingPolicy {
  public:
    EnhancedDynamicThreshold(const Layout& layout, Ratio alpha, std::int64_t excess)
        : RememberingPolicy(layout),
          alpha_(alpha),
          excess_(excess),
          left_(static_cast<std::size_t>(layout.queues), excess) {}

  private:
    bool may_grow(int queue, std::int64_t /*amount*/) const override {
        return below_threshold(drawn(queue), free(queue)) || left_[static_cast<std::size_t>(queue)] > 0;
    }

    void changed(int queue, std::int64_t before, bool /*left*/) override {
        std::int64_t& left = left_[static_cast<std::size_t>(queue)];
        const std::int64_t taken = drawn(queue) - beyond_reserve(before);
        if (taken > 0 && !below_threshold(beyond_reserve(before), free(queue) + taken)) left -= taken;
        if (held(queue) == 0) left = excess_;
    }

    bool below_threshold(std::int64_t drawn, std::int64_t free) const {
        return Wide{drawn} * alpha_.denominator < Wide{free} * alpha_.numerator;
    }

    Ratio alpha_;
    std::int64_t excess_;
    std::vector<std::int64_t> left_;  ///< rest of the excess, by queue
};

}  // namespace

extern const SharingPolicy enhanced_dynamic_threshold;
const SharingPolicy enhanced_dynamic_threshold = [] {
    SharingPolicy policy;
    policy.name = "enhanced-dynamic-threshold";
    policy.help = "a queue may exceed its dynamic threshold by `excess` each time it has been empty";
    policy.drawn = ", enhanced threshold";
    policy.has_alpha = true;
    policy.has_excess = true;
    policy.remembers = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits& units,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<EnhancedDynamicThreshold>(layout, buffer.alpha,
                                                          units.amount("switch.buffer.excess", buffer.excess));
    };
    return policy;
}();

}  // namespace watershed::policies
