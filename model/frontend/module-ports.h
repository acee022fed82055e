// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/addresses.h"
#include "model/base/quantities.h"

namespace watershed {

/// Traffic classes: IEEE 802.1p tells eight priorities apart.
constexpr int kTrafficClasses = 8;

/// The modules' Ethernet ports, one link each.
struct FrontEnd {
    int modules = 44;
    int modules_before = 0;  ///< not a key: modules before these, where they are part of a whole camera
    BitRate link_rate{1'000'000'000};
    Time gap{0};                        ///< gap on the link between the frames that a module sends for one event
    std::optional<std::int64_t> fifo;   ///< frames an output FIFO holds, the one being sent included; absent: no limit
    std::vector<Time> skew;             ///< delay of each module's trigger, cyclic if shorter than `modules`
    Time skew_spread{0};                ///< and a constant uniform in [0, spread] per module
    Time jitter{0};                     ///< and one uniform in [0, jitter] per module and trigger
    std::vector<ClockTolerance> clock;  ///< deviation of each module's clock, cyclic if shorter than `modules`
    ClockTolerance clock_spread{0};     ///< and a constant uniform in [-spread, +spread] per module
    bool obeys_pause = true;            ///< modules stop when the switch tells them to
    Time pause_reaction{0};             ///< from the end of a PAUSE frame to its effect
    std::vector<std::int64_t> source_ports;  ///< UDP port of each module, cyclic; empty: 49152 + module
    int traffic_class = 0;                   ///< class of the fragments, IEEE 802.1p
};

/// The sender's end of a module's flow.
/// @param module from 1
inline Endpoint module_endpoint(const FrontEnd& front_end, int module) {
    module += front_end.modules_before;
    const auto& ports = front_end.source_ports;
    const int port = ports.empty() ? kDynamicPorts + module % (0x10000 - kDynamicPorts)
                                   : static_cast<int>(ports[static_cast<std::size_t>(module - 1) % ports.size()]);
    return local_endpoint(1, module, port);
}

}  // namespace watershed
