// SPDX-License-Identifier: GPL-2.0-only
#include <boost/range/algorithm_ext/erase.hpp>

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Rows beyond this share of a map, or this number, are no exceptions.
constexpr double kMostSuspectShare = 0.2;
constexpr std::size_t kMostSuspects = 30;

bool ends_as_measured(const QueueModel& model, const Burst& burst, const BurstParameters& at) {
    const std::int64_t lost =
        frames_lost(model, burst, model.room(burst, std::int64_t(at.depth)), burst.drained(at.rate));
    return burst.counted ? lost == burst.lost : (lost > 0) == burst.lossy;
}

/// Rows that the plain memory does not explain to the frame with the sample that explains most.
std::vector<int> fewest_unexplained(const ModelFit& one, const std::vector<Burst>& bursts) {
    std::vector<int> fewest;
    for (const BurstParameters& at : one.parameters) {
        std::vector<int> rows;
        for (const Burst& burst : bursts)
            if (!ends_as_measured(one.model, burst, at)) rows.push_back(burst.row);
        if (&at == &one.parameters.front() || rows.size() < fewest.size()) fewest.swap(rows);
    }
    return fewest;
}

}  // namespace

double frames_lost_by(const BurstLikelihood& likelihood, std::size_t row, const BurstParameters& parameters) {
    return std::max(0.0, std::ceil(likelihood.overflow(row, parameters) - 0.5));
}

const BurstParameters& likeliest_sample(const ModelFit& one, const BurstLikelihood& likelihood) {
    const auto logs = transformed_values(one.parameters,
                                         [&](const BurstParameters& each) { return likelihood.log_likelihood(each); });
    return one.parameters[std::size_t(boost::max_element(logs) - logs.begin())];
}

void acquit_explained(ModelFit& one, const FitInput& map) {
    if (one.violating.empty() || one.parameters.empty() || !map.counted) return;
    const BurstLikelihood likelihood(one.model, seen_by(one.model, map.bursts), one.mixes);
    const BurstParameters& at = likeliest_sample(one, likelihood);
    for (std::size_t i = 0; i < likelihood.size(); ++i) {
        const Burst& burst = likelihood.burst(i);
        const double lost = frames_lost_by(likelihood, i, at);
        if ((burst.counted ? lost == double(burst.lost) : (lost > 0) == burst.lossy) &&
            !boost::binary_search(one.strays, burst.row))
            boost::remove_erase(one.violating, burst.row);
    }
}

std::vector<Suspect> take_suspects(ModelFit& one, const FitInput& map) {
    if (one.parameters.empty() || !map.counted || (map.to_the_frame && one.feasible) || map.peaks ||
        one.model.feature != Feature::None)
        return {};
    const std::vector<Burst> bursts = seen_by(one.model, map.bursts);
    std::vector<int> rows = fewest_unexplained(one, bursts);
    if (rows.size() > kMostSuspects || double(rows.size()) > kMostSuspectShare * double(bursts.size()) ||
        bursts.size() < rows.size() + kFewestBursts)
        return {};
    for (std::size_t i = 0; i < rows.size();) {
        std::vector<int> fewer = rows;
        fewer.erase(fewer.begin() + std::ptrdiff_t(i));
        map.region(one.model, without(map.bursts, fewer)).feasible() ? rows.swap(fewer) : void(++i);
    }
    FeasibleRegion region = map.region(one.model, without(map.bursts, rows));
    if (rows.empty() || !region.feasible()) return {};
    std::vector<Suspect> suspects;
    for (const Burst& burst : bursts) {
        if (boost::find(rows, burst.row) == rows.end()) continue;
        Suspect suspect{burst.row, burst.fragments(), 0};
        for (const DepthSlice& slice : region.slices) {
            const auto lost = [&](std::int64_t depth, double rate) {
                return frames_lost(one.model, burst, one.model.room(burst, depth), burst.drained(rate));
            };
            suspect.fewest = std::min(suspect.fewest, lost(slice.last, slice.rate_high));
            suspect.most = std::max(suspect.most, lost(slice.first, slice.rate_low) + excess_loss(one.model, burst));
        }
        suspects.push_back(suspect);
    }
    boost::sort(suspects, [](const Suspect& a, const Suspect& b) { return a.row < b.row; });
    one.violating = transformed_values(suspects, [](const Suspect& each) { return each.row; });
    one.region = std::move(region);
    return suspects;
}

std::string outdone_row(const std::vector<Burst>& bursts) {
    constexpr double kScatter = 0.1;  // fraction of the frames that come through
    const auto through = [](const Burst& burst) { return burst.fragments() - burst.lost; };
    for (const Burst& one : bursts)
        for (const Burst& other : bursts)
            if (one.loss_counted() && other.loss_counted() && one.ports == other.ports &&
                one.uplinks == other.uplinks && one.wire <= other.wire && one.buffer <= other.buffer &&
                one.spacing <= other.spacing && one.events * one.spacing >= other.events * other.spacing &&
                double(through(one) + one.ports) < (1 - kScatter) * double(through(other)))
                return "row " + std::to_string(one.row) + ", which lets " + std::to_string(through(one)) +
                       " frames through, though row " + std::to_string(other.row) + " lets " +
                       std::to_string(through(other)) + " through in a shorter burst";
    return "";
}

}  // namespace watershed
