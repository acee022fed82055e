// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/known-noise.h"
#include "calibrate/posterior/count-fit.h"
#include "calibrate/posterior/grid-posterior.h"

/// How likely numbers of lost frames are for one kind of memory, when they scatter about the closed form.
namespace watershed {

/// Noise in frames and relative to the burst, of any size about the scatter of a fit as likely as far as it is not
/// known.
std::vector<Nuisance> count_nuisances(const std::vector<Burst>& bursts, const CountFit& fit,
                                      const std::optional<KnownNoise>& known = {});

/// Numbers of lost frames: max(0, overflow + noise), where the noise has a constant number of frames or is relative to
/// the burst. Three things beside the noise move a count. A link sends whole frames: the part that is left over is
/// anywhere within one frame, and the same in repeats of a setting. The closed form leaves a part of a frame open that
/// depends on ports and payload alone (kSystematic): bursts of one such mix share it, and it is integrated over. And of
/// some bursts (kDisturbed) the count has nothing to do with the switch: it is anything between no frame and all.
/// Bursts without counts take part as lossy or lossless.
class CountLikelihood : public Likelihood {
  public:
    /// @param fit where the watershed lies
    CountLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, const CountFit& fit,
                    std::vector<Nuisance> nuisances);
    void add(double depth, double rate, std::vector<double>& sums) const override;
    const std::vector<Nuisance>& nuisances() const override { return nuisances_; }

  private:
    /// What one nuisance makes of the counts of one setting.
    struct Law {
        double precision = 0;  ///< of one burst, 1 / frames^2
        double rounding = 0;   ///< variance that repeats share
        double log_one = 0;    ///< of the density of all repeats, without what they say
        double reach = 0;      ///< square of the frames from which on a count is taken for a disturbed one
    };
    /// Bursts with counts of one number of ports, uplinks, events, one payload and separation.
    struct Setting {
        std::vector<Burst> repeats;
        std::vector<Law> laws;     ///< by nuisance
        double log_disturbed = 0;  ///< log likelihood of a count that has nothing to do with the switch
    };
    /// Settings of one number of ports and uplinks and one payload.
    struct Mix {
        std::vector<Setting> settings;
        std::size_t bursts = 0;
    };
    struct Flag {
        Burst burst;
        double size = 0;       ///< frames that noise of 1 means, where it is relative
        double disturbed = 0;  ///< probability of what was seen, where it has nothing to do with the switch
    };
    /// @param unknown variance that the closed form leaves open, the same in repeats
    void set_laws(Setting& setting, double size, double unknown) const;
    void add_mix(const Mix& mix, double depth, double rate, std::vector<double>& sums) const;
    void add_flag(const Flag& flag, double depth, double rate, std::vector<double>& sums) const;
    double variance(std::size_t nuisance, double size) const;

    QueueModel model_;
    std::vector<Mix> mixes_;
    std::vector<Flag> flags_;
    std::vector<Nuisance> nuisances_;
};

}  // namespace watershed
