// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/recovery.h"
#include "model/base/ring.h"
#include "model/base/serializer.h"
#include "model/base/timestamp.h"
#include "model/exact/exact-run.h"
#include "model/exact/synchronous-uplinks.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"
#include "model/switch/arrival-order.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// Calls `arrive(event, time)` for each trigger, when the frames of all modules have arrived at the switch; it tells
/// whether one was lost.
/// @return how many triggers there were
template <class Arrive>
std::int64_t for_each_arrival(const SynchronousCamera& camera, const NetworkScenario& scenario,
                              const Observer* observer, Arrive&& arrive) {
    const Trigger& trigger = scenario.trigger;
    Serializer link(scenario.front_end.link_rate, module_timing(scenario.front_end, scenario.seed, 1).tolerance,
                    camera.times.grid);
    Time offered{0};
    const auto send = [&](std::int64_t event, Time time) {
        offered = std::max(offered, time + camera.skew);
        return arrive(event, link.send(offered, camera.frame.wire)) && observer && observer->may_end_at_loss;
    };
    const bool progress = observer && observer->progress;
    const auto tell = [&](std::int64_t event) {
        if (progress && event % 1024 == 0) observer->progress(event);
    };
    TriggerTrain train(trigger, scenario.seed);  // which checks the trigger
    const bool regular = trigger.pattern == Trigger::Pattern::Burst && !trigger.duration &&
                         trigger.dead_time <= trigger.separation && trigger.rules.empty();
    std::int64_t event = 0;
    if (regular) {
        const std::int64_t events = *trigger.events;
        while (event < events) {
            const Time time = trigger.separation * event;
            if (send(++event, time)) break;
            tell(event);
        }
    } else {
        while (const auto time = train.next()) {
            if (send(++event, *time)) break;
            tell(event);
        }
    }
    return event;
}

/// The order in which the modules' frames of one event, which arrive together, ask for memory.
class SynchronousOrder {
  public:
    explicit SynchronousOrder(const NetworkScenario& scenario)
        : order_(scenario.network_switch.arrival_order),
          rank_(order_, scenario.front_end.modules, scenario.seed, scenario.front_end.modules_before),
          modules_(static_cast<std::size_t>(scenario.front_end.modules)) {
        std::iota(modules_.begin(), modules_.end(), 1);
    }

    /// Modules, from 1, as they ask in this event.
    const std::vector<int>& of(std::int64_t event) {
        if (order_ == ArrivalOrder::Module || event == event_) return modules_;
        event_ = event;
        if (order_ == ArrivalOrder::Rotating) {
            const auto count = static_cast<std::int64_t>(modules_.size());
            std::iota(modules_.begin(), modules_.end(), 1);
            std::rotate(modules_.begin(), modules_.begin() + (event - 1) % count, modules_.end());
        } else {
            keyed_.clear();
            for (int module = 1; module <= static_cast<int>(modules_.size()); ++module)
                keyed_.emplace_back(rank_(event, module), module);
            std::sort(keyed_.begin(), keyed_.end());
            std::transform(keyed_.begin(), keyed_.end(), modules_.begin(), [](const auto& key) { return key.second; });
        }
        return modules_;
    }

  private:
    ArrivalOrder order_;
    ArrivalRank rank_;
    std::vector<int> modules_;
    std::vector<std::pair<std::uint64_t, int>> keyed_;
    std::int64_t event_ = 0;
};

/// The part of an Outcome that is the same for both fast paths.
class SynchronousResultBuilder {
  public:
    /// @param by_module  modules ask in the order of their numbers
    /// @param observer   told of incomplete events, if not null
    SynchronousResultBuilder(const SynchronousCamera& camera, bool by_module, const Observer* observer)
        : camera_(camera),
          by_module_(by_module),
          lost_from_(static_cast<std::size_t>(camera.modules)),
          incomplete_(observer) {
        outcome_.lost_by_module.resize(static_cast<std::size_t>(camera.modules));
        outcome_.uplinks.resize(static_cast<std::size_t>(camera.uplinks));
    }

