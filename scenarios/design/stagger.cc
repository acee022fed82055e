// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/stagger.h"

#include <algorithm>

#include "model/base/search.h"
#include "model/base/timestamp.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/module-groups.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "scenarios/design/throttle.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Delays of one kind, as a function of the step.
struct Delays {
    std::string kind;
    Time spread;   ///< step from which on the uplink is idle between frames of an event
    Time longest;  ///< longest step that is tried
    Time ordered;  ///< step up to which a longer step is proven to be no worse than a shorter one
    std::function<void(NetworkScenario&, Time step)> apply;  ///< sets the delays
    std::int64_t groups = 0;                                 ///< number of groups; 0 for other kinds
};

std::string list_text(const std::vector<Time>& times) {
    std::string text;
    for (const Time time : times)
        text += (text.empty() ? "[\"" : ", \"") + (time == Time{0} ? "0 us" : to_text(time)) + "\"";
    return text + "]";
}

Time ceil_time(const TransmissionTime& slot, std::int64_t frames) {
    return Time{std::int64_t(ceil_div(slot.numerator * frames, slot.denominator))};
}

/// Returns `time`, rounded up to a multiple of `unit`.
Time up_to(Time time, Time unit) { return unit * ((time.count() + unit.count() - 1) / unit.count()); }

/// Returns the camera if it has the queue that the proofs of find_staggering() need: one uplink that serves frames of
/// one size in the order of arrival, with a memory for a fixed number of frames from any input. A module may send
/// several frames per event. @return std::nullopt for other scenarios
std::optional<SynchronousCamera> one_queue(NetworkScenario scenario) {
    scenario.frame.fragments.number = 1;
    auto camera = SynchronousCamera::of(scenario);
    if (!camera || camera->uplinks != 1 || camera->pools == SynchronousCamera::Pools::Input) return std::nullopt;
    return camera;
}

class StaggerSearch {
  public:
    StaggerSearch(const NetworkScenario& scenario, const GoodEnough& good_enough, Time resolution)
        : scenario_(scenario), good_enough_(good_enough), resolution_(resolution) {
        if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
            throw KeyError("trigger.pattern", "a module that sends without pause cannot wait");
        if (almost_full_rule(scenario.trigger))
            throw KeyError("trigger.rules",
                           "delays would change which triggers an almost-full rule lets pass, "
                           "expected other rules");
        for (const Group& group : scenario.groups)
            if (group.trigger)
                throw KeyError("group." + group.name + ".trigger",
                               "delays hold between groups that answer one trigger: of its own no phase is known");
        const Network network(scenario);
        BitRate slowest = network.links().front().rate;
        for (const Network::Link& link : network.links()) slowest = std::min(slowest, link.rate);
        Bytes largest{0};
        for (const Group& group : ModuleGroups(scenario).all()) {
            if (!group.frame.payloads.empty())
                throw KeyError("frame.payloads", "delays are sought for fragments of known sizes, expected none");
            const auto frames = frames_of_fragment(group.frame);
            frames_ = std::int64_t(frames.size());
            Time event = group.front_end.gap * (frames_ - 1);
            for (const FrameSizes& frame : frames) {
                event += ceil_time(TransmissionTime::of(frame.wire, group.front_end.link_rate), 1);
                largest = std::max(largest, frame.wire);
            }
            event_ = std::max(event_, event);
            largest_group_ = std::max(
                largest_group_,
                ceil_time(TransmissionTime::of(wire_of_fragment(group.frame), slowest), group.front_end.modules));
        }
        slot_ = TransmissionTime::of(largest, slowest);
        for (const Network::Switch& each : network.switches()) modules_ = std::max(modules_, each.modules);
        if (resolution == kStaggerStep) queue_ = one_queue(scenario);
    }

    std::optional<DelaySchedule> of(const std::string& kind) const {
        if (!scenario_.groups.empty()) return shortest(own_groups(kind));
        if (kind == "gap" || kind == "pace") return shortest(gap(kind));
        if (!scenario_.front_end.skew.empty())
            throw KeyError("front_end.skew", "these are the delays that are sought, expected none");
        auto found = kind == "linear" ? shortest(linear()) : kind == "free" ? most_at_once() : best_groups();
        if (found && !found->smallest) found->smallest = is_least(found->latency_added);
        return found;
    }

