// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/risk/batch-queue.h"
#include "model/scenario.h"
#include "scenarios/run/engine-choice.h"

namespace watershed {

/// How hard to look.
struct RiskEffort {
    std::int64_t events = 10'000'000;   ///< of a direct simulation
    std::int64_t cycles = 20'000;       ///< of importance sampling
    int jobs = 1;                       ///< processes; the result is the same for any number
};

/// The chance that an event is incomplete.
struct Risk {
    std::string method;     ///< "chain", "tilted" or "direct"
    Bracket log;            ///< natural logarithm of the probability, lower <= estimate <= upper
    bool calculated = false;   ///< then the bounds are certain; otherwise they are an interval of 95 %
    std::string remark;     ///< what the method did, for people
};

/// @param method  "chain": the stationary distribution of the embedded chain; "tilted": importance sampling; "direct": simulation;
///                "auto": the first that can do it at bearable cost and comes to within a quarter, or the closest
/// @throws InputError if the triggers are not random or the method cannot do it
/// @throws std::runtime_error if what a method found is no probability between two bounds
Risk find_risk(const Scenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine);

/// @throws std::runtime_error unless 0 <= lower <= estimate <= upper <= 1, all of them numbers
void expect_probability(const Risk& risk);

/// Whether two answers contradict each other: their intervals, doubled in width, do not meet.
bool contradict(const Risk& a, const Risk& b);

}  // namespace watershed
