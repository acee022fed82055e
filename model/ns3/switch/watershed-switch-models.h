// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace watershed {

/// A real switch of the catalogue in scenarios/switches/, as attributes of a WatershedSwitch. The build makes the table
/// of them from there.
struct WatershedSwitchModel {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;  ///< attribute and text
    std::vector<std::string> unknown;                         ///< attributes
};

const std::vector<WatershedSwitchModel>& watershed_switch_models();

}  // namespace watershed
