// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/join.hpp>

#include "calibrate/posterior/initial-proposal.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {

/// Posterior of one kind of memory.
struct ParameterPosterior {
    std::vector<BurstParameters> samples;  ///< equally weighted
    std::vector<Point> points;             ///< sampler's coordinates of the samples; empty if pooled
    std::vector<double> log_likelihoods;   ///< log likelihood of each sample
    std::vector<double> log_priors;        ///< see ParameterSample::log_prior
    EffectiveSamples effective;
    double log_evidence = 0;           ///< log evidence of the map
    double error_of_log_evidence = 0;  ///< see PooledRuns::error_of_log_evidence()
    double error_of_ends = 0;          ///< see PooledRuns::error_of_ends()
    double work = 0;                   ///< cost of sampling, in likelihoods of a burst
    const BurstParameters& likeliest() const {
        return samples[std::size_t(boost::max_element(log_likelihoods) - log_likelihoods.begin())];
    }
};

/// Weight beyond either end of a 95 % interval: 0.02 in place of 0.025, because the samples know the ends to half a per
/// cent.
constexpr double kTailOfWidest = 0.02;

/// Independent runs of a sampler on one posterior, weighted by their evidence.
class PooledRuns {
  public:
    void add(ParameterPosterior run) {
        runs_.push_back(std::move(run));
        if (size() > 1) error_of_ends_ = scatter_of_ends();
    }
    bool empty() const { return runs_.empty(); }
    std::size_t size() const { return runs_.size(); }
    std::size_t seed() const { return before_.size() + runs_.size() + 1; }  ///< seed of the next run
    /// Keeps the runs so far as a start for those that follow, which alone count.
    void begin_with_what_was_found() {
        std::move(runs_.begin(), runs_.end(), std::back_inserter(before_));
        runs_.clear();
    }
    bool begins_with_what_was_found() const { return !before_.empty(); }
    /// Returns points where further runs begin; runs of less evidence contribute fewer.
    std::vector<Point> found() const;
    /// Returns the standard error of the ends of the 95 % intervals of depth and rate as a fraction of their width: the
    /// largest one, by the scatter over runs of the probability that lies beyond an end. @pre size() >= 2
    double error_of_ends() const { return error_of_ends_; }
    /// Returns the relative standard error of the evidence from its scatter over runs.
    double error_of_evidence() const {
        const auto n = double(runs_.size());
        const double mean = log_evidence();
        double squares = 0;
        for (const ParameterPosterior& run : runs_) squares += std::pow(std::exp(run.log_evidence - mean) - 1, 2);
        return std::sqrt(squares / (n - 1) / n);
    }
    /// Returns the error of log_evidence(): half of its 95 % interval by the scatter of the runs, which few runs know
    /// less well than all maps tell of it.
    double error_of_log_evidence() const;
    /// Returns all runs as one posterior with equally weighted samples.
    ParameterPosterior pooled() const;
    double log_evidence() const {
        return log_sum(transformed_values(runs_, &ParameterPosterior::log_evidence)) - std::log(double(runs_.size()));
    }
    /// Returns the largest log likelihood of all runs so far.
    double log_likelihood() const {
        double most = -HUGE_VAL;
        for (const ParameterPosterior& run : boost::range::join(before_, runs_))
            most = std::max(most, *boost::max_element(run.log_likelihoods));
        return most;
    }
    double work() const {
        double sum = 0;
        for (const ParameterPosterior& run : boost::range::join(before_, runs_)) sum += run.work;
        return sum;
    }

  private:
    double error_by_runs(double squares, double usual) const;
    double scatter_of_ends() const;

    std::vector<ParameterPosterior> runs_, before_;
    double error_of_ends_ = 0;
};

/// Inference for one kind of memory. The likelihood modes are searched first, so that unlikely kinds need not be
/// sampled and a nuisance model is used only if it explains something.
class KindInference {
  public:
    KindInference(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box,
                  const FitOptions& options, const std::vector<BurstParameters>& hints = {});

    /// Returns the largest log likelihood that the search found.
    double log_likelihood() const { return start_.log_likelihood(); }
    const BurstParameters& likeliest() const { return start_.likeliest(); }
    double log_undisturbed() const { return prior_.log_undisturbed(likelihood_.size()); }
    /// @param found  points of earlier runs, where the sampler begins
    ParameterPosterior posterior(const AnnealedEffort& effort, std::uint64_t seed,
                                 const std::vector<Point>& found = {}) const;
    const BurstLikelihood& likelihood() const { return likelihood_; }

  private:
    BurstLikelihood likelihood_;
    ParameterPrior prior_;
    InitialProposal start_;
};

}  // namespace watershed
