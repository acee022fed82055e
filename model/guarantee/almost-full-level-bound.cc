// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/almost-full-level-bound.h"

#include <algorithm>
#include <set>

#include "model/network/almost-full.h"
#include "model/switch/memory-units.h"

namespace watershed {

std::optional<AlmostFullLevelBound> AlmostFullLevelBound::of(const NetworkScenario& scenario, Time latency,
                                                             UnsupportedKey* why) {
    const auto camera = SynchronousCamera::of(scenario, why);
    if (!camera) return std::nullopt;
    const MemoryUnits units(scenario.network_switch.buffer);
    NetworkScenario ruled = scenario;
    ruled.trigger.rules = {{TriggerRule::Kind::AlmostFull, 1, latency, {1, units.unit()}}};
    try {
        AlmostFull::of(ruled);
    } catch (const KeyError& error) {
        return refused(why, {error.key, error.why});
    }
    const std::vector<std::int64_t>& modules = camera->modules_of_uplink;
    std::set<std::int64_t> loads(modules.begin(), modules.end());
    loads.erase(0);
    if (camera->takes_turns ? camera->modules % camera->uplinks != 0 : loads.size() > 1)
        return refused(why, {"switch.uplinks", "uplinks that share a memory have unequal numbers of modules"});
    if (!camera->times.whole)
        return refused(why, {"switch.uplink_rate", "frames do not last whole parts of a picosecond there"});
    if (scenario.trigger.dead_time.count() < camera->link.ceil())
        return refused(why, {"trigger.dead_time",
                             "what faster triggers make wait in front of the links the memory does not show"});
    if (camera->latency.count() > camera->link.floor())
        return refused(why, {"switch.latency", "frames may still wait for it when those of the next trigger come"});
    AlmostFullLevelBound bound{};
    bound.uplinks_ = camera->takes_turns ? camera->uplinks
                                         : std::count_if(modules.begin(), modules.end(),
                                                         [](std::int64_t number) { return number > 0; });
    bound.modules_ = camera->modules / bound.uplinks_;
    bound.room_ = camera->room / bound.uplinks_;
    bound.cost_ = units.cost(camera->frame.buffer);
    bound.unit_ = units.unit();
    bound.uplink_ = camera->uplink_slot;
    bound.parts_ = camera->link.denominator;
    bound.window_ = (latency + camera->skew).count() * bound.parts_ + camera->link.numerator;
    bound.apart_ = scenario.trigger.dead_time.count() * bound.parts_;
    bound.latency_ = camera->latency.count() * bound.parts_;
    bound.event_ = bound.modules_ * bound.parts_ * bound.uplink_.numerator / bound.uplink_.denominator;
    bound.unseen_ = std::int64_t(ceil_div(bound.window_, bound.apart_));
    return bound;
}

std::int64_t AlmostFullLevelBound::leave(Wide time) const {
    return time <= 0 ? 0 : std::int64_t(time * uplink_.denominator / (parts_ * uplink_.numerator));
}

std::int64_t AlmostFullLevelBound::at_once(std::int64_t triggers) const {
    return triggers * modules_ - leave((triggers - 1) * apart_ - latency_);
}

std::int64_t AlmostFullLevelBound::most_waiting(std::int64_t found) const {
    // at_once() grows with the number of triggers or, if the uplink keeps up, falls from the second one on: its maximum
    // is at 1, 2 or J.
    std::int64_t most = std::max({at_once(1), at_once(std::min<std::int64_t>(2, unseen_)), at_once(unseen_)});
    // The uplink may be idle although frames that the look found still wait for the latency of the switch.
    if (found >= modules_ && unseen_ * apart_ - window_ < latency_) most = std::max(most, at_once(unseen_ + 1));
    const Wide gap = std::max(apart_, (modules_ - found) * event_ / modules_);
    const auto seen = 1 + std::int64_t(gap < window_ ? ceil_div(window_ - gap, apart_) : 0);
    return std::max({most, found + seen * modules_ - leave(window_),
                     found + unseen_ * modules_ - leave(window_ + (unseen_ - 1) * apart_)});
}

std::optional<MemorySize> AlmostFullLevelBound::highest() const {
    if (most_waiting(0) > room_) return std::nullopt;
    std::int64_t good = 0, bad = room_ + 1;
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (most_waiting(middle) <= room_ ? good : bad) = middle;
    }
    return MemorySize{(good + 1) * uplinks_ * cost_, unit_};
}

std::vector<std::vector<Time>> AlmostFullLevelBound::worst(MemorySize level) const {
    constexpr std::int64_t kMost = 10'000;  // triggers
    const std::int64_t found = (ceil_div(level.amount, cost_) - 1) / uplinks_;
    const auto apart = Time{std::int64_t(apart_ / parts_)};
    std::vector<std::vector<Time>> sequences;
    const auto add = [&](Time second, std::int64_t triggers) {
        sequences.push_back({Time{0}});
        for (std::int64_t i = 0; i < triggers; ++i) sequences.back().push_back(second + apart * i);
    };
    add(apart, std::min(kMost, unseen_ + room_));
    for (std::int64_t last = 0; last + unseen_ < kMost; ++last) {
        const std::int64_t seen = 1 + std::max<std::int64_t>(0, last + 1 - unseen_), left = seen * modules_ - found;
        if (left < 0) continue;
        // Time from the first trigger to the second for which `left` frames have left at the look of the last.
        const Wide gap =
            window_ + latency_ + ceil_div(left * parts_ * uplink_.numerator, uplink_.denominator) - last * apart_;
        if (gap > event_ + latency_ && last >= unseen_) break;
        if (gap < apart_) continue;
        add(Time{std::int64_t(ceil_div(gap, parts_))}, last + unseen_ + 2);
        // A second trigger at `gap` may be refused. It then comes just before a look finds the frames of the first.
        const auto unseen = Time{std::int64_t(ceil_div(window_, parts_)) - 1};
        if (unseen < sequences.back()[1] && unseen >= apart) {
            sequences.push_back(sequences.back());
            sequences.back()[1] = unseen;
        }
    }
    return sequences;
}

}  // namespace watershed
