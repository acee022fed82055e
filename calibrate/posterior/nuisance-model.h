// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/statistics.h"

/// What disturbs bursts: noise, and whatever else is told by one number.
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
struct NuisanceModel {
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
const std::vector<NuisanceModel>& nuisance_models();

/// The normal distribution function, to 1e-7 of itself or 1e-10: a table is ten times as fast, and of bursts far from
/// what is expected strays decide.
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
        const int whole = static_cast<int>(at);
        const double part = at - whole;
        const auto i = static_cast<std::size_t>(whole);
        // Cubic between two points of which the slopes are known (Hermite).
        const double rise = below_[i + 1] - below_[i], a = density_[i] - rise, b = rise - density_[i + 1];
        return below_[i] + part * rise + part * (1 - part) * ((1 - part) * a + part * b);
    }

  private:
    static constexpr double kFar = 8;
    static constexpr int kSteps = 1600;
    static constexpr double kStep = 2 * kFar / kSteps;
    std::vector<double> below_, density_;
};
inline const NormalTable kNormalTable;

/// Probability that a standard normal variable lies below, by the table.
inline double normal_cdf_table(double sigmas) { return kNormalTable.below(sigmas); }

/// The same between two limits, precise in both tails.
inline double normal_between(double low, double high) {
    return low > 0 ? normal_cdf_table(-low) - normal_cdf_table(-high) : normal_cdf_table(high) - normal_cdf_table(low);
}

/// How a burst scatters about the closed form: by a normal number of frames, by a normal part of its length, or by
/// both. The likelihoods, the goodness of a fit, the advice and the simulated apparatus hold the same law.
///
/// `size` is by how many frames a burst overflows more for each unit of ln(burst length): it turns a part of the length
/// into frames.
struct NoiseModel {
    double frames = 0;  ///< standard deviation of the number of frames by which a burst overflows
    double length = 0;  ///< of ln(burst length): the burst acts as one that is longer or shorter

    /// @param relative the value is one of ln(burst length), else one of frames
    static NoiseModel of(double value, bool relative) { return relative ? NoiseModel{0, value} : NoiseModel{value, 0}; }

    bool none() const { return frames <= 0 && length <= 0; }

    /// Of the overflow, frames.
    double deviation(double size) const {
        if (length <= 0) return frames;
        return frames <= 0 ? length * size : std::hypot(frames, length * size);
    }

    /// Probability that a burst overflows by fewer than `off` frames more than it would without noise. To 1e-7 of
    /// itself, as a table has it.
    double below(double off, double size) const {
        if (length > 0 && frames <= 0) return off <= -size ? 0 : normal_cdf_table(std::log1p(off / size) / length);
        // As the deviation; asked so often that the slower function would be felt.
        const double sigma = length > 0 ? std::sqrt(frames * frames + length * length * size * size) : frames;
        return sigma > 0 ? normal_cdf_table(off / sigma) : off >= 0 ? 1 : 0;
    }

    /// Probability that a burst acts as if its length were over its threshold, which it exceeds by the factor of this
    /// logarithm. There must be noise of the length.
    double over_threshold(double log_ratio) const { return watershed::normal_cdf(log_ratio / length); }

    /// Frames by which a burst overflows more, from a number drawn from the standard normal distribution.
    double drawn_frames(double deviate) const { return frames * deviate; }
    /// The factor by which a burst acts longer, from such a number.
    double drawn_factor(double deviate) const { return length > 0 ? std::exp(length * deviate) : 1; }
};

/// Bursts of one number of ports and uplinks and one payload.
using BurstMix = std::tuple<std::int64_t, int, std::int64_t>;

/// Everything about a switch and a measurement that a loss map does not say: what the fit infers.
struct BurstParameters {
    double depth = 0;                          ///< of the memory, in its own unit
    double rate = 0;                           ///< bit/s of one uplink
    double feature = 0;                        ///< value of the memory's feature, where it has one
    AskingOrder order = AskingOrder::Unknown;  ///< of modules on uneven uplinks
    double noise_frames = 0;  ///< standard deviation of the number of frames by which a burst overflows
    double noise_length =
        0;            ///< standard deviation of ln(burst length): the burst acts as one that is longer or shorter
    double loss = 0;  ///< probability that a frame is lost for a reason of its own
    bool leaves_at_once = false;    ///< the frame that an uplink sends takes no room any more
    double bucket = 0;              ///< bytes that an uplink which was idle may send at once, ahead of its rate
    double traffic = 0;             ///< share of each uplink that others take; `rate` is what they leave free
    double traffic_batch = 0;       ///< bytes on the link that they send at once
    double traffic_memory = 0;      ///< units of depth that they fill for each byte on the link
    double stray = 0;               ///< share of bursts whose outcome has nothing to do with the switch
    double excess = 0;              ///< share of bursts in which memories of inputs lose more than the closed form says
    std::vector<double> further{};  ///< what each of `nuisance_models()` is told by; 0 where it is not there
    std::vector<double>
        constant{};  ///< frames that all bursts of one mix of ports, uplinks and payload overflow more; by mix
};

}  // namespace watershed
