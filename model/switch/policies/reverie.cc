// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <vector>

#include "model/base/quantities.h"
#include "model/switch/buffer.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// Reverie: a threshold for what a queue held of late, so that bursts pass (Addanki, Bai, Schmid and Apostolaki, NSDI
/// 2024, and inet-tub/ns3-datacenter, switch-mmu.cc). A low-pass filter follows each queue, a step at each of its
/// departures, and never stands above it; with the frame it must not exceed alpha times what is free, divided by the
/// number of congested queues of the same class. A queue counts in that number by its filtered length over
/// `congested_from`, one at most; the number is one at least. Lossless queues, whose senders are told to pause, are
/// followed with what they have on headroom, and a frame that comes is not in its filter yet.
class Reverie final : public RememberingPolicy {
  public:
    Reverie(const Layout& layout, const Buffer& buffer, std::int64_t congested_from)
        : RememberingPolicy(layout),
          alpha_(buffer.alpha),
          first_alpha_(buffer.first_alpha),
          filter_(buffer.filter),
          congested_from_(congested_from),
          filtered_(static_cast<std::size_t>(layout.queues)) {}

  private:
    static constexpr std::int64_t kOne = 1 << 20;  ///< one unit of the memory in filtered_, a fixed-point number

    bool may_grow(int queue, std::int64_t amount) const override {
        return fits(queue, amount, Wide{free(queue)}, alpha_);
    }
    bool first_may_grow(int queue, std::int64_t amount) const override {
        return fits(queue, amount, Wide{free(queue)}, first_alpha_);
    }
    bool stays_below_threshold(int queue, std::int64_t amount, std::int64_t margin, const Ratio& alpha) const override {
        return fits(queue, margin, free_with(queue, amount), alpha);
    }
    bool occupancy_below(int queue, std::int64_t than) const override { return filtered(queue) < Wide{than} * kOne; }
    bool fits(int queue, std::int64_t more, Wide free, const Ratio& alpha) const {
        return (filtered(queue) + Wide{more} * kOne) * alpha.denominator * congested(queue) <=
               free * kOne * kOne * alpha.numerator;
    }
    void changed(int queue, std::int64_t /*before*/, bool left) override {
        if (!left) return;
        Wide& filtered = filtered_[static_cast<std::size_t>(queue)];
        const Wide now = Wide{drawn(queue) + on_headroom(queue)} * kOne;
        filtered = std::min(now, (filtered * filter_.numerator + now * (filter_.denominator - filter_.numerator)) /
                                     filter_.denominator);
    }
    Wide filtered(int queue) const { return filtered_[static_cast<std::size_t>(queue)]; }
    Wide congested(int queue) const {
        const int classes = layout().classes;
        Wide sum = 0;
        for (int other = queue % classes; other < layout().queues; other += classes)
            if (pool_of(other) == pool_of(queue))
                sum += std::min<Wide>(kOne, filtered(other) / std::max<std::int64_t>(1, congested_from_));
        return std::max<Wide>(kOne, sum);
    }

    Ratio alpha_, first_alpha_, filter_;
    std::int64_t congested_from_;
    std::vector<Wide> filtered_;  ///< filtered lengths by queue, in units of 1 / kOne
};

}  // namespace

extern const SharingPolicy reverie;
const SharingPolicy reverie = [] {
    SharingPolicy policy;
    policy.name = "reverie";
    policy.help =
        "a frame is admitted if what its queue held of late, by a low-pass filter, and the frame are within alpha "
        "times the free memory, divided by the number of congested queues of the same class";
    policy.drawn = ", Reverie";
    policy.has_alpha = true;
    policy.has_filter = true;
    policy.knows_first = true;
    policy.remembers = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits& units,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<Reverie>(layout, buffer,
                                         units.amount("switch.buffer.congested_from", buffer.congested_from));
    };
    return policy;
}();

}  // namespace watershed::policies
