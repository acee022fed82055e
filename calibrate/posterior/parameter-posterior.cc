// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/parameter-posterior.h"

#include <array>
#include <atomic>
#include <boost/math/distributions/students_t.hpp>
#include <boost/range/algorithm/max_element.hpp>
#include <boost/range/numeric.hpp>

#include "calibrate/posterior/adaptive-proposal.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

constexpr double kWeightOfUsual = 3;  // runs that the usual scatter is worth

}  // namespace

double PooledRuns::scatter_of_ends() const {
    const double most = watershed::largest(runs_, &ParameterPosterior::log_evidence, -HUGE_VAL);
    std::vector<double> weights =
        transformed_values(runs_, [&](const ParameterPosterior& run) { return std::exp(run.log_evidence - most); });
    const double total = boost::accumulate(weights, 0.0);
    for (double& weight : weights) weight /= total;
    constexpr std::array<double BurstParameters::*, 2> kValues{&BurstParameters::depth, &BurstParameters::rate};
    std::array<double, kValues.size()> largest{};
    do_in_threads(kValues.size(), [&](std::size_t i) {
        double BurstParameters::*const value = kValues[i];
        std::vector<std::pair<double, double>> all;
        for (std::size_t run = 0; run < runs_.size(); ++run)
            for (const BurstParameters& one : runs_[run].samples)
                all.emplace_back(one.*value, weights[run] / double(runs_[run].samples.size()));
        boost::sort(all);
        const auto quantile = [&](double share) { return empirical_quantile(all, share, 1); };
        const double width = quantile(1 - kTailOfWidest) - quantile(kTailOfWidest);
        if (!(width > 0)) return;
        for (const double share : {kTailOfWidest, 1 - kTailOfWidest}) {
            const double end = quantile(share);
            double squares = 0;
            for (std::size_t run = 0; run < runs_.size(); ++run) {
                const auto& samples = runs_[run].samples;
                const auto below = std::count_if(samples.begin(), samples.end(),
                                                 [&](const BurstParameters& one) { return one.*value <= end; });
                squares += std::pow(weights[run] * (double(below) / double(samples.size()) - share), 2);
            }
            constexpr double kUsual = 0.02;  // scatter of a run's probability beyond an end, on most maps
            const double error = error_by_runs(squares * double(runs_.size() * runs_.size()), kUsual);
            for (const double other : {share - error, share + error})
                largest[i] = std::max(largest[i], std::abs(quantile(std::clamp(other, 0.0, 1.0)) - end) / width);
        }
    });
    return *boost::max_element(largest);
}

/// Returns the standard error of a mean over runs. Few runs know their scatter less well than all maps tell of it.
/// @param squares  sum of squared deviations of the runs
double PooledRuns::error_by_runs(double squares, double usual) const {
    const auto n = double(runs_.size());
    return std::sqrt((squares + kWeightOfUsual * usual * usual) / (n - 1 + kWeightOfUsual) / n);
}

double PooledRuns::error_of_log_evidence() const {
    constexpr double kUsual = 0.4;  // scatter of a run on most maps
    constexpr double kAlone = 3;    // a single run may have missed a narrow place
    if (runs_.size() < 2) return kAlone;
    const double n = double(runs_.size());
    const double squares = std::pow(error_of_evidence(), 2) * n * (n - 1);
    return boost::math::quantile(boost::math::students_t(n - 1 + kWeightOfUsual), 0.975) *
           error_by_runs(squares, kUsual);
}

ParameterPosterior PooledRuns::pooled() const {
    ParameterPosterior all;
    if (runs_.size() == 1) all = runs_.front();
    all.error_of_log_evidence = error_of_log_evidence();
    if (runs_.size() == 1) return all;
    all.log_evidence = log_evidence();
    all.error_of_ends = error_of_ends();
    const double most = largest(runs_, &ParameterPosterior::log_evidence, -HUGE_VAL);
    EffectiveSamples variances;  // sums over all samples, in variances of one sample
    for (const ParameterPosterior& run : runs_) {
        // The run of largest evidence gives all of its samples, others an even fraction by their evidence.
        const double share = std::exp(run.log_evidence - most);
        const std::size_t before = all.samples.size();
        double sum = 0.5;
        for (std::size_t i = 0; i < run.samples.size(); ++i)
            if ((sum += share) >= 1) {
                sum -= 1;
                all.samples.push_back(run.samples[i]), all.log_likelihoods.push_back(run.log_likelihoods[i]);
                all.log_priors.push_back(run.log_priors[i]);
            }
        const double taken = double(all.samples.size() - before);
        variances.depth += taken * taken / std::min(run.effective.depth, std::max(taken, 1.0));
        variances.rate += taken * taken / std::min(run.effective.rate, std::max(taken, 1.0));
    }
    const double squared = double(all.samples.size()) * double(all.samples.size());
    all.effective = {squared / variances.depth, squared / variances.rate};
    return all;
}

