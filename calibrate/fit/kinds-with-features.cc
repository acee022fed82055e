// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/kinds-with-features.h"

#include <algorithm>

#include "calibrate/feature/feature-fit.h"
#include "calibrate/fit/alike-kinds.h"
#include "calibrate/fit/count-scatter.h"
#include "calibrate/fit/fit-verdict.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

/// How well a plain memory explains a map.
enum class Plain {
    Well,      ///< it needs no feature
    Scatters,  ///< by more than counting does, in no shape that a goodness would see
    Badly
};

/// Memories that fit worse, or need more scatter as a part of the memory, are compared with those that have a feature.
constexpr double kDoubtful = 0.1, kSmallScatter = 0.02, kFrame = 0.5, kSurely = 0.1;
constexpr std::size_t kFewStrays = 2;

Plain how_well(const ModelFit& best, const MapReading& map) {
    if (best.parameters.empty()) return Plain::Badly;
    if (check_of(best, map.bursts).p_value <= kDoubtful || many_strays(best, map.bursts.size()) ||
        scatter_of_memory(best, map.bursts) >= kSmallScatter)
        return Plain::Badly;
    const bool scatters = best.counts && scatter_at(best, map.sample, kSurely) > kFrame,
               uncertain = best.noise && best.noise->relative && best.noise->interval95.high > kSmallScatter;
    return scatters || uncertain || best.strays.size() >= kFewStrays ? Plain::Scatters : Plain::Well;
}

}  // namespace

std::vector<ModelFit> kinds_with_features(const Fit& fit, const MapReading& map) {
    if (map.lossy == 0 || fit.bursts.size() < kFewestBursts) return {};
    if (std::any_of(fit.models.begin(), fit.models.end(),
                    [&](const ModelFit& one) { return one.feasible && !fit.counts_used; }))
        return {};
    const auto best = std::max_element(fit.models.begin(), fit.models.end(), [](const ModelFit& a, const ModelFit& b) {
        return a.log_evidence + a.log_prior < b.log_evidence + b.log_prior;
    });
    const Plain plain = how_well(*best, map);
    if (plain == Plain::Well) return {};
    const std::vector<Burst>& bursts = fit.counts_used ? map.bursts : map.flags;
    const std::vector<std::optional<std::size_t>> like = alike_kinds(fit.models, bursts);
    std::vector<std::pair<const ModelFit*, Feature>> asked;
    for (std::size_t i = 0; i < fit.models.size(); ++i) {
        const ModelFit& one = fit.models[i];
        if (one.model.per_packet || like[i]) continue;
        if (one.model.unit == MemorySize::Unit::Cell && fit.conditions.cell == 0)
            continue;  // of a size that was fitted already
        for (const Feature feature : visible_features(one.model, bursts))
            if (feature != Feature::Resume || plain == Plain::Badly) asked.emplace_back(&one, feature);
    }
    std::vector<std::optional<ModelFit>> found(asked.size());
    do_in_threads(asked.size(), [&](std::size_t i) {
        const auto& [one, feature] = asked[i];
        found[i] = fit_feature({*one, feature, bursts, map.sample, map.options, fit.counts_used});
    });
    std::vector<ModelFit> kinds;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (!found[k]) continue;
        const ModelFit& plain = *asked[k].first;
        // Frames of one size fill any kind of memory alike.
        for (std::size_t i = 0; i < fit.models.size(); ++i)
            if (like[i] && &fit.models[*like[i]] == &plain)
                kinds.push_back(in_unit_of(fit.models[i], plain, bursts.front(), *found[k]));
        kinds.push_back(std::move(*found[k]));
    }
    return kinds;
}

}  // namespace watershed
