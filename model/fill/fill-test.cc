// SPDX-License-Identifier: GPL-2.0-only
#include "model/fill/fill-test.h"

#include <stdexcept>
#include <string>

#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

/// Offers frames one by one and counts them.
class Filler {
  public:
    using Fate = StoppedSwitch::Fate;

    /// @param needs_pause  the event cannot happen to a group whose sender is never told to pause
    Filler(StoppedSwitch& filled, int inputs, std::int64_t limit, bool needs_pause)
        : filled_(filled), groups_(static_cast<std::size_t>(inputs)), left_(limit), needs_pause_(needs_pause) {}

    Fate offer(int input) {
        if (left_-- == 0) throw NoEvent("the event did not happen within the frames that were allowed");
        const Fate fate = filled_.offer(input);
        Group& group = groups_[static_cast<std::size_t>(input)];
        if (fate.in_memory || fate.lost) ++group.counted;
        group.paused = fate.paused;
        // Nothing leaves, so that what was refused twice is refused for ever.
        group.refused = fate.lost && !fate.paused ? group.refused + 1 : 0;
        if (group.refused > 1 && needs_pause_)
            throw NoEvent("the event does not happen: frames are lost and no sender is told to pause");
        if (fate.on_headroom) ++group.on_headroom;
        return fate;
    }
    void until_paused(int input) {
        while (!is_paused(input)) offer(input);
    }
    /// @return why
    const LossCause& until_lost(int input) {
        for (;;)
            if (const Fate fate = offer(input); fate.lost) return *fate.lost;
    }
    /// A group that finds neither memory nor headroom loses its first frame before it is told to pause.
    void until_headroom_is_full(int input) {
        while (!(until_lost(input) == SwitchMemory::kHeadroomFull)) continue;
    }

    bool is_paused(int input) const { return groups_[static_cast<std::size_t>(input)].paused; }
    /// Frames of the group in memory, and those lost.
    std::int64_t counted(int input) const { return groups_[static_cast<std::size_t>(input)].counted; }
    std::int64_t on_headroom(int input) const { return groups_[static_cast<std::size_t>(input)].on_headroom; }

  private:
    struct Group {
        std::int64_t counted = 0;
        std::int64_t on_headroom = 0;
        bool paused = false;
        int refused = 0;  ///< frames in a row
    };

    StoppedSwitch& filled_;
    std::vector<Group> groups_;
    std::int64_t left_;
    bool needs_pause_;
};

}  // namespace

std::int64_t fill(const FillTest& test, const StoppedSwitchFactory& stop, std::int64_t limit) {
    const auto filled = stop(test.scenario, limit);
    const int inputs = test.scenario.front_end.modules;
    Filler filler(*filled, inputs, limit, test.event != FillEvent::EgressDrop);
    for (int group = 0; group < test.before; ++group) filler.until_paused(group);
    const int first = test.before;
    switch (test.event) {
        case FillEvent::Xoff:
            while (!filler.is_paused(first))
                for (int group = first; group < first + test.together; ++group)
                    if (!filler.is_paused(group)) filler.offer(group);
            return filler.counted(first);
        case FillEvent::IngressDrop:
        case FillEvent::EgressDrop: filler.until_lost(first); return filler.counted(first);
        case FillEvent::Xon: {
            filler.until_paused(first);
            std::int64_t left = 1;
            for (const std::int64_t most = filler.counted(first); left < most && filled->release(first);) ++left;
            return left;
        }
        case FillEvent::HeadroomFull: filler.until_headroom_is_full(first); return filler.on_headroom(first);
        case FillEvent::HeadroomPartial: {
            std::int64_t most = 0;
            for (int group = first; group < inputs; ++group) {
                filler.until_headroom_is_full(group);
                if (filler.on_headroom(group) < most) return filler.on_headroom(group);
                most = filler.on_headroom(group);
            }
            throw NoEvent("the headroom pool did not run out");
        }
    }
    throw std::logic_error("not an event of a fill test");
}

std::vector<ProbedGroup> probe(const Incast& scenario, int groups, const StoppedSwitchFactory& stop,
                               std::int64_t limit) {
    const auto filled = stop(scenario, limit);
    Filler filler(*filled, scenario.front_end.modules, limit, true);
    std::vector<ProbedGroup> probed;
    for (int group = 0; group < groups; ++group) {
        filler.until_paused(group);
        probed.push_back({filler.counted(group), 0});
        filler.until_lost(group);
        probed.back().drop = filler.counted(group);
    }
    return probed;
}

}  // namespace watershed
