// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/design/explore.h"

namespace watershed {

/// The ranked ways as scenarios, one file each, and their switches beside them: where a scenario looks for these before
/// the program's own.
/// @param folder     is made if it is not there
/// @param most       how many of them
/// @param catalogue  the whole
void write_scenarios(const std::string& folder, int most, const Wanted& wanted, const std::vector<Explored>& ways,
                     const std::vector<CatalogueSwitch>& catalogue);

}  // namespace watershed
