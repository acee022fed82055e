// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/advice/simulate.h"
#include "scenarios/text/loss-map.h"

/// What sends bursts through a switch and counts what arrives: two ports of this machine, or a program that drives a
/// rig of one's own.
namespace watershed {

/// What came of one burst.
struct BurstRecord {
    LossMapRow row;
    std::optional<Time> median_trigger_lateness{};  ///< where every trigger's was looked at
    std::string
        host_loss{};  ///< where the machine itself lost frames, so that the row does not tell of the switch; else empty
    std::vector<bool> missing{};  ///< which frames, as they were sent; empty where nobody knows
};

class Rig {
  public:
    virtual ~Rig() = default;
    /// Sends one burst into a switch that is empty, and counts until nothing more arrives.
    /// @throws std::runtime_error where it cannot be sent, or the rig has failed
    virtual BurstRecord measure(const BurstSetting& setting) = 0;
};

}  // namespace watershed
