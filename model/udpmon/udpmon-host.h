// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

#include "model/base/loss.h"
#include "model/base/quantities.h"
#include "model/udpmon/udpmon.h"

namespace watershed {

/// A policer: what does not find enough tokens is lost. One token is a bit; they come at `rate`, and `burst` is the
/// most it holds. RFC 2697 calls it the committed bucket of a single rate marker.
class TokenBucket {
  public:
    /// It begins full.
    TokenBucket(BitRate rate, Bytes burst)
        : rate_(rate.count), capacity_(Wide{8} * burst.count * kSecond), tokens_(capacity_) {}

    /// Takes the tokens for `size` if they are there; call it in order of time.
    bool conforms(Time now, Bytes size) {
        tokens_ = std::min(capacity_, tokens_ + Wide{rate_} * (now - filled_).count());
        filled_ = now;
        const Wide needed = Wide{8} * size.count * kSecond;
        if (tokens_ < needed) return false;
        tokens_ -= needed;
        return true;
    }

  private:
    static constexpr std::int64_t kSecond = 1'000'000'000'000;  ///< of picoseconds: tokens are kept in bits times this

    std::int64_t rate_;
    Wide capacity_;
    Wide tokens_;
    Time filled_{0};
};

// The two hosts of UDPmon as rules for times, without a simulator.

/// When a sender lets its packets go.
class UdpmonPacer {
  public:
    UdpmonPacer(const UdpmonSender& sender, Bytes payload, Time requested, std::uint64_t seed);

    /// When the packet behind the one sent at `sent` may be sent, if there is room for it.
    /// @param number of the packet behind, from 2
    Time next(std::int64_t number, Time sent) const;
    /// From there to the link, for this packet.
    Time jitter(std::int64_t number) const;
    /// Packets that may wait for the link, the one being sent included.
    std::int64_t room() const { return room_; }
    /// Bytes beyond payload and ordinary overhead that a frame costs the link.
    Bytes extra_slot(Bytes slot) const;

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
    UdpmonReader(const UdpmonReceiver& receiver, Bytes payload, std::size_t spacing, std::uint64_t seed);

    /// Call it in order of arrival. @return when the packet is read and stamped, or nothing if there was no room for it
    std::optional<Time> read(Time arrival);

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
    std::deque<Time> waiting_;  ///< when the packets in the buffer will have been read
};

}  // namespace watershed
