// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <numeric>

#include "calibrate/instrument/receiving-end.h"
#include "calibrate/measure/measuring.h"
#include "model/base/search.h"

namespace watershed {

using Nanoseconds = std::chrono::nanoseconds;

/// Lateness of the triggers of a burst, and the time that the handover of their frames took.
class Lateness {
  public:
    /// Adds a trigger.
    /// @param late   time by which its first frame was handed over late; a negative value counts as 0
    /// @param took   time from the handover of its first frame to that of its last
    void add(Nanoseconds late, Nanoseconds took) {
        late_.push_back(std::max(late, Nanoseconds{0}));
        took_.push_back(took);
    }

    /// Returns the median lateness of the triggers. @pre at least one trigger
    Nanoseconds median() const { return watershed::median(late_); }
    /// Returns the median time of a handover.
    Nanoseconds median_handover() const { return watershed::median(took_); }
    Nanoseconds mean_handover() const {
        return std::accumulate(took_.begin(), took_.end(), Nanoseconds{0}) / std::int64_t(took_.size());
    }
    /// Returns the largest lateness of a trigger; a delay during the handover counts as lateness.
    Nanoseconds worst() const {
        const Nanoseconds usual = median_handover();
        Nanoseconds worst{0};
        for (std::size_t i = 0; i < late_.size(); ++i) worst = std::max({worst, late_[i], late_[i] + took_[i] - usual});
        return worst;
    }
    /// Returns the time at which a frame of a trigger was handed over, since the first frame of the burst.
    /// @param others  number of frames of the trigger before it
    Time handed_over(std::size_t trigger, std::int64_t others, const BurstSetting& setting) const {
        return setting.separation * std::int64_t(trigger) + late_[trigger] - late_.front() +
               took_[trigger] * others / setting.ports;
    }
    /// Returns the part of an output's stall before the last frame of the burst; 0 if no frame that was sent had to
    /// wait.
    Time stalled(const OutputStall& stall, const BurstSetting& setting) const {
        const auto [trigger, before] = std::div(static_cast<std::int64_t>(stall.next), std::int64_t{setting.ports});
        if (handed_over(static_cast<std::size_t>(trigger), before, setting) > stall.begin) return Time{0};
        const Time end = handed_over(late_.size() - 1, setting.ports - 1, setting);
        return std::clamp(end - stall.begin, Time{0}, stall.lost);
    }
    Nanoseconds last_handover() const { return took_.back(); }
    /// Returns the times of the triggers, as if each handover had taken as long as the last one: the time until a
    /// trigger's last frame decides how many frames leave. The first trigger keeps its time.
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

/// Options of a PortRig. `interface` receives on this machine; it is empty if another machine receives.
struct PortRigOptions : ReceivingOptions {
    std::vector<std::string> send;  ///< sending interfaces; module i sends by interface i modulo their number
    std::string peer;               ///< command that starts the receiving end on another machine
    Time quiet{200'000'000'000};    ///< silence after which a burst is over
    Time patience{0};               ///< silence after which the self-test is over; it measures the latency of frames
    Time full{0}, frame{0};  ///< time in which a memory of the expected depth empties, and in which a frame leaves
    bool peaks = false;      ///< true: record the peak of the measured queue of a sending interface
};

/// Result of the self-test of ports.
struct SelfTest {
    std::int64_t sent = 0, received = 0;  ///< frames
    Nanoseconds handover{0};              ///< median handover of a trigger's frames
    Nanoseconds lateness{0};              ///< median lateness of a trigger
    Nanoseconds worst{0};                 ///< largest lateness of a trigger
};

/// Rig that sends bursts from network interfaces of this machine to a receiving one, through any network. If the user
/// has set up a queueing discipline at a sending interface, this queue is measured and its drops count as losses; the
/// kernel's default queues only make the sender wait.
class PortRig final : public Rig {
  public:
    /// @throws InputError for interfaces that do not exist, are down, or must not be used
    explicit PortRig(const PortRigOptions& options);

    /// @throws std::runtime_error if sockets are not allowed, or if an interface goes down
    BurstRecord measure(const BurstSetting& setting) override;

    /// Sends a few triggers, far apart. @throws std::runtime_error if no frame arrives
    SelfTest self_test(int ports, Bytes payload);

    /// Returns a text with the interfaces and addresses.
    std::string description() const;

    /// Returns the properties of ports and machine for the preflight checks.
    PreflightFacts facts() const;

    /// Checks a setting. @throws InputError for a burst of too many frames, or a payload that these interfaces cannot
    /// send
    void check(const BurstSetting& setting) const;

  private:
    BurstRecord measure(const BurstSetting& setting, Time quiet);
    /// Sends the triggers at their times, and counts arrivals meanwhile.
    /// @return frames that a measured queue of this machine refused
    std::int64_t send(Fragments& fragments, const BurstSetting& setting, Lateness& lateness, PeakReading& peak);
    /// Returns the frames that each sending interface has lost before the wire so far, except drops of a measured
    /// queue.
    std::vector<std::uint64_t> unsent() const;
    /// Waits until a token bucket, which fills at the output's rate, must be full again: as long as the last frame
    /// waited, and as long as the arrived frames, or a memory of the expected depth, take to leave.
    void rest(const BurstRecord& record, Clock::time_point since) const;
    /// Reads the backlog of the measured queues twice. The decrease between the readings is the resolution of the peak.
    void look_at_queues(PeakReading& peak) const;

    PortRigOptions options_;
    std::vector<Interface> from_;
    std::unique_ptr<ReceivingEnd> to_;
    std::vector<OutputQueue> queues_;
    std::vector<std::unique_ptr<FrameSender>> senders_;
    std::uint32_t run_ = 0;
    Lateness lateness_;  ///< lateness of the last burst
    Time silence_{0};    ///< ArrivedFrames::silence of the last burst
};

}  // namespace watershed
