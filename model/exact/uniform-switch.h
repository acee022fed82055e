// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/ring.h"
#include "model/base/time-limit.h"
#include "model/exact/uniform-arrivals.h"
#include "model/exact/uniform-camera.h"
#include "model/network/network.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch-report.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// A plain switch through which frames of one size go: it counts them, and knows the time as a number of ticks.
template <class Tick>
class UniformSwitch {
  public:
    /// @param number  of the switch in `network`, which must outlive this, as must the camera
    UniformSwitch(const UniformCamera& camera, const Network& network, int number, const NetworkScenario& scenario)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          memory_(camera.memories[static_cast<std::size_t>(number)]),
          frame_(camera.frame),
          ticks_(camera.grid.ticks),
          latency_(self_.settings.latency.count() * ticks_),
          last_(Tick{kLastDeparture.count()} * ticks_),
          by_pool_(memory_.pools != UniformCamera::Pools::All),
          by_input_(by_pool_ ? memory_.pools == UniformCamera::Pools::Input : memory_.by_input),
          has_shares_(by_pool_ || (memory_.of_queue != 0 && (by_input_ || self_.settings.uplinks > 1))),
          sure_(surely_taken(memory_)),
          selector_(self_.settings, scenario.front_end, self_.inputs()),
          shares_(static_cast<std::size_t>(by_input_ ? self_.inputs() : self_.settings.uplinks)) {
        for (int i = 0; i < self_.settings.uplinks; ++i) {
            Uplink uplink;
            uplink.link = &network.links()[static_cast<std::size_t>(self_.first_link + i)];
            uplink.slot = static_cast<Tick>(slot_in_ticks(frame_.wire, uplink.link->rate, {}, camera.grid));
            if (self_.settings.buffer.release == Buffer::Release::Start) uplink.early = uplink.slot;
            uplinks_.push_back(std::move(uplink));
        }
    }

    /// A link that frames leave by, and those that have not left the memory yet.
    struct Uplink {
        const Network::Link* link = nullptr;
        Tick slot = 0;
        Tick early = 0;  ///< before a frame has left it gives its memory back
        Tick free = 0;
        std::int64_t sent = 0;
        Ring<Tick> releases;  ///< of the frames in memory, by time
        Ring<int> shares;     ///< of these, where they are counted
    };

    /// A frame has arrived, now; call it in the order in which the switch decides.
    /// @param module  of the whole camera, from 1
    /// @return by which uplink it leaves and when, at which that is free again; null if it is lost
    const Uplink* arrive(std::int64_t event, int module, int input, Tick now) {
        if (first_release_ <= now) release_until(now);
        if (event != sequence_.latest()) sequence_.deciding(event, all_.held == 0 && now >= busy_until());
        const int output = selector_.next(input, module);
        const int number = by_input_ ? input : output;
        Share& share = has_shares_ ? shares_[static_cast<std::size_t>(number)] : all_;
        Share& pool = by_pool_ ? share : all_;
        if (pool.held >= sure_ && is_lost(pool, share.held, event, module, now)) return nullptr;
        pool.taken_in = now;
        if (++all_.held >= peak_) {
            peak_ = all_.held;
            fullest_ = now;
            recovering_ = true;
        }
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        uplink.free = std::max(uplink.free, now + latency_) + uplink.slot;
        if (uplink.free > last_) throw TimeExceeded(uplink.link->rate);
        const Tick release = uplink.free - uplink.early;
        uplink.releases.push(release);
        first_release_ = std::min(first_release_, release);
        if (has_shares_) {
            ++share.held;
            uplink.shares.push(number);
        }
        ++uplink.sent;
        return &uplink;
    }

    /// Departures come before arrivals at equal times.
    void release_until(Tick now) {
        first_release_ = last_ + 1;
        for (Uplink& uplink : uplinks_) {
            Ring<Tick>& releases = uplink.releases;
            for (; !releases.empty() && releases.front() <= now; --all_.held) {
                releases.drop();
                if (has_shares_) --shares_[static_cast<std::size_t>(uplink.shares.pop())].held;
            }
            if (!releases.empty()) first_release_ = std::min(first_release_, releases.front());
        }
        if (all_.held > 0 || !recovering_) return;
        drained_ = 0;
        for (const Uplink& uplink : uplinks_) drained_ = std::max(drained_, uplink.free - uplink.early);
        recovering_ = false;
    }

