// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibrate/instrument/interface.h"
#include "model/base/quantities.h"

/// Frames to and from a network interface, without the kernel's protocols (packet(7)). Needs CAP_NET_RAW.
namespace watershed {

class PacketSocket {
  public:
    /// @throws std::runtime_error, which says what is missing where that is the right to it
    PacketSocket();
    int file() const { return socket_.file; }
    /// @param protocol  of the frames that it receives, 0: none
    void bind_to(const Interface& interface, std::uint16_t protocol) const;

  private:
    OwnedFile socket_;
};

/// Sends frames one by one. On a veth pair that takes 0.54 us a frame of 64 B; 0.51 us with sendmmsg, which ends at a
/// frame that the queue refuses without saying so; 0.61 us with a ring, whose places stay taken while frames wait in a
/// queue.
class FrameSender {
  public:
    /// @param patient  to wait while the interface's queue is full; else that queue is what is measured, and what it
    /// refuses is lost
    FrameSender(const Interface& interface, bool patient);
    /// Whether the frame was taken. @throws std::runtime_error where the interface is down, or the kernel allows too
    /// little memory for a queue this deep
    bool send(const std::vector<std::uint8_t>& frame) const;

  private:
    PacketSocket socket_;
    Interface interface_;
    bool patient_;
};

/// Keeps the beginnings of the frames of a UDP port in a ring that the kernel fills.
class FrameReceiver {
  public:
    /// @param frames  that the ring holds
    FrameReceiver(const Interface& interface, std::uint16_t udp_port, std::size_t frames);
    ~FrameReceiver();
    FrameReceiver(const FrameReceiver&) = delete;
    FrameReceiver& operator=(const FrameReceiver&) = delete;

    /// Hands over what has arrived, at most so many, each with `kFragmentHead` bytes at least, and when. @returns how
    /// many
    std::size_t take(std::size_t most, const std::function<void(const std::uint8_t*, Time)>& taker);
    /// Frames for which the ring had no room since this was last asked.
    std::uint64_t dropped() const;

  private:
    PacketSocket socket_;
    std::uint8_t* ring_ = nullptr;
    std::size_t frames_ = 0;
    std::size_t next_ = 0;
};

}  // namespace watershed
