// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/statistics.h"

/// Disturbances of bursts: noise, and further effects of one parameter each.
namespace watershed {

/// Positions of rows in the course of a map.
class RowPlaces {
  public:
    /// @pre bursts is not empty
    explicit RowPlaces(const std::vector<Burst>& bursts) {
        const auto [first, last] = std::minmax_element(bursts.begin(), bursts.end(),
                                                       [](const Burst& a, const Burst& b) { return a.row < b.row; });
        first_ = first->row, last_ = last->row;
    }
    /// Returns -1/2 for the first row to 1/2 for the last; 0 for a single row.
    double of(const Burst& burst) const {
        return first_ < last_ ? double(burst.row - first_) / (last_ - first_) - 0.5 : 0;
    }

  private:
    int first_, last_;
};

/// Effect of the nuisance models on one burst.
struct DisturbedBurst {
    const Burst& burst;
    double place = 0;         ///< position of its row in the map
    double depth_factor = 1;  ///< factor of the memory that the burst finds
    double frames = 0;        ///< additional overflow in frames
    double variance = 0;      ///< additional variance of the overflow
};

/// Depth, rate and the nuisance model's value where a search begins.
struct DisturbedPlace {
    double depth = 0, rate = 0, value = 0;
};

/// Disturbance with one parameter, in addition to those that the fit always includes. A model is a file of
/// calibrate/posterior/nuisance and a line of its registry; fit, reports and JSON take it from there.
struct NuisanceModel {
    std::string name;     ///< "drift"
    std::string unit;     ///< "of the depth" for a fraction; else "frames", "bytes", ...
    std::string what;     ///< few words for a table
    std::string meaning;  ///< words of a report if the effect is likely
    double none = 0.9;    ///< prior probability of no effect
    double most = 1;      ///< largest size
    bool either_way = false;
    /// Size for a prior quantile between 0 and 1, and its inverse.
    double (*value)(double share) = nullptr;
    double (*share)(double value) = nullptr;
    /// True if the bursts could identify the effect. @param counted  numbers of lost frames are known
    bool (*is_identifiable)(const std::vector<Burst>& bursts, bool counted) = nullptr;
    void (*disturb)(DisturbedBurst& burst, double value) = nullptr;
    /// Start of a search; std::nullopt if the bursts do not identify it.
    std::optional<DisturbedPlace> (*guess)(const std::vector<Burst>& bursts, const QueueModel& model) = nullptr;
    /// Words for the headline of a report, if the effect is likely; may be null.
    std::string (*headline)(const std::string& amount, double value) = nullptr;
};

/// All models in the order of their parameters.
const std::vector<NuisanceModel>& nuisance_models();

/// Table of the normal distribution function, to 1e-7 relative or 1e-10 absolute; ten times as fast as erfc.
class NormalTable {
  public:
    NormalTable() {
        for (int i = 0; i <= kSteps + 1; ++i) {
            const double at = kFar * (2.0 * i / kSteps - 1);
            below_.push_back(watershed::normal_cdf(at));
            density_.push_back(std::exp(-at * at / 2) / std::sqrt(2 * M_PI) * kStep);
        }
    }
    double below(double sigmas) const {
        if (sigmas <= -kFar) return 0;
        if (sigmas >= kFar) return 1;
        const double at = (sigmas / kFar + 1) * (kSteps / 2);
        const int whole = int(at);
        const double fraction = at - whole;
        const auto i = std::size_t(whole);
        // Cubic Hermite interpolation.
        const double rise = below_[i + 1] - below_[i], a = density_[i] - rise, b = rise - density_[i + 1];
        return below_[i] + fraction * rise + fraction * (1 - fraction) * ((1 - fraction) * a + fraction * b);
    }

