// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "model/base/outcome.h"
#include "model/scenario.h"

/// What a run tells of each switch and each link.
namespace watershed {

/// Share of the run's time that the link was sending, at its nominal rate.
double utilisation(const Outcome::Link& link, BitRate rate, Time simulated);

/// "switches" and "links", and "module_links" if they are wanted.
void add_network(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome, bool module_links);

/// A table of the switches and one of the links, for people.
void print_network(std::ostream& out, const Scenario& scenario, const Outcome& outcome, bool module_links);

}  // namespace watershed