    /// @param tied  another module's frame of this event had taken the room
    void lost(std::int64_t event, int module, Time now, bool tied) {
        decided_by_ties_ += tied;
        if (!outcome_.first_loss)
            outcome_.first_loss = FirstLoss{{event, module, 0}, now, std::string(camera_.full.where)};
        ++outcome_.lost_by_module[static_cast<std::size_t>(module - 1)];
    }
    /// Of the frames of one event, the first `admitted` that asked were: the others are lost.
    void lost_after(std::int64_t event, const std::vector<int>& modules, std::int64_t admitted, Time now) {
        if (!outcome_.first_loss)
            outcome_.first_loss = FirstLoss{
                {event, modules[static_cast<std::size_t>(admitted)], 0}, now, std::string(camera_.full.where)};
        if (by_module_)
            ++lost_from_[static_cast<std::size_t>(admitted)];
        else
            for (auto i = static_cast<std::size_t>(admitted); i < modules.size(); ++i)
                ++outcome_.lost_by_module[static_cast<std::size_t>(modules[i] - 1)];
        const std::int64_t lost = static_cast<std::int64_t>(modules.size()) - admitted;
        if (admitted > 0) decided_by_ties_ += lost;
        lost_of_event(event, lost);
    }
    void lost_of_event(std::int64_t event, std::int64_t frames) {
        lost_ += frames;
        incomplete_.add(event, frames);
    }
    /// An event found the switch empty and idle.
    void idle(std::int64_t event) {
        if (event > 1 && first_idle_ == 0) first_idle_ = event;
    }
    void left_by(int uplink, std::int64_t frames) {
        outcome_.uplinks[static_cast<std::size_t>(uplink)].frames += frames;
    }

    /// @param recovery   of the memory, in frames
    /// @param simulated  when the last frame had left the switch, or was lost
    Outcome close(std::int64_t events, const Recovery& recovery, Time simulated) {
        std::int64_t lost_so_far = 0;
        for (std::size_t i = 0; i < lost_from_.size(); ++i) outcome_.lost_by_module[i] += lost_so_far += lost_from_[i];
        outcome_.events_sent = events;
        incomplete_.report(outcome_);
        outcome_.frames_sent = events * camera_.modules;
        outcome_.frames_received = outcome_.frames_sent - lost_;
        std::optional<std::int64_t> cells = camera_.cells;
        if (cells) *cells *= recovery.peak();
        outcome_.add({"switch", lost_, recovery.peak(), camera_.frame.buffer * recovery.peak(), cells, first_idle_,
                      recovery.fullest(), recovery.drained()});
        outcome_.module_links.assign(lost_from_.size(), {events, camera_.frame.wire * events});
        if (lost_ > 0)
            outcome_.losses.push_back({std::string(camera_.full.where), std::string(camera_.full.reason), lost_});
        for (Outcome::Link& uplink : outcome_.uplinks) uplink.wire = camera_.frame.wire * uplink.frames;
        outcome_.decided_by_ties = {decided_by_ties_};
        outcome_.simulated = simulated;
        return std::move(outcome_);
    }

  private:
    const SynchronousCamera& camera_;
    bool by_module_;
    std::vector<std::int64_t> lost_from_;  ///< events in which module i + 1 and those behind it lost their frames
    IncompleteEvents incomplete_;
    Outcome outcome_;
    std::int64_t lost_ = 0;
    std::int64_t decided_by_ties_ = 0;
    std::int64_t first_idle_ = 0;
};

/// The switch, followed frame by frame.
template <SynchronousCamera::Pools pools>
class FrameRun {
    using Pools = SynchronousCamera::Pools;

  public:
    FrameRun(const SynchronousCamera& camera, const Observer* observer)
        : camera_(camera),
          books_(camera, false, observer),
          uplinks_(static_cast<std::size_t>(camera.uplinks), Uplink{FramesOnUplink(camera), {}, 0, 0, 0, 0}),
          held_(static_cast<std::size_t>(camera.modules)) {}