  private:
    static constexpr double kFar = 8;
    static constexpr int kSteps = 1600;
    static constexpr double kStep = 2 * kFar / kSteps;
    std::vector<double> below_, density_;
};
inline const NormalTable kNormalTable;

/// Returns the normal distribution function by the table.
inline double normal_cdf_table(double sigmas) { return kNormalTable.below(sigmas); }

/// Returns the probability between two limits, precise in both tails.
inline double normal_between(double low, double high) {
    return low > 0 ? normal_cdf_table(-low) - normal_cdf_table(-high) : normal_cdf_table(high) - normal_cdf_table(low);
}

/// Scatter of a burst about the closed form: normal in frames, normal in ln(burst length), or both.
/// `size` is the growth of the overflow in frames per unit of ln(burst length).
struct NoiseModel {
    double frames = 0;  ///< standard deviation of the overflow in frames
    double length = 0;  ///< standard deviation of ln(effective burst length)

    /// @param relative  the value is of ln(burst length), else in frames
    static NoiseModel of(double value, bool relative) { return relative ? NoiseModel{0, value} : NoiseModel{value, 0}; }

    bool none() const { return frames <= 0 && length <= 0; }

    /// Returns the standard deviation of the overflow in frames.
    double deviation(double size) const {
        if (length <= 0) return frames;
        return frames <= 0 ? length * size : std::hypot(frames, length * size);
    }

    /// Returns the probability that the overflow exceeds its mean by less than `off` frames; to 1e-7 relative.
    double below(double off, double size) const {
        if (length > 0 && frames <= 0) return off <= -size ? 0 : normal_cdf_table(std::log1p(off / size) / length);
        // deviation() without std::hypot, which is slow.
        const double sigma = length > 0 ? std::sqrt(frames * frames + length * length * size * size) : frames;
        return sigma > 0 ? normal_cdf_table(off / sigma) : off >= 0 ? 1 : 0;
    }

    /// Returns the probability that the effective length exceeds the threshold, given the logarithm of their ratio.
    /// @pre length > 0
    double over_threshold(double log_ratio) const { return watershed::normal_cdf(log_ratio / length); }

    /// Returns the additional overflow in frames for a standard normal deviate.
    double drawn_frames(double deviate) const { return frames * deviate; }
    /// Returns the factor of the effective length for a standard normal deviate.
    double drawn_factor(double deviate) const { return length > 0 ? std::exp(length * deviate) : 1; }
};

/// Number of ports, number of uplinks and payload of a burst.
using BurstMix = std::tuple<std::int64_t, int, std::int64_t>;

/// Parameters of a switch and a measurement that the fit infers.
struct BurstParameters {
    double depth = 0;                          ///< depth of the memory in its own unit
    double rate = 0;                           ///< service rate of one uplink, bit/s
    double feature = 0;                        ///< value of the memory's feature, if it has one
    AskingOrder order = AskingOrder::Unknown;  ///< asking order of modules on uneven uplinks
    double noise_frames = 0;                   ///< standard deviation of the overflow in frames
    double noise_length = 0;                   ///< standard deviation of ln(effective burst length)
    double loss = 0;                           ///< probability that a frame is lost at random
    bool loss_ahead = false;                   ///< frames are lost at random ahead of the memory, not behind it
    bool leaves_at_once = false;               ///< a frame in transmission takes no room
    double bucket = 0;                         ///< token bucket: bytes that an idle uplink may send at once
    double traffic = 0;                        ///< fraction of each uplink taken by cross-traffic; `rate` is the rest
    double traffic_batch = 0;                  ///< bytes per batch of cross-traffic on the link
    double traffic_memory = 0;                 ///< units of depth per byte of cross-traffic
    double stray = 0;                          ///< fraction of stray bursts, whose loss is not the switch's
    double excess = 0;                ///< fraction of bursts in which memories by input lose more than the closed form
    std::vector<double> nuisances{};  ///< values of nuisance_models(); 0: absent
    std::vector<double> constant{};   ///< additional overflow in frames of all bursts of a mix, by mix
};

}  // namespace watershed
