// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/advice/strategy.h"
#include "calibrate/measure/measured-map.h"
#include "calibrate/measure/rig.h"

/// A measuring campaign at a real switch.
namespace watershed {

/// One rig, one map, and how long it may take.
class Measuring {
  public:
    /// @param budget   no burst begins after that
    /// @param say      told each burst in a line
    Measuring(Rig& rig, MeasuredMap& map, Time budget, std::function<void(const std::string&)> say);

    /// Each of these, `repeat` times in all; what the map has already is not measured again.
    /// @returns why it ended @throws std::runtime_error where the rig fails
    std::string measure_list(const std::vector<BurstSetting>& settings, int repeat);

    /// What advice asks for, until it says stop. Where triggers come late again and again it asks for longer separations.
    /// @returns why it ended @throws std::runtime_error where the rig fails
    std::string measure_as_advised(CampaignPlan plan);

    int bursts() const { return bursts_; }

  private:
    /// A burst that came late, or of which the machine itself lost frames, is noted as set aside, and sent again.
    /// @returns how late the best of them came, where all came late @throws std::runtime_error where the machine lost frames of all
    std::optional<Time> measure(const BurstSetting& setting);
    bool time_is_up() const;

    Rig& rig_;
    MeasuredMap& map_;
    Time budget_;
    std::function<void(const std::string&)> say_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    int bursts_ = 0;   ///< sent, those set aside among them
};

/// Why the row must not be believed: the machine lost frames, or a trigger came more than half a separation late. Empty where it may be.
std::string reason_to_set_aside(const BurstRecord& record);

}  // namespace watershed
