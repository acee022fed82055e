// SPDX-License-Identifier: GPL-2.0-only
#include <optional>
#include <vector>

#include "model/base/quantities.h"
#include "model/switch/buffer.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// A queue may grow while it is below alpha times what is free in its pool (Choudhury and Hahne, IEEE/ACM Transactions
/// on Networking 6, 1998). n congested queues come to rest at alpha / (1 + n alpha) of the pool each, and the rest
/// stays free for queues that begin. Chips may keep only the leading bits of a threshold, as Cisco's Silicon One G200
/// does (sonic-net/sonic-mgmt, tests/qos/files/cisco/qos_param_generator.py).
class DynamicThreshold final : public LimitingPolicy {
  public:
    DynamicThreshold(const Layout& layout, const Buffer& buffer)
        : LimitingPolicy(layout, is_of_all(buffer) ? std::optional(buffer.alpha) : std::nullopt),
          alpha_(buffer.alpha),
          of_classes_(buffer.class_alphas),
          mantissa_(buffer.threshold_mantissa),
          extra_step_(buffer.threshold_extra_step),
          first_alpha_(buffer.first_alpha),
          whole_(buffer.threshold_whole) {}

  private:
    bool may_grow(int queue, std::int64_t amount) const override {
        return grows(queue, amount, of_class(queue % layout().classes));
    }
    bool first_may_grow(int queue, std::int64_t amount) const override { return grows(queue, amount, first_alpha_); }
    bool grows(int queue, std::int64_t amount, const Ratio& alpha) const {
        if (!mantissa_) return whole_ ? fits_below(queue, alpha, amount) : is_below(queue, alpha);
        return drawn(queue) + (whole_ ? amount : 1) <= rounded(Wide{free(queue)} * alpha.numerator / alpha.denominator);
    }
    static bool is_of_all(const Buffer& buffer) {
        return buffer.class_alphas.empty() && !buffer.threshold_mantissa && !buffer.threshold_whole;
    }
    /// To a mantissa of so many bits.
    Wide rounded(Wide threshold) const {
        Wide step = 1;
        while (threshold / step >> *mantissa_ > 0) step *= 2;
        return threshold - threshold % step + (extra_step_ ? step : 0);
    }
    const Ratio& of_class(int traffic_class) const {
        const auto index = static_cast<std::size_t>(traffic_class);
        return index < of_classes_.size() ? of_classes_[index] : alpha_;
    }

    Ratio alpha_;
    std::vector<Ratio> of_classes_;  ///< in place of alpha, from class 0 on
    std::optional<std::int64_t> mantissa_;
    bool extra_step_;
    Ratio first_alpha_;  ///< factor for the first frames of a flow
    bool whole_;         ///< else it is enough that the queue is below
};

}  // namespace

const SharingPolicy dynamic_threshold = [] {
    SharingPolicy policy;
    policy.name = "dynamic-threshold";
    policy.help = "a queue may grow while it is below alpha times the free memory";
    policy.drawn = ", dynamic threshold";
    policy.has_alpha = true;
    policy.knows_first = true;
    policy.may_be_whole = true;
    policy.is_monotone = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<DynamicThreshold>(layout, buffer);
    };
    return policy;
}();

}  // namespace watershed::policies
