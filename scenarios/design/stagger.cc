// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/stagger.h"

#include <algorithm>

#include "model/base/search.h"
#include "model/base/slot.h"
#include "model/exact/synchronous-camera.h"
#include "model/frontend/trigger-rules.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "scenarios/design/throttle.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// What a kind makes of a step.
struct Delays {
    std::string kind;
    Time longest;  ///< step: longer ones do not help
    std::function<void(Incast&, Time step)> apply;
    std::int64_t groups = 0;
};

std::string list_text(const std::vector<Time>& times) {
    std::string text;
    for (const Time time : times)
        text += (text.empty() ? "[\"" : ", \"") + (time == Time{0} ? "0 us" : to_text(time)) + "\"";
    return text + "]";
}

Time ceil_time(const Slot& slot, std::int64_t frames) {
    return Time{static_cast<std::int64_t>(ceil_div(slot.numerator * frames, slot.denominator))};
}

/// The smallest multiple of the unit that is no less.
Time up_to(Time time, Time unit) { return unit * ((time.count() + unit.count() - 1) / unit.count()); }

/// Behind one uplink, with frames of one size and a memory that is divided for good.
bool is_in_step(Incast scenario) {
    scenario.frame.fragments.number = 1;
    return scenario.network_switch.uplinks == 1 && SynchronousCamera::of(scenario).has_value();
}

