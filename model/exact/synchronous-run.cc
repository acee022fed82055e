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
#include "model/exact/synchronous-losses.h"
#include "model/exact/synchronous-uplinks.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"
#include "model/switch/arrival-order.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

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
        Ring<std::uint16_t> inputs;  ///< inputs of the frames, where each has its own memory
        std::int64_t held;           ///< frames in memory that are queued
        std::int64_t admitted;       ///< frames in memory that are yet to be queued
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
    std::vector<std::int64_t> held_;  ///< frames in memory, by input
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
        std::int64_t admitted;       ///< frames of this trigger
        Ring<std::uint16_t> inputs;  ///< inputs of the frames in memory, where they are followed
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
    std::vector<std::int64_t> held_;  ///< frames in memory by input, where they are followed
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
