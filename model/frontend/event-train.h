// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/frontend/module-groups.h"
#include "model/frontend/trigger.h"

namespace watershed {

/// Gives a group its place: its delay becomes part of its modules' skew, and lists of its modules repeat from its first
/// one on, whatever its number.
inline Group placed_after(int modules_before, Group group) {
    FrontEnd& front_end = group.front_end;
    const auto shift = [&](auto& list) {
        if (list.empty()) return;
        const auto by = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(modules_before) % list.size());
        std::rotate(list.rbegin(), list.rbegin() + by, list.rend());
    };
    front_end.modules_before = modules_before;
    if (front_end.skew.empty() && group.delay != Time{0}) front_end.skew = {Time{0}};
    for (Time& skew : front_end.skew) skew += group.delay;
    group.delay = Time{0};
    shift(front_end.skew);
    shift(front_end.clock);
    shift(front_end.source_ports);
    return group;
}

/// Returns the triggers that a group answers.
TriggerTrain train_of(const Group& group, const Senders& senders);

/// The events of a detector in the order of their triggers: of the common trigger, and of each group that has one of
/// its own. At one instant the common one comes first, then groups in their order.
class EventTrain {
  public:
    explicit EventTrain(const Senders& senders);
    /// Events of a single trigger.
    explicit EventTrain(TriggerTrain train);

    struct Event {
        Time time{0};
        int source = 0;  ///< 0: the common trigger; otherwise the group's place in Senders, from 1
    };
    /// The next one, or nothing after the last.
    std::optional<Event> next();

  private:
    struct Source {
        int number;
        TriggerTrain train;
        std::optional<Time> head;
    };
    void add(int number, TriggerTrain train);

    std::vector<Source> sources_;
    bool has_begun_ = false;
};

/// The triggers of events, which are drawn as far as they are asked for.
class EventTimes {
  public:
    explicit EventTimes(const Senders& senders) : train_(senders) {}

    /// @param event  from 1, that there is
    Time of(std::int64_t event) {
        while (static_cast<std::int64_t>(times_.size()) < event) times_.push_back(train_.next().value().time);
        return times_[static_cast<std::size_t>(event - 1)];
    }

  private:
    EventTrain train_;
    std::vector<Time> times_;
};

/// Consecutive modules, from 1.
struct ModuleRange {
    int first = 1;
    int last = 0;
};

/// Tells which modules answer an event. Events count from 1 in the order of EventTrain.
class Answers {
  public:
    explicit Answers(const Senders& senders);

    /// Every module answers every event.
    bool are_all() const { return !train_ && trigger_.pattern != Trigger::Pattern::LineRatePlusBurst; }
    bool operator()(std::int64_t event, int module) {
        return train_ ? source_of(event) == source_of_module(module) : answers(trigger_, event, module);
    }
    /// Calls `each` with the number of every module that answers an event, in order.
    template <class Each>
    void for_modules(std::int64_t event, const Each& each) {
        int module = 0, last = 0;
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            last += groups_.all()[i].front_end.modules;
            if (train_ && source_of(event) != sources_[i]) module = last;
            while (module < last)
                if (++module; train_ || answers(trigger_, event, module)) each(module);
        }
    }
    /// Returns the number of the first `events` events that a module answers.
    std::int64_t count(std::int64_t events, int module);
    /// Returns the modules that answer the trigger of a source.
    std::vector<ModuleRange> modules_of(int source) const;

  private:
    int source_of(std::int64_t event);
    int source_of_module(int module) const { return sources_[groups_.of(module)]; }

    Trigger trigger_;
    ModuleGroups groups_;
    std::vector<int> sources_;         ///< by group
    std::optional<EventTrain> train_;  ///< present if sources differ
    std::vector<std::int16_t> drawn_;  ///< source of each event, as far as it was asked for
};

}  // namespace watershed
