// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/quantities.h"

namespace watershed {

/// Costs and limits of a receiving server.
struct ReceiveCosts {
    std::optional<MemorySize> ring;   ///< descriptors, or bytes, of each interface; absent: no limit
    std::optional<BitRate> dma_rate;  ///< rate of each interface; absent: no limit
    Time interrupt_delay{0};          ///< from the first frame in memory to the interrupt
    Time wake_up{0};                  ///< time of a core per interrupt or poll that finds frames
    Time frame{0};                    ///< time of a core per frame
    Time byte{0};                     ///< time of a core per byte of payload
};

/// The way frames take through a camera server, and what becomes of events there.
struct Receiver {
    enum class Path {
        Ideal,   ///< no limits and no costs
        Netmap,  ///< rings that a program reads itself; Rizzo, USENIX ATC 2012
        Socket   ///< UDP sockets of the operating system
    };
    /// Given values, which override the usual ones of the path.
    struct Given {
        std::optional<std::optional<MemorySize>> ring;
        std::optional<std::optional<BitRate>> dma_rate;
        std::optional<Time> interrupt_delay, wake_up, frame, byte;
    };

    Path path = Path::Netmap;
    Given given;
    bool polling = false;  ///< instead of interrupts
    Time poll_period{10'000'000};
    std::optional<std::int64_t> interrupt_frames;  ///< an interrupt comes at once with so many
    int cores = 1;
    std::optional<Bytes> memory;  ///< for payload; absent: no limit
    std::optional<Time> timeout;  ///< from an event's first frame to its end; absent: it waits for ever
    bool keep_incomplete = true;  ///< an event whose time is out is handed on as it is; otherwise its frames are lost
    std::optional<BitRate> output_rate;  ///< at which events are handed on; absent: at once
};

/// The camera server.
struct Server {
    std::optional<int> interfaces;     ///< network ports; absent: as many as links lead there
    std::optional<Receiver> receiver;  ///< absent: it takes every frame the moment it has arrived
};

/// Netmap and socket: recalled orders of magnitude, to be replaced by measured ones. A descriptor ring of 512 is the
/// ixgbe driver's usual one, 16 Gb/s half of what eight lanes of PCI Express 2.0 carry, for a card of two ports; a
/// netmap receiver reads a frame and copies its payload at 10 GB/s, the kernel takes about 1.5 us for a UDP datagram
/// and copies it twice.
inline ReceiveCosts costs_of(const Receiver& receiver) {
    ReceiveCosts costs;
    if (receiver.path != Receiver::Path::Ideal) {
        const bool socket = receiver.path == Receiver::Path::Socket;
        costs.ring = MemorySize{512};
        costs.dma_rate = BitRate{16'000'000'000};
        costs.interrupt_delay = Time{20'000'000};
        costs.wake_up = Time{socket ? 3'000'000 : 1'000'000};
        costs.frame = Time{socket ? 1'500'000 : 100'000};
        costs.byte = Time{socket ? 200 : 100};
    }
    const Receiver::Given& given = receiver.given;
    costs.ring = given.ring.value_or(costs.ring);
    costs.dma_rate = given.dma_rate.value_or(costs.dma_rate);
    costs.interrupt_delay = given.interrupt_delay.value_or(costs.interrupt_delay);
    costs.wake_up = given.wake_up.value_or(costs.wake_up);
    costs.frame = given.frame.value_or(costs.frame);
    costs.byte = given.byte.value_or(costs.byte);
    return costs;
}

}  // namespace watershed
