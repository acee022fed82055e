// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>

#include "calibrate/advice/advise.h"
#include "calibrate/instrument/interface.h"
#include "model/base/addresses.h"
#include "model/base/byte-order.h"
#include "model/base/event-header.h"
#include "model/base/quantities.h"
#include "model/base/udp-head.h"

/// Frames of a burst, and their receiver: a port of this machine or of another one.
namespace watershed {

// Frames of a burst on the wire: Ethernet, IPv4, UDP, event header, and zeros.

/// Bytes of a frame that identify its fragment; a receiver needs no more.
constexpr std::size_t kFragmentHead = 42 + EventHeader::kSize;

/// Frames of one trigger, one of each module from 1 to `ports`. Their source addresses are unused ones that no router
/// forwards.
class Fragments {
  public:
    /// @param payload   UDP payload, at least the size of the event header
    /// @param receiver  MAC address of the destination
    /// @param run       number that distinguishes this burst from others
    Fragments(int ports, Bytes payload, const std::array<std::uint8_t, 6>& receiver, std::uint32_t run) {
        Endpoint to = server_endpoint(0);
        to.mac = receiver;
        for (int module = 1; module <= ports; ++module) {
            std::vector<std::uint8_t> header(EventHeader::kSize);
            EventHeader{run, {1, module, 1}}.write(header.data());
            std::vector<std::uint8_t> frame =
                udp_head(local_endpoint(1, module, kDynamicPorts + module % 0x3fff), to, header, payload, 1);
            write_big_endian<2>(&frame[40], 0);  // no checksum, since the event's number changes (RFC 768)
            frame.resize(kUdpHead + std::size_t(payload.count));
            frames_.push_back(std::move(frame));
        }
    }

    int ports() const { return int(frames_.size()); }
    /// Returns the frame of a module for an event. It is valid until the next call for this module.
    /// @param port   index of the module, from 0
    /// @param event  number of the event, from 1
    const std::vector<std::uint8_t>& frame(int port, std::int64_t event) {
        std::vector<std::uint8_t>& frame = frames_[std::size_t(port)];
        write_big_endian<4>(&frame[kUdpHead + EventHeader::kEventOffset], std::uint64_t(event));
        return frame;
    }

  private:
    std::vector<std::vector<std::uint8_t>> frames_;
};

// Stalls of an output while frames wait: its machine was held up, or the link was paused.

/// Frame of a burst that arrived.
struct ArrivedFrame {
    std::size_t place = 0;  ///< index in the order of sending, from 0
    Time time{0};           ///< time of arrival
};

/// Stall of an output.
struct OutputStall {
    std::size_t next = 0;  ///< index, in the order of sending, of the first frame after it
    Time begin{0};         ///< arrival of the frame before it, since the first arrival
    Time lost{0};          ///< duration, less the time that the output caught up afterwards
};

/// Returns the stalls of an output. A pause is no stall if later frames catch up, as behind a token bucket, or if it is
/// shorter than a quarter of the usual time from frame to frame. Pauses between triggers are returned, too, since they
/// look alike.
/// @param arrivals  frames in the order of arrival
std::vector<OutputStall> output_stalls(const std::vector<ArrivedFrame>& arrivals);

/// Fragments of a burst that have arrived.
class ReceivedFragments {
  public:
    ReceivedFragments(int ports, std::int64_t events, std::uint32_t run)
        : ports_(ports), events_(events), run_(run), arrived_(std::size_t(ports * events)) {}

    /// Counts a frame, unless it is of another run or a repetition. @param frame  at least `kFragmentHead` bytes
    void take(const std::uint8_t* frame, Time time) {
        const auto header = EventHeader::parse(frame + kUdpHead);
        if (!header) return;
        if (header->run != run_) {
            ++of_other_runs_;
            return;
        }
        const std::int64_t event = header->frame.event;
        const int module = header->frame.module;
        if (event < 1 || event > events_ || module < 1 || module > ports_) return;
        const std::size_t at = place(event, module);
        if (arrived_[at]) {
            ++repeated_;
            return;
        }
        arrived_[at] = true;
        in_order_.push_back({at, time});
    }

