// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

/// Part of a slice: all its depths, and some of its rates, which are as likely.
struct Piece {
    const DepthSlice* slice = nullptr;
    double rate_low = 0, rate_high = 0, mass = 0;
};

/// The prior of a slice's depths: as likely per factor. A slice may stand for more than its own.
double depths_in(const DepthSlice& slice) {
    const auto first = double(std::max<std::int64_t>(1, slice.first)), own = double(slice.last - slice.first + 1);
    return std::log1p(own / first) * slice.weight / own;
}

/// Log probability of what every `stride`-th burst lost beyond the closed form. Which share of bursts loses more
/// depends on the switch and on the order of its inputs: any share may be. 0 for other memories.
double log_probability_of_excess(const QueueModel& model, const std::vector<Burst>& bursts, std::int64_t depth,
                                 double rate, std::size_t stride) {
    if (model.pools() != QueueModel::Pools::Input) return 0;
    double none = 0, some = 0, sum = 0;
    for (std::size_t i = 0; i < bursts.size(); i += stride) {
        const Burst& burst = bursts[i];
        if (!burst.loss_counted()) continue;
        const std::int64_t excess =
                               burst.lost - frames_lost(model, burst, model.room(burst, depth), burst.drained(rate)),
                           most = excess_loss(model, burst);
        (excess == 0 ? none : some) += double(stride);
        if (excess != 0) sum -= double(stride) * std::log(double((excess <= most ? most : burst.lost) + 1));
    }
    // The share of bursts with an excess is unknown; integrated over Jeffreys's prior of a share.
    const auto log_beta = [](double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); };
    return sum + log_beta(none + 0.5, some + 0.5) - log_beta(0.5, 0.5);
}

/// A feasible region with its weights.
class WeightedRegion {
  public:
    WeightedRegion(const ModelFit& fit, const std::vector<Burst>& bursts) : region_(fit.region) {
        constexpr std::size_t kMostAsked = 20'000, kMostPerSlice = 24, kSettings = 1000, kSlicesOfExcess = 100,
                              kBurstsOfExcess = 300;
        const bool excess = fit.model.pools() == QueueModel::Pools::Input && any_loss_counted(bursts);
        // Bursts that are all lossy leave a corner of hardly any memory at any rate, which per factor of depth would
        // outweigh all the rest.
        const bool all_lossy =
            !bursts.empty() && boost::algorithm::all_of(bursts, [](const Burst& burst) { return burst.lossy; });
        const std::size_t some = bursts.size() / kSettings + 1, stride = bursts.size() / kBurstsOfExcess + 1;
        std::vector<double> sent;
        for (std::size_t i = 0; i < bursts.size(); i += some) sent.push_back(sent_per_rate(bursts[i]));
        slice_step_ = excess ? region_.slices.size() / kSlicesOfExcess + 1 : 1;
        const std::size_t parts =
            std::clamp<std::size_t>(kMostAsked * slice_step_ / region_.slices.size(), 1, kMostPerSlice);
        double most = -HUGE_VAL;
        for (std::size_t i = 0; i < region_.slices.size(); i += slice_step_) {
            const DepthSlice& slice = region_.slices[i];
            const double width = slice.rate_high - slice.rate_low,
                         mass = std::log((all_lossy ? slice.weight : depths_in(slice)) * (width > 0 ? width : 1));
            for (std::size_t part = 0, all = width > 0 ? parts : 1; part < all; ++part) {
                const double low = slice.rate_low + width * double(part) / double(all),
                             high = slice.rate_low + width * double(part + 1) / double(all);
                double log_mass =
                    mass - std::log(double(all)) + (all_lossy ? 0 : log_spread_of_slopes(sent, (low + high) / 2));
                if (excess)
                    log_mass += log_probability_of_excess(fit.model, bursts, slice.first, (low + high) / 2, stride);
                pieces_.push_back({&slice, low, high, log_mass});
                most = std::max(most, log_mass);
            }
        }
        for (Piece& piece : pieces_) total_ += piece.mass = std::exp(piece.mass - most);
    }

    /// The depth below which a share lies; a whole number.
    double depth_quantile(double share) const {
        double sum = 0;
        for (std::size_t i = 0; i < pieces_.size();) {
            const DepthSlice& slice = *pieces_[i].slice;
            double mass = 0;
            for (; i < pieces_.size() && pieces_[i].slice == &slice; ++i) mass += pieces_[i].mass;
            if (sum + mass >= share * total_) {
                const double inside = std::floor(double(slice.first) +
                                                 double(slice_step_) * slice.weight * (share * total_ - sum) / mass);
                return std::clamp(inside, double(slice.first), double(region_.depth_high));
            }
            sum += mass;
        }
        return double(region_.depth_high);
    }

