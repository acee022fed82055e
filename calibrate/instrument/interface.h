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

/// Network interfaces: their state in the kernel, and frames to and from them.
namespace watershed {

/// Owner of a file or socket, which its destructor closes.
struct OwnedFile {
    explicit OwnedFile(int opened) : file(opened) {}
    ~OwnedFile() {
        if (file >= 0) close(file);
    }
    OwnedFile(const OwnedFile&) = delete;
    OwnedFile& operator=(const OwnedFile&) = delete;
    int file;  ///< file descriptor; negative: none
};

/// State of a network interface.
struct Interface {
    std::string name;
    int index = 0;
    std::array<std::uint8_t, 6> mac{};
    std::int64_t mtu = 0;
    bool up = false;            ///< true if administratively up
    bool running = false;       ///< true if a link partner is connected
    std::uint32_t changes = 0;  ///< number of changes of `running` so far
};
/// Returns the state of an interface. @throws InputError if none has this name
Interface read_interface(const std::string& name);

/// Returns true if a default route of IPv4 or IPv6 leaves by an interface: this machine may be reached by it.
bool has_default_route(const std::string& name);

/// Frame counters of an interface since its creation.
struct FrameCounters {
    std::uint64_t received = 0;  ///< frames from any sender
    std::uint64_t sent = 0;
    std::uint64_t missed = 0;   ///< frames missed by the network card for lack of buffers: rx_missed, rx_fifo, rx_over,
                                ///< rx_no_buffer
    std::uint64_t damaged = 0;  ///< frames that arrived damaged: a cable's fault
    std::uint64_t unsent = 0;   ///< frames that the kernel or card did not send: tx_dropped, tx_errors
    std::uint64_t backlog =
        0;  ///< frames dropped by the kernel's queues of all processors (net.core.netdev_max_backlog)
};
/// Reads the counters of an interface.
FrameCounters frame_counters(const Interface& interface);

/// Number of foreign frames that an interface received during bursts. The counters of some cards lag, so that frames
/// missing in one burst are counted in a later one.
class ForeignFrames {
  public:
    /// Returns the foreign frames of a burst.
    /// @param received  increase of the counter during the burst
    /// @param own       frames of the burst that arrived
    std::int64_t add(std::int64_t received, std::int64_t own) {
        balance_ += received - own;
        const std::int64_t more = std::max<std::int64_t>(0, balance_ - most_);
        most_ += more;
        return more;
    }

  private:
    std::int64_t balance_ = 0, most_ = 0;
};

/// Root queueing discipline of an interface.
struct OutputQueue {
    std::string kind = "noqueue";  ///< name in tc
    std::uint64_t drops = 0;       ///< frames dropped so far
    std::int64_t backlog = 0;      ///< bytes in the queue now
    /// Returns true for the kernel's default disciplines; any other was set up to be measured.
    bool usual() const {
        static const char* const kUsual[] = {"noqueue", "mq", "pfifo_fast", "fq_codel", "fq", "sfq"};
        return std::find(std::begin(kUsual), std::end(kUsual), kind) != std::end(kUsual);
    }
};
/// Reads the queueing discipline of an interface.
OutputQueue output_queue(const Interface& interface);

// Frames to and from a network interface, without the kernel's protocols (packet(7)). Needs CAP_NET_RAW.

/// Raw socket for Ethernet frames.
struct PacketSocket : OwnedFile {
    /// @throws std::runtime_error that names the missing capability, if one is missing
    PacketSocket();
    /// Binds the socket. @param protocol  protocol of the frames to receive; 0: none
    void bind_to(const Interface& interface, std::uint16_t protocol) const;
};

/// Sender of single frames. On a veth pair one frame of 64 B takes 0.54 us. Alternatives: sendmmsg takes 0.51 us, but
/// stops silently at a frame that the queue refuses; a ring takes 0.61 us, and its slots stay occupied while frames
/// wait in a queue.
class FrameSender {
  public:
    /// @param patient  true: send() waits while the interface's queue is full; false: this queue is measured, and
    /// frames
    ///                 that it refuses are lost
    FrameSender(const Interface& interface, bool patient);
    /// Sends a frame and returns true if it was accepted. @throws std::runtime_error if the interface is down, or if
    /// the kernel allows too little memory for so deep a queue
    bool send(const std::vector<std::uint8_t>& frame) const;