    DelaySchedule longest_useful_delays(const std::string& kind) const {
        const Delays delays = !scenario_.groups.empty()         ? own_groups(kind)
                              : kind == "gap" || kind == "pace" ? gap(kind)
                                                                : linear();
        return told(delays, up_to(delays.spread, kStaggerStep), false);
    }

    Time searched_to(const std::string& kind) const {
        if (!scenario_.groups.empty()) return up_to(own_groups(kind).longest, resolution_);
        if (kind == "free") return whole_step();
        return up_to((kind == "linear"   ? linear()
                      : kind == "groups" ? in_groups(std::min(2, modules_))
                                         : gap(kind))
                         .longest,
                     resolution_);
    }

  private:
    static constexpr int kMostGroups = 16;

    Time latency() const { return scenario_.network_switch.latency; }
    Time whole_step() const { return up_to(ceil_time(slot_, 1), kStaggerStep); }

    std::vector<Time> waits(const std::function<Time(std::int64_t)>& of_module) const {
        std::vector<Time> times;
        for (std::int64_t k = 0; k < modules_; ++k) times.push_back(of_module(k));
        return times;
    }
    /// Returns the mean time that the uplink takes for `frames` frames of each module of a group; 0 if the proofs do
    /// not cover the scenario.
    Time sent_by_group(std::int64_t groups, std::int64_t frames = 1) const {
        if (!queue_) return Time{0};
        const TransmissionTime& slot = queue_->uplink_slot;
        return Time{std::int64_t(slot.numerator * modules_ * frames / (slot.denominator * groups))};
    }
    /// Returns the longest step with which the uplink is busy until the last frame of an event has come: in each step
    /// the uplink gets as many frames as it sends. If links are no slower, a group's frames of a whole event count.
    Time busy_step(std::int64_t groups) const {
        const bool fast = queue_ && queue_->link.ceil() <= sent_by_group(groups).count();
        return sent_by_group(groups, fast ? frames_ : 1);
    }
    Delays linear() const {
        const Time spread = ceil_time(slot_, 1), ordered = busy_step(modules_);
        return {"linear", spread, std::max({spread + latency(), event_, ordered}), ordered,
                [this](NetworkScenario& scenario, Time step) {
                    scenario.front_end.skew = waits([&](std::int64_t k) { return step * k; });
                }};
    }
    Delays in_groups(int groups) const {
        const Time spread = ceil_time(slot_, (modules_ + groups - 1) / groups), ordered = busy_step(groups);
        return {"groups",
                spread,
                std::max({spread + latency(), event_, ordered}),
                ordered,
                [this, groups](NetworkScenario& scenario, Time step) {
                    scenario.front_end.skew = waits([&](std::int64_t k) { return step * (k * groups / modules_); });
                },
                groups};
    }
    /// Returns the delays of the scenario's groups.
    Delays own_groups(const std::string& kind) const {
        const auto number = std::int64_t(scenario_.groups.size());
        if (kind != "groups" || number < 2)
            throw KeyError("group",
                           "of modules of several kinds the delays of groups are sought (--kind groups), found " +
                               (number < 2 ? "one group" : "--kind " + kind));
        for (const Group& group : scenario_.groups)
            if (!group.front_end.skew.empty())
                throw KeyError("group." + group.name + ".delay",
                               "these are the delays that are sought, expected none, and no front_end.skew");
        return {"groups",
                largest_group_,
                std::max(largest_group_ + latency(), event_),
                Time{0},
                [](NetworkScenario& scenario, Time step) {
                    for (std::size_t g = 1; g < scenario.groups.size(); ++g)
                        scenario.groups[g].front_end.skew = {step * std::int64_t(g)};
                },
                number};
    }
    Delays gap(const std::string& kind) const {
        if (frames_ < 2) throw KeyError("front_end.fragments", "a gap needs several frames of an event, found one");
        const Time spread = ceil_time(slot_, modules_);
        Time ordered{0};
        if (queue_) {
            const Time link{std::int64_t(queue_->link.ceil())};
            ordered = sent_by_group(1) - link;
            // An event must not wait in its module for the event before it.
            const Trigger& trigger = scenario_.trigger;
            const bool burst = trigger.pattern == Trigger::Pattern::Burst;
            const Time apart = std::max(trigger.dead_time, burst ? trigger.separation : Time{0});
            if (!burst || trigger.events.value_or(1) > 1) ordered = std::min(ordered, apart / frames_ - link);
        }
        return {kind, spread, spread, ordered,
                [](NetworkScenario& scenario, Time step) { scenario.front_end.gap = step; }};
    }

