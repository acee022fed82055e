// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/system.h"

#include <algorithm>

namespace watershed {

const System* find_system(const std::string& name) {
    const auto found = std::find_if(all_systems().begin(), all_systems().end(),
                                    [&](const System& system) { return system.name == name; });
    return found == all_systems().end() ? nullptr : &*found;
}

}  // namespace watershed