class StaggerSearch {
  public:
    StaggerSearch(const Incast& scenario, const GoodEnough& good_enough, Time resolution)
        : scenario_(scenario), good_enough_(good_enough), resolution_(resolution) {
        if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
            throw KeyError("trigger.pattern", "a module that sends without pause cannot wait");
        if (almost_full_rule(scenario.trigger))
            throw KeyError("trigger.rules",
                           "delays would change which triggers an almost-full rule lets pass, "
                           "expected other rules");
        if (!scenario.frame.payloads.empty())
            throw KeyError("frame.payloads", "delays are sought for fragments of known sizes, expected none");
        const Network network(scenario);
        BitRate slowest = network.links().front().rate;
        for (const Network::Link& link : network.links()) slowest = std::min(slowest, link.rate);
        Bytes largest{0};
        for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) largest = std::max(largest, frame.wire);
        slot_ = Slot::of(largest, slowest);
        for (const Network::Switch& each : network.switches()) modules_ = std::max(modules_, each.modules);
    }

    std::optional<Staggering> of(const std::string& kind) const {
        if (kind != "gap" && kind != "pace" && !scenario_.front_end.skew.empty())
            throw KeyError("front_end.skew", "these are the delays that are sought, expected none");
        if (kind == "linear") return shortest(linear());
        if (kind == "gap" || kind == "pace") return shortest(gap(kind));
        if (kind == "free") return most_at_once();
        std::optional<Staggering> best;
        for (int groups = 2; groups <= std::min(modules_, kMostGroups); ++groups) {
            const auto found = shortest(in_groups(groups));
            if (found && (!best || found->latency_added < best->latency_added)) best = found;
            if (best && best->step == Time{0}) break;
        }
        return best;
    }

    Staggering most_spread(const std::string& kind) const {
        const Delays delays = kind == "gap" || kind == "pace" ? gap(kind) : linear();
        return told(delays, up_to(delays.longest, kStaggerStep));
    }

  private:
    static constexpr int kMostGroups = 16;

    std::vector<Time> waits(const std::function<Time(std::int64_t)>& of_module) const {
        std::vector<Time> times;
        for (std::int64_t k = 0; k < modules_; ++k) times.push_back(of_module(k));
        return times;
    }
    Delays linear() const {
        return {"linear", ceil_time(slot_, 1), [this](Incast& scenario, Time step) {
                    scenario.front_end.skew = waits([&](std::int64_t k) { return step * k; });
                }};
    }
    Delays in_groups(int groups) const {
        return {"groups", ceil_time(slot_, (modules_ + groups - 1) / groups),
                [this, groups](Incast& scenario, Time step) {
                    scenario.front_end.skew = waits([&](std::int64_t k) { return step * (k * groups / modules_); });
                },
                groups};
    }
    Delays gap(const std::string& kind) const {
        if (frames_of_fragment(scenario_.frame).size() < 2)
            throw KeyError("front_end.fragments", "a gap needs several frames of an event, found one");
        return {kind, ceil_time(slot_, modules_), [](Incast& scenario, Time step) { scenario.front_end.gap = step; }};
    }

    bool good(const Delays& delays, Time step, Incast* staggered = nullptr) const {
        Incast tried = scenario_;
        delays.apply(tried, step);
        if (staggered) *staggered = tried;
        return good_enough_(tried);
    }

    std::optional<Staggering> shortest(const Delays& delays) const {
        const bool gap = delays.groups == 0 && delays.kind != "linear";
        Time least = gap ? scenario_.front_end.gap : Time{0};
        if (good(delays, least)) return told(delays, Time{0});
        Time most = std::max(up_to(delays.longest, resolution_), least + resolution_);
        if (!good(delays, most)) return std::nullopt;
        least = up_to(least, resolution_) == least ? least : up_to(least, resolution_) - resolution_;
        while (most - least > resolution_) {
            const Time middle = least + resolution_ * ((most - least) / resolution_ / 2);
            (good(delays, middle) ? most : least) = middle;
        }
        return told(delays, most);
    }

    /// Modules that do not wait, of each uplink.
    std::optional<Staggering> most_at_once() const {
        const Time step = up_to(ceil_time(slot_, 1), kStaggerStep);
        std::int64_t at_once = 0;
        const auto delays = [&](std::int64_t without) {
            return Delays{"free", step, [=](Incast& scenario, Time each) {
                              scenario.front_end.skew =
                                  waits([&](std::int64_t k) { return each * std::max<std::int64_t>(0, k - without); });
                          }};
        };
        if (good(delays(modules_), step)) return told(delays(modules_), Time{0});
        if (!good(delays(0), step)) return std::nullopt;
        for (std::int64_t beyond = modules_; beyond - at_once > 1;) {
            const std::int64_t middle = (at_once + beyond) / 2;
            (good(delays(middle), step) ? at_once : beyond) = middle;
        }
        return told(delays(at_once), step);
    }

    Staggering told(const Delays& delays, Time step) const {
        Staggering found{delays.kind, step, delays.groups, {}, {}, scenario_, Time{0}, true};
        if (step == Time{0}) return found;
        delays.apply(found.scenario, step);
        const FrontEnd& front_end = found.scenario.front_end;
        if (delays.kind == "gap" || delays.kind == "pace") {
            const auto gaps = static_cast<std::int64_t>(frames_of_fragment(scenario_.frame).size()) - 1;
            found.key = "front_end.gap", found.value = to_text(front_end.gap);
            found.latency_added = (front_end.gap - scenario_.front_end.gap) * gaps;
        } else {
            found.key = "front_end.skew", found.value = list_text(front_end.skew);
            found.latency_added = *std::max_element(front_end.skew.begin(), front_end.skew.end());
        }
        found.smallest = resolution_ == kStaggerStep && is_in_step(scenario_);
        return found;
    }

    const Incast& scenario_;
    const GoodEnough& good_enough_;
    Time resolution_;
    Slot slot_;  ///< of the largest frame on the slowest uplink
    int modules_ = 1;
};

}  // namespace

std::optional<Staggering> find_staggering(const Incast& scenario, const std::string& kind,
                                          const GoodEnough& good_enough, Time resolution) {
    return StaggerSearch(scenario, good_enough, resolution).of(kind);
}

Staggering most_spread(const Incast& scenario, const std::string& kind) {
    return StaggerSearch(scenario, {}, kStaggerStep).most_spread(kind);
}

std::optional<int> most_modules(const Incast& scenario, bool with_delays, const GoodEnough& good_enough) {
    const FrontEnd& front_end = scenario.front_end;
    if (!scenario.nodes.empty() || !front_end.skew.empty() || !front_end.clock.empty()) return std::nullopt;
    const auto good = [&](std::int64_t modules) {
        Incast tried = scenario;
        tried.front_end.modules = static_cast<int>(modules);
        return good_enough(tried) || (with_delays && good_enough(most_spread(tried, "linear").scenario));
    };
    std::int64_t holds = scenario.network_switch.count, beyond = holds;  // a module for each switch at least
    if (!good(holds)) return 0;
    while (good(beyond = std::min<std::int64_t>(2 * holds, kMostModules))) {
        if (beyond == kMostModules) return kMostModules;
        holds = beyond;
    }
    return static_cast<int>(first_of(holds + 1, beyond, [&](std::int64_t modules) { return !good(modules); })) - 1;
}

