// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/closed-form/queue-model.h"

namespace watershed {

/// Where rows lie among all, for what changes in the course of a map.
class RowPlaces {
  public:
    /// @pre there is one burst at least
    explicit RowPlaces(const std::vector<Burst>& bursts) {
        const auto [first, last] = std::minmax_element(bursts.begin(), bursts.end(),
                                                       [](const Burst& a, const Burst& b) { return a.row < b.row; });
        first_ = first->row, last_ = last->row;
    }
    /// From -1/2 for the first to 1/2 for the last; 0 where there is but one.
    double of(const Burst& burst) const {
        return first_ < last_ ? static_cast<double>(burst.row - first_) / (last_ - first_) - 0.5 : 0;
    }

  private:
    int first_, last_;
};

/// What a law of disturbance makes of one burst.
struct DisturbedBurst {
    const Burst& burst;
    double place = 0;         ///< of its row among all
    double depth_factor = 1;  ///< of the memory that it finds
    double frames = 0;        ///< by which it overflows more
    double variance = 0;      ///< of the number of frames by which it overflows
};

/// A memory's depth and rate with the number that a law is told by.
struct DisturbedPlace {
    double depth = 0, rate = 0, value = 0;
};

/// Something that may disturb bursts beside what the fit always reckons with, told by one number. A law is a file of
/// calibrate/posterior/laws and a line of its registry: from them the fit, its reports and its JSON know it.
struct DisturbanceLaw {
    std::string name;     ///< "drift"
    std::string unit;     ///< "of the depth": a share; else "frames", "bytes", ...
    std::string what;     ///< in a few words, for a table
    std::string meaning;  ///< what a report says where it is likely
    double none = 0.9;    ///< probability that it is not there
    double most = 1;      ///< of its size
    bool either_way = false;
    /// The size of what is there, for a number between 0 and 1, equal parts of which are as likely; and the way back.
    double (*value)(double share) = nullptr;
    double (*share)(double value) = nullptr;
    /// Whether bursts could tell it. @param counted  numbers of lost frames are known
    bool (*told)(const std::vector<Burst>& bursts, bool counted) = nullptr;
    void (*disturb)(DisturbedBurst& burst, double value) = nullptr;
    /// Where a search begins; nothing where the bursts do not tell.
    std::optional<DisturbedPlace> (*guess)(const std::vector<Burst>& bursts, const QueueModel& model) = nullptr;
    /// What the first line of a report says where it is likely; nothing is said without.
    std::string (*headline)(const std::string& amount, double value) = nullptr;
};

/// All, in the order of their parameters.
const std::vector<DisturbanceLaw>& further_laws();

}  // namespace watershed
