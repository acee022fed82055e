// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// What the kernel tells of a network interface, and frames to and from it.
namespace watershed {

/// A file, or a socket, that is closed.
struct OwnedFile {
    explicit OwnedFile(int opened) : file(opened) {}
    ~OwnedFile() {
        if (file >= 0) close(file);
    }
    OwnedFile(const OwnedFile&) = delete;
    OwnedFile& operator=(const OwnedFile&) = delete;
    int file;  ///< negative: none
};

struct Interface {
    std::string name;
    int index = 0;
    std::array<std::uint8_t, 6> mac{};
    std::int64_t mtu = 0;
    bool up = false;            ///< administratively
    bool running = false;       ///< and there is something at the other end
    std::uint32_t changes = 0;  ///< of that, so far
};
/// @throws InputError where there is none of this name
Interface read_interface(const std::string& name);

/// Whether a default route, of IPv4 or IPv6, leaves by it: then it is how this machine is reached.
bool has_default_route(const std::string& name);

/// Frames that an interface counted since it is there.
struct FrameCounters {
    std::uint64_t received = 0;  ///< of whomever
    std::uint64_t sent = 0;
    std::uint64_t missed = 0;   ///< by the network card, for want of buffers: rx_missed, rx_fifo, rx_over, rx_no_buffer
    std::uint64_t damaged = 0;  ///< frames that arrived damaged: a cable's fault
    std::uint64_t unsent = 0;   ///< that were to be sent and were not: tx_dropped, tx_errors
    std::uint64_t backlog = 0;  ///< dropped by the kernel's queues of all processors (net.core.netdev_max_backlog)
};
FrameCounters frame_counters(const Interface& interface);

/// Frames of others among those that an interface received during bursts. The counters of some cards lag: what they
/// lack of one burst they have too many in a later one.
class ForeignFrames {
  public:
    /// @param received  by the counter, during a burst @param own  of them  @returns those of others
    std::int64_t add(std::int64_t received, std::int64_t own) {
        balance_ += received - own;
        const std::int64_t more = std::max<std::int64_t>(0, balance_ - most_);
        most_ += more;
        return more;
    }

  private:
    std::int64_t balance_ = 0, most_ = 0;
};

/// What stands between a sender and the wire.
struct OutputQueue {
    std::string kind = "noqueue";  ///< of the root queueing discipline, as tc names it
    std::uint64_t drops = 0;
    std::int64_t backlog = 0;  ///< bytes that it holds now
    /// The kernel's own choice for an interface; any other has been put there to be measured.
    bool usual() const {
        static const char* const kUsual[] = {"noqueue", "mq", "pfifo_fast", "fq_codel", "fq", "sfq"};
        return std::find(std::begin(kUsual), std::end(kUsual), kind) != std::end(kUsual);
    }
};
OutputQueue output_queue(const Interface& interface);

// Frames to and from a network interface, without the kernel's protocols (packet(7)). Needs CAP_NET_RAW.

struct PacketSocket : OwnedFile {
    /// @throws std::runtime_error, which says what is missing where that is the right to it
    PacketSocket();
    /// @param protocol  of the frames that it receives, 0: none
    void bind_to(const Interface& interface, std::uint16_t protocol) const;
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

// What ports, machine and scenario tell of a measurement before anything is sent.

/// Of one port. Zero is what its driver does not tell.
struct PortFacts {
    std::string name;
    std::int64_t mtu = 0;
    std::string queue = "noqueue";  ///< its root queueing discipline
    std::int64_t megabits = 0;      ///< each second
    bool half_duplex = false;
    bool knows_pause = false;
    bool negotiates = false;            ///< PAUSE: then the other two are offered, and the other end decides as well
    bool obeys = false;                 ///< rx: it stops when it is told to
    bool asks = false;                  ///< tx: it tells the other end to stop
    std::int64_t ring = 0, longer = 0;  ///< frames that its receive ring has, and may have
    std::int64_t interrupt_us = 0;      ///< that an interrupt waits for more frames
    std::vector<std::string> merges{};  ///< offloads that are on: "gro", "lro"
    std::uint64_t others = 0;           ///< frames that came and went while it was watched, and nothing was measured
};
/// Watches it for `kWatched`. Needs no rights.
PortFacts look_at(const Interface& interface);
constexpr Time kWatched{100'000'000'000};

/// Of each processor, each once: "performance"; none where they have none.
std::vector<std::string> frequency_governors();

struct PreflightFacts {
    std::vector<PortFacts> senders;
    PortFacts receiver;
    std::vector<std::string> governors;
    int modules = 1;                       ///< frames of a trigger, which the senders take in turn
    Bytes payload{0}, wire{0}, stored{0};  ///< of a frame: sent, on a link, in the memory
    std::optional<std::int64_t> memory;  ///< frames that are believed to fit in; nothing where there is not one memory
    std::int64_t longest = 0;            ///< frames of the longest burst
    std::int64_t ring = 0;               ///< frames that the receiver holds
};

struct Finding {
    enum class Level { Fine, Look, Refuse };
    Level level = Level::Fine;
    std::string where;   ///< "eth1", "overload", "trigger"
    std::string what;    ///< was found
    std::string remedy;  ///< what to do; empty where it is fine
};
std::vector<Finding> findings_of(const PreflightFacts& facts);

/// A line for each. @param all  those that are fine, too
std::string text_of(const std::vector<Finding>& findings, bool all);
/// Of what refuses a measurement the first, in a line; empty where nothing does.
std::string refusal_of(const std::vector<Finding>& findings);

}  // namespace watershed
