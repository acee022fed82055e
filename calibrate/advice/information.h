// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/advice/belief.h"

namespace watershed {

/// What one burst is expected to tell about a quantity that a belief leaves open.
struct Information {
    double probability_of_loss = 0;
    double bits = 0;         ///< in all
    double count_bits = 0;   ///< of these, from the number of frames lost
    double peak_bits = 0;    ///< and from the most that was in use, beyond these
    double frames_lost = 0;  ///< mean over what is believed, if any are lost
};

/// Frames that the burst loses in the switch that a point stands for, random losses on average.
double expected_loss(const Belief& belief, const BelievedPoint& point, const Burst& burst);

/// Expected information of bursts at one separation: that about whether frames are lost is Lindley's (1956), the
/// entropy of the outcome less what noise adds to it; the number lost is worth the logarithm of how much narrower it
/// makes the quantity, by regression on it, until the quantity is known as well as is wanted; and what it tells of
/// which kind of memory it is, where kinds have different quantities.
class Informant {
  public:
    /// @param like   ports, payload and framing of the bursts
    /// @param target     the quantity for each point of the belief, above 0
    /// @param resolution standard deviation of its logarithm beyond which nobody wants to know it
    Informant(const Belief& belief, const Burst& like, Time separation, Time spacing, const std::vector<double>& target,
              double resolution);

    Information about(std::int64_t events) const;
    /// The longest lossless burst below which a share of the belief lies; nothing where that is any length.
    std::optional<std::int64_t> longest_lossless_quantile(double share) const;

  private:
    double loses(std::size_t point, std::int64_t events) const;
    void group_kinds();
    double bits_of_peak(const Burst& burst, const std::vector<double>& lossy, double probability,
                        double count_bits) const;
    double bits_of_count(const Burst& burst, const std::vector<double>& lossy, double probability,
                         double& mean_lost) const;

    const Belief& belief_;
    Burst burst_;
    std::vector<double> target_;  ///< logarithm
    double resolution_;
    std::vector<std::size_t> parts_;  ///< of the target's range
    std::vector<double> part_weights_;
    std::vector<std::size_t> groups_;  ///< of kinds whose targets are alike, by kind
    std::size_t group_count_ = 1;
    std::vector<std::int64_t> longest_;  ///< lossless burst at each point
    std::vector<std::size_t> by_longest_;
};

}  // namespace watershed
