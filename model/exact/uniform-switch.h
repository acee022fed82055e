// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
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
    UniformSwitch(const UniformCamera& camera, const Network& network, int number, const Incast& scenario)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          memory_(camera.memories[static_cast<std::size_t>(number)]),
          frame_(camera.frame),
          ticks_(camera.grid.ticks),
          latency_(self_.settings.latency.count() * ticks_),
          last_(Tick{kLastDeparture.count()} * ticks_),
          at_start_(self_.settings.buffer.release == Buffer::Release::Start),
          selector_(self_.settings, scenario.front_end, self_.inputs()),
          pools_(static_cast<std::size_t>(memory_.pools == UniformCamera::Pools::Input    ? self_.inputs()
                                          : memory_.pools == UniformCamera::Pools::Output ? self_.settings.uplinks
                                                                                          : 1)),
          queues_(static_cast<std::size_t>(memory_.by_input ? self_.inputs() : self_.settings.uplinks)) {
        for (int i = 0; i < self_.settings.uplinks; ++i) {
            Uplink uplink;
            uplink.rate = network.links()[static_cast<std::size_t>(self_.first_link + i)].rate;
            uplink.slot = static_cast<Tick>(slot_in_ticks(frame_.wire, uplink.rate, {}, camera.grid));
            uplinks_.push_back(std::move(uplink));
        }
    }

    /// How a frame leaves.
    struct Departure {
        int uplink = 0;
        Tick time = 0;
    };

    /// A frame has arrived, now; call it in the order in which the switch decides. @return why it is lost, or null
    /// @param module  of the whole camera, from 1
    const LossCause* arrive(std::int64_t event, int module, int input, Tick now, Departure& departure) {
        if (first_release_ <= now) release_until(now);
        sequence_.deciding(event, held_ == 0 && now >= busy_until_);
        const int output = selector_.next(input, module);
        last_decision_ = now;
        Pool& pool = pool_of(input, output);
        std::int64_t& queued = queue_of(input, output);
        if (const LossCause* cause = refusal(pool, queued)) {
            if (memory_.pools != UniformCamera::Pools::Input && pool.taken_in == now) ++decided_by_ties_;
            ++lost_;
            return cause;
        }
        pool.taken_in = now;
        ++pool.held;
        ++queued;
        if (++held_ >= peak_) {
            peak_ = held_;
            fullest_ = now;
            recovering_ = true;
        }
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        const Tick begin = std::max(uplink.free, now + latency_);
        uplink.free = begin + uplink.slot;
        if (uplink.free > last_) throw TimeExceeded(uplink.rate);
        busy_until_ = std::max(busy_until_, uplink.free);
        const Tick release = at_start_ ? begin : uplink.free;
        uplink.releases.push({release, input});
        first_release_ = std::min(first_release_, release);
        ++uplink.sent;
        departure = {output, uplink.free};
        return nullptr;
    }

    /// Departures come before arrivals at equal times.
    void release_until(Tick now) {
        Tick last = 0;
        first_release_ = last_ + 1;
        for (int output = 0; output < static_cast<int>(uplinks_.size()); ++output) {
            Ring<Release>& releases = uplinks_[static_cast<std::size_t>(output)].releases;
            for (; !releases.empty() && releases.front().time <= now; --held_) {
                const Release release = releases.pop();
                --pool_of(release.input, output).held;
                --queue_of(release.input, output);
                last = std::max(last, release.time);
            }
            if (!releases.empty()) first_release_ = std::min(first_release_, releases.front().time);
        }
        if (held_ > 0 || !recovering_) return;
        drained_ = last;
        recovering_ = false;
    }

    /// Rounded up.
    Time time_of(Tick tick) const { return Time{static_cast<std::int64_t>(ceil_div(tick, ticks_))}; }

    /// Adds what it saw.
    void report(Outcome& outcome) const {
        outcome.add({self_.name, lost_, peak_, frame_.buffer * peak_, sequence_.first_idle(), time_of(fullest_),
                     time_of(drained_)});
        outcome.add_decided_by_ties({decided_by_ties_});
        outcome.simulated = std::max(outcome.simulated, time_of(std::max(busy_until_, last_decision_)));
        outcome.events_in_order = outcome.events_in_order && sequence_.in_order();
        for (const Uplink& uplink : uplinks_) outcome.uplinks.push_back({uplink.sent, frame_.wire * uplink.sent});
    }

  private:
    struct Release {
        Tick time;
        int input;
    };
    struct Uplink {
        BitRate rate{0};
        Tick slot = 0;
        Tick free = 0;
        Ring<Release> releases;  ///< of the frames in memory, by time
        std::int64_t sent = 0;
    };
    struct Pool {
        std::int64_t held = 0;  ///< frames
        Tick taken_in = -1;     ///< when the last one was
    };

    Pool& pool_of(int input, int output) {
        return pools_[static_cast<std::size_t>(memory_.pools == UniformCamera::Pools::All     ? 0
                                               : memory_.pools == UniformCamera::Pools::Input ? input
                                                                                              : output)];
    }
    std::int64_t& queue_of(int input, int output) {
        return queues_[static_cast<std::size_t>(memory_.by_input ? input : output)];
    }

    const LossCause* refusal(const Pool& pool, std::int64_t queued) const {
        if (pool.held >= memory_.room) return &SwitchMemory::kBufferFull;
        if (queued * memory_.of_queue + pool.held * memory_.of_held >= memory_.threshold)
            return &SwitchMemory::kThreshold;
        return pool.held >= memory_.descriptors ? &SwitchMemory::kDescriptors : nullptr;
    }

    const Network::Switch& self_;
    const UniformCamera::Memory memory_;
    const FrameSizes frame_;
    const Tick ticks_;  ///< of a picosecond
    const Tick latency_;
    const Tick last_;
    const bool at_start_;  ///< a frame gives its memory back
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Tick first_release_ = last_ + 1;
    std::vector<Pool> pools_;
    std::vector<std::int64_t> queues_;  ///< frames of each
    std::int64_t held_ = 0;
    std::int64_t peak_ = 0;
    Tick fullest_ = 0;
    Tick drained_ = 0;
    bool recovering_ = false;
    EventSequence sequence_;
    std::int64_t decided_by_ties_ = 0;
    std::int64_t lost_ = 0;
    Tick busy_until_ = 0;
    Tick last_decision_ = 0;
};

}  // namespace watershed
