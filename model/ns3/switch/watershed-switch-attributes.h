// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/attribute.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

/// An attribute of WatershedSwitch, and what a scenario calls the same.
struct WatershedSwitchAttribute {
    std::string name;
    std::string key;  ///< key of a scenario, "switch.buffer.alpha"
    std::string help;
    ns3::Ptr<const ns3::AttributeValue> initial;
    ns3::Ptr<const ns3::AttributeAccessor> accessor;
    ns3::Ptr<const ns3::AttributeChecker> checker;
};

/// All of them.
const std::vector<WatershedSwitchAttribute>& watershed_switch_attributes();

/// The attribute of a scenario's key; the key itself where there is none.
std::string AttributeOf(const std::string& key);

/// A real switch of the catalogue in scenarios/switches/, as attributes of a WatershedSwitch. The build makes the table
/// of them from there.
struct WatershedSwitchModel {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;  ///< attribute and text
    std::vector<std::string> unknown;                         ///< attributes
};

const std::vector<WatershedSwitchModel>& watershed_switch_models();
/// Null if there is none of this name.
const WatershedSwitchModel* ModelNamed(const std::string& name);

}  // namespace watershed
