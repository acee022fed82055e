// SPDX-License-Identifier: GPL-2.0-only
#include "model/fill/fill-test.h"

#include <deque>

#include "model/base/frame.h"
#include "model/base/unsupported-key.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

class StoppedMemory final : public TxDisabledSwitch {
  public:
    explicit StoppedMemory(const NetworkScenario& scenario)
        : memory_(scenario.network_switch.buffer, scenario.front_end.modules, scenario.network_switch.uplinks),
          pauses_(scenario.network_switch.flow_control, scenario.front_end.link_rate, scenario.front_end.modules,
                  memory_),
          has_headroom_(scenario.network_switch.buffer.headroom.amount > 0),
          uplinks_(scenario.network_switch.uplinks),
          classes_(scenario.network_switch.buffer.classes),
          size_(frames_of_fragment(scenario.frame).front().buffer) {}

    Fate offer(int group) override {
        const int input = group / classes_;
        MemoryClaim claim{input, input % uplinks_, size_};
        claim.traffic_class = group % classes_;
        Fate fate;
        fate.lost = memory_.refusal(claim);
        if (fate.lost && has_headroom_ && pauses_.opens_headroom(input, claim.traffic_class)) {
            claim.on_headroom = true;
            fate.lost = memory_.refusal(claim);
        }
        if (fate.lost) {
            memory_.drop(claim, *fate.lost);
        } else {
            const std::int64_t before = memory_.frames();
            memory_.take(claim);
            fate.in_memory = memory_.frames() > before;
            fate.on_headroom = fate.in_memory && claim.on_headroom;
            queued(claim);
        }
        fate.paused = tell(input);
        return fate;
    }

    std::int64_t repeat(std::int64_t most) override {
        Run& last = queue_.back();
        const std::int64_t taken = memory_.take_alike(
            last.claim, most, [&] { return !pauses_.is_active() || !pauses_.turns(last.claim.input, memory_); });
        last.frames += taken;
        return taken;
    }

    bool release(int input) override {
        memory_.release(queue_.front().claim);
        if (--queue_.front().frames == 0) queue_.pop_front();
        return tell(input);
    }

  private:
    /// Frames that follow each other with the same claim.
    struct Run {
        MemoryClaim claim;
        std::int64_t frames;
    };

    void queued(const MemoryClaim& claim) {
        if (!queue_.empty() && queue_.back().claim.input == claim.input &&
            queue_.back().claim.traffic_class == claim.traffic_class &&
            queue_.back().claim.on_headroom == claim.on_headroom)
            ++queue_.back().frames;
        else
            queue_.push_back({claim, 1});
    }
    bool tell(int input) {
        if (!pauses_.is_active()) return false;
        pauses_.order(input, memory_, Time{0});
        return pauses_.is_paused(input);
    }

    SwitchMemory memory_;
    PauseControl pauses_;
    bool has_headroom_;
    int uplinks_;
    int classes_;
    Bytes size_;
    std::deque<Run> queue_;
};

}  // namespace

std::unique_ptr<TxDisabledSwitch> make_exact_tx_disabled_switch(const NetworkScenario& scenario, std::int64_t) {
    if (scenario.network_switch.buffer.dram)
        throw KeyError("switch.buffer.dram", "conflicts with a fill test, whose frames come at no time");
    return std::make_unique<StoppedMemory>(scenario);
}

namespace {

/// Offers frames and counts them.
class Filler {
  public:
    using Fate = TxDisabledSwitch::Fate;

    /// @param needs_pause  the event cannot happen to a group whose sender is never told to pause
    Filler(TxDisabledSwitch& filled, int inputs, std::int64_t limit, bool needs_pause)
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
        while (!is_paused(input))
            if (const Fate fate = offer(input); !fate.paused) repeat(input, fate);
    }
    /// @return why
    const LossCause& until_lost(int input) {
        for (;;) {
            const Fate fate = offer(input);
            if (fate.lost) return *fate.lost;
            repeat(input, fate);
        }
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

    /// Offers frames whose fate is that of the last one.
    void repeat(int input, const Fate& last) {
        if (!last.in_memory) return;
        const std::int64_t more = filled_.repeat(left_);
        Group& group = groups_[static_cast<std::size_t>(input)];
        group.counted += more;
        if (last.on_headroom) group.on_headroom += more;
        left_ -= more;
    }

    TxDisabledSwitch& filled_;
    std::vector<Group> groups_;
    std::int64_t left_;
    bool needs_pause_;
};

}  // namespace

std::int64_t fill(const FillTest& test, const StoppedSwitchFactory& stop, std::int64_t limit) {
    const auto filled = stop(test.scenario, limit);
    const int inputs = test.scenario.front_end.modules * test.scenario.network_switch.buffer.classes;
    const bool pauses = test.scenario.network_switch.flow_control.kind != FlowControl::Kind::None;
    const bool needs_pause = test.event != FillEvent::EgressDrop && test.event != FillEvent::Limit;
    Filler filler(*filled, inputs, limit, needs_pause && (pauses || test.event != FillEvent::IngressDrop));
    for (int group = 0; group < test.before; ++group) {
        if (pauses)
            filler.until_paused(group);
        else
            filler.until_lost(group);
    }
    const int first = test.before;
    switch (test.event) {
        case FillEvent::Xoff:
            if (test.together == 1) filler.until_paused(first);
            while (!filler.is_paused(first))
                for (int group = first; group < first + test.together; ++group)
                    if (!filler.is_paused(group)) filler.offer(group);
            return filler.counted(first);
        case FillEvent::Limit: filler.until_lost(first); return filler.counted(first) - 1;
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

std::vector<ProbedGroup> probe(const NetworkScenario& scenario, int groups, const StoppedSwitchFactory& stop,
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
