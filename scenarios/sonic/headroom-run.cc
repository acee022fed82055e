// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "model/exact/exact-engine.h"
#include "scenarios/sonic/sonic-switch.h"

namespace watershed {

std::int64_t lost_beyond_pause(const HeadroomPort& port, std::int64_t headroom,
                               const std::vector<std::int64_t>& frames) {
    const auto bytes = [](std::int64_t count) { return MemorySize{count, MemorySize::Unit::Byte}; };
    const BitRate link{port.speed * 1'000'000};
    std::vector<Bytes> payloads;
    std::int64_t cells = 0;
    for (const std::int64_t frame : frames) {
        payloads.push_back(Bytes{frame} - kHeadersAndFcs);
        cells += (frame + port.header + port.cell - 1) / port.cell;
    }
    NetworkScenario scenario;
    scenario.frame.mtu = Bytes{std::max(port.mtu, kMinimumFrame.count)};
    scenario.frame.fragments = FragmentList(payloads);
    scenario.front_end.modules = 1;
    scenario.front_end.link_rate = link;
    scenario.front_end.pause_reaction = Time{8'000'000 * (port.on_link - kPauseOnLink.count) / port.speed};
    // Twice what fills the memory: the second overflows into the headroom.
    scenario.trigger.separation = Time{1};
    scenario.trigger.events = 2;
    Switch& network_switch = scenario.network_switch;
    network_switch.uplinks = 1;
    network_switch.uplink_rate = BitRate{std::max<std::int64_t>(1, port.speed)};  // a millionth: nothing leaves
    network_switch.flow_control.kind = FlowControl::Kind::Pfc;
    network_switch.flow_control.xoff = {cells - 1, MemorySize::Unit::Cell};
    network_switch.flow_control.xon = {1, MemorySize::Unit::Cell};
    network_switch.buffer.accounting = Buffer::Accounting::Ingress;
    network_switch.buffer.size = {cells, MemorySize::Unit::Cell};
    network_switch.buffer.cell = Bytes{port.cell};
    network_switch.buffer.cell_header = Bytes{port.header};
    network_switch.buffer.headroom = bytes(headroom);
    return ExactEngine().run(scenario).frames_lost();
}

HeadroomTrial try_headroom(const HeadroomPort& port, std::int64_t headroom, const NeededHeadroom& needed) {
    const std::int64_t largest = std::max(port.mtu + kFrameOverIp, kMinimumFrame.count);
    std::vector<std::int64_t> sizes{kMinimumFrame.count, largest};
    // Frames that just fill their cells, and those with a byte more.
    for (std::int64_t end = port.cell - port.header; end < largest; end += port.cell)
        for (const std::int64_t size : {end, end + 1})
            if (size > kMinimumFrame.count) sizes.push_back(size);
    HeadroomTrial trial;
    const auto run = [&](std::int64_t size, const std::vector<std::int64_t>& frames) {
        ++trial.runs;
        const std::int64_t lost = lost_beyond_pause(port, headroom, frames);
        if (lost > trial.lost) trial.lost = lost, trial.frame = size;
    };
    run(0, needed.frames);
    for (const std::int64_t size : sizes)
        run(size,
            std::vector<std::int64_t>(static_cast<std::size_t>(port.on_link / (size + kBetweenFrames) + 2), size));
    return trial;
}

}  // namespace watershed
