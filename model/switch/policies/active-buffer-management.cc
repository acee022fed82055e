// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "model/base/quantities.h"
#include "model/switch/buffer.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// ABM: a dynamic threshold whose alpha is divided among the n congested queues of the same class in the pool, and
/// times the share of its port's rate at which the queue is emptied (Addanki, Apostolaki, Ghobadi, Schmid and Vanbever,
/// SIGCOMM 2022). A queue is congested if it draws at least nine tenths of its threshold; since that depends on n
/// itself, n is the largest number for which this many are. A policy sees no rates: the share is that of a round robin
/// among the classes of the port that hold something.
class ActiveBufferManagement final : public LimitingPolicy {
  public:
    ActiveBufferManagement(const Layout& layout, const Buffer& buffer)
        : LimitingPolicy(layout),
          alpha_(buffer.alpha),
          first_alpha_(buffer.first_alpha),
          whole_(buffer.threshold_whole) {}

  private:
    bool may_grow(int queue, std::int64_t amount) const override { return grows(queue, amount, alpha_); }
    bool first_may_grow(int queue, std::int64_t amount) const override { return grows(queue, amount, first_alpha_); }
    bool stays_below_threshold(int queue, std::int64_t amount, std::int64_t margin, const Ratio& whole) const override {
        return QueueAccounts::stays_below_threshold(queue, amount, margin,
                                                    part_of(whole, queue, std::max(1, congested(queue, whole))));
    }
    bool grows(int queue, std::int64_t amount, const Ratio& whole) const {
        const Ratio alpha = part_of(whole, queue, std::max(1, congested(queue, alpha_)));
        return whole_ ? fits_below(queue, alpha, amount) : is_below(queue, alpha);
    }

    /// Among the neighbours of `queue`. The more are assumed, the lower the threshold and the more there are, so that
    /// counting again from all of them downwards ends at the largest number that agrees with itself.
    int congested(int queue, const Ratio& whole) const {
        const int classes = layout().classes;
        int assumed = layout().queues / classes;
        for (;;) {
            int found = 0;
            for (int other = queue % classes; other < layout().queues; other += classes)
                if (pool_of(other) == pool_of(queue) && drawn(other) > 0 && is_congested(other, assumed, whole))
                    ++found;
            if (found == assumed || found == 0) return found;
            assumed = found;
        }
    }
    bool is_congested(int queue, int assumed, const Ratio& whole) const {
        const Ratio alpha = part_of(whole, queue, assumed);
        return Wide{drawn(queue)} * alpha.denominator * 10 >= Wide{free(queue)} * alpha.numerator * 9;
    }
    Ratio part_of(const Ratio& alpha, int queue, int congested) const {
        return {alpha.numerator, alpha.denominator * congested * served(queue)};
    }
    /// Classes of its port that are served in turn, its own among them.
    int served(int queue) const {
        if (layout().classes == 1) return 1;
        const int first = queue - queue % layout().classes;
        int number = held(queue) == 0;
        for (int each = first; each < first + layout().classes; ++each) number += held(each) > 0;
        return number;
    }

    Ratio alpha_, first_alpha_;
    bool whole_;
};

}  // namespace

extern const SharingPolicy active_buffer_management;
const SharingPolicy active_buffer_management = [] {
    SharingPolicy policy;
    policy.name = "abm";
    policy.help =
        "the dynamic threshold with alpha divided by the number of congested queues of the same class, which hold nine "
        "tenths of their threshold, and by that of the classes of the port that hold something";
    policy.drawn = ", ABM";
    policy.has_alpha = true;
    policy.knows_first = true;
    policy.may_be_whole = true;
    policy.is_monotone = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<ActiveBufferManagement>(layout, buffer);
    };
    return policy;
}();

}  // namespace watershed::policies
