// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/catalogue/catalogue.h"

namespace watershed {

/// Those in which all these words occur, in any of their values, sources and notes; large and small letters are alike.
/// An amount of bytes also finds a memory of about that size, with a blank before its unit or without.
std::vector<CatalogueSwitch> switches_with(const std::vector<std::string>& words,
                                           const std::vector<CatalogueSwitch>& catalogue);

}  // namespace watershed