    Outcome run(const NetworkScenario& scenario, const Observer* observer) {
        SynchronousOrder order(scenario);
        UplinkSelector selector(scenario.network_switch, scenario.front_end);
        Timestamp last, busy_until;
        const std::int64_t events =
            for_each_arrival(camera_, scenario, observer, [&](std::int64_t event, const Timestamp& now) {
                last = now;
                release_until(now);
                if (occupancy_ == 0 && now >= busy_until) books_.idle(event);
                std::int64_t lost = 0;
                for (const int module : order.of(event)) {
                    Uplink& uplink = uplinks_[static_cast<std::size_t>(selector.next(module))];
                    std::int64_t& last_taken = pools == Pools::Output ? uplink.last_taken : last_taken_;
                    if (!admit(module, uplink)) {
                        books_.lost(event, module, now.time, pools != Pools::Input && last_taken == event);
                        ++lost;
                        continue;
                    }
                    last_taken = event;
                    // A frame that begins to leave as it arrives makes room for the next one.
                    if (camera_.release_at_start && uplink.frames.free() <= now && camera_.latency == Time{0}) {
                        send(now);
                        release_until(now);
                    }
                }
                send(now);
                if (lost > 0) books_.lost_of_event(event, lost);
                for (const Uplink& uplink : uplinks_) busy_until = std::max(busy_until, uplink.frames.free());
                return lost > 0;
            });
        for (std::size_t i = 0; i < uplinks_.size(); ++i) books_.left_by(static_cast<int>(i), uplinks_[i].sent);
        release_until(Time::max());
        return books_.close(events, recovery_, std::max(last, busy_until).time);
    }

  private:
    struct Uplink {
        FramesOnUplink frames;
        Ring<std::uint16_t> inputs;  ///< of the frames, where each input has its own memory
        std::int64_t held;           ///< frames in memory
        std::int64_t admitted;       ///< of them, those that are yet to be queued
        std::int64_t sent;
        std::int64_t last_taken;  ///< event of which a frame was
    };

    bool admit(int module, Uplink& uplink) {
        const auto input = static_cast<std::size_t>(module - 1);
        const std::int64_t held = pools == Pools::Input    ? held_[input]
                                  : pools == Pools::Output ? uplink.held + uplink.admitted
                                                           : occupancy_;
        if (held >= camera_.room) return false;
        if constexpr (pools == Pools::Input) {
            ++held_[input];
            uplink.inputs.push(static_cast<std::uint16_t>(input));
        }
        ++uplink.admitted;
        ++occupancy_;
        return true;
    }

    void send(const Timestamp& now) {
        std::int64_t admitted = 0;
        for (Uplink& uplink : uplinks_) {
            admitted += uplink.admitted;
            uplink.frames.push(now + camera_.latency, uplink.admitted);
            uplink.held += uplink.admitted;
            uplink.sent += uplink.admitted;
            uplink.admitted = 0;
        }
        if (admitted > 0) recovery_.occupied(now.time, occupancy_, true);
    }

    void release_until(const Timestamp& now) {
        std::int64_t any = 0;
        for (Uplink& uplink : uplinks_) {
            const std::int64_t released = uplink.frames.release_until(now);
            uplink.held -= released;
            occupancy_ -= released;
            if constexpr (pools == Pools::Input)
                for (std::int64_t i = 0; i < released; ++i) --held_[uplink.inputs.pop()];
            any += released;
        }
        if (any == 0 || occupancy_ > 0) return;
        Time last{0};
        for (const Uplink& uplink : uplinks_) last = std::max(last, uplink.frames.last_release());
        recovery_.occupied(last, 0, false);
    }

    const SynchronousCamera& camera_;
    SynchronousResultBuilder books_;
    std::vector<Uplink> uplinks_;
    std::vector<std::int64_t> held_;  ///< by input
    std::int64_t occupancy_ = 0;
    std::int64_t last_taken_ = 0;  ///< event of which a frame was
    Recovery recovery_;
};

