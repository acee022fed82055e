// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/scenario.h"

namespace watershed {

/// Whether queues have thresholds of their own, which need an alpha.
bool has_thresholds(const Buffer& buffer);

/// Whether this key of a switch has a meaning beside its others.
bool has_use(const std::string& key, const Switch& network_switch);

/// Checks what the keys of a switch mean together, once all are read.
/// @param given       keys of the scenario and --set, each with where it stands
/// @param from_model  keys that the named switch model brought; those that the scenario's own keys leave without a use are forgotten
/// @throws InputError with place, key, what was found and what was expected
void check_switch(Scenario& scenario, const std::string& file, const std::map<std::string, std::string>& given, const std::set<std::string>& from_model);

}  // namespace watershed
