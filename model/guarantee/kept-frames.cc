// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/kept-frames.h"

#include <algorithm>
#include <vector>

#include "model/frontend/module-groups.h"
#include "model/frontend/stream-frames.h"
#include "model/switch/memory-units.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-fields.h"

namespace watershed {

std::optional<std::int64_t> kept_frames(const Switch& network_switch, Bytes smallest, Bytes largest) {
    const Buffer& buffer = network_switch.buffer;
    if (buffer.sharing != Sharing::DynamicThreshold) return std::nullopt;
    Switch understood = outside_of(network_switch);
    Buffer& copied = understood.buffer;
    copied.sharing = buffer.sharing;
    copied.size = buffer.size;
    copied.cell = buffer.cell;
    copied.cell_header = buffer.cell_header;
    copied.alpha = buffer.alpha;
    copied.reserved = buffer.reserved;
    if (first_left_out(switch_fields(), network_switch, understood)) return std::nullopt;
    const MemoryUnits units(buffer);
    const std::int64_t reserved = units.amount("switch.buffer.reserved", buffer.reserved, MemoryUnits::Rounding::Up),
                       most = units.cost(largest),
                       step = units.cost(smallest) == most && reserved % most == 0 ? most : 1;
    const Wide share = buffer.alpha.numerator, all = share + buffer.alpha.denominator;
    Wide left = units.amount("switch.buffer.size", buffer.size);
    for (int other = 1; other < network_switch.uplinks && left > 0; ++other) {
        const Wide below = (ceil_div(share * left, all * step) - 1) * step;  // largest multiple of `step`
        left = std::max<Wide>(0, left - std::min(below + most, left / step * step));
    }
    std::int64_t frames = 0;
    for (const auto drawn = [&](std::int64_t n) { return std::max<Wide>(0, Wide{n} * most - reserved); };; ++frames) {
        const Wide before = drawn(frames), after = drawn(frames + 1);
        const bool is_below = before * buffer.alpha.denominator < share * (left - before);
        if (after > 0 && (!is_below || after > left)) return frames;
    }
}

std::optional<std::int64_t> kept_frames(const Switch& network_switch, const NetworkScenario& scenario) {
    if (network_switch.uplinks == 1) return std::nullopt;
    std::vector<Bytes> sizes;
    for (const Group& group : ModuleGroups(scenario).all())
        for (const FrameSizes& frame : frames_of_fragment(group.frame)) sizes.push_back(frame.buffer);
    for (const TrafficStream& stream : scenario.traffic)
        sizes.push_back(frame_of_stream(stream, scenario.frame).buffer);
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
    return kept_frames(network_switch, *smallest, *largest);
}

}  // namespace watershed
