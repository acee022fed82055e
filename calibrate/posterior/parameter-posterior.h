// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/join.hpp>

#include "calibrate/posterior/proposals.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {

/// What one kind of memory makes of a loss map.
struct ParameterPosterior {
    std::vector<BurstParameters> samples;  ///< all of one weight
    std::vector<Point> points;             ///< of the same, where they are the sampler's own
    std::vector<double> log_likelihoods;   ///< of the same
    double log_evidence = 0;               ///< of the map, all else integrated over
    double error_of_ends = 0;              ///< of pooled runs, as PooledRuns states it
    double work = 0;                       ///< that sampling has cost, in likelihoods of a burst
    const BurstParameters& likeliest() const {
        return samples[std::size_t(boost::max_element(log_likelihoods) - log_likelihoods.begin())];
    }
};

/// Of the weight, beyond either end of a 95 % interval. Where a posterior ends its samples tell to half a per cent,
/// which this allows for.
constexpr double kTailOfWidest = 0.02;

/// Independent runs of a sampler on one posterior, each weighed by the evidence that it found.
class PooledRuns {
  public:
    void add(ParameterPosterior run) { runs_.push_back(std::move(run)); }
    bool empty() const { return runs_.empty(); }
    std::size_t size() const { return runs_.size(); }
    std::size_t seed() const { return before_.size() + runs_.size() + 1; }  ///< of the next run
    /// The runs so far only show those that follow where to begin: these alone count.
    void begin_with_what_was_found() {
        std::move(runs_.begin(), runs_.end(), std::back_inserter(before_));
        runs_.clear();
    }
    bool begins_with_what_was_found() const { return !before_.empty(); }
    /// Where those that follow begin: points of all runs, fewer of those that found less evidence.
    std::vector<Point> found() const;
    /// The standard error of either end of the 95 % intervals of depth and rate, as a part of their width: the larger,
    /// by leaving out one run after the other (jackknife). At least two runs.
    double error_of_ends() const;
    /// The standard error of the evidence, as a part of it, by how it differs from run to run.
    double error_of_evidence() const {
        const auto n = double(runs_.size());
        const double mean = log_evidence();
        double squares = 0;
        for (const ParameterPosterior& run : runs_) squares += std::pow(std::exp(run.log_evidence - mean) - 1, 2);
        return std::sqrt(squares / (n - 1) / n);
    }
    /// All as one, its samples of one weight.
    ParameterPosterior pooled() const;
    double log_evidence() const {
        return log_sum(transformed_values(runs_, &ParameterPosterior::log_evidence)) - std::log(double(runs_.size()));
    }
    double work() const {
        double sum = 0;
        for (const ParameterPosterior& run : boost::range::join(before_, runs_)) sum += run.work;
        return sum;
    }

  private:
    std::vector<ParameterPosterior> runs_, before_;
};

/// One kind of memory before a loss map: where it fits best is sought first, so that kinds far from the best need not
/// be sampled, and a further law only where it explains something.
class KindInference {
  public:
    KindInference(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box,
                  const FitOptions& options, const std::vector<BurstParameters>& hints = {});

    /// The largest log likelihood that a search found, without the finer causes.
    double log_likelihood() const { return start_.log_likelihood(); }
    const BurstParameters& likeliest() const { return start_.likeliest(); }
    double log_undisturbed() const { return prior_.log_undisturbed(law_.size()); }
    /// @param found  points where earlier runs found the posterior, if it shall begin there
    ParameterPosterior posterior(const AnnealedEffort& effort, std::uint64_t seed,
                                 const std::vector<Point>& found = {}) const;
    const BurstLikelihood& law() const { return law_; }

  private:
    BurstLikelihood law_;
    ParameterPrior prior_;
    InitialProposal start_;
};

}  // namespace watershed
