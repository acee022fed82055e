// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/base/outcome.h"
#include "model/udpmon/udpmon.h"

/// The two hosts of UDPmon as rules for times, without a simulator.
namespace watershed {

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
