// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/type-map.h"
#include "model/network/network-scenario.h"

/// What a scenario file says, as plain data: every member is one key, and its default is the key's.
namespace watershed {

/// All that a scenario file says. The camera's part is the NetworkScenario; each other system has a struct of its own,
/// which it finds by its type.
struct Scenario : NetworkScenario {
    std::string system = "camera";  ///< what the scenario is about
    TypeMap parameters;             ///< of the other systems

    bool is_camera() const { return system == "camera"; }

    template <class Parameters>
    Parameters& of() {
        return parameters.of<Parameters>();
    }
    template <class Parameters>
    const Parameters& of() const {
        return parameters.of<Parameters>();
    }
};

}  // namespace watershed
