// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Says to which event builder a frame goes.
class BuilderChoice {
  public:
    explicit BuilderChoice(const Senders& senders)
        : builders_(senders.builders), seed_(senders.seed), groups_(senders) {}

    int count() const { return builders_.count; }
    /// Returns the number of the builder, from 0, of a fragment's frame.
    int of(const FrameId& frame) const {
        if (builders_.count == 1) return 0;
        switch (builders_.assignment) {
            case Builders::Assignment::InTurn: return static_cast<int>((frame.event - 1) % builders_.count);
            case Builders::Assignment::Random:
                return static_cast<int>(uniform_up_to(
                    random_bits(seed_, Stream::Builder, static_cast<std::uint64_t>(frame.event)), builders_.count - 1));
            case Builders::Assignment::ByGroup: break;
        }
        return static_cast<int>(groups_.of(frame.module)) % builders_.count;
    }
    /// Whether all frames of an event go to one builder.
    bool keeps_events_together() const {
        return builders_.count == 1 || builders_.assignment != Builders::Assignment::ByGroup;
    }

  private:
    Builders builders_;
    std::uint64_t seed_;
    ModuleGroups groups_;
};

}  // namespace watershed