/// The switch, followed trigger by trigger. While every queue surely has room for another frame, those of a trigger are
/// only counted.
template <SynchronousCamera::Pools pools>
class TriggerRun {
    using Pools = SynchronousCamera::Pools;

  public:
    TriggerRun(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer)
        : camera_(camera),
          books_(camera, scenario.network_switch.arrival_order == ArrivalOrder::Module, observer),
          order_(scenario),
          held_(static_cast<std::size_t>(camera.modules)) {
        for (const std::int64_t modules : camera.modules_of_uplink) {
            // Frames leave in the order of triggers, so that no input has more than one of each that is in memory.
            const Wide most = pools == Pools::Input ? (Wide{camera.room} - 1) * modules : Wide{camera.room} - modules;
            uplinks_.push_back({CountingUplink(camera), modules, most, 0, {}});
        }
    }

    Outcome run(const NetworkScenario& scenario, const Observer* observer) {
        const TimeGrid grid = camera_.times.grid;
        Timestamp last;
        std::int64_t complete = 0;
        const std::int64_t events =
            for_each_arrival(camera_, scenario, observer, [&](std::int64_t event, const Timestamp& now) {
                const std::int64_t occupancy = advance(grid.between(last, now), now);
                last = now;
                if (occupancy == 0) {
                    books_.idle(event);
                    if (recovery_.recovering()) recovery_.occupied(silent_since(), 0, false);
                    followed_ = false;
                }
                std::int64_t admitted = camera_.modules;
                if (have_room(occupancy)) {
                    for (Uplink& uplink : uplinks_) uplink.frames.add(uplink.modules);
                    ++complete;
                } else {
                    admitted = admit(event, now, occupancy);
                }
                if (admitted > 0) recovery_.occupied(now.time, occupancy + admitted, true);
                return admitted < camera_.modules;
            });
        Wide rest = 0;
        for (std::size_t i = 0; i < uplinks_.size(); ++i) {
            rest = std::max(rest, uplinks_[i].frames.rest());
            books_.left_by(static_cast<int>(i), complete * uplinks_[i].modules);
        }
        if (rest > grid.between(last, kLastDeparture)) throw TimeExceeded(camera_.uplink_rate);
        const Time end = grid.after(last, rest).time;
        if (recovery_.recovering()) recovery_.occupied(rest > 0 ? end : silent_since(), 0, false);
        return books_.close(events, recovery_, end);
    }

  private:
    struct Uplink {
        CountingUplink frames;
        std::int64_t modules;
        Wide most;  ///< frames in memory with which another trigger's all have room, unless all uplinks share it
        std::int64_t admitted;       ///< of this trigger
        Ring<std::uint16_t> inputs;  ///< of the frames in memory, where they are followed
    };

    /// @return frames in memory
    std::int64_t advance(Wide step, const Timestamp& now) {
        std::int64_t occupancy = 0;
        for (Uplink& uplink : uplinks_) {
            uplink.frames.advance(step, now);
            occupancy += uplink.frames.queued();
            if (pools != Pools::Input || !followed_) continue;
            while (uplink.inputs.size() > uplink.frames.queued()) --held_[uplink.inputs.pop()];
        }
        return occupancy;
    }

    bool have_room(std::int64_t occupancy) const {
        if constexpr (pools == Pools::All) return occupancy + camera_.modules <= camera_.room;
        return !followed_ && std::all_of(uplinks_.begin(), uplinks_.end(),
                                         [](const Uplink& uplink) { return uplink.frames.queued() <= uplink.most; });
    }

