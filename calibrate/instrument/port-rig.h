// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <numeric>

#include "calibrate/instrument/receiving-end.h"
#include "calibrate/measure/measuring.h"
#include "model/base/search.h"

namespace watershed {

using Nanoseconds = std::chrono::nanoseconds;

/// How well a burst kept its times.
class Lateness {
  public:
    /// @param late   how long after its time the trigger's first frame was handed over
    /// @param took   until its last frame was
    void add(Nanoseconds late, Nanoseconds took) {
        late_.push_back(std::max(late, Nanoseconds{0}));
        took_.push_back(took);
    }

    /// Of the beginnings of triggers. @pre one trigger at least
    Nanoseconds median() const { return watershed::median(late_); }
    /// What handing a trigger's frames over takes usually.
    Nanoseconds median_handover() const { return watershed::median(took_); }
    Nanoseconds mean_handover() const {
        return std::accumulate(took_.begin(), took_.end(), Nanoseconds{0}) / std::int64_t(took_.size());
    }
    /// Of the latest trigger; one that was held up while its frames were handed over is as late as the hold-up.
    Nanoseconds worst() const {
        const Nanoseconds usual = median_handover();
        Nanoseconds worst{0};
        for (std::size_t i = 0; i < late_.size(); ++i) worst = std::max({worst, late_[i], late_[i] + took_[i] - usual});
        return worst;
    }
    /// When a frame of this trigger was, after so many others of it, since the first frame of all.
    Time handed_over(std::size_t trigger, std::int64_t others, const BurstSetting& setting) const {
        return setting.separation * std::int64_t(trigger) + late_[trigger] - late_.front() +
               took_[trigger] * others / setting.ports;
    }
    /// What of a stall of the output was before the burst's last frame, and held up frames that had been sent.
    Time stalled(const OutputStall& stall, const BurstSetting& setting) const {
        const auto [trigger, before] = std::div(static_cast<std::int64_t>(stall.next), std::int64_t{setting.ports});
        if (handed_over(static_cast<std::size_t>(trigger), before, setting) > stall.begin) return Time{0};
        const Time end = handed_over(late_.size() - 1, setting.ports - 1, setting);
        return std::clamp(end - stall.begin, Time{0}, stall.lost);
    }
    Nanoseconds last_handover() const { return took_.back(); }
    /// When each trigger was handed over, as if that had taken as long as of the last: what leaves until a trigger's
    /// last frame is what counts. The first began when it did.
    std::vector<Time> times(Time separation) const {
        std::vector<Time> times{late_.front()};
        for (std::size_t i = 1; i < late_.size(); ++i)
            times.push_back(
                std::max<Time>(times.back(), separation * std::int64_t(i) + late_[i] + took_[i] - last_handover()));
        return times;
    }

  private:
    std::vector<Nanoseconds> late_, took_;
};

/// The interface that receives is one of this machine, or empty where another one does.
struct PortRigOptions : ReceivingOptions {
    std::vector<std::string> send;  ///< interfaces; module i sends by number i modulo how many there are
    std::string peer;               ///< starts the receiving end on another machine, in place of `interface`
    Time quiet{200'000'000'000};    ///< when nothing has arrived for so long a burst is over
    Time patience{0};               ///< and the self-test, which finds how long frames are on their way
    Time full{0}, frame{0};         ///< in which a memory as it is believed empties, and a frame leaves
    bool peaks = false;             ///< note what the measured queue of a sending interface holds at most
};

/// What the ports can be trusted with.
struct SelfTest {
    std::int64_t sent = 0, received = 0;
    Nanoseconds handover{0};  ///< of the frames of one trigger, usually
    Nanoseconds lateness{0};  ///< of a trigger, in the median
    Nanoseconds worst{0};     ///< of the latest
};

/// Bursts from some network interfaces of this machine to another, through whatever lies between. What the queue of a
/// sending interface drops is lost at a queue that is measured, if somebody has put it there; the kernel's usual queues
/// only make the sender wait.
class PortRig final : public Rig {
  public:
    /// @throws InputError for interfaces that are not there, are down, or must not be used
    explicit PortRig(const PortRigOptions& options);

    /// @throws std::runtime_error where sockets are not allowed, or an interface goes down
    BurstRecord measure(const BurstSetting& setting) override;

    /// A few triggers, far apart. @throws std::runtime_error if nothing arrives
    SelfTest self_test(int ports, Bytes payload);

    /// By which interfaces it goes, from and to which addresses.
    std::string description() const;

    /// What its ports, and the machine, tell of a measurement.
    PreflightFacts facts() const;

    /// @throws InputError for a burst of too many frames, or a payload that these interfaces cannot send
    void check(const BurstSetting& setting) const;

  private:
    BurstRecord measure(const BurstSetting& setting, Time quiet);
    /// Sends the triggers at their times, and counts meanwhile. @returns frames that a measured queue of this machine
    /// refused
    std::int64_t send(Fragments& fragments, const BurstSetting& setting, Lateness& lateness, PeakReading& peak);
    /// Frames that each sending interface lost on this side of the wire, so far; a measured queue's are the switch's.
    std::vector<std::uint64_t> unsent() const;
    /// A token bucket, which fills at the output's rate, has to be full again before the next burst: as long as the
    /// last frame waited, and until what arrived, or what a memory holds, would have left as it is believed.
    void rest(const BurstRecord& record, Clock::time_point since) const;
    /// Looks at what the measured queues hold, twice: what left them in between is what a look may miss.
    void look_at_queues(PeakReading& peak) const;

    PortRigOptions options_;
    std::vector<Interface> from_;
    std::unique_ptr<ReceivingEnd> to_;
    std::vector<OutputQueue> queues_;
    std::vector<std::unique_ptr<FrameSender>> senders_;
    std::uint32_t run_ = 0;
    Lateness lateness_;  ///< of the last burst
    Time silence_{0};    ///< in it, before a frame that arrived
};

}  // namespace watershed
