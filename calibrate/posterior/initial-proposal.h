// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/likelihood-modes.h"

namespace watershed {

/// Initial proposal density. Depth and rate follow Student's t about the likelihood modes, as wide as their posterior
/// with the noise of a point, or with small probability the prior. Other parameters follow the prior.
class InitialProposal {
  public:
    /// @param modes  modes of nuisance models that the prior lacks are ignored
    InitialProposal(const BurstLikelihood& likelihood, const ParameterPrior& prior, const QueueModel& model,
                    const std::vector<LikelihoodMode>& modes);

    /// Returns the mode of the largest likelihood; noise and loss are approximate.
    const BurstParameters& likeliest() const { return best().at; }
    double log_likelihood() const { return best().log_likelihood; }

    Point draw(RandomBits& random) const;
    /// Returns the normalised log density. @param parameters  parameters of the point
    double log_density(const Point& point, const BurstParameters& parameters) const;

  private:
    /// Lower triangle of the scale matrix of depth and rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// Mode with the width of the posterior for several levels of scatter.
    struct Centre : LikelihoodMode {
        double depth_or_rate = 0, rate = 0;  ///< first leading coordinate; ln(rate)
        std::vector<Scale> scales;           ///< by ascending scatter
    };
    /// Density of a coordinate near likely values: truncated Cauchy or, with small probability, uniform.
    struct Near {
        std::size_t coordinate = 0;
        double at = 0, width = 0;
        std::vector<double> others{};  ///< further likely values, of equal width
        double draw(RandomBits& random) const;
        double log_density(double share) const;
    };
    Scale scale_at(const BurstLikelihood& likelihood, const QueueModel& model, const BurstParameters& parameters) const;
    const Centre& centre_of(const BurstParameters& parameters) const;
    const Scale& scale_of(const Centre& centre, const BurstParameters& parameters) const;
    const Centre& best() const;
    Centre centre_at(const LikelihoodMode& mode, const QueueModel& model) const;
    void stay_near_the_likeliest();
    void stay_near_the_feature();
    /// Returns the shares at which the likelihood of a feature's value has a peak about as high as the best mode, all
    /// else equal: a resume level loses whole events, so that levels far apart may explain the same numbers.
    std::vector<double> as_likely(const std::function<BurstParameters(double)>& with_share) const;
    template <class Off>
    double width_of(const Off& off) const;

    const BurstLikelihood& likelihood_;
    const ParameterPrior& prior_;
    std::vector<Centre> centres_;  ///< modes; a single one if losses are not counted or the model has a feature
    std::vector<Near> near_;
};

}  // namespace watershed