bool leave_room_for_jitter(Incast& scenario, Time jitter) {
    const FrameSizes frame = frames_of_fragment(scenario.frame).front();
    const Slot slot = Slot::of(frame.wire, scenario.network_switch.uplink_rate);
    const auto frames = static_cast<std::int64_t>(ceil_div(Wide{jitter.count()} * slot.denominator, slot.numerator));
    MemorySize& size = scenario.network_switch.buffer.size;
    size.amount -= frames * (size.unit == MemorySize::Unit::Frame ? 1 : frame.buffer.count);
    return size.amount > 0;
}

std::optional<Staggering> find_staggering_for_any_jitter(const Incast& scenario, const std::string& kind,
                                                         const GoodEnough& good_enough) {
    Incast without = scenario;
    without.front_end.jitter = Time{0};
    Incast in_step = without;
    in_step.front_end.clock_spread = ClockTolerance{0};
    if (!is_in_step(in_step) || !leave_room_for_jitter(without, scenario.front_end.jitter)) return std::nullopt;
    auto found = find_staggering(without, kind, good_enough);
    if (!found) return std::nullopt;
    found->scenario.front_end.jitter = scenario.front_end.jitter;
    found->scenario.network_switch.buffer.size = scenario.network_switch.buffer.size;
    found->smallest = false;
    found->any_jitter = true;
    return found;
}

namespace {

/// Events per second on the long run; 0 where there is no such rate.
double steady_rate(const Incast& scenario) {
    const Trigger& trigger = scenario.trigger;
    const bool several = trigger.events.value_or(1) > 1;
    if (trigger.pattern == Trigger::Pattern::Burst)
        return several && trigger.separation > Time{0} ? 1 / in_seconds(trigger.separation) : 0;
    if (trigger.pattern == Trigger::Pattern::Periodic) return in_hertz(trigger.rate);
    if (trigger.pattern != Trigger::Pattern::Poisson) return 0;
    if (trigger.rules.empty() || trigger.burst.events > 0) return accepted_rate(trigger);
    return in_hertz(trigger.rate) * (1 - refused_share(trigger, scenario.seed).estimate);
}

}  // namespace

std::vector<LinkLoad> overloads(const Incast& scenario) {
    std::vector<LinkLoad> found;
    const double rate = steady_rate(scenario);
    Incast fast_modules = scenario;
    constexpr double kFull = 1 + 1e-9;  // beyond what rounding does
    constexpr BitRate kNoLimit{std::int64_t{1} << 60};
    fast_modules.front_end.link_rate = kNoLimit;
    const LinkLoad uplink = fullest_link(fast_modules, Network(scenario), rate);
    if (uplink.load > kFull) found.push_back(uplink);
    double bits = 0;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame))
        bits += 8 * static_cast<double>(frame.wire.count);
    const double modules = rate * bits / static_cast<double>(scenario.front_end.link_rate.count);
    if (modules > kFull) found.push_back({"the modules' links", modules, true});
    return found;
}

BitRate pace_of(const Incast& scenario) {
    const Bytes wire = frames_of_fragment(scenario.frame).front().wire;
    const Time apart = scenario.front_end.gap + ceil_time(Slot::of(wire, scenario.front_end.link_rate), 1);
    return BitRate{static_cast<std::int64_t>(Wide{wire.count} * 8 * 1'000'000'000'000 / apart.count())};
}

Time gap_of_makers(const Incast& scenario) {
    constexpr Bytes kOwnGap{12};  // IEEE 802.3, 4.4.2
    return scenario.front_end.gap + ceil_time(Slot::of(kOwnGap, scenario.front_end.link_rate), 1);
}

}  // namespace watershed
