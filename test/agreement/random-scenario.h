// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "model/scenario.h"

namespace watershed {

/// A small scenario drawn from everything a scenario can say, with many coincidences: separations, skews, latencies and
/// trigger times that are multiples of a frame's time on a link, so that departures, arrivals and triggers meet at one
/// instant.
/// @param sharing  in place of one that is drawn
Scenario random_scenario(std::uint64_t seed, std::optional<Sharing> sharing = {});

/// The same, with at least one key that makes frames wait otherwise than in the order of admission.
Scenario random_eventDriven_scenario(std::uint64_t seed, std::optional<Sharing> sharing = {});

/// A synchronous burst into one shared memory counted in frames, for which the contract has a closed form.
Scenario random_burst(std::uint64_t seed);

/// A synchronous burst through switches with ample memory, whose uplinks meet at one with little. Rates are multiples
/// of 10 Mb/s.
Scenario random_two_tiers(std::uint64_t seed);

/// As a scenario file would say it.
std::ostream& operator<<(std::ostream& out, const Scenario& scenario);

}  // namespace watershed
