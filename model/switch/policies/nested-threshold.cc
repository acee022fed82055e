// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "model/base/quantities.h"
#include "model/base/unsupported-key.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// A port may hold port_alpha times what is free in its pool, and a queue alpha times what is left of that to its port:
/// the quotas of NVIDIA's Spectrum-4 (sonic-net/sonic-mgmt, tests/qos/files/mellanox/qos_param_generator.py).
class NestedThreshold final : public LimitingPolicy {
  public:
    NestedThreshold(const Layout& layout, Ratio alpha, Ratio port_alpha)
        : LimitingPolicy(layout), alpha_(alpha), port_alpha_(port_alpha) {}

  private:
    bool may_grow(int queue, std::int64_t /*amount*/) const override {
        const int classes = layout().classes, first = queue - queue % classes;
        std::int64_t by_port = 0;
        for (int each = first; each < first + classes; ++each) by_port += drawn(each);
        const Wide left = Wide{free(queue)} * port_alpha_.numerator - Wide{by_port} * port_alpha_.denominator;
        return Wide{drawn(queue)} * alpha_.denominator * port_alpha_.denominator < left * alpha_.numerator;
    }

    Ratio alpha_, port_alpha_;
};

/// @throws KeyError if the factors are of so many digits that a pool of that size times both overflows
void check_digits(std::int64_t pool_size, Ratio alpha, Ratio port_alpha) {
    constexpr Wide kMost = Wide{1} << 126;
    const Wide most =
        Wide{std::max(alpha.numerator, alpha.denominator)} * std::max(port_alpha.numerator, port_alpha.denominator);
    if (most > kMost / std::max<std::int64_t>(1, pool_size))
        throw KeyError("switch.buffer.port_alpha", "has too many digits, together with alpha and the size");
}

}  // namespace

extern const SharingPolicy nested_threshold;
const SharingPolicy nested_threshold = [] {
    SharingPolicy policy;
    policy.name = "nested-threshold";
    policy.help =
        "a queue may grow while it is below alpha times what is left of its port's quota, port_alpha times the free "
        "memory";
    policy.drawn = ", nested threshold";
    policy.has_alpha = true;
    policy.has_port_alpha = true;
    policy.is_monotone = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        check_digits(layout.pool_size, buffer.alpha, buffer.port_alpha);
        return std::make_unique<NestedThreshold>(layout, buffer.alpha, buffer.port_alpha);
    };
    return policy;
}();

}  // namespace watershed::policies
