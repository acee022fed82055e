// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "model/exact/uniform-camera.h"
#include "model/network/network.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Decides on frames of one size, which a switch counts: all rules for a queue compare two numbers of frames then. What
/// else a memory may have, a SwitchMemory decides.
class UniformMemory {
  public:
    /// @throws std::invalid_argument as SwitchMemory does
    UniformMemory(const UniformCamera::Memory& memory, const Network::Switch& self, const FrameSizes& frame)
        : memory_(memory),
          by_input_(memory.pools == UniformCamera::Pools::All ? memory.by_input
                                                              : memory.pools == UniformCamera::Pools::Input),
          buffer_(self.settings.buffer),
          frame_(frame.buffer) {
        rules_ = make_switch_memory(buffer_, self.inputs(), self.settings.uplinks);  // checks all amounts, too
        if (memory.has_rules) return;
        rules_.reset();
        const MemoryUnits units(buffer_);
        cost_ = units.cost(frame_);
        early_ = EarlyRange(buffer_.early_of(0), units);
        if (early_.to != 0) early_from_ = ceil_div(early_.from, cost_);
        if (memory_.has_steps) read_steps(units);
        resumes_ = buffer_.resume || buffer_.descriptors_resume;
        if (resumes_) resume_at_.assign(static_cast<std::size_t>(std::max(self.inputs(), self.settings.uplinks)), kAny);
        sure_ = sure_if_none_waits_ = surely_taken();
    }

    const UniformCamera::Memory* operator->() const { return &memory_; }
    /// Whether queues are of inputs, else of outputs.
    bool is_by_input() const { return by_input_; }
    /// Whether more than the frames of a pool decide.
    bool has_queues() const { return memory_.of_queue != 0 || resumes_ || !steps_.empty() || early_.to != 0; }
    /// With fewer frames than this in a pool another one has room there, whatever queues they are in.
    std::int64_t sure() const { return sure_; }

    struct Claim {
        int input;
        int output;
        std::int64_t queued;  ///< frames in it
        std::int64_t held;    ///< frames in its pool
    };
    /// @param lot  returns the random bits for early drops
    /// @return why a frame is lost, or null; then it is in memory
    template <class Lot>
    const LossCause* refusal(const Claim& claim, Lot lot) {
        if (rules_) return rules_->admit({claim.input, claim.output, frame_, lot()});
        const LossCause* const cause = cause_of(claim, lot);
        if (resumes_) note(claim, cause);
        return cause;
    }
    void released(int input, int output) {
        if (rules_) rules_->release({input, output, frame_});
    }
    /// Frames that random early detection marked instead of dropping them.
    std::int64_t frames_marked() const { return rules_ ? rules_->frames_marked() : marked_; }

  private:
    static constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

    /// With at most `held` frames in memory a queue of fewer than `queued` may grow.
    struct Step {
        std::int64_t held, queued;
    };

    void read_steps(const MemoryUnits& units) {
        const auto amount = [&](const MemorySize& size, MemoryUnits::Rounding rounding) {
            return units.amount("switch.buffer.step_free", size, rounding);
        };
        for (std::size_t i = buffer_.step_free.size(); i-- > 0;) {
            const std::int64_t used = memory_.size - amount(buffer_.step_free[i], MemoryUnits::Rounding::Up);
            if (used >= 0)
                steps_.push_back({used / cost_, amount(buffer_.step_limits[i], MemoryUnits::Rounding::Down) / cost_});
        }
    }

    std::int64_t surely_taken() const {
        std::int64_t sure = std::min({memory_.room, memory_.descriptors, early_from_});
        const std::int64_t of_both = memory_.of_queue + memory_.of_held;
        if (of_both != 0) sure = std::min(sure, (memory_.threshold - 1) / of_both + 1);
        if (!memory_.has_steps) return sure;
        std::int64_t first = 0;  // frames in memory from which on a step counts
        for (const Step& step : steps_) {
            if (step.queued <= step.held) return std::min(sure, std::max(first, step.queued));
            first = step.held + 1;
        }
        return std::min(sure, first);
    }

    template <class Lot>
    const LossCause* cause_of(const Claim& claim, Lot lot) {
        if (resumes_ && claim.queued > resume_at_[queue_of(claim)]) return &SwitchMemory::kResume;
        if (claim.held >= memory_.room) return &SwitchMemory::kBufferFull;
        if (claim.queued * memory_.of_queue + claim.held * memory_.of_held >= memory_.threshold ||
            !is_below_step(claim))
            return &SwitchMemory::kThreshold;
        if (claim.held >= memory_.descriptors) return &SwitchMemory::kDescriptors;
        if (claim.queued < early_from_ || !early_.chooses(claim.queued * cost_, lot())) return nullptr;
        if (!buffer_.ecn) return &SwitchMemory::kEarlyDrop;
        ++marked_;
        return nullptr;
    }
    std::size_t queue_of(const Claim& claim) const {
        return static_cast<std::size_t>(by_input_ ? claim.input : claim.output);
    }
    bool is_below_step(const Claim& claim) const {
        if (memory_.has_steps)
            for (const Step& step : steps_)
                if (claim.held <= step.held) return claim.queued < step.queued;
        return !memory_.has_steps;
    }

    /// Sets the level to which a queue must fall after a drop, or forgets it, once a frame is taken.
    void note(const Claim& claim, const LossCause* cause) {
        std::int64_t& level = resume_at_[queue_of(claim)];
        if (cause == &SwitchMemory::kResume || cause == &SwitchMemory::kEarlyDrop) return;
        const std::int64_t before = std::exchange(level, cause ? resume_level(claim.queued, *cause, level) : kAny);
        waiting_ += (level != kAny) - (before != kAny);
        sure_ = waiting_ > 0 ? 0 : sure_if_none_waits_;
    }
    /// @param level  today's
    std::int64_t resume_level(std::int64_t queued, const LossCause& cause, std::int64_t level) const {
        const bool frames = cause == SwitchMemory::kDescriptors;
        const auto& to = frames && buffer_.descriptors_resume ? buffer_.descriptors_resume : buffer_.resume;
        if (!to) return level;
        const std::int64_t cost = frames ? 1 : cost_;
        if (const auto* part = std::get_if<Ratio>(&*to))
            return static_cast<std::int64_t>(Wide{queued * cost} * part->numerator / part->denominator) / cost;
        const auto& size = std::get<MemorySize>(*to);
        if (size.unit == MemorySize::Unit::Frame) return size.amount;
        return MemoryUnits(buffer_).amount("switch.buffer.resume", size) / cost_;
    }

    const UniformCamera::Memory memory_;
    const bool by_input_;
    const Buffer& buffer_;
    const Bytes frame_;
    std::unique_ptr<SwitchMemory> rules_;
    std::int64_t cost_ = 1;  ///< cost of a frame, in the unit of the memory
    EarlyRange early_;
    std::int64_t early_from_ = kAny;  ///< frames in a queue
    std::vector<Step> steps_;         ///< ascending by `held`
    bool resumes_ = false;
    std::vector<std::int64_t> resume_at_;  ///< by queue: most frames with which it may grow
    int waiting_ = 0;                      ///< queues that must fall before they may grow
    std::int64_t sure_if_none_waits_ = 0, sure_ = 0;
    std::int64_t marked_ = 0;
};

}  // namespace watershed
