// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// A switch among others: how they know it, and the links that lead to it and away.
struct SwitchPlace {
    struct Input {
        BitRate rate{0};
        std::vector<int> classes;  ///< of the frames that may come there, ascending
    };

    std::string name = "switch";
    int number = 0;  ///< in the order of Network
    std::vector<Input> inputs;
    std::vector<BitRate> uplinks;  ///< their rates
};

}  // namespace watershed
