// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/system.h"

// One line for each system: the function of its file that describes it. The manual lists them in this order.
#define WATERSHED_SYSTEMS(SYSTEM) \
    SYSTEM(udpmon)                \
    SYSTEM(ejfat)                 \
    SYSTEM(ipbus)                 \
    SYSTEM(flashing)              \
    SYSTEM(distribution)

#define WATERSHED_DECLARE(name) System name();
#define WATERSHED_LIST(name) systems::name(),

namespace watershed {

namespace systems {
WATERSHED_SYSTEMS(WATERSHED_DECLARE)
}

const std::vector<System>& all_systems() {
    static const std::vector<System> all{WATERSHED_SYSTEMS(WATERSHED_LIST)};
    return all;
}

}  // namespace watershed
