// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/scenario-folders.h"

namespace watershed {

std::vector<std::string> scenario_folders() { return {WATERSHED_SOURCE_SCENARIOS, WATERSHED_INSTALLED_SCENARIOS}; }

}  // namespace watershed
