// SPDX-License-Identifier: GPL-2.0-only
#include "model/fill/stopped-switch.h"

#include <deque>

#include "model/base/frame.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

class StoppedMemory final : public StoppedSwitch {
  public:
    explicit StoppedMemory(const Incast& scenario)
        : memory_(scenario.network_switch.buffer, scenario.front_end.modules, scenario.network_switch.uplinks),
          pauses_(scenario.network_switch.flow_control, scenario.front_end.link_rate, scenario.front_end.modules,
                  memory_.units()),
          has_headroom_(scenario.network_switch.buffer.headroom.amount > 0),
          uplinks_(scenario.network_switch.uplinks),
          size_(frames_of_fragment(scenario.frame).front().buffer) {}

    Fate offer(int input) override {
        MemoryClaim claim{input, input % uplinks_, size_};
        Fate fate;
        fate.lost = memory_.refusal(claim);
        if (fate.lost && has_headroom_ && pauses_.is_paused(input)) {
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
    Bytes size_;
    std::deque<Run> queue_;
};

}  // namespace

std::unique_ptr<StoppedSwitch> stop_exactly(const Incast& scenario, std::int64_t) {
    return std::make_unique<StoppedMemory>(scenario);
}

}  // namespace watershed