    double rate_quantile(double share) const {
        // The mass below a rate is made of straight lines: where each begins and ends, its slope is added and taken
        // away.
        std::vector<std::pair<double, double>> slopes;
        double below = 0;
        for (const Piece& piece : pieces_) {
            const double low = std::max(piece.rate_low, region_.rate_low),
                         width = std::max(piece.rate_high - piece.rate_low, 1e-12 * piece.rate_high);
            slopes.emplace_back(low, piece.mass / width);
            slopes.emplace_back(low + width, -piece.mass / width);
        }
        boost::sort(slopes);
        double slope = 0, at = region_.rate_low;
        for (const auto& [rate, change] : slopes) {
            const double more = slope * (rate - at);
            if (below + more >= share * total_ && more > 0) return at + (share * total_ - below) / slope;
            below += more, slope += change, at = rate;
        }
        return region_.rate_high;
    }

    /// A few hundred points in its place: of some slices the rates in three parts.
    std::vector<SupportPoint> support() const {
        constexpr std::size_t kSlices = 100, kThirds = 3;
        const std::size_t step = region_.slices.size() / slice_step_ / kSlices + 1;
        std::vector<SupportPoint> points;
        for (std::size_t i = 0, slices = 0; i < pieces_.size(); ++slices) {
            const DepthSlice& slice = *pieces_[i].slice;
            std::size_t end = i;
            while (end < pieces_.size() && pieces_[end].slice == &slice) ++end;
            for (std::size_t part = 0; part < kThirds && slices % step == 0; ++part) {
                SupportPoint point{double(slice.first + (slice.last - slice.first) / 2)};
                for (std::size_t j = i + part * (end - i) / kThirds; j < i + (part + 1) * (end - i) / kThirds; ++j)
                    point.weight += pieces_[j].mass,
                        point.rate += pieces_[j].mass * (pieces_[j].rate_low + pieces_[j].rate_high) / 2;
                if (point.weight <= 0) continue;
                point.rate /= point.weight;
                points.push_back(point);
            }
            i = end;
        }
        return points;
    }

    /// Depths and rates, equally weighted, in a sequence that fills the region evenly.
    std::vector<BurstParameters> samples(std::size_t count) const {
        constexpr double kGolden = 0.6180339887498949, kSilver = 0.4142135623730951;
        std::vector<BurstParameters> samples;
        double below = 0, depth = 0.5, rate = 0.5;
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            while (at + 1 < pieces_.size() && (double(i) + 0.5) / double(count) * total_ > below + pieces_[at].mass)
                below += pieces_[at++].mass;
            const Piece& piece = pieces_[at];
            const auto first = double(piece.slice->first);
            depth = std::fmod(depth + kGolden, 1), rate = std::fmod(rate + kSilver, 1);
            samples.push_back({std::min(std::floor(first + double(slice_step_) * piece.slice->weight * depth),
                                        std::max(first, double(region_.depth_high))),
                               piece.rate_low + (piece.rate_high - piece.rate_low) * rate});
        }
        return samples;
    }

  private:
    const FeasibleRegion& region_;
    std::vector<Piece> pieces_;  ///< by rising depth
    std::size_t slice_step_ = 1;
    double total_ = 0;
};

template <class Quantile>
Estimate estimate_of(Quantile quantile, double hard_low, double hard_high, bool open) {
    if (!open) return estimate_by(quantile, {hard_low, hard_high});
    // The mass above depends on where the search ends, so only the limit is a result.
    const Interval limit{hard_low, std::nullopt};
    return {std::nullopt, limit, limit, limit};
}

/// Depths and rates, evenly spread over a region, that stand for all of it.
struct Place {
    std::int64_t depth;
    double rate, weight;
};

std::vector<Place> places_in(const FeasibleRegion& region) {
    constexpr int kRates = 200;
    constexpr std::size_t kSlices = 5;
    std::vector<Place> places;
    for (std::size_t s = 0; s < region.slices.size(); s += region.slices.size() / kSlices + 1) {
        const DepthSlice& slice = region.slices[s];
        const double width = slice.rate_high - slice.rate_low, weight = slice.weight * (width > 0 ? width : 1) / kRates;
        for (int i = 0; i < kRates; ++i) places.push_back({slice.first, slice.rate_low + width * i / kRates, weight});
    }
    return places;
}

