// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/stream-frames.h"

#include <algorithm>

#include "model/frontend/module-groups.h"

namespace watershed {

FrameSizes frame_of_stream(const TrafficStream& stream, const FrameFormat& format) {
    FrameFormat one = format;
    one.payload = stream.payload;
    one.fragments = 1;
    one.split = false;
    return frames_of_fragment(one).front();
}

BitRate link_of_stream(const TrafficStream& stream, const Senders& senders) {
    if (!stream.module) return stream.link_rate.value_or(senders.front_end.link_rate);
    const ModuleGroups groups(senders);
    return groups.all()[groups.of(*stream.module)].front_end.link_rate;
}

TransmissionTime interval_of(const TrafficStream& stream, const FrameFormat& format) {
    if (stream.rate.bits.count != 0)
        return TransmissionTime::of(frame_of_stream(stream, format).wire, stream.rate.bits);
    if (stream.rate.frames.count != 0) return {Wide{1'000'000'000'000} * 1'000'000, stream.rate.frames.count};
    return {};
}

std::vector<int> rhythms_of(const std::vector<TrafficStream>& streams) {
    using Pattern = TrafficStream::Pattern;
    const auto in_step = [](const TrafficStream& a, const TrafficStream& b) {
        if (a.pattern != b.pattern || a.clock.count + b.clock.count != 0 || a.jitter + b.jitter != Time{0})
            return false;
        if (a.pattern == Pattern::Bursts) return a.period == b.period;
        return a.pattern == Pattern::Constant && a.payload == b.payload && a.rate.bits.count == b.rate.bits.count &&
               a.rate.frames.count == b.rate.frames.count;
    };
    std::vector<int> rhythms{0};
    for (const TrafficStream& each : streams) {
        const auto first =
            std::find_if(streams.begin(), streams.end(), [&](const auto& s) { return in_step(s, each); });
        rhythms.push_back(first == streams.end() ? 0 : static_cast<int>(first - streams.begin()) + 1);
    }
    return rhythms;
}

}  // namespace watershed
