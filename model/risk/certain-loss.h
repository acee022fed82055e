// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/base/unsupported-key.h"
#include "model/network/network-scenario.h"
#include "model/risk/batch-queue.h"

namespace watershed {

/// What is certain of the chance that an event is incomplete, for one tier or for both: the chain's answer for the
/// first where it knows that, or else LossBounds; these for the second. What a link cannot carry is certainly lost.
struct CertainLoss {
    enum class Tiers { Both, First, Second };

    std::optional<Enclosure> log;  ///< its natural logarithm; nothing if neither knows the scenario
    bool bounded = false;          ///< some of it is a bound that may be far above
    double load = 0;       ///< of the busiest link behind these switches, if nothing is lost; 1 at least where a
                           ///< link that leads there is overloaded
    UnsupportedKey chain;  ///< what keeps the chain from one of the tiers
    UnsupportedKey bound;  ///< and what LossBounds, if there is no log

    /// Both obstacles, or the one if they are the same.
    std::string obstacles() const;

    /// @param precision  of the chain's logarithm; without one it is not asked, which may take long
    static CertainLoss of(const NetworkScenario& scenario, std::optional<double> precision = 0.01,
                          Tiers tiers = Tiers::Both);
};

}  // namespace watershed
