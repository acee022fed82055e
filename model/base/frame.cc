// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/frame.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace watershed {
namespace {

FrameSizes sizes_of(const FrameFormat& format, Bytes payload) {
    const Bytes padding{std::max<std::int64_t>(0, (kMinimumFrame - payload - kHeadersAndFcs).count)};
    const Bytes padded = payload + padding;
    return {payload, padded + format.buffer_overhead, padded + format.wire_overhead,
            payload + format.reported_overhead};
}

/// Returns the frames of one fragment.
std::vector<FrameSizes> frames_of_one(const FrameFormat& format) {
    const Bytes largest = format.mtu - kIpUdpHeaders;
    if (format.payload <= largest) return {sizes_of(format, format.payload)};
    if (!format.split) {
        const auto text = [](Bytes b) { return std::to_string(b.count); };
        throw std::invalid_argument(
            "payload " + text(format.payload) + " B + UDP 8 B + IPv4 20 B = " + text(format.payload + kIpUdpHeaders) +
            " B exceeds the MTU of " + text(format.mtu) +
            " B; raise frame.mtu (jumbo frames) or set frame.split = true (several frames per fragment)");
    }
    std::vector<FrameSizes> frames;
    for (Bytes rest = format.payload; rest.count > 0; rest -= largest)
        frames.push_back(sizes_of(format, std::min(rest, largest)));
    return frames;
}

}  // namespace

std::vector<FrameSizes> frames_of_fragment(const FrameFormat& format) {
    std::vector<FrameSizes> all;
    FrameFormat each = format;
    for (int i = 0; i < format.fragments.number; ++i) {
        if (!format.fragments.payloads.empty()) each.payload = format.fragments.payloads[static_cast<std::size_t>(i)];
        const std::vector<FrameSizes> one = frames_of_one(each);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

Bytes wire_of_fragment(const FrameFormat& format) {
    Bytes wire;
    for (const FrameSizes& frame : frames_of_fragment(format)) wire += frame.wire;
    return wire;
}

}  // namespace watershed
