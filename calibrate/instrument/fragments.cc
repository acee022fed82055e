// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/fragments.h"

#include "model/base/byte-order.h"
#include "model/base/udp-head.h"

namespace watershed {

Fragments::Fragments(int ports, Bytes payload, const std::array<std::uint8_t, 6>& receiver, std::uint32_t run) {
    Endpoint to = server_endpoint(0);
    to.mac = receiver;
    for (int module = 1; module <= ports; ++module) {
        std::vector<std::uint8_t> header(EventHeader::kSize);
        EventHeader{run, {1, module, 1}}.write(header.data());
        std::vector<std::uint8_t> frame =
            udp_head(local_endpoint(1, module, kDynamicPorts + module % 0x3fff), to, header, payload, 1);
        write_big_endian<2>(&frame[40], 0);  // no checksum, since the event's number changes (RFC 768)
        frame.resize(kUdpHead + static_cast<std::size_t>(payload.count));
        frames_.push_back(std::move(frame));
    }
}

const std::vector<std::uint8_t>& Fragments::frame(int port, std::int64_t event) {
    std::vector<std::uint8_t>& frame = frames_[static_cast<std::size_t>(port)];
    write_big_endian<4>(&frame[kUdpHead + EventHeader::kEventOffset], static_cast<std::uint64_t>(event));
    return frame;
}

Arrivals::Arrivals(int ports, std::int64_t events, std::uint32_t run)
    : ports_(ports), events_(events), run_(run), arrived_(static_cast<std::size_t>(ports * events)) {}

void Arrivals::take(const std::uint8_t* frame) {
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
    ++frames_;
}

}  // namespace watershed
