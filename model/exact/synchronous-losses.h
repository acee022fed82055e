// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/recovery.h"
#include "model/base/serializer.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"
#include "model/switch/arrival-order.h"

/// Parts that both runs of a synchronous camera share: its arrivals, their order, and its result.
namespace watershed {

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
    TriggerTrain train(trigger, scenario.seed);  // its constructor checks the trigger
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
    /// Notes that the frames of one event were lost but for the first `admitted` that asked.
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

}  // namespace watershed