    bool good(const Delays& delays, Time step) const {
        NetworkScenario tried = scenario_;
        delays.apply(tried, step);
        return good_enough_(tried);
    }

    /// Returns the shortest good step above `least`, by bisection. @pre `most` is good enough, and `least` is not
    Time between(const Delays& delays, Time least, Time most) const {
        while (most - least > resolution_) {
            const Time middle = least + resolution_ * ((most - least) / resolution_ / 2);
            (good(delays, middle) ? most : least) = middle;
        }
        return most;
    }

    /// Returns the shortest delays of one kind; std::nullopt if none is good enough. @param limit  longest step to try
    std::optional<DelaySchedule> shortest(const Delays& delays, Time limit = Time::max()) const {
        const bool gap = delays.kind == "gap" || delays.kind == "pace";
        Time least = gap ? scenario_.front_end.gap : Time{0};
        if (good(delays, least)) return told(delays, Time{0}, true);
        Time most = std::min(limit, std::max(up_to(delays.longest, resolution_), least + resolution_));
        least = up_to(least, resolution_) == least ? least : up_to(least, resolution_) - resolution_;
        if (const Time ordered = down_to(std::min(delays.ordered, most)); ordered > least) {
            if (good(delays, ordered)) return told(delays, between(delays, least, ordered), true);
            least = ordered;
        }
        // Steps longer than `ordered` that are good enough need not form one interval: try some of them.
        const std::int64_t points = resolution_ > kStaggerStep ? 1 : delays.groups > 0 ? 8 : 32;
        std::vector<Time> tried{std::min(most, up_to(delays.spread, resolution_))};
        for (std::int64_t i = 1; i <= points; ++i) tried.push_back(least + down_to((most - least) / points) * i);
        tried.push_back(most);
        std::sort(tried.begin(), tried.end());
        for (const Time step : tried) {
            if (step <= least) continue;
            if (good(delays, step)) return told(delays, between(delays, least, step), false);
            least = step;
        }
        return std::nullopt;
    }
    Time down_to(Time time) const { return resolution_ * (time / resolution_); }

    /// Returns the delays of the number of groups with the least latency. They are proven to be the smallest if no
    /// other number of groups can have less latency.
    std::optional<DelaySchedule> best_groups() const {
        std::optional<DelaySchedule> best;
        Time open = Time::max();  // least latency of steps beyond `ordered`, for which nothing is proven
        for (int groups = 2; groups <= std::min(modules_, kMostGroups); ++groups) {
            const Delays delays = in_groups(groups);
            const Time limit = best ? down_to((best->latency_added - resolution_) / (groups - 1)) : Time::max();
            if (limit < resolution_) continue;
            const auto found = shortest(delays, limit);
            if (found && (!best || found->latency_added < best->latency_added)) best = found;
            if (best && best->step == Time{0}) return best;
            if (!found || !found->smallest)
                open = std::min(open, (down_to(std::min(delays.ordered, limit)) + resolution_) * (groups - 1));
        }
        if (best) best->smallest = queue_ && open >= best->latency_added;
        return best;
    }

