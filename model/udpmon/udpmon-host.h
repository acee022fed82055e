// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>

#include "model/base/loss.h"
#include "model/base/quantities.h"
#include "model/base/random.h"
#include "model/base/serializer.h"
#include "model/base/token-bucket.h"
#include "model/udpmon/udpmon.h"

namespace watershed {

// The two hosts of UDPmon as rules for times, without a simulator.

inline Time round_up(Time time, Time step) {
    return step > Time{0} ? ceil_div(time.count(), step.count()) * step : time;
}

inline std::int64_t payloads_in(Bytes buffer, Bytes payload) {
    return std::max<std::int64_t>(1, buffer.count / payload.count);
}

/// When a sender lets its packets go.
class UdpmonPacer {
  public:
    UdpmonPacer(const UdpmonSender& sender, Bytes payload, Time requested, std::uint64_t seed)
        : sender_(sender),
          spacing_(std::max(Time{0}, requested - sender.pacing_offset)),
          busy_(sender.packet_cost + Serializer(sender.copy_rate).send(Time{0}, payload).time),
          room_(payloads_in(sender.buffer, payload)),
          seed_(seed) {
        if (sender.kind == UdpmonHostKind::Fpga) {
            // A clock that is slow by so much makes its ticks that much longer.
            const Time whole = round_up(std::max(spacing_, sender.packet_cost), sender.granularity);
            spacing_ =
                whole - Time{static_cast<std::int64_t>(Wide{whole.count()} * sender.clock.count / 1'000'000'000)};
            busy_ = Time{0};
        }
    }

    /// When the packet behind the one sent at `sent` may be sent, if there is room for it.
    /// @param number of the packet behind, from 2
    Time next(std::int64_t number, Time sent) const {
        if (sender_.kind == UdpmonHostKind::Fpga) return sent + spacing_;
        if (spacing_ <= busy_) return sent + busy_;
        // The time asked for passes somewhere between two looks at the clock.
        const auto bits = random_bits(seed_, Stream::UdpmonPoll, static_cast<std::uint64_t>(number));
        return sent + spacing_ + Time{uniform_up_to(bits, sender_.granularity.count())};
    }
    /// From there to the link, for this packet.
    Time jitter(std::int64_t number) const {
        if (sender_.jitter == Time{0}) return Time{0};
        const double mean = static_cast<double>(sender_.jitter.count()),
                     limit = static_cast<double>(sender_.jitter_limit.count());
        const double u = std::ldexp(
            static_cast<double>(random_bits(seed_, Stream::UdpmonJitter, static_cast<std::uint64_t>(number)) >> 11),
            -53);
        return Time{static_cast<std::int64_t>(-mean * std::log1p(-u * -std::expm1(-limit / mean)))};
    }
    /// Packets that may wait for the link, the one being sent included.
    std::int64_t room() const { return room_; }
    /// Bytes beyond payload and ordinary overhead that a frame costs the link.
    Bytes extra_slot(Bytes slot) const {
        return Bytes{ceil_div(slot.count, sender_.slot_multiple.count) * sender_.slot_multiple.count - slot.count} +
               sender_.slot_extra;
    }

  private:
    const UdpmonSender& sender_;
    Time spacing_;
    Time busy_;
    std::int64_t room_;
    std::uint64_t seed_;
};

/// When a receiver reads the packets that have arrived.
class UdpmonReader {
  public:
    static constexpr LossCause kBufferFull{"receiver", "socket-buffer-full"};

    /// @param spacing  index of the requested spacing, which chooses the wake-up jitter
    UdpmonReader(const UdpmonReceiver& receiver, Bytes payload, std::size_t spacing, std::uint64_t seed)
        : receiver_(receiver),
          wakeup_jitter_(receiver.wakeup_jitter[spacing % receiver.wakeup_jitter.size()]),
          room_(payloads_in(receiver.buffer, payload)),
          seed_(seed) {}

    /// Call it in order of arrival. @return when the packet is read and stamped, or nothing if there was no room for it
    std::optional<Time> read(Time arrival) {
        ++arrived_;
        if (receiver_.kind == UdpmonHostKind::Fpga) return arrival;

        while (!waiting_.empty() && waiting_.front() <= arrival) waiting_.pop_front();
        if (static_cast<std::int64_t>(waiting_.size()) >= room_) return std::nullopt;
        Time cost = receiver_.read_cost;
        if (arrival > interrupt_) {  // else the interrupt that is due anyway brings this packet, too
            const Time earliest =
                interrupts_ == 0 ? arrival : std::max(arrival, interrupt_ + receiver_.interrupt_handling);
            interrupt_ = round_up(earliest, receiver_.interrupt_period);
            awake_ = interrupt_ + Time{uniform_up_to(random_bits(seed_, Stream::UdpmonWakeup, ++interrupts_),
                                                     wakeup_jitter_.count())};
        } else {
            cost += Time{uniform_up_to(random_bits(seed_, Stream::UdpmonWakeup, interrupts_, arrived_),
                                       receiver_.read_jitter.count())};
        }
        Time begin = std::max(awake_, read_);
        if (receiver_.hiccup_one_in > 0 &&
            uniform_up_to(random_bits(seed_, Stream::UdpmonHiccup, arrived_), receiver_.hiccup_one_in - 1) == 0)
            begin +=
                Time{uniform_up_to(random_bits(seed_, Stream::UdpmonHiccup, arrived_, 1), receiver_.hiccup.count())};
        read_ = begin + cost;
        waiting_.push_back(read_);
        return read_;
    }

  private:
    const UdpmonReceiver& receiver_;
    Time wakeup_jitter_;
    std::int64_t room_;
    std::uint64_t seed_;
    std::uint64_t arrived_ = 0;
    std::uint64_t interrupts_ = 0;
    Time interrupt_{-1};
    Time awake_{0};
    Time read_{0};
    std::deque<Time> waiting_;  ///< times at which the packets in the buffer will have been read
};

}  // namespace watershed