std::vector<Point> PooledRuns::found() const {
    constexpr double kMostOfRun = 1000, kTempered = 0.5;
    std::vector<Point> points;
    if (before_.empty()) return points;
    const auto all = boost::range::join(before_, runs_);
    const double most = largest(all, &ParameterPosterior::log_evidence, -HUGE_VAL);
    for (const ParameterPosterior& run : all) {
        const double share =
            kMostOfRun / double(run.points.size()) * rounded_to_decide(std::exp(kTempered * (run.log_evidence - most)));
        double sum = 0.5;
        for (const Point& point : run.points)
            if ((sum += share) >= 1) sum -= 1, points.push_back(point);
    }
    return points;
}

namespace {

std::vector<LikelihoodMode> seek(const BurstLikelihood& likelihood, ParameterPrior& prior, const QueueModel& model,
                                 const std::vector<BurstParameters>& hints) {
    std::vector<LikelihoodMode> modes = find_likelihood_modes(likelihood, prior, model, hints);
    prior.keep(identifiable_nuisances(modes),
               boost::algorithm::any_of(modes, [](const LikelihoodMode& mode) { return mode.at.loss > 0; }));
    return modes;
}

}  // namespace

KindInference::KindInference(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box,
                             const FitOptions& options, const std::vector<BurstParameters>& hints)
    : likelihood_(model, bursts),
      prior_(likelihood_, model, box, options),
      start_(likelihood_, prior_, model, seek(likelihood_, prior_, model, hints)) {}

ParameterPosterior KindInference::posterior(const AnnealedEffort& effort, std::uint64_t seed,
                                            const std::vector<Point>& found) const {
    constexpr double kMove = 30;  // cost of a move beside its likelihoods
    // Whole numbers: their sum is the same in any order.
    constexpr double kUnit = 1.0 / 1024;
    std::atomic<std::int64_t> work{0};
    const auto parameters_at = [&](const Point& point) -> const BurstParameters& {
        thread_local BurstParameters parameters;
        parameters = prior_.given();
        prior_.read(point, parameters);
        return parameters;
    };
    AnnealedProblem problem;
    problem.dimensions = prior_.dimensions();
    problem.leading = prior_.leading();
    problem.correlated = prior_.correlated();
    problem.log_target = [&](const Point& point, double least) {
        const double log = prior_.log_density(point);
        if (log == -HUGE_VAL) return log;
        const double before = BurstLikelihood::work(),
                     sum = log + likelihood_.log_likelihood(parameters_at(point), least - log);
        work += std::llround((BurstLikelihood::work() - before) / kUnit);
        return sum;
    };
    const AdaptiveProposal fitted(prior_, found);
    constexpr double kFromSearch = 0.2;
    problem.log_start = [&](const Point& point) {
        work += std::llround(kMove / kUnit);
        const double log = start_.log_density(point, parameters_at(point));
        return fitted.empty()
                   ? log
                   : log_sum(std::log(kFromSearch) + log, std::log1p(-kFromSearch) + fitted.log_density(point));
    };
    problem.draw_start = [&](RandomBits& random) {
        return fitted.empty() || uniform(random) < kFromSearch ? start_.draw(random) : fitted.draw(random);
    };
    constexpr double kFromStart = 0.2;
    problem.from_start = fitted.empty() ? 0 : kFromStart;
    const bool frames = prior_.has_constants() && prior_.has_depth(),
               others = prior_.coordinate(ParameterPrior::Parameter::TrafficBatch).has_value();
    const auto likeness =
        others ? likelihood_.likeness_of_others(start_.likeliest(), prior_.has_depth(), prior_.has_rate())
               : BurstLikelihood::Likeness{};
    const BurstParameters& likeliest = start_.likeliest();
    const double value_step = prior_.feature().step(likeliest.feature, likeliest.depth / likelihood_.most_cost());
    if (frames || others)
        problem.slide = [&, frames, others](Point& point, RandomBits& random) {
            // Step of a frame or a fraction of one: the fine structure of the posterior is unknown.
            constexpr double kFinest = 4;
            const double scale = std::exp2(-kFinest * uniform(random)),
                         size = std::sqrt(-2 * std::log(uniform(random))),
                         far = scale * size * std::cos(2 * M_PI * uniform(random));
            constexpr double kToggle = 0.3, kOthers = 0.5, kValue = 0.5;
            if (others && (!frames || uniform(random) < kOthers))
                return prior_.trade_traffic(point, likelihood_, likeness, std::exp(far));
            const bool value = value_step > 0 && uniform(random) < kValue;
            return prior_.slide(point, likelihood_, value ? 0 : far * likelihood_.most_cost() / 2,
                                value ? far * value_step / 2 : 0, uniform(random) < kToggle);
        };
    AnnealedSamples samples = sample_annealed(problem, effort, seed);
    ParameterPosterior posterior;
    posterior.log_evidence = samples.log_evidence;
    posterior.points = samples.points;
    for (std::size_t i = 0; i < samples.points.size(); ++i) {
        posterior.samples.push_back(parameters_at(samples.points[i]));
        posterior.log_priors.push_back(prior_.log_density(samples.points[i]));
        posterior.log_likelihoods.push_back(samples.log_targets[i] - posterior.log_priors.back());
    }
    const auto effective = [&](double BurstParameters::*value) {
        return effective_samples(transformed_values(posterior.samples, value), effort.particles);
    };
    posterior.effective = {effective(&BurstParameters::depth), effective(&BurstParameters::rate)};
    posterior.work = double(work) * kUnit;
    return posterior;
}

}  // namespace watershed