  private:
    PacketSocket socket_;
    Interface interface_;
    bool patient_;
};

/// Receiver of a UDP port's frames: the kernel writes their beginnings into a ring.
class FrameReceiver {
  public:
    /// @param frames  size of the ring in frames
    FrameReceiver(const Interface& interface, std::uint16_t udp_port, std::size_t frames);
    ~FrameReceiver();
    FrameReceiver(const FrameReceiver&) = delete;
    FrameReceiver& operator=(const FrameReceiver&) = delete;

    /// Passes at most `most` frames that have arrived to `taker`, each with its arrival time and at least
    /// `kFragmentHead` bytes. @return number of frames
    std::size_t take(std::size_t most, const std::function<void(const std::uint8_t*, Time)>& taker);
    /// Returns the frames for which the ring had no room since the last call.
    std::uint64_t dropped() const;

  private:
    PacketSocket socket_;
    std::uint8_t* ring_ = nullptr;
    std::size_t frames_ = 0;
    std::size_t next_ = 0;
};

// Preflight checks: properties of ports, machine and scenario before anything is sent.

/// Properties of a port; 0 or false if its driver does not report them.
struct PortFacts {
    std::string name;
    std::int64_t mtu = 0;
    std::string queue = "noqueue";  ///< root queueing discipline
    std::int64_t megabits = 0;      ///< link speed, Mb/s
    bool half_duplex = false;
    bool knows_pause = false;           ///< true if the driver reports PAUSE settings
    bool negotiates = false;            ///< PAUSE autonegotiation: the link partner decides about rx and tx, too
    bool obeys = false;                 ///< PAUSE rx: the port stops on request
    bool asks = false;                  ///< PAUSE tx: the port requests a stop of its link partner
    std::int64_t ring = 0, longer = 0;  ///< size of the receive ring in frames, and its largest size
    std::int64_t interrupt_us = 0;      ///< longest delay of an interrupt that waits for more frames (coalescing)
    std::vector<std::string> merges{};  ///< receive offloads that are on: "gro", "lro"
    std::uint64_t others = 0;           ///< foreign frames received and sent while the idle port was watched
};
/// Returns the properties of a port; watches its traffic for `kWatched`. Needs no privileges.
PortFacts look_at(const Interface& interface);
constexpr Time kWatched{100'000'000'000};

/// Returns the distinct frequency governors of all processors, such as "performance"; empty if they have none.
std::vector<std::string> frequency_governors();

/// Input of the preflight checks.
struct PreflightFacts {
    std::vector<PortFacts> senders;
    PortFacts receiver;
    std::vector<std::string> governors;
    int modules = 1;                       ///< frames per trigger; the senders take turns
    Bytes payload{0}, wire{0}, stored{0};  ///< bytes of a frame: payload, on a link, in the memory
    std::optional<std::int64_t> memory;    ///< expected room of the memory in frames; std::nullopt without one memory
    std::int64_t longest = 0;              ///< frames of the longest burst
    std::int64_t ring = 0;                 ///< frames that the receiver's ring holds
};

/// Result of a preflight check.
struct Finding {
    enum class Level { Fine, Look, Refuse };
    Level level = Level::Fine;
    std::string where;   ///< "eth1", "overload", "trigger"
    std::string what;    ///< description of the state found
    std::string remedy;  ///< advice; empty if the state is fine
};
/// Returns the results of all preflight checks.
std::vector<Finding> findings_of(const PreflightFacts& facts);

/// Returns one line per finding. @param all  true: also those that are fine
std::string text_of(const std::vector<Finding>& findings, bool all);
/// Returns the first finding that forbids a measurement, in one line; empty if none does.
std::string refusal_of(const std::vector<Finding>& findings);

}  // namespace watershed
