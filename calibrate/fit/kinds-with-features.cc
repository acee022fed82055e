// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/kinds-with-features.h"

#include <algorithm>

#include "calibrate/fit/fit-verdict.h"
#include "calibrate/fit/inference.h"
#include "calibrate/posterior/feature-prior.h"

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
/// Of a rate, as a part of what the scenario says.
constexpr double kOffNominal = 0.04;

Plain how_well(const ModelFit& best, const MapReading& map) {
    if (check_of(best, map.bursts).p_value <= kDoubtful || many_strays(best, map.bursts.size()) ||
        scatter_of_memory(best, map.bursts) >= kSmallScatter)
        return Plain::Badly;
    const bool scatters = best.scatter && scatter_at(best, map.sample, kSurely) > kFrame,
               uncertain = best.noise && best.noise->relative && best.noise->interval95.high > kSmallScatter;
    return scatters || uncertain || best.strays.size() >= kFewStrays ? Plain::Scatters : Plain::Well;
}

/// The rate is not the scenario's: a feature may hide in it.
bool off_nominal(const ModelFit& best, const FitOptions& options) {
    if (!options.nominal_rate || !best.rate.value) return false;
    const auto nominal = static_cast<double>(options.nominal_rate->count);
    return std::abs(*best.rate.value / nominal - 1) > kOffNominal;
}

/// Whole events are lost while a queue falls: less scatter than half an event has another reason than a resume level.
bool loses_events(const ModelFit& best, const MapReading& map) {
    std::int64_t ports = INT64_MAX;
    for (const Burst& burst : map.sample) ports = std::min(ports, burst.ports);
    return best.scatter.value_or(0) > static_cast<double>(ports) / 2 || many_strays(best, map.bursts.size());
}

/// Where the search for a feature begins: at what the plain memory makes of the map, of its flags alone, and of its
/// largest frames, which know nothing of descriptors.
std::vector<BurstParameters> hints_of(const ModelFit& plain, Feature feature, const MapReading& map) {
    std::vector<BurstParameters> places;
    if (plain.depth.value && *plain.depth.value >= 1 && plain.rate.value && *plain.rate.value > 0) {
        BurstParameters here;
        here.depth = *plain.depth.value;
        here.rate = *plain.rate.value;
        places.push_back(here);
    }
    const auto add = [&](const std::vector<Burst>& flags) {
        for (const BurstParameters& place : places_of(plain.model, flags, map.region(plain.model, flags), map))
            places.push_back(place);
    };
    std::vector<Burst> flags = map.sample;
    for (Burst& burst : flags) burst.counted = false;
    add(flags);
    if (feature == Feature::Descriptors) {
        std::int64_t payload = 0;
        for (const Burst& burst : flags) payload = std::max(payload, burst.payload);
        flags.erase(
            std::remove_if(flags.begin(), flags.end(), [&](const Burst& burst) { return burst.payload < payload; }),
            flags.end());
        add(flags);
    }
    if (places.empty()) return places;
    if (map.options.nominal_rate) {
        places.push_back(places.front());
        places.back().rate = static_cast<double>(map.options.nominal_rate->count);
    }
    if (feature != Feature::UnevenUplinks) return places;
    // Of two uplinks one of which is hardly used, the other must be as fast as the plain memory's two.
    for (const double factor : {1.25, 1.5, 2.0}) {
        places.push_back(places.front());
        places.back().rate *= factor, places.back().depth /= factor;
    }
    return places;
}

}  // namespace

std::vector<ModelFit> kinds_with_features(const Fit& fit, const MapReading& map) {
    if (map.lossy == 0 || fit.bursts.size() < kFewestBursts) return {};
    Reached reached;
    const ModelFit* best = nullptr;
    for (const ModelFit& one : fit.models) {
        reached.log_likelihood = std::max(reached.log_likelihood, one.log_likelihood);
        if (best && one.log_evidence + one.log_prior <= reached.log_evidence) continue;
        best = &one;
        reached.log_evidence = one.log_evidence + one.log_prior;
    }
    if (best->parameters.empty()) return {};
    const bool off = off_nominal(*best, fit.options);
    const Plain plain = best->feasible && !fit.counts_used ? Plain::Well : how_well(*best, map);
    if (plain == Plain::Well && !off) return {};
    std::vector<KindToFit> kinds;
    for (const ModelFit& one : fit.models) {
        if (one.model.per_packet) continue;
        if (one.model.unit == MemorySize::Unit::Cell && fit.conditions.cell == 0)
            continue;  // of a size that was fitted already
        for (const Feature feature : visible_features(one.model, map.sample)) {
            if (feature == Feature::Resume && !(plain == Plain::Badly && loses_events(*best, map))) continue;
            KindToFit kind;
            kind.fit.model = one.model;
            kind.fit.model.feature = feature;
            kind.fit.log_prior = one.log_prior + log_odds_of_feature();
            kind.hints = hints_of(one, feature, map);
            kinds.push_back(std::move(kind));
        }
    }
    return infer_with_feature(std::move(kinds), map, reached);
}

}  // namespace watershed