    /// A trigger's frames ask one by one. @return how many were admitted
    std::int64_t admit(std::int64_t event, const Timestamp& now, std::int64_t occupancy) {
        if (pools == Pools::Input && !followed_) follow(event);
        const std::vector<int>& modules = order_.of(event);
        std::int64_t admitted = 0;
        if constexpr (pools == Pools::All) {
            admitted = camera_.room - occupancy;
            books_.lost_after(event, modules, admitted, now.time);
            if (uplinks_.size() == 1)
                uplinks_.front().admitted = admitted;
            else
                for (std::int64_t i = 0; i < admitted; ++i) ++uplink_of(modules[static_cast<std::size_t>(i)]).admitted;
        } else {
            for (const int module : modules) {
                if (admit(module))
                    ++admitted;
                else
                    books_.lost(event, module, now.time, pools == Pools::Output && uplink_of(module).admitted > 0);
            }
            if (admitted < camera_.modules) books_.lost_of_event(event, camera_.modules - admitted);
        }
        for (std::size_t i = 0; i < uplinks_.size(); ++i) {
            uplinks_[i].frames.add(uplinks_[i].admitted);
            books_.left_by(static_cast<int>(i), std::exchange(uplinks_[i].admitted, 0));
        }
        return admitted;
    }

    bool admit(int module) {
        const auto input = static_cast<std::size_t>(module - 1);
        Uplink& uplink = uplink_of(module);
        if ((pools == Pools::Input ? held_[input] : uplink.frames.queued() + uplink.admitted) >= camera_.room)
            return false;
        ++uplink.admitted;
        if constexpr (pools == Pools::Input) store(input);
        return true;
    }

    void store(std::size_t input) {
        ++held_[input];
        uplinks_[static_cast<std::size_t>(camera_.uplink[input])].inputs.push(static_cast<std::uint16_t>(input));
    }

    /// From this trigger on, until the memory is empty, each input's frames are counted. Of the triggers before, all
    /// had room.
    void follow(std::int64_t event) {
        followed_ = true;
        std::int64_t triggers = 0;
        for (Uplink& uplink : uplinks_)
            if (uplink.modules > 0) triggers = std::max(triggers, ceil_div(uplink.frames.queued(), uplink.modules));
        std::vector<std::int64_t> gone;  // frames of these triggers, by uplink
        for (Uplink& uplink : uplinks_) gone.push_back(triggers * uplink.modules - uplink.frames.queued());
        for (std::int64_t before = event - triggers; before < event; ++before)
            for (const int module : order_.of(before)) {
                const auto input = static_cast<std::size_t>(module - 1);
                if (--gone[static_cast<std::size_t>(camera_.uplink[input])] < 0) store(input);
            }
    }

    Uplink& uplink_of(int module) {
        return uplinks_[static_cast<std::size_t>(camera_.uplink[static_cast<std::size_t>(module - 1)])];
    }

    Time silent_since() const {
        Timestamp moment;
        for (const Uplink& uplink : uplinks_) moment = std::max(moment, uplink.frames.silent_since());
        return moment.time;
    }

    const SynchronousCamera& camera_;
    SynchronousResultBuilder books_;
    SynchronousOrder order_;
    std::vector<Uplink> uplinks_;
    std::vector<std::int64_t> held_;  ///< by input, where frames are followed
    bool followed_ = false;
    Recovery recovery_;
};

template <class Run>
Outcome for_pools(const SynchronousCamera& camera, Run&& run) {
    using Pools = SynchronousCamera::Pools;
    switch (camera.pools) {
        case Pools::All: return run(std::integral_constant<Pools, Pools::All>());
        case Pools::Input: return run(std::integral_constant<Pools, Pools::Input>());
        case Pools::Output: return run(std::integral_constant<Pools, Pools::Output>());
    }
    return {};
}

}  // namespace

Outcome run_by_trigger(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer) {
    return for_pools(camera, [&](auto pools) {
        return TriggerRun<decltype(pools)::value>(camera, scenario, observer).run(scenario, observer);
    });
}

Outcome run_by_frame(const SynchronousCamera& camera, const NetworkScenario& scenario, const Observer* observer) {
    return for_pools(
        camera, [&](auto pools) { return FrameRun<decltype(pools)::value>(camera, observer).run(scenario, observer); });
}

}  // namespace watershed
