// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/unsupported-key.h"
#include "model/network/network-scenario.h"

namespace watershed {

/// Whether a bound tells that no burst loses a frame whose triggers are so far apart, whatever its length.
struct NoLossProof {
    std::string command;      ///< whose bound it is: "bound" or "risk"; empty where none tells
    UnsupportedKey obstacle;  ///< where no bound covers the scenario

    explicit operator bool() const { return !command.empty(); }

    /// @throws std::invalid_argument as Guarantee and LossBounds do
    static NoLossProof of(const NetworkScenario& scenario, Time separation);
};

}  // namespace watershed
