// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/grid-posterior.h"

/// A likelihood that is quick and smooth: to search with, not to state intervals by.
namespace watershed {

/// Whatever scatters, frames lost (by so many, or by a share of those sent) or ln(burst length), follows Cauchy's
/// distribution, of several widths: from far away, too, it leads towards the place where most bursts are explained, and
/// bursts that nothing explains cost no more than a logarithm.
class RoughLikelihood : public Likelihood {
  public:
    /// @param counts numbers of lost frames are taken as such, where bursts have them
    RoughLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, bool counts);
    void add(double depth, double rate, std::vector<double>& sums) const override;
    const std::vector<Nuisance>& nuisances() const override { return nuisances_; }

  private:
    QueueModel model_;
    const std::vector<Burst>& bursts_;
    bool counts_;
    std::vector<Nuisance> nuisances_;
};

}  // namespace watershed
