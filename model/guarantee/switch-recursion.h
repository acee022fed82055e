// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-analysis.h"

/// Exact recursion of the queues of modules in step, trigger by trigger.
namespace watershed {

/// Waiting-time recursion of one queue, which gets one frame of each of its modules per trigger. Times are in ticks.
class QueueRecursion {
  public:
    QueueRecursion(int modules, Wide slot, Wide latency) : modules_(modules), slot_(slot), latency_(latency) {}

    void arrive(Wide now) {
        const Wide start = std::max(now + latency_, free_);
        free_ = start + slot_ * modules_;
        starts_.push_back(start);
        while (starts_[oldest_] + slot_ * modules_ <= now) ++oldest_;
        const Wide begun = now - starts_[oldest_];
        const auto left = std::int64_t(oldest_) * modules_ + (begun > 0 ? std::int64_t(begun / slot_) : 0);
        const auto triggers = std::int64_t(starts_.size());
        held_ = triggers * modules_ - left;
        keep(most_, held_, most_at_);
        keep(by_input_, triggers - std::int64_t(oldest_), by_input_at_);
        keep(delay_, free_ - now, delay_at_);
    }

    std::int64_t held() const { return held_; }          ///< Returns the frames in the queue after the last trigger.
    std::int64_t most() const { return most_; }          ///< Returns the largest value of held().
    std::int64_t by_input() const { return by_input_; }  ///< Returns the largest number of frames of one module.
    Wide delay() const { return delay_; }                ///< Returns the longest time from arrival to departure.
    /// Returns the number of triggers after which all three maxima had been reached.
    std::size_t reached() const { return std::max({most_at_, by_input_at_, delay_at_}); }

  private:
    template <class Value>
    void keep(Value& most, Value now, std::size_t& at) {
        if (now <= most) return;
        most = now;
        at = starts_.size();
    }

    std::int64_t modules_;
    Wide slot_, latency_;
    Wide free_ = 0;             ///< time at which the uplink has sent all frames that came
    std::vector<Wide> starts_;  ///< times at which the uplink begins to send the frames of each trigger
    std::size_t oldest_ = 0;    ///< index of the first trigger with frames in the queue
    std::int64_t held_ = 0, most_ = 0, by_input_ = 0;
    Wide delay_ = 0;
    std::size_t most_at_ = 0, by_input_at_ = 0, delay_at_ = 0;
};

/// Recursion of all queues of a switch; queues with equal numbers of modules and equal rates are computed once.
class SwitchRecursion {
  public:
    SwitchRecursion(const SwitchAnalysis& analysis, const Ticks& ticks) : latency_(ticks.of(analysis.latency)) {
        for (std::size_t i = 0; i < analysis.guarantee.queues.size(); ++i) {
            const QueueGuarantee& queue = analysis.guarantee.queues[i];
            slots_.push_back(ticks.of(analysis.slot_of(i)));
            if (queue.modules > 0 && queue.bounded)
                ++alike_.try_emplace({queue.modules, slots_[i]}, Alike{0, {queue.modules, slots_[i], latency_}})
                      .first->second.number;
        }
    }

    void arrive(Wide now) {
        std::int64_t held = 0;
        for (auto& [kind, alike] : alike_) {
            alike.queue.arrive(now);
            held += alike.number * alike.queue.held();
        }
        most_ = std::max(most_, held);
    }
    /// Returns the largest number of frames in all queues together.
    std::int64_t most() const { return most_; }
    /// Writes the maxima of the queues into `guarantee`.
    /// @return number of triggers after which all of them had been reached
    std::size_t write_maxima(SwitchGuarantee& guarantee, const Ticks& ticks) const {
        std::size_t reached = 0;
        for (std::size_t i = 0; i < guarantee.queues.size(); ++i) {
            QueueGuarantee& queue = guarantee.queues[i];
            const auto found = alike_.find({queue.modules, slots_[i]});
            if (found == alike_.end()) continue;
            const QueueRecursion& followed = found->second.queue;
            queue.frames = followed.most();
            queue.by_input = followed.by_input();
            queue.delay_s = seconds_of_picoseconds(double(followed.delay()) / double(ticks.in_picosecond));
            reached = std::max(reached, followed.reached());
        }
        return reached;
    }

  private:
    struct Alike {
        std::int64_t number;
        QueueRecursion queue;
    };

    Wide latency_;
    std::vector<Wide> slots_;  ///< transmission times of a frame on the uplinks
    std::map<std::pair<int, Wide>, Alike> alike_;
    std::int64_t most_ = 0;
};

}  // namespace watershed