    /// Returns delays of the kind "free" with as many modules as possible that do not wait.
    std::optional<DelaySchedule> most_at_once() const {
        const Time latency = this->latency(), whole = whole_step();
        const auto delays = [&](std::int64_t at_once) {
            return Delays{"free", {}, {}, {}, [=](NetworkScenario& scenario, Time step) {
                              scenario.front_end.skew = waits([&](std::int64_t k) {
                                  const std::int64_t frames = k - at_once + 1;
                                  if (frames <= 0) return Time{0};
                                  return up_to(latency + (step == whole ? ceil_time(slot_, frames) : step * frames),
                                               kStaggerStep);
                              });
                          }};
        };
        std::int64_t at_once = 1;
        if (good(delays(modules_), whole)) return told(delays(modules_), Time{0}, true);
        if (!good(delays(at_once), whole)) return std::nullopt;
        for (std::int64_t beyond = modules_; beyond - at_once > 1;) {
            const std::int64_t middle = (at_once + beyond) / 2;
            (good(delays(middle), whole) ? at_once : beyond) = middle;
        }
        DelaySchedule found = told(delays(at_once), whole, false);
        if (resolution_ > kStaggerStep || is_least(found.latency_added)) return found;
        return told(delays(at_once), between(delays(at_once), Time{0}, whole), false);
    }

    /// Returns true if all delays that add at least one nanosecond less lose frames: when all frames of several
    /// successive events have come, the uplink has not sent enough of them since the first of them could have come.
    bool is_least(Time latency_added) const {
        const Time shorter = latency_added - kStaggerStep - latency();
        if (!queue_ || shorter < Time{0}) return false;
        // Times in fractions of a picosecond: those of a module's link.
        const Wide unit = queue_->link.denominator, frame = queue_->uplink_slot.numerator * unit,
                   of_all = frame * modules_ / queue_->uplink_slot.denominator;
        const Wide room = queue_->room + (queue_->release_at_start ? 1 : 0);
        const Wide most = ceil_div(frame * room, queue_->uplink_slot.denominator) + shorter.count() * unit;
        TriggerTrain train(scenario_.trigger, scenario_.seed);
        Wide arrival = 0, work = 0;  // arrival of each module's latest frame; time of all frames up to it on the uplink
        std::optional<Wide> before;
        while (const auto trigger = train.next()) {
            arrival = std::max(arrival, trigger->count() * unit);
            for (std::int64_t i = 0; i < frames_; ++i) {
                arrival += queue_->link.numerator;
                before = std::min(before.value_or(work - arrival), work - arrival);
                work += of_all;
                if (work - arrival - *before > most) return true;
            }
        }
        return false;
    }

    DelaySchedule told(const Delays& delays, Time step, bool smallest) const {
        DelaySchedule found{delays.kind, step, delays.groups, {}, scenario_, Time{0}, smallest};
        if (step == Time{0}) return found;
        delays.apply(found.scenario, step);
        const FrontEnd& front_end = found.scenario.front_end;
        if (delays.kind == "gap" || delays.kind == "pace") {
            found.keys = {{"front_end.gap", to_text(front_end.gap)}};
            found.latency_added = (front_end.gap - scenario_.front_end.gap) * (frames_ - 1);
        } else if (!found.scenario.groups.empty()) {
            for (const Group& group : found.scenario.groups)
                if (!group.front_end.skew.empty()) {
                    found.latency_added = group.front_end.skew.front();
                    found.keys.emplace_back("group." + group.name + ".delay", to_text(found.latency_added));
                }
        } else {
            found.keys = {{"front_end.skew", list_text(front_end.skew)}};
            found.latency_added = *std::max_element(front_end.skew.begin(), front_end.skew.end());
        }
        return found;
    }

    const NetworkScenario& scenario_;
    const GoodEnough& good_enough_;
    Time resolution_;
    TransmissionTime slot_;                   ///< time of the largest frame on the slowest uplink
    int modules_ = 1;                         ///< modules of the largest switch
    std::int64_t frames_ = 1;                 ///< frames per module and event
    Time event_{0};                           ///< longest duration of an event on a module's link
    Time largest_group_{0};                   ///< longest time of a group's event on the slowest uplink
    std::optional<SynchronousCamera> queue_;  ///< see one_queue(); std::nullopt if nothing can be proven
};

}  // namespace

std::optional<DelaySchedule> find_staggering(const NetworkScenario& scenario, const std::string& kind,
                                             const GoodEnough& good_enough, Time resolution) {
    return StaggerSearch(scenario, good_enough, resolution).of(kind);
}

DelaySchedule longest_useful_delays(const NetworkScenario& scenario, const std::string& kind) {
    return StaggerSearch(scenario, {}, kStaggerStep).longest_useful_delays(kind);
}