    std::int64_t frames() const { return static_cast<std::int64_t>(in_order_.size()); }
    const std::vector<ArrivedFrame>& in_order() const { return in_order_; }
    /// Returns the time from the first arrival to the last.
    Time spread() const { return in_order_.empty() ? Time{0} : in_order_.back().time - in_order_.front().time; }
    std::int64_t repeated() const { return repeated_; }
    std::int64_t of_other_runs() const { return of_other_runs_; }
    /// Returns true for each missing frame, in the order of sending: event by event, in each by module.
    std::vector<bool> missing() const {
        std::vector<bool> missing = arrived_;
        missing.flip();
        return missing;
    }
    /// Returns true if a frame has arrived. @param event, module  numbers from 1
    bool has(std::int64_t event, int module) const { return arrived_[place(event, module)]; }

  private:
    std::size_t place(std::int64_t event, int module) const { return std::size_t((event - 1) * ports_ + module - 1); }

    int ports_;
    std::int64_t events_;
    std::uint32_t run_;
    std::vector<bool> arrived_;
    std::vector<ArrivedFrame> in_order_;
    std::int64_t repeated_ = 0, of_other_runs_ = 0;
};

using MacAddress = std::array<std::uint8_t, 6>;
using Clock = std::chrono::steady_clock;  ///< monotonic clock

/// Received frames of a burst.
struct ArrivedFrames {
    std::int64_t frames = 0;
    std::vector<bool> missing;  ///< true for each missing frame, in the order of sending
    std::string host_loss;      ///< place where the receiving machine itself lost frames; else empty
    Time silence{0};            ///< longest wait for a frame that arrived, after the last frame was sent
    Time spread{0};             ///< time from the first arrival to the last, by the kernel's time stamps
    std::vector<OutputStall> stalls{};
};

/// Receiver of bursts.
class ReceivingEnd {
  public:
    explicit ReceivingEnd(Interface port) : port_(std::move(port)) {}
    virtual ~ReceivingEnd() = default;
    /// Returns the receiving port; of another machine's port only name, address and MTU are set.
    const Interface& port() const { return port_; }
    /// Returns the properties of the port for the preflight checks.
    virtual PortFacts facts() const = 0;
    /// Begins a burst: frames of this run count from now on.
    /// @param senders  addresses to which it sends a frame each, so that switches learn its own address
    virtual void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) = 0;
    /// Counts some of the frames that have arrived, if this process counts. @return number of frames counted
    virtual std::size_t count_some() { return 0; }
    /// Waits until `expected` frames have arrived, or no frame arrives for `quiet`. @throws std::runtime_error if the
    /// link is down
    virtual ArrivedFrames end(std::int64_t expected, Time quiet) = 0;

  protected:
    Interface port_;
};

struct ReceivingOptions {
    std::string interface;
    std::size_t ring = 65'536;             ///< size of the receive ring in frames
    std::int64_t most_frames = 1'000'000;  ///< largest number of frames of a burst
    bool allow_default_route = false;      ///< true: allows an interface with a default route
};

/// Checks an interface. @throws InputError if it is down, not connected, or has a default route that is not allowed
void refuse_unusable(const Interface& interface, bool allow_default_route);
/// Returns a text if the link was down since the last call; else empty. @throws std::runtime_error if it is down now
std::string interruption_of(Interface& interface);
std::string address_text(const MacAddress& mac);

/// Returns a receiver at a port of this machine. Its begin() throws std::runtime_error if sockets are not allowed.
/// @throws InputError for an interface that cannot be used
std::unique_ptr<ReceivingEnd> local_end(const ReceivingOptions& options);

/// Returns a receiver at a port of another machine, where `command` starts `watershed measure --serve`. The two ends
/// exchange lines of JSON by standard input and output. Privileges, encryption and host names are left to the command,
/// for example ssh.
///
///     {"version": 5, "mac": "02:…", "mtu": 1500, "name": "eth1", "port": {…}}   the receiving end begins
///     {"begin": {"run": 7, "ports": 44, "payload_bytes": 1024, "events": 100, "senders": ["02:…"]}}
///     {"ready": true}
///     {"end": {"expected": 4400, "quiet_ps": 200000000000}}
///     {"frames": 4390, "missing": "00a8…", "host_loss": "", "spread_ps": 9000, "silence_ps": 100, "stalls": [[0, 0,
///     0], …]}  or {"error": "…"}
///
/// "port" has the members of PortFacts, each of "stalls" those of OutputStall.
/// A remote end that dies loses its burst, and is started again for the next one.
/// @throws std::runtime_error if it cannot be started
std::unique_ptr<ReceivingEnd> remote_end(const std::string& command);

/// Serves the sender at the other end of standard input and output until it closes them.
/// @throws InputError for an interface that cannot be used
void serve_peer(const ReceivingOptions& options);

}  // namespace watershed
