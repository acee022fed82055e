// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/ring.h"
#include "model/exact/exact-run.h"
#include "model/exact/uniform-arrivals.h"
#include "model/exact/uniform-camera.h"
#include "model/exact/uniform-memory.h"
#include "model/network/network.h"
#include "model/switch/memory-units.h"
#include "model/switch/switch-report.h"
#include "model/switch/ties.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// A plain switch through which frames of one size go: it counts them, and knows the time as a number of ticks.
template <class Tick>
class UniformSwitch {
  public:
    /// @param number  of the switch in `network`, which must outlive this, as must the camera
    UniformSwitch(const UniformCamera& camera, const Network& network, int number, const NetworkScenario& scenario)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          number_(number),
          seed_(scenario.seed),
          memory_(camera.memories[static_cast<std::size_t>(number)], self_, camera.frame),
          frame_(camera.frame),
          ticks_(camera.grid.ticks),
          latency_(self_.settings.latency.count() * ticks_),
          last_(Tick{kLastDeparture.count()} * ticks_),
          by_pool_(memory_->pools != UniformCamera::Pools::All),
          by_input_(memory_.is_by_input()),
          has_shares_(memory_->has_rules || by_pool_ ||
                      (memory_.has_queues() && (by_input_ || self_.settings.uplinks > 1))),
          selector_(self_.settings, scenario.front_end, self_.inputs()),
          shares_(static_cast<std::size_t>(by_input_ ? self_.inputs() : self_.settings.uplinks)) {
        for (int i = 0; i < self_.settings.uplinks; ++i) {
            Uplink uplink;
            uplink.link = &network.links()[static_cast<std::size_t>(self_.first_link + i)];
            uplink.slot = static_cast<Tick>(slot_in_ticks(frame_.wire, uplink.link->rate, {}, camera.grid));
            if (self_.settings.buffer.release == Buffer::Release::Start) uplink.early = uplink.slot;
            uplinks_.push_back(std::move(uplink));
        }
        is_ordered_ = memory_->has_rules && uplinks_.size() > 1;
    }

    /// A link that frames leave by, and those that have not left the memory yet.
    struct Uplink {
        const Network::Link* link = nullptr;
        Tick slot = 0;
        Tick early = 0;  ///< before a frame has left it gives its memory back
        Tick free = 0;
        std::int64_t sent = 0;
        Ring<Tick> releases;  ///< release times of the frames in memory, ascending
        Ring<int> inputs;     ///< inputs of these frames, where there are shares
    };

    /// A frame has arrived, now; call it in the order in which the switch decides.
    /// @param module  of the whole camera, from 1
    /// @return by which uplink it leaves and when, at which that is free again; null if it is lost
    const Uplink* arrive(std::int64_t event, int module, int input, Tick now) {
        if (first_release_ <= now) release_until(now);
        if (event != sequence_.latest()) sequence_.deciding(event, all_.held == 0 && now >= busy_until());
        const int output = selector_.next(input, module);
        Share& share = has_shares_ ? shares_[static_cast<std::size_t>(by_input_ ? input : output)] : all_;
        Share& pool = by_pool_ ? share : all_;
        if (pool.held >= memory_.sure() && is_lost(pool, share.held, event, module, input, output, now)) return nullptr;
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
            uplink.inputs.push(input);
        }
        ++uplink.sent;
        return &uplink;
    }

    /// Departures come before arrivals at equal times.
    void release_until(Tick now) {
        while (is_ordered_ && first_release_ < now) release_all(first_release_);
        release_all(now);
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
        outcome.frames_marked += memory_.frames_marked();
        outcome.simulated = std::max(outcome.simulated, time_of(std::max(busy_until(), last_loss_)));
        outcome.events_in_order = outcome.events_in_order && sequence_.in_order();
        for (const Uplink& uplink : uplinks_) outcome.uplinks.push_back({uplink.sent, frame_.wire * uplink.sent});
    }

  private:
    /// Share of an input or an output: a memory of its own, or a queue that a threshold limits.
    struct Share {
        std::int64_t held = 0;  ///< frames
        Tick taken_in = -1;     ///< time at which the last frame was taken in, if it is a memory
    };
    struct Loss {
        const LossCause* cause;
        std::int64_t frames;
    };

    [[gnu::noinline]] bool is_lost(const Share& pool, std::int64_t queued, std::int64_t event, int module, int input,
                                   int output, Tick now) {
        const auto frame = [&] { return FrameId{event, module, 0}; };
        const LossCause* const cause = memory_.refusal({input, output, queued, pool.held}, [&] {
            return early_drop_lot(self_.settings.buffer, seed_, frame(), number_);
        });
        if (!cause) return false;
        last_loss_ = now;
        if (pool.taken_in == now && memory_->pools != UniformCamera::Pools::Input && Ties::is_for_room(*cause))
            ++decided_by_ties_;
        if (!first_loss_) first_loss_ = FirstLoss{frame(), time_of(now), self_.name};
        for (Loss& loss : losses_)
            if (loss.cause == cause) return ++loss.frames, true;
        losses_.push_back({cause, 1});
        return true;
    }

    /// Uplink by uplink.
    void release_all(Tick until) {
        first_release_ = last_ + 1;
        for (std::size_t i = 0; i < uplinks_.size(); ++i) {
            Ring<Tick>& releases = uplinks_[i].releases;
            const std::int64_t before = releases.size();
            while (!releases.empty() && releases.front() <= until) releases.drop();
            const std::int64_t gone = before - releases.size();
            all_.held -= gone;
            if (has_shares_) give_back(i, gone);
            if (!releases.empty()) first_release_ = std::min(first_release_, releases.front());
        }
    }
    /// The shares of so many frames that leave by an uplink.
    [[gnu::noinline]] void give_back(std::size_t uplink, std::int64_t frames) {
        for (; frames > 0; --frames) {
            const int input = uplinks_[uplink].inputs.pop();
            --shares_[by_input_ ? static_cast<std::size_t>(input) : uplink].held;
            memory_.released(input, static_cast<int>(uplink));
        }
    }

    /// The last of the uplinks sends.
    Tick busy_until() const {
        Tick until = 0;
        for (const Uplink& uplink : uplinks_) until = std::max(until, uplink.free);
        return until;
    }

    const Network::Switch& self_;
    const int number_;
    const std::uint64_t seed_;
    UniformMemory memory_;
    bool is_ordered_;  ///< the memory may ask in which order uplinks give memory back
    const FrameSizes frame_;
    const Tick ticks_;  ///< ticks of a picosecond
    const Tick latency_;
    const Tick last_;
    const bool by_pool_;     ///< each share is a memory of its own
    const bool by_input_;    ///< shares are of inputs, else of outputs
    const bool has_shares_;  ///< else the sum tells all
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Tick first_release_ = last_ + 1;
    std::vector<Share> shares_;
    Share all_;  ///< sum of all shares
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
