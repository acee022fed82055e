// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Draws of one kind: of its posterior samples, evenly spaced, or of its region if bursts are taken at their word.
void add_draws(JointDraws& joint, std::size_t kind, const ModelFit& one, const FitInput& map, std::size_t count) {
    const BurstLikelihood likelihood(one.model, map.seen(one.model, map.sample));
    std::map<int, std::size_t> by_row;
    for (std::size_t i = 0; i < likelihood.size(); ++i) by_row[likelihood.burst(i).row] = i;
    joint.rows.clear();
    for (const auto& [row, place] : by_row) joint.rows.push_back(row);
    const bool sampled = !one.draws.empty();
    const std::vector<ParameterSample> samples =
        sampled ? one.draws : samples_of_region(one, map.seen(one.model, map.bursts), count);
    for (std::size_t i = 0; i < count && !samples.empty(); ++i) {
        JointDraws::Draw draw{kind, 0, samples[i * samples.size() / count], {}};
        const BurstParameters& at = draw.sample.parameters;
        draw.depth = std::floor(at.depth) + at.bucket * likelihood.depth_per_bucket();
        for (const auto& [row, place] : by_row)
            draw.log_likelihoods.push_back(sampled ? std::log(likelihood.likelihood(place, at))
                                                   : draw.sample.log_likelihood);
        joint.draws.push_back(std::move(draw));
    }
}

}  // namespace

JointDraws joint_draws(const std::vector<ModelFit>& kinds, const FitInput& map) {
    const bool sampled = boost::algorithm::any_of(kinds, [](const ModelFit& one) { return !one.draws.empty(); });
    const auto share = [&](const ModelFit& one) { return sampled && one.draws.empty() ? 0 : one.probability; };
    double all = 0, sum = 0.5;
    for (const ModelFit& one : kinds) all += share(one);
    JointDraws joint;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        sum += double(map.options.draws) * share(kinds[kind]) / all;
        const auto count = std::size_t(sum);
        sum -= double(count);
        if (count > 0) add_draws(joint, kind, kinds[kind], map, count);
    }
    // In an order that tells nothing, for programs that look for correlations along a chain.
    RandomBits random(map.options.seed);
    for (std::size_t i = joint.draws.size(); i > 1; --i)
        std::swap(joint.draws[i - 1], joint.draws[std::size_t(uniform(random) * double(i))]);
    return joint;
}

}  // namespace watershed
