// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/exact/engine.h"
#include "model/network/network.h"
#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

namespace watershed {

// Results for many bursts from one run or a few.

/// Returns the scenario without schedulers that have frames of one class only and thus no choice. Fast paths and bounds
/// cover it more often; the exact engine runs it in place of the original.
NetworkScenario without_idle_schedulers(NetworkScenario scenario);

/// One burst of each length at one separation.
/// Admission never looks ahead, so one run of the longest burst holds every shorter one, unless skew or clocks make
/// frames of different events overtake each other at the switch, or its policy pushes out frames that it admitted; then
/// each length has a run of its own.
/// @param scenario of pattern burst; separation and events are replaced
std::vector<LossMapRow> map_column(Engine& engine, NetworkScenario scenario, Time separation,
                                   const std::vector<std::int64_t>& events);

/// The longest burst without loss.
struct Boundary {
    std::optional<std::int64_t> events_lossless;  ///< nothing if no length loses, as far as was seen
    /// Bursts up to this length were seen to lose nothing, and longer ones are unknown; 0 where the answer is certain.
    std::int64_t unknown_beyond = 0;
    std::int64_t longest_run = 0;  ///< burst that shows it; 0 where none does
    std::string proven_by{};  ///< the command whose bound tells that no length loses (see NoLossProof), if one does
};

/// Returns the boundary of a network of independent switches: that of the switch that loses first.
Boundary shortest(const std::vector<Boundary>& boundaries);

/// Searches the burst length by simulation, exactly. That no length loses is certain where a bound proves it, and where
/// arrivals repeat themselves, no uplink gets more than it carries, and the first repetitions lose nothing.
/// @param limit  length at which the search ends where arrivals do not repeat: jitter, drifting clocks, random order
/// @param most   length at which a search by simulation ends in any case
/// @param first  length of the first burst that is run through several switches, followed by longer ones
Boundary find_boundary(Engine& engine, NetworkScenario scenario, Time separation, std::int64_t limit,
                       std::int64_t most = std::numeric_limits<std::int64_t>::max(), std::int64_t first = 64);

/// Returns the boundaries for several depths of the memory, in the unit of the scenario's memory. If the policy permits
/// (see DepthProfile), this takes one run more than the largest depth alone; else each depth has runs of its own.
std::vector<Boundary> find_boundaries(Engine& engine, NetworkScenario scenario, Time separation, std::int64_t limit,
                                      const std::vector<std::int64_t>& depths);

/// Whether the exact engine needs no run to find the boundary.
bool boundary_is_calculated(NetworkScenario scenario);

/// Why find_boundary() cannot be certain that no length loses, and ends at its limit; nothing where it can be.
UnsupportedKey boundary_obstacle(NetworkScenario scenario, Time separation);

/// The trigger rate that `modules` modules saturate their uplinks at: complete events per second that leave the switch
/// while every module sends without pause.
double saturation_frequency(Engine& engine, NetworkScenario scenario, int modules);

/// A burst and the frames that one engine says it loses.
struct Claimed {
    Time separation{0};
    std::int64_t events = 0;
    std::int64_t lost = 0;
    std::int64_t from_boundary = 0;  ///< points of the list between it and the boundary
};

/// `count` of these: those nearest the boundary first, and among equals by lot.
std::vector<Claimed> nearest_boundary(std::vector<Claimed> points, std::int64_t count, std::uint64_t seed);

/// Runs each burst in this engine.
/// @throws std::runtime_error at the first that does not lose what was claimed: names it and both counts
void verify(Engine& engine, Scenario scenario, const std::vector<Claimed>& points);

}  // namespace watershed
