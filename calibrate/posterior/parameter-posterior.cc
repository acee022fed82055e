// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/parameter-posterior.h"

#include <algorithm>
#include <cmath>

namespace watershed {

const BurstParameters& ParameterPosterior::likeliest() const {
    return samples[static_cast<std::size_t>(std::max_element(log_likelihoods.begin(), log_likelihoods.end()) -
                                            log_likelihoods.begin())];
}

HiddenQuestion::HiddenQuestion(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box,
                               const FitOptions& options, const std::vector<BurstParameters>& hints)
    : law_(model, bursts), prior_(law_, model, box, options), start_(law_, prior_, model, hints) {}

ParameterPosterior HiddenQuestion::posterior(const AnnealedEffort& effort, std::uint64_t seed) const {
    BurstParameters parameters = prior_.given();
    AnnealedProblem problem;
    problem.dimensions = prior_.dimensions();
    problem.leading = prior_.leading();
    problem.log_target = [&](const Point& point) {
        const double log = prior_.log_density(point);
        if (log == -HUGE_VAL) return log;
        prior_.read(point, parameters);
        return log + law_.log_likelihood(parameters);
    };
    problem.log_start = [&](const Point& point) {
        prior_.read(point, parameters);
        return start_.log_density(point, parameters);
    };
    problem.draw_start = [&](RandomBits& random) { return start_.draw(random); };
    const bool frames = prior_.has_constants() && prior_.has_depth(),
               others = prior_.coordinate(ParameterPrior::What::TrafficBatch).has_value();
    const auto likeness = others ? law_.likeness_of_others(start_.likeliest(), prior_.has_depth(), prior_.has_rate())
                                 : BurstLaw::Likeness{};
    if (frames || others)
        problem.slide = [&, frames, others](Point& point, RandomBits& random) {
            const double far = std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * M_PI * uniform(random));
            constexpr double kToggle = 0.3, kOthers = 0.5;
            if (others && (!frames || uniform(random) < kOthers))
                return prior_.trade_traffic(point, law_, likeness, std::exp(far));
            return prior_.slide(point, law_, law_.most_cost() / 2, far, uniform(random) < kToggle);
        };
    AnnealedSamples samples = sample_annealed(problem, effort, seed);
    ParameterPosterior posterior;
    posterior.log_evidence = samples.log_evidence;
    for (std::size_t i = 0; i < samples.points.size(); ++i) {
        prior_.read(samples.points[i], parameters);
        posterior.samples.push_back(parameters);
        posterior.log_likelihoods.push_back(samples.log_targets[i] - prior_.log_density(samples.points[i]));
    }
    return posterior;
}

}  // namespace watershed