/// Whether some place in the region of `one` explains every number of lost frames by the closed form alone.
/// @param bursts  as the model sees them
bool explains_by_closed_form(const ModelFit& one, const std::vector<Burst>& bursts) {
    const std::vector<Place> places = places_in(one.region);
    return boost::algorithm::any_of(places, [&](const Place& place) {
        return boost::algorithm::all_of(bursts, [&](const Burst& burst) {
            return !burst.loss_counted() ||
                   burst.lost ==
                       frames_lost(one.model, burst, one.model.room(burst, place.depth), burst.drained(place.rate));
        });
    });
}

/// Returns the log of the prior probability of a region, with the prior of posteriors with noise: log-uniform in depth.
double log_share_of_prior(const FeasibleRegion& region, const SearchBox& box) {
    const double share = std::log(std::max(region.share, 1e-300));
    if (box.depth_high <= box.depth_low) return share;
    const double depths = double(box.depth_high - std::max<std::int64_t>(1, box.depth_low) + 1),
                 middle = double(region.depth_low + region.depth_high) / 2;
    const KnownRange prior = log_depths_of(box);
    return share + std::log(depths / (middle * (prior.high - prior.low)));
}

}  // namespace

double correlation_of(const std::vector<SupportPoint>& points) {
    double sum = 0, depth = 0, rate = 0;
    for (const SupportPoint& p : points) sum += p.weight, depth += p.weight * p.depth, rate += p.weight * p.rate;
    double dd = 0, rr = 0, dr = 0;
    for (const SupportPoint& p : points) {
        const double d = p.depth - depth / sum, r = p.rate - rate / sum;
        dd += p.weight * d * d, rr += p.weight * r * r, dr += p.weight * d * r;
    }
    return dd > 0 && rr > 0 ? dr / std::sqrt(dd * rr) : 0;
}

void estimate_from_region(ModelFit& fit, const std::vector<Burst>& bursts) {
    const FeasibleRegion& region = fit.region;
    if (!region.feasible()) return;
    const WeightedRegion weighted(fit, bursts);
    fit.depth = estimate_of([&](double share) { return weighted.depth_quantile(share); }, double(region.depth_low),
                            double(region.depth_high), region.depth_open);
    fit.rate = estimate_of([&](double share) { return weighted.rate_quantile(share); }, region.rate_low,
                           region.rate_high, region.rate_open);
    for (const SupportPoint& point : weighted.support()) fit.support.push_back(point);
    fit.correlation = correlation_of(fit.support);
}

std::vector<ParameterSample> samples_of_region(const ModelFit& one, const std::vector<Burst>& bursts,
                                               std::size_t count) {
    if (!one.region.feasible() || one.region.depth_open || one.region.rate_open) return {};
    const bool excess = one.model.pools() == QueueModel::Pools::Input && any_loss_counted(bursts);
    return transformed_values(WeightedRegion(one, bursts).samples(count), [&](const BurstParameters& parameters) {
        return ParameterSample{parameters, excess ? NAN : 0, NAN};
    });
}

double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr std::size_t kBursts = 1000;
    if (one.model.pools() != QueueModel::Pools::Input) return 0;
    const std::size_t stride = bursts.size() / kBursts + 1;
    std::vector<double> logs;
    double width = 0;
    for (const Place& place : places_in(one.region)) {
        width += place.weight;
        logs.push_back(log_probability_of_excess(one.model, bursts, place.depth, place.rate, stride) +
                       std::log(place.weight));
    }
    const double most = *boost::max_element(logs);
    double sum = 0;
    for (const double value : logs) sum += std::exp(value - most);
    return most + std::log(sum / width);
}

bool explain(std::vector<ModelFit>& kinds, const FitInput& map, const std::vector<Burst>& bursts) {
    do_in_threads(kinds.size(), [&](std::size_t i) {
        ModelFit& one = kinds[i];
        one.region = map.region(one.model, bursts);
        one.feasible = one.region.feasible();
        if (!one.feasible) return;
        one.log_evidence = log_share_of_prior(one.region, map.box(one.model));
        one.support.clear();
        estimate_from_region(one, seen_by(one.model, bursts));
    });
    return boost::algorithm::any_of(kinds, [](const ModelFit& one) { return one.feasible; });
}

bool explain_counts(std::vector<ModelFit>& kinds, const FitInput& map) {
    if (!explain(kinds, map, map.bursts)) return false;
    do_in_threads(kinds.size(), [&](std::size_t i) {
        ModelFit& one = kinds[i];
        if (!one.feasible) return;
        const std::vector<Burst> seen = seen_by(one.model, map.bursts);
        one.undisturbed = one.log_evidence += log_evidence_of_excess(one, seen);
        one.by_closed_form = explains_by_closed_form(one, seen);
    });
    return true;
}

}  // namespace watershed
