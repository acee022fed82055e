// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/attribute.h>

#include <string>
#include <vector>

namespace watershed {

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

}  // namespace watershed
