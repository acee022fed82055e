// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/addresses.h"
#include "model/base/byte-order.h"
#include "model/base/event-header.h"
#include "model/base/quantities.h"
#include "model/base/udp-head.h"

/// The frames of a burst as they go over a cable: Ethernet, IPv4, UDP, the event header, and zeros.
namespace watershed {

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
class Arrivals {
  public:
    Arrivals(int ports, std::int64_t events, std::uint32_t run)
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

}  // namespace watershed