    /// Rounded up.
    Time time_of(Tick tick) const { return Time{static_cast<std::int64_t>(ceil_div(tick, ticks_))}; }

    /// Adds what it saw.
    void report(Outcome& outcome) const {
        std::int64_t lost = 0;
        for (const Loss& loss : losses_) {
            outcome.losses.push_back({self_.name, std::string(loss.cause->reason), loss.frames});
            lost += loss.frames;
        }
        if (first_loss_ && (!outcome.first_loss || first_loss_->time < outcome.first_loss->time))
            outcome.first_loss = first_loss_;
        outcome.add({self_.name, lost, peak_, frame_.buffer * peak_,
                     MemoryUnits(self_.settings.buffer).cells(peak_, frame_.buffer), sequence_.first_idle(),
                     time_of(fullest_), time_of(drained_)});
        outcome.add_decided_by_ties({decided_by_ties_});
        outcome.simulated = std::max(outcome.simulated, time_of(std::max(busy_until(), last_loss_)));
        outcome.events_in_order = outcome.events_in_order && sequence_.in_order();
        for (const Uplink& uplink : uplinks_) outcome.uplinks.push_back({uplink.sent, frame_.wire * uplink.sent});
    }

  private:
    /// What an input or an output has: a memory of its own, or a queue that a threshold limits.
    struct Share {
        std::int64_t held = 0;  ///< frames
        Tick taken_in = -1;     ///< when the last one was, if it is a memory
    };
    struct Loss {
        const LossCause* cause;
        std::int64_t frames;
    };

    /// With fewer frames than this in a pool another one has room there, whatever queues they are in.
    static std::int64_t surely_taken(const UniformCamera::Memory& memory) {
        const std::int64_t room = std::min(memory.room, memory.descriptors), of_both = memory.of_queue + memory.of_held;
        return of_both == 0 ? room : std::min(room, (memory.threshold - 1) / of_both + 1);
    }

    const LossCause* refusal(std::int64_t held, std::int64_t queued) const {
        if (held >= memory_.room) return &SwitchMemory::kBufferFull;
        if (queued * memory_.of_queue + held * memory_.of_held >= memory_.threshold) return &SwitchMemory::kThreshold;
        return held >= memory_.descriptors ? &SwitchMemory::kDescriptors : nullptr;
    }
    [[gnu::noinline]] bool is_lost(const Share& pool, std::int64_t queued, std::int64_t event, int module, Tick now) {
        const LossCause* const cause = refusal(pool.held, queued);
        if (!cause) return false;
        last_loss_ = now;
        if (memory_.pools != UniformCamera::Pools::Input && pool.taken_in == now) ++decided_by_ties_;
        if (!first_loss_) first_loss_ = FirstLoss{{event, module, 0}, time_of(now), self_.name};
        const auto known =
            std::find_if(losses_.begin(), losses_.end(), [&](const Loss& loss) { return loss.cause == cause; });
        if (known != losses_.end())
            ++known->frames;
        else
            losses_.push_back({cause, 1});
        return true;
    }

    /// The last of the uplinks sends.
    Tick busy_until() const {
        Tick until = 0;
        for (const Uplink& uplink : uplinks_) until = std::max(until, uplink.free);
        return until;
    }

    const Network::Switch& self_;
    const UniformCamera::Memory memory_;
    const FrameSizes frame_;
    const Tick ticks_;  ///< of a picosecond
    const Tick latency_;
    const Tick last_;
    const bool by_pool_;       ///< each share is a memory of its own
    const bool by_input_;      ///< shares are of inputs, else of outputs
    const bool has_shares_;    ///< else the sum tells all
    const std::int64_t sure_;  ///< see surely_taken()
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Tick first_release_ = last_ + 1;
    std::vector<Share> shares_;
    Share all_;  ///< what is in any of them
    std::int64_t peak_ = 0;
    Tick fullest_ = 0;
    Tick drained_ = 0;
    bool recovering_ = false;
    EventSequence sequence_;
    std::int64_t decided_by_ties_ = 0;
    std::vector<Loss> losses_;
    std::optional<FirstLoss> first_loss_;
    Tick last_loss_ = 0;
};

}  // namespace watershed
