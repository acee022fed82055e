// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/base/frame.h"
#include "model/base/recovery.h"
#include "model/base/ring.h"
#include "model/base/serializer.h"
#include "model/network/network.h"
#include "model/switch/early-drop.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch-report.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// A store-and-forward switch by arithmetic: frames of one uplink leave in the order of admission, so that a frame's
/// departure is known when it is admitted.
class ExactSwitch {
  public:
    /// @param number    of the switch in `network`, which must outlive this
    /// @param grid      of all times
    /// @param observer  told of its occupancy, if not null and if it wants to know of this switch
    ExactSwitch(const Network& network, int number, const NetworkScenario& scenario, TimeGrid grid,
                const Observer* observer)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          number_(number),
          seed_(scenario.seed),
          observer_(observer && observer->occupancy && observer->occupancy_of == number ? observer : nullptr),
          memory_(self_.settings.buffer, self_.inputs(), self_.settings.uplinks),
          ties_(self_.settings.buffer),
          selector_(self_.settings, scenario.front_end, self_.inputs()) {
        for (int i = 0; i < self_.settings.uplinks; ++i)
            uplinks_.push_back(
                {Serializer(network.links()[static_cast<std::size_t>(self_.first_link + i)].rate, {}, grid), {}, {}});
    }

    /// How a frame leaves.
    struct Departure {
        int uplink = 0;
        Timestamp time;
    };

    /// A frame has arrived, now; call it in the order in which the switch decides. @return why it is lost, or null
    const LossCause* arrive(const FrameId& frame, int input, const FrameSizes& sizes, const Timestamp& now,
                            Departure& departure) {
        release_until(now);
        sequence_.deciding(frame.event, memory_.frames() == 0 && now >= busy_until_);
        const int output = selector_.next(input, frame.module);
        last_decision_ = now;
        const std::uint64_t lot = early_drop_lot(self_.settings.buffer, seed_, frame, number_);
        if (const LossCause* cause = memory_.admit({input, output, sizes.buffer, lot})) {
            ties_.lost(*cause, now, output);
            return cause;
        }
        ties_.taken(now, output);
        tell_occupancy(now, true);
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        departure = {output, uplink.link.send(now + self_.settings.latency, sizes.wire)};
        busy_until_ = std::max(busy_until_, departure.time);
        const bool at_start = self_.settings.buffer.release == Buffer::Release::Start;
        const bool was_empty = uplink.releases.empty();
        uplink.releases.push({at_start ? uplink.link.begin() : departure.time, sizes.buffer, input, output});
        if (was_empty) look();
        ++uplink.sent.frames;
        uplink.sent.wire += sizes.wire;
        return nullptr;
    }

    /// Departures come before arrivals at equal times.
    void release_until(const Timestamp& now) {
        while (first_ && first_->releases.front().time <= now) {
            const Release release = first_->releases.pop();
            memory_.release({release.input, release.output, release.buffer});
            tell_occupancy(release.time, false);
            if (uplinks_.size() > 1 || first_->releases.empty()) look();
        }
    }

    const SwitchMemory& memory() const { return memory_; }
    const Recovery& recovery() const { return recovery_; }
    const Ties& ties() const { return ties_; }
    const EventSequence& sequence() const { return sequence_; }
    const Outcome::Link& sent(int uplink) const { return uplinks_[static_cast<std::size_t>(uplink)].sent; }
    /// When the last frame had left or was lost.
    Time last_activity() const { return std::max(busy_until_, last_decision_).time; }

  private:
    struct Release {
        Timestamp time;
        Bytes buffer;
        int input;
        int output;
    };
    struct Uplink {
        Serializer link;
        Ring<Release> releases;  ///< of the frames in memory, by time
        Outcome::Link sent;
    };

    /// Which uplink is the first to give memory back.
    void look() {
        first_ = nullptr;
        for (Uplink& uplink : uplinks_)
            if (!uplink.releases.empty() && (!first_ || uplink.releases.front().time < first_->releases.front().time))
                first_ = &uplink;
    }
    void tell_occupancy(const Timestamp& now, bool grew) {
        recovery_.occupied(now.time, memory_.frames(), grew);
        if (observer_) observer_->occupancy(now.time, memory_.frames(), memory_.bytes());
    }

    const Network::Switch& self_;
    int number_;
    std::uint64_t seed_;
    const Observer* observer_;
    SwitchMemory memory_;
    Ties ties_;
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Uplink* first_ = nullptr;  ///< whose frame gives its memory back first
    EventSequence sequence_;
    Recovery recovery_;
    Timestamp busy_until_;
    Timestamp last_decision_;
};

}  // namespace watershed
