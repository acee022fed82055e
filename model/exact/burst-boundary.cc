// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/burst-boundary.h"

#include <algorithm>

namespace watershed {

std::optional<BurstArithmetic> BurstArithmetic::of(const SynchronousCamera& camera, Time separation) {
    if (camera.release_at_start || camera.takes_turns || !camera.times.whole) return std::nullopt;
    const auto ticks = [&](const Slot& slot) {
        return slot.numerator * (Wide{camera.times.grid.ticks} / slot.denominator);
    };
    const auto whole = [&](Time time) { return Wide{time.count()} * camera.times.grid.ticks; };
    BurstArithmetic burst;
    burst.pools_ = camera.pools;
    burst.interval_ = std::max(whole(separation), ticks(camera.link));
    burst.slot_ = ticks(camera.uplink_slot);
    burst.latency_ = whole(camera.latency);
    if (burst.latency_ > burst.interval_) return std::nullopt;  // frames still on their way in would count as leaving
    const Wide unit = common_divisor(common_divisor(burst.interval_, burst.slot_), burst.latency_);
    burst.interval_ /= unit;
    burst.slot_ /= unit;
    burst.latency_ /= unit;
    const auto left = static_cast<std::int64_t>((burst.interval_ - burst.latency_) / burst.slot_);
    for (const std::int64_t modules : camera.modules_of_uplink)
        burst.loads_.push_back(
            {modules, modules * burst.slot_ > burst.interval_, std::max<std::int64_t>(0, modules - left)});
    return burst;
}

bool BurstArithmetic::steady() const {
    return std::none_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.overloaded; });
}

std::int64_t BurstArithmetic::most_events() const {
    constexpr Wide kMost = Wide{1} << 46;  // times 65535 modules stays below 2^62
    constexpr Wide kLargest = Wide{1} << 125;
    return static_cast<std::int64_t>(std::min(kMost, kLargest / interval_));
}

std::int64_t BurstArithmetic::occupancy(std::int64_t event) const {
    std::int64_t all = 0, most = 0;
    const Wide left = event == 1 ? 0 : ((event - 1) * interval_ - latency_) / slot_;
    for (const Load& load : loads_) {
        if (load.modules == 0) continue;
        const std::int64_t before = event == 1 ? 0
                                    : load.overloaded
                                        ? static_cast<std::int64_t>((event - 1) * Wide{load.modules} - left)
                                        : load.remaining;
        all += before + load.modules;
        // Frames leave in the order of events: what is left of the event that is leaving belongs to inputs that hold
        // one frame of it.
        most =
            std::max(most, pools_ == SynchronousCamera::Pools::Input ? ceil_div<std::int64_t>(before, load.modules) + 1
                                                                     : before + load.modules);
    }
    return pools_ == SynchronousCamera::Pools::All ? all : most;
}

std::optional<std::int64_t> BurstArithmetic::lossless(std::int64_t room, std::int64_t limit) const {
    if (occupancy(limit) <= room) return std::nullopt;
    std::int64_t good = 0, bad = 1;
    while (bad < limit && occupancy(bad) <= room) {
        good = bad;
        bad = bad > limit / 2 ? limit : 2 * bad;
    }
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (occupancy(middle) <= room ? good : bad) = middle;
    }
    return good;
}

}  // namespace watershed
