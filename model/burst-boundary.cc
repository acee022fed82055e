// SPDX-License-Identifier: GPL-2.0-only
#include "model/burst-boundary.h"

#include <algorithm>

namespace watershed {

BurstArithmetic::BurstArithmetic(const SynchronousCamera& camera, Time separation)
    : pools_(camera.pools),
      link_(camera.link),
      uplink_slot_(camera.uplink_slot),
      latency_(camera.latency.count()),
      separation_(separation.count()),
      link_bound_(separation_ * link_.denominator < link_.numerator) {}

std::optional<BurstArithmetic> BurstArithmetic::of(const SynchronousCamera& camera, Time separation) {
    if (camera.release_at_start || camera.takes_turns) return std::nullopt;
    BurstArithmetic burst(camera, separation);
    const Slot& out = burst.uplink_slot_;
    // Two arrivals are at least `shortest` and at most `longest` apart; these differ only where a slow link's frames do not last
    // whole picoseconds.
    const Wide shortest = burst.link_bound_ ? burst.link_.floor() : burst.separation_;
    const Wide longest = burst.link_bound_ ? burst.link_.ceil() : burst.separation_;
    if (burst.latency_ > shortest) return std::nullopt;   // frames still on their way in would count as leaving
    for (const std::int64_t modules : camera.modules_of_uplink) {
        const Wide work = modules * out.numerator;   // picoseconds, over out.denominator
        Load load{modules, work > longest * out.denominator, 0};
        if (!load.overloaded && work > shortest * out.denominator) return std::nullopt;
        if (!load.overloaded) {
            const Wide left = (shortest - burst.latency_) * out.denominator / out.numerator;
            // The arrivals' rounding may let one frame more or less leave.
            if (shortest != longest && left < modules && (longest - burst.latency_) * out.denominator / out.numerator != left) return std::nullopt;
            load.remaining = modules - static_cast<std::int64_t>(std::min<Wide>(modules, left));
        }
        burst.loads_.push_back(load);
    }
    return burst;
}

bool BurstArithmetic::steady() const {
    return std::none_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.overloaded; });
}

std::int64_t BurstArithmetic::most_events() const {
    constexpr Wide kMost = Wide{1} << 46;   // times 65535 modules stays below 2^62
    constexpr Wide kLargest = Wide{1} << 125;
    const Wide interval = link_bound_ ? link_.ceil() : std::max<Wide>(separation_, 1);
    return static_cast<std::int64_t>(std::min({kMost, kLargest / link_.numerator, kLargest / uplink_slot_.denominator / interval}));
}

Wide BurstArithmetic::since_first(std::int64_t event) const {
    if (!link_bound_) return (event - 1) * separation_;
    return ceil_div(event * link_.numerator, link_.denominator) - link_.ceil();
}

std::int64_t BurstArithmetic::occupancy(std::int64_t event) const {
    std::int64_t all = 0, most = 0;
    const Wide left = event == 1 ? 0 : (since_first(event) - latency_) * uplink_slot_.denominator / uplink_slot_.numerator;
    for (const Load& load : loads_) {
        if (load.modules == 0) continue;
        const std::int64_t before = event == 1 ? 0 : load.overloaded ? static_cast<std::int64_t>((event - 1) * Wide{load.modules} - left) : load.remaining;
        all += before + load.modules;
        // Frames leave in the order of events: what is left of the event that is leaving belongs to inputs that hold one frame of it.
        most = std::max(most, pools_ == SynchronousCamera::Pools::Input ? ceil_div<std::int64_t>(before, load.modules) + 1 : before + load.modules);
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
