// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/frontend/senders.h"

namespace watershed {

/// The groups of a detector's modules; modules of one kind are a single group without a name.
class ModuleGroups {
  public:
    explicit ModuleGroups(const Senders& senders) : groups_(senders.groups) {
        if (groups_.empty()) groups_.push_back({{}, senders.frame, senders.front_end, {}, {}, {}});
    }
    const std::vector<Group>& all() const& { return groups_; }
    std::vector<Group> all() && { return std::move(groups_); }
    /// Returns the place of a module's group in all(). @param module  from 1
    std::size_t of(int module) const {
        std::size_t group = 0;
        for (; group + 1 < groups_.size() && module > groups_[group].front_end.modules; ++group)
            module -= groups_[group].front_end.modules;
        return group;
    }

  private:
    std::vector<Group> groups_;
};

/// Says to which event builder a frame goes.
class BuilderChoice {
  public:
    explicit BuilderChoice(const Senders& senders)
        : builders_(senders.builders), seed_(senders.seed), groups_(senders) {}
    int count() const { return builders_.count; }
    /// Returns the number of the builder, from 0, of a fragment's frame.
    int of(const FrameId& frame) const {
        if (builders_.receiving() == builders_.count) return frame.copy % builders_.count;
        std::int64_t turn = frame.event - 1;
        if (builders_.are_drawn())
            turn = uniform_up_to(random_bits(seed_, Stream::Builder, static_cast<std::uint64_t>(frame.event),
                                             builders_.order == Order::Random ? frame.module : 0),
                                 builders_.count - 1);
        else if (goes_by_group())
            turn = static_cast<std::int64_t>(groups_.of(frame.module));
        return static_cast<int>((turn + (builders_.order == Order::Shifted ? frame.module - 1 : 0)) % builders_.count);
    }
    /// Whether all frames of an event go to one builder.
    bool keeps_events_together() const {
        return builders_.count == 1 ||
               (builders_.receiving() == 1 && builders_.order == Order::InTurn && !goes_by_group());
    }
    /// Whether each module sends all that it has to one builder.
    bool keeps_modules_together() const {
        return builders_.count == 1 || (builders_.order != Order::Random && goes_by_group());
    }

  private:
    using Order = Builders::Order;
    bool goes_by_group() const { return builders_.assignment == Builders::Assignment::ByGroup; }

    Builders builders_;
    std::uint64_t seed_;
    ModuleGroups groups_;
};

}  // namespace watershed
