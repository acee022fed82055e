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

/// The frames of a burst, and where they arrive: a port of this machine, or of another one.
namespace watershed {

// The frames of a burst as they go over a cable: Ethernet, IPv4, UDP, the event header, and zeros.

/// Bytes of a frame that tell which fragment it is; a receiver needs no more.
constexpr std::size_t kFragmentHead = 42 + EventHeader::kSize;

/// The frames of one trigger: those of modules 1 to `ports`, which go to `receiver` from addresses of nobody, and which
/// no router forwards.
class Fragments {
  public:
    /// @param payload  of UDP, at least that of the event header
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
    /// The frame of module number `port` (from 0), which names this event (from 1). Valid until the next call for this
    /// port.
    const std::vector<std::uint8_t>& frame(int port, std::int64_t event) {
        std::vector<std::uint8_t>& frame = frames_[std::size_t(port)];
        write_big_endian<4>(&frame[kUdpHead + EventHeader::kEventOffset], std::uint64_t(event));
        return frame;
    }

  private:
    std::vector<std::vector<std::uint8_t>> frames_;
};

// Where an output stood still while frames waited: its machine was held up, or the link was told to pause.

/// One frame of a burst.
struct ArrivedFrame {
    std::size_t place = 0;  ///< among the frames as they were sent, from 0
    Time time{0};
};

struct OutputStall {
    std::size_t next = 0;  ///< place of the first frame after it
    Time begin{0};         ///< when the frame before it arrived, since the first of all
    Time lost{0};          ///< what the output did not make up
};

/// A pause that the frames after it make up, as behind a token bucket, is none; nor is one of less than a quarter of a
/// frame's time, by the usual pace of the frames. Whether frames waited is not asked: a pause between triggers looks
/// alike.
/// @param arrivals  in their order
std::vector<OutputStall> output_stalls(const std::vector<ArrivedFrame>& arrivals);

/// Which fragments of a burst have arrived.
class ReceivedFragments {
  public:
    ReceivedFragments(int ports, std::int64_t events, std::uint32_t run)
        : ports_(ports), events_(events), run_(run), arrived_(std::size_t(ports * events)) {}

    /// A frame of `kFragmentHead` bytes at least. One of another run, or that came before, does not count.
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
    /// From the first to the last.
    Time spread() const { return in_order_.empty() ? Time{0} : in_order_.back().time - in_order_.front().time; }
    std::int64_t repeated() const { return repeated_; }
    std::int64_t of_other_runs() const { return of_other_runs_; }
    /// Frame by frame: module by module, event by event.
    std::vector<bool> missing() const {
        std::vector<bool> missing = arrived_;
        missing.flip();
        return missing;
    }
    /// @param event, module  from 1
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
using Clock = std::chrono::steady_clock;  ///< the monotonic one

/// What arrived of a burst.
struct ArrivedFrames {
    std::int64_t frames = 0;
    std::vector<bool> missing;  ///< frame by frame as they were sent
    std::string host_loss;      ///< where the receiving machine itself lost frames; else empty
    Time silence{0};            ///< the longest after the last one was sent, before one that arrived
    Time spread{0};             ///< from the first of them to the last, as the kernel received them
    std::vector<OutputStall> stalls{};
};

class ReceivingEnd {
  public:
    explicit ReceivingEnd(Interface port) : port_(std::move(port)) {}
    virtual ~ReceivingEnd() = default;
    /// Of another machine's port only name, address and MTU are known.
    const Interface& port() const { return port_; }
    /// What its machine tells of the port.
    virtual PortFacts facts() const = 0;
    /// From now on frames of this run count. @param senders  to which it shows where its address is
    virtual void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) = 0;
    /// Counts some of what has arrived, where that is this program's work. @returns how many
    virtual std::size_t count_some() { return 0; }
    /// Waits until so many have arrived, or nothing does for so long. @throws std::runtime_error if the link is down
    virtual ArrivedFrames end(std::int64_t expected, Time quiet) = 0;

  protected:
    Interface port_;
};

struct ReceivingOptions {
    std::string interface;
    std::size_t ring = 65'536;             ///< frames that are held until they are counted
    std::int64_t most_frames = 1'000'000;  ///< of a burst
    bool allow_default_route = false;      ///< else an interface by which this machine is reached is refused
};

/// @throws InputError for an interface that is down, not connected, or by which this machine is reached
void refuse_unusable(const Interface& interface, bool allow_default_route);
/// Whether the link was down since this was last asked, in words. @throws std::runtime_error if it still is
std::string interruption_of(Interface& interface);
std::string address_text(const MacAddress& mac);

/// A port of this machine. @throws InputError for an interface that cannot be used; begin() throws std::runtime_error
/// where sockets are not allowed
std::unique_ptr<ReceivingEnd> local_end(const ReceivingOptions& options);

/// A port of another machine, on which the command starts `watershed measure --serve`: it speaks by its standard input
/// and output, in lines of JSON. Rights, encryption and names are the command's, as of ssh.
///
///     {"version": 5, "mac": "02:…", "mtu": 1500, "name": "eth1", "port": {…}}   the receiving end begins
///     {"begin": {"run": 7, "ports": 44, "payload_bytes": 1024, "events": 100, "senders": ["02:…"]}}
///     {"ready": true}
///     {"end": {"expected": 4400, "quiet_ps": 200000000000}}
///     {"frames": 4390, "missing": "00a8…", "host_loss": "", "spread_ps": 9000, "silence_ps": 100, "stalls": [[0, 0,
///     0], …]}  or {"error": "…"}
///
/// "port" has the members of PortFacts, each of "stalls" those of OutputStall.
/// An end that dies loses its burst and is started again with the next.
/// @throws std::runtime_error where it cannot be started
std::unique_ptr<ReceivingEnd> remote_end(const std::string& command);

/// Serves the sender at the other end of standard input and output until it closes them.
/// @throws InputError for an interface that cannot be used
void serve_peer(const ReceivingOptions& options);

}  // namespace watershed
