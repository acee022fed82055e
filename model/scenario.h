// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/by-type.h"
#include "model/network/incast.h"

/// What a scenario file says, as plain data: every member is one key, and its default is the key's.
namespace watershed {

/// All that a scenario file says. The camera's part is the Incast; each other system has a struct of its own, which it
/// finds by its type.
struct Scenario : Incast {
    std::string system = "camera";  ///< what the scenario is about
    ByType parameters;              ///< of the other systems

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
