// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/depth-profile.h"

#include <algorithm>
#include <limits>

#include "model/base/frame.h"
#include "model/network/network.h"
#include "model/switch/plain-switch.h"

namespace watershed {

bool DepthProfile::permits(const Incast& scenario) {
    if (!has_one_switch(scenario) || scenario.server.receiver || !scenario.frame.payloads.empty() ||
        !scenario.traffic.empty() || scenario.front_end.fifo || scenario.trigger.dead_time != Time{0})
        return false;
    // What becomes of frames after the first loss does not matter.
    const auto plain = PlainSwitch::of(scenario.network_switch, nullptr, [](const Buffer& whole, Buffer& copied) {
        copied.resume = whole.resume;
        copied.descriptors_resume = whole.descriptors_resume;
    });
    if (!plain) return false;
    const Buffer& buffer = (*plain)->buffer;
    return buffer.sharing == Buffer::Sharing::Shared && buffer.cell.count == 0 && !buffer.descriptors &&
           buffer.queues == 1;
}

std::optional<DepthProfile> DepthProfile::of(Engine& engine, const Incast& scenario) {
    const bool in_bytes = scenario.network_switch.buffer.size.unit == MemorySize::Unit::Byte;
    const std::int64_t per_event =
        scenario.front_end.modules * static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    DepthProfile profile;
    std::int64_t held = 0, admitted = 0, most = 0;
    bool lossless = true;
    Observer observer;
    observer.occupancy = [&](Time, std::int64_t frames, Bytes bytes) {
        if (frames > held) ++admitted;
        held = frames;
        const std::int64_t amount = in_bytes ? bytes.count : frames;
        if (!lossless || amount <= most) return;
        most = amount;
        // Events arrive one after the other, and none of their frames is missing yet.
        const std::int64_t event = (admitted + per_event - 1) / per_event;
        if (profile.needs_.empty() || profile.needs_.back().event < event)
            profile.needs_.push_back({event, amount});
        else
            profile.needs_.back().amount = amount;
    };
    observer.lost = [&](const FrameId& frame, Time, const LossCause&) {
        if (lossless) profile.needs_.push_back({frame.event, std::numeric_limits<std::int64_t>::max()});
        lossless = false;
    };
    if (!engine.run(scenario, &observer).events_in_order) return std::nullopt;
    return profile;
}

std::optional<std::int64_t> DepthProfile::lossless(std::int64_t depth) const {
    const auto too_much =
        std::find_if(needs_.begin(), needs_.end(), [&](const Need& need) { return need.amount > depth; });
    if (too_much == needs_.end()) return std::nullopt;
    return too_much->event - 1;
}

}  // namespace watershed
