// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "model/base/quantities.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// ABM: a dynamic threshold whose alpha is divided among the n congested queues of the pool (Addanki, Apostolaki,
/// Ghobadi, Schmid and Vanbever, SIGCOMM 2022). A queue is congested if it draws at least nine tenths of its threshold;
/// since that depends on n itself, n is the largest number for which this many are. The paper's further factor, a
/// queue's share of its port's rate, is 1 here: a port serves one queue of the camera.
class ActiveBufferManagement final : public QueueAccounts {
  public:
    ActiveBufferManagement(const Layout& layout, Ratio alpha) : QueueAccounts(layout), alpha_(alpha) {}

  private:
    bool may_grow(int queue, std::int64_t /*amount*/) const override {
        return Wide{drawn(queue)} * alpha_.denominator * std::max(1, congested(queue)) <
               Wide{free(queue)} * alpha_.numerator;
    }

    /// Among the neighbours of `queue`. The more are assumed, the lower the threshold and the more there are, so that
    /// counting again from all of them downwards ends at the largest number that agrees with itself.
    int congested(int queue) const {
        int assumed = layout().queues;
        for (;;) {
            int found = 0;
            for (int other = 0; other < layout().queues; ++other)
                if (pool_of(other) == pool_of(queue) && drawn(other) > 0 &&
                    Wide{drawn(other)} * alpha_.denominator * assumed * 10 >= Wide{free(queue)} * alpha_.numerator * 9)
                    ++found;
            if (found == assumed || found == 0) return found;
            assumed = found;
        }
    }

    Ratio alpha_;
};

}  // namespace

extern const SharingPolicy active_buffer_management;
const SharingPolicy active_buffer_management = [] {
    SharingPolicy policy;
    policy.name = "abm";
    policy.help =
        "the dynamic threshold with alpha divided by the number of congested queues, which hold nine tenths of their "
        "threshold";
    policy.drawn = ", ABM";
    policy.has_alpha = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<ActiveBufferManagement>(layout, buffer.alpha);
    };
    return policy;
}();

}  // namespace watershed::policies
