// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/class-scheduler.h"

#include <algorithm>

namespace watershed {

std::optional<int> ClassScheduler::strict(const Heads& heads) const {
    for (int each = kTrafficClasses - 1; each >= 0; --each)
        if (heads[static_cast<std::size_t>(each)]) return each;
    return std::nullopt;
}

void ClassScheduler::begin_turn(std::size_t traffic_class) {
    begun_ = true;
    const auto& weights = scheduling_.weights;
    const std::int64_t weight = traffic_class < weights.size() ? weights[traffic_class] : 1;
    if (scheduling_.kind == Scheduling::Kind::WeightedRoundRobin)
        left_[traffic_class] = weight;
    else
        left_[traffic_class] += weight * scheduling_.quantum.count;
}

std::optional<int> ClassScheduler::next(const Heads& heads) {
    if (scheduling_.kind == Scheduling::Kind::StrictPriority) return strict(heads);
    if (std::none_of(heads.begin(), heads.end(), [](const auto& head) { return head.has_value(); }))
        return std::nullopt;
    const bool in_bytes = scheduling_.kind == Scheduling::Kind::DeficitRoundRobin;
    for (;;) {
        const auto served = static_cast<std::size_t>(turn_);
        if (heads[served]) {
            if (!begun_) begin_turn(served);
            const std::int64_t cost = in_bytes ? heads[served]->count : 1;
            if (cost <= left_[served]) {
                left_[served] -= cost;
                return turn_;
            }
        } else {
            left_[served] = 0;
        }
        turn_ = turn_ == 0 ? kTrafficClasses - 1 : turn_ - 1;
        begun_ = false;
    }
}

}  // namespace watershed
