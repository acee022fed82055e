// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/guarantee/switch-guarantee.h"
#include "scenarios/commands/answers.h"

namespace watershed {

/// Rule by which ports share a memory, which is unknown for the model. No queue and no delay depends on it.
struct UnknownRule {
    std::string key, why;
    std::string value;  ///< least generous value with which nothing is lost, or the most generous
};

/// Guarantee of a scenario, and the run of its witness in the exact engine.
struct ScenarioBound {
    Guarantee guarantee;
    std::vector<Time> witness;           ///< triggers that reach the bound or lose a frame; empty if none are known
    std::int64_t followed = 0;           ///< triggers, as early as they may come, that were followed for a loss
    Outcome ample;                       ///< run of the witness with a memory that loses nothing, if a bound exists
    Outcome own;                         ///< run of the witness with the scenario's memory and order of ties
    std::optional<UplinkChoice> hash;    ///< hash by which a switch distributes its senders; std::nullopt without one
    std::optional<Guarantee> whichever;  ///< guarantee for every hash function; std::nullopt if unknown
    std::optional<int> on_one_uplink;    ///< modules that a hash may put on one uplink; std::nullopt if unknown
    std::vector<AssumedValue> assumed;
    std::optional<UnknownRule> unknown;  ///< rule of the memory that nobody states

    /// Returns true if no admitted triggers lose a frame, whatever is unknown.
    bool lossless() const { return guarantee.bounded && guarantee.fits() && !unknown; }
    /// Returns true if `ample` is a run of the witness.
    bool replayed() const { return guarantee.bounded && !guarantee.own_triggers && !guarantee.pauses; }
};

/// Returns the guarantee of a scenario with the run of its witness.
/// @throws InputError if the scenario is not valid, or a key of it is not covered
ScenarioBound bound_of(const BoundAsked& asked, const EngineFactory& make_engine);

}  // namespace watershed
