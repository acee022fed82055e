// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>

#include "model/base/outcome.h"
#include "model/network/network.h"

/// Cameras whose switches all lead to the server alone: each switch is a scenario of its own.
namespace watershed {

/// The first key, if any, that is modelled at a single switch only, although the scenario has several; otherwise empty.
std::string key_for_one_switch(const NetworkScenario& scenario);

/// Whether run_per_switch() can run this scenario.
bool is_separable(const NetworkScenario& scenario, const Network& network);

/// For each switch the first one, perhaps itself, that sees the same: what happens there is known once that one has
/// been followed.
std::vector<int> representative_switch(const NetworkScenario& scenario, const Network& network);

/// Runs switch by switch and puts the outcomes together. Of switches that see the same, only the first is run.
/// @param observer  of whose members only `progress` and `incomplete` are told
/// @param run       runs one switch
Outcome run_per_switch(const NetworkScenario& scenario, const Network& network, const Observer* observer,
                       const std::function<Outcome(const NetworkScenario&, const Observer*)>& run);

}  // namespace watershed
