// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <utility>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

struct ThresholdStep {
    std::int64_t free;   ///< least free amount of the step
    std::int64_t limit;  ///< most that each queue may hold there
};

/// The limit of a queue is a table of what is free in its pool. The thresholds of Cisco's Silicon One GB fall so
/// (sonic-net/sonic-mgmt, tests/qos/files/cisco/qos_param_generator.py, the counts of shared_res_size).
class SteppedThreshold final : public LimitingPolicy {
  public:
    /// @param steps  ascending by what is free
    SteppedThreshold(const Layout& layout, std::vector<ThresholdStep> steps)
        : LimitingPolicy(layout), steps_(std::move(steps)) {}

  private:
    bool may_grow(int queue, std::int64_t amount) const override {
        const auto above =
            std::upper_bound(steps_.begin(), steps_.end(), free(queue),
                             [](std::int64_t free, const ThresholdStep& step) { return free < step.free; });
        return above != steps_.begin() && drawn(queue) + amount <= std::prev(above)->limit;
    }

    std::vector<ThresholdStep> steps_;
};

/// @throws KeyError if the two lists make no table
std::vector<ThresholdStep> steps_of(const Buffer& buffer, const MemoryUnits& units) {
    const std::string free_key = "switch.buffer.step_free", limits_key = "switch.buffer.step_limits";
    const std::size_t number = buffer.step_free.size();
    if (number == 0) throw KeyError(free_key, "missing, expected with sharing = \"stepped-threshold\"");
    if (buffer.step_limits.size() != number)
        throw KeyError(limits_key, "found " + std::to_string(buffer.step_limits.size()) + " amounts, expected " +
                                       std::to_string(number) + ", one for each of " + free_key);
    std::vector<ThresholdStep> steps;
    for (std::size_t i = 0; i < number; ++i) {
        // In cells: so many as hold at least the one, and at most the other.
        const std::int64_t free = units.amount(free_key, buffer.step_free[i], MemoryUnits::Rounding::Up);
        if (!steps.empty() && free <= steps.back().free)
            throw KeyError(free_key, "expected ascending amounts, a cell apart at least");
        steps.push_back({free, units.amount(limits_key, buffer.step_limits[i])});
    }
    return steps;
}

}  // namespace

extern const SharingPolicy stepped_threshold;
const SharingPolicy stepped_threshold = [] {
    SharingPolicy policy;
    policy.name = "stepped-threshold";
    policy.help = "the limit of a queue is a table of the free memory, step_free and step_limits";
    policy.drawn = ", stepped threshold";
    policy.has_steps = true;
    policy.is_monotone = true;
    policy.make = [](const Buffer& buffer, const MemoryUnits& units,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<SteppedThreshold>(layout, steps_of(buffer, units));
    };
    return policy;
}();

}  // namespace watershed::policies