Time searched_to(const NetworkScenario& scenario, const std::string& kind, Time resolution) {
    return StaggerSearch(scenario, {}, resolution).searched_to(kind);
}

std::optional<int> most_modules(const NetworkScenario& scenario, bool with_delays, const GoodEnough& good_enough) {
    const FrontEnd& front_end = scenario.front_end;
    if (!scenario.groups.empty() || !scenario.nodes.empty() || !front_end.skew.empty() || !front_end.clock.empty())
        return std::nullopt;
    const auto good = [&](std::int64_t modules) {
        NetworkScenario tried = scenario;
        tried.front_end.modules = int(modules);
        return good_enough(tried) || (with_delays && good_enough(longest_useful_delays(tried, "linear").scenario));
    };
    std::int64_t holds = scenario.network_switch.count, beyond = holds;  // each switch has at least one module
    if (!good(holds)) return 0;
    while (good(beyond = std::min<std::int64_t>(2 * holds, kMostModules))) {
        if (beyond == kMostModules) return kMostModules;
        holds = beyond;
    }
    return int(first_of(holds + 1, beyond, [&](std::int64_t modules) { return !good(modules); })) - 1;
}

bool allow_for_jitter(NetworkScenario& scenario, Time jitter) {
    NetworkScenario in_step = scenario;
    in_step.front_end.jitter = Time{0};
    in_step.front_end.clock_spread = ClockTolerance{0};
    if (!one_queue(in_step)) return false;
    scenario.front_end.jitter = Time{0};
    scenario.network_switch.latency += jitter;
    return true;
}

std::optional<DelaySchedule> find_staggering_for_any_jitter(const NetworkScenario& scenario, const std::string& kind,
                                                            const GoodEnough& good_enough) {
    NetworkScenario worst = scenario;
    if (!allow_for_jitter(worst, scenario.front_end.jitter)) return std::nullopt;
    auto found = find_staggering(worst, kind, good_enough);
    if (!found) return std::nullopt;
    found->scenario.front_end.jitter = scenario.front_end.jitter;
    found->scenario.network_switch.latency = scenario.network_switch.latency;
    found->smallest = false;
    found->any_jitter = true;
    return found;
}

namespace {

/// Returns the long-run rate of events, 1/s; 0 if the triggers have none.
double steady_rate(const NetworkScenario& scenario) {
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

std::vector<LinkLoad> overloads(const NetworkScenario& scenario) {
    std::vector<LinkLoad> found;
    // Groups with triggers of their own have no rate in common.
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    if (std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.trigger; })) return found;
    const double rate = steady_rate(scenario);
    NetworkScenario fast_modules = scenario;
    constexpr double kFull = 1 + 1e-9;  // allows for rounding
    constexpr BitRate kNoLimit{std::int64_t{1} << 60};
    fast_modules.front_end.link_rate = kNoLimit;
    for (Group& group : fast_modules.groups) group.front_end.link_rate = kNoLimit;
    const LinkLoad uplink = fullest_link(fast_modules, Network(scenario), rate);
    if (uplink.load > kFull) found.push_back(uplink);
    double modules = 0;
    for (const Group& group : groups)
        modules = std::max(
            modules, rate * 8 * double(wire_of_fragment(group.frame).count) / double(group.front_end.link_rate.count));
    if (modules > kFull) found.push_back({"the modules' links", modules, true});
    return found;
}

BitRate pace_of(const NetworkScenario& scenario) {
    const Bytes wire = frames_of_fragment(scenario.frame).front().wire;
    const Time apart = scenario.front_end.gap + ceil_time(TransmissionTime::of(wire, scenario.front_end.link_rate), 1);
    return BitRate{std::int64_t(Wide{wire.count} * 8 * 1'000'000'000'000 / apart.count())};
}

Time gap_of_makers(const NetworkScenario& scenario) {
    constexpr Bytes kOwnGap{12};  // IEEE 802.3, 4.4.2
    return scenario.front_end.gap + ceil_time(TransmissionTime::of(kOwnGap, scenario.front_end.link_rate), 1);
}

}  // namespace watershed
