// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace watershed {

/// Folders in which the scenarios that come with the program may lie, the first that exists counts: in its source, if
/// it was not built for a package; beside the program, wherever that was installed.
std::vector<std::string> scenario_folders();

}  // namespace watershed
