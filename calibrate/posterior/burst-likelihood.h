// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/known-noise.h"
#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/grid-posterior.h"

/// How likely a map is for one kind of memory, when bursts do not end exactly as the closed form says.
namespace watershed {

/// Frames that were kept beyond what the closed form keeps, for a burst with known loss; that only whole frames fit
/// into a memory in bytes or cells is taken as it is, the whole frames that a link drains on average.
double kept_residual(const QueueModel& model, const Burst& burst, double depth, double rate);

/// Lossy or lossless. A burst loses with probability g + (1 - g - l) Phi(ln(events / threshold) / s): s is the relative
/// noise of the threshold, any up to 0.3 as likely where it is not known, g the background and l = 0.001 the share of
/// bursts that are not what their row says. Repeats are beta-binomial.
class FlagLikelihood : public Likelihood {
  public:
    /// @param rate of which log_prior is 0
    FlagLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, double rate,
                   const std::optional<KnownNoise>& known = {});
    void add(double depth, double rate, std::vector<double>& sums) const override;
    const std::vector<Nuisance>& nuisances() const override { return nuisances_; }
    /// Leaves out the nuisances that a posterior of the same bursts found to weigh next to nothing.
    void keep_likely(const std::vector<double>& weights);
    /// Of the same bursts and nuisances in another kind of memory.
    FlagLikelihood of(const QueueModel& model) const;
    /// Jeffreys's: as the standard deviation of d ln(threshold) / d ln(rate) over the bursts, 1 at the rate given. A
    /// rate is known the better the nearer it brings bursts to saturation; a posterior that takes all rates as alike
    /// lies too low by some hundredths of its width.
    double log_prior(double depth, double rate) const override;

    /// Probability of a loss.
    static double probability(double log_ratio, const Nuisance& nuisance);

  private:
    struct Setting {
        Burst burst;
        int lossy = 0;
        int repeats = 0;
        std::vector<std::vector<double>> dispersed;  ///< log likelihood of many repeats, by dispersion and log odds
    };
    static void table(Setting& setting);

    double log_spread_of_slopes(double rate) const;

    QueueModel model_;
    std::vector<Setting> settings_;
    std::vector<Nuisance> nuisances_;
    double log_prior_scale_ = 0;
};

}  // namespace watershed
