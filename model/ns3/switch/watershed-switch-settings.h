// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "model/switch/switch.h"

namespace watershed {

/// The values of a WatershedSwitch's attributes.
struct WatershedSwitchSettings {
    /// In a scenario the default order is that of the camera; among anybody's ports none is to come first for ever.
    WatershedSwitchSettings() {
        network_switch.arrival_order = ArrivalOrder::Rotating;
        network_switch.buffer.size.amount = 1000;
    }

    Switch network_switch;
    std::optional<int> uplinks;          ///< number that it must have; absent: as many as there are
    std::optional<BitRate> uplink_rate;  ///< absent: that of each device
    std::uint64_t seed = 1;              ///< seed of the camera's random choices
    std::int64_t buffer_overhead = 4;    ///< bytes beyond the frame without FCS
    std::set<std::string> chosen;        ///< names of the attributes that are not to follow the model
};

}  // namespace watershed
