// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/design/explore.h"

/// Scenario of a design: keys that its switches replace.
namespace watershed {

inline const std::string kSecondTier = "aggregation";

/// Returns true if KEY=VALUE sets one of these keys, or a key of one of these tables.
bool sets_one_of(const std::string& override_text, const std::vector<std::string>& names);

/// Returns a text value of the second tier, from --set or else from the file; empty if neither has it.
std::string second_tier_text(const DesignRequirements& wanted, const std::string& name);

}  // namespace watershed
