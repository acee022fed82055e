// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-posterior.h"

#include <algorithm>
#include <cmath>

#include "calibrate/feature/soft-fit.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/count-likelihood.h"
#include "calibrate/posterior/statistics.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

const double kFeature = std::log(0.1);

double most_of(const std::vector<GridPosterior>& parts) {
    double most = -HUGE_VAL;
    for (const GridPosterior& part : parts)
        if (!part.points.empty()) most = std::max(most, part.log_evidence);
    return most;
}

class FeaturePosterior {
  public:
    FeaturePosterior(const FeatureModels& models, const FoundFeature& found)
        : models_(models), question_(models.question()), found_(found) {}

    std::optional<ModelFit> run() {
        begin_at_likeliest();
        const Slices each = slices();
        GridPosterior all = mixture(each.parts);
        if (all.points.empty()) return std::nullopt;
        all.log_evidence += std::log(each.step() / (models_.scale().high() - models_.scale().low()));
        return filled(std::move(all));
    }

  private:
    /// Noise and widths differ little from one value to the next that matters: what hardly weighs at the best one is
    /// left out.
    void begin_at_likeliest() {
        const QueueModel model = models_.with(models_.scale().value(found_.best), found_.orders.front());
        const Place place = models_.place(model, found_.place);
        scatter_ = models_.scatter_at(model, place);
        if (question_.counts) {
            CountFit about;
            about.rate = place.rate, about.scatter = scatter_;
            nuisances_ = count_nuisances(question_.measured, about, question_.options.noise);
            widths_ = rough_widths(model, place);
        } else {
            flags_.emplace(model, question_.measured, place.rate, question_.options.noise);
        }
        all_nuisances_ = nuisances();
        const GridPosterior here = posterior_at(model, place);
        if (here.points.empty()) return;
        if (question_.counts) {
            nuisances_ = likely(nuisances_, here.nuisance_weights);
            constexpr double kMore = 1.5, kLeast = 1e-7;
            widths_ = widths_of(here.points);
            for (double* const width : {&widths_.depth, &widths_.rate}) *width = std::max(kLeast, kMore * *width);
        } else {
            flags_->keep_likely(here.nuisance_weights);
        }
    }
    const std::vector<Nuisance>& nuisances() const { return question_.counts ? nuisances_ : flags_->nuisances(); }

    /// Relative widths of depth and rate to begin with.
    RelativeWidths rough_widths(const QueueModel& model, const Place& place) const {
        double rooms = 0, drained = 0;
        for (const Burst& burst : models_.sample())
            rooms = std::max(rooms, model.room_as_real(burst, place.depth)),
            drained = std::max(drained, burst.drain() * place.rate);
        const double frames = 3 * scatter_ / std::sqrt(static_cast<double>(question_.measured.size()));
        return {std::clamp(frames / rooms, 1e-6, FoundFeature::kNear),
                std::clamp(frames / drained, 1e-6, FoundFeature::kNear)};
    }

    /// Of one value, in full.
    GridPosterior posterior_at(const QueueModel& model, const Place& place) const {
        const SearchBox box = known_box(model, question_.bursts, question_.options);
        if (!question_.counts)
            return grid_posterior(flags_->of(model), box, place.depth, place.rate, FoundFeature::kNear,
                                  FoundFeature::kNear, {9, 15});
        CountFit here;
        here.depth = place.depth, here.rate = place.rate, here.scatter = scatter_;
        return grid_posterior(CountLikelihood(model, question_.measured, here, nuisances_), box, place.depth,
                              place.rate, widths_.depth, widths_.rate, {7, 15});
    }

    /// Posteriors of values in the middle of equal parts of a range.
    struct Slices {
        double low = 0, high = 0;
        std::vector<GridPosterior> parts;
        double most() const { return most_of(parts); }
        double step() const { return (high - low) / static_cast<double>(parts.size()); }
    };

    /// Where depth and value replace each other, each value has a depth of its own, known better than the depth is:
    /// with few values of some weight the depths between them would be missing. Closes in until many have some.
    Slices slices() const {
        Slices all = slices_between(found_.low, found_.high);
        for (int round = 0; round < FoundFeature::kRounds && all.most() > -HUGE_VAL; ++round) {
            const auto matter = [&](const GridPosterior& part) {
                return !part.points.empty() && part.log_evidence > all.most() - FoundFeature::kBelow;
            };
            if (2 * std::count_if(all.parts.begin(), all.parts.end(), matter) >= FoundFeature::kValues) break;
            const auto first = std::find_if(all.parts.begin(), all.parts.end(), matter) - all.parts.begin();
            const auto last = all.parts.rend() - std::find_if(all.parts.rbegin(), all.parts.rend(), matter) - 1;
            const auto edge = [&](std::ptrdiff_t i) {
                return std::clamp(all.low + all.step() * static_cast<double>(i), all.low, all.high);
            };
            all = slices_between(edge(first - 1), edge(last + 2));
        }
        return all;
    }

    Slices slices_between(double low, double high) const {
        Slices all{low, high, std::vector<GridPosterior>(FoundFeature::kValues)};
        do_in_threads(all.parts.size(), [&](std::size_t i) {
            all.parts[i] = slice_at(low + (high - low) * (static_cast<double>(i) + 0.5) / FoundFeature::kValues);
        });
        return all;
    }

    GridPosterior slice_at(double at_value) const {
        const double value = models_.scale().value(at_value);
        const Place& nearest =
            std::min_element(found_.places.begin(), found_.places.end(), [&](const auto& a, const auto& b) {
                return std::abs(a.first - at_value) < std::abs(b.first - at_value);
            })->second;
        std::vector<GridPosterior> by_order;
        for (const AskingOrder order : found_.orders) {
            const QueueModel model = models_.with(value, order);
            GridPosterior part = posterior_at(model, models_.place(model, nearest));
            for (SupportPoint& point : part.points) point.value = value;
            part.log_evidence += found_.log_order_prior;
            by_order.push_back(std::move(part));
        }
        return mixture(by_order);
    }

    ModelFit filled(GridPosterior posterior) const {
        ModelFit fit;
        // The likeliest point: with the median of a value that comes in steps nothing might be explained.
        const SupportPoint likeliest =
            *std::max_element(posterior.points.begin(), posterior.points.end(),
                              [](const SupportPoint& a, const SupportPoint& b) { return a.weight < b.weight; });
        fit.model = models_.with(likeliest.value, found_.orders.front());
        widen_all(posterior.points, fit.model, likeliest);
        posterior.nuisance_weights = weights_of_all(all_nuisances_, nuisances(), posterior.nuisance_weights);
        take(fit, std::move(posterior), all_nuisances_);
        std::vector<std::pair<double, double>> values;
        for (const SupportPoint& point : fit.support) values.emplace_back(point.value, point.weight);
        const auto quantile = [&](double share) { return weighted_quantile(values, share); };
        fit.feature = Estimate{quantile(0.5), {}, {quantile(0.16), quantile(0.84)}, {quantile(0.025), quantile(0.975)}};
        fit.log_prior = question_.plain.log_prior + kFeature;
        name_exceptions(fit, likeliest);
        return fit;
    }

    void widen_all(std::vector<SupportPoint>& points, const QueueModel& model, const SupportPoint& likeliest) const {
        double cost = 0, drain = 0;
        for (const Burst& burst : question_.bursts)
            cost = std::max(cost, static_cast<double>(model.cost(burst))), drain = std::max(drain, burst.drain());
        const auto widen_by = [&](double rate, double depth) {
            if (!question_.options.service_rate) widen(points, &SupportPoint::rate, rate);
            widen(points, &SupportPoint::depth, depth);
        };
        // Where whole events are lost or not, the likelihood has many narrow peaks, and noise decides which is the
        // highest: as far apart as one burst scatters.
        if (question_.counts && question_.feature == Feature::Resume) widen_by(scatter_ / drain, scatter_ * cost);
        // Which modules ask last is the same in all bursts: what it decides does not average out.
        constexpr double kOrder = 0.002;
        if (question_.counts && question_.feature == Feature::UnevenUplinks &&
            found_.orders.front() == AskingOrder::Unknown)
            widen_by(kOrder * likeliest.rate, kOrder * likeliest.depth);
    }

    /// Bursts that the likeliest place leaves unexplained, and the region of the others.
    void name_exceptions(ModelFit& fit, const SupportPoint& likeliest) const {
        CountFit counts{*fit.depth.value,
                        *fit.rate.value,
                        (*fit.depth.interval68.high - *fit.depth.interval68.low) / 2,
                        (*fit.rate.interval68.high - *fit.rate.interval68.low) / 2,
                        fit.correlation,
                        scatter_,
                        fit.log_evidence,
                        {}};
        std::vector<Burst> flags, explained;
        std::vector<int> unexplained;
        for (Burst burst : question_.bursts) {
            const double off = question_.counts ? kept_residual(fit.model, burst, likeliest.depth, likeliest.rate) : 0;
            const bool lossy =
                static_cast<double>(burst.events) > threshold_events(fit.model, burst, likeliest.depth, likeliest.rate);
            if (lossy != burst.lossy)
                unexplained.push_back(burst.row);
            else if (burst.lossy && burst.counted &&
                     std::abs(off) >
                         std::max(5 * std::hypot(scatter_,
                                                 count_uncertainty(fit.model, burst, likeliest.depth, likeliest.rate)),
                                  2.0))
                counts.outliers.push_back(burst.row);
            burst.counted = false;
            flags.push_back(burst);
            if (lossy == burst.lossy) explained.push_back(burst);
        }
        if (question_.counts) fit.counts = counts;
        fit.violating = counts.outliers;
        // The likeliest point is one of a grid's: beside it some pair may explain what it does not.
        fit.region = feasible_region(fit.model, flags, known_box(fit.model, flags, question_.options));
        fit.feasible = unexplained.empty() || fit.region.feasible();
        if (!fit.feasible) {
            fit.violating.insert(fit.violating.end(), unexplained.begin(), unexplained.end());
            std::sort(fit.violating.begin(), fit.violating.end());
            if (!explained.empty())
                fit.region = feasible_region(fit.model, explained, known_box(fit.model, explained, question_.options));
        }
        if (fit.region.feasible()) {
            fit.depth.hard = {
                static_cast<double>(fit.region.depth_low),
                fit.region.depth_open ? std::nullopt : std::make_optional(static_cast<double>(fit.region.depth_high))};
            fit.rate.hard = {fit.region.rate_low,
                             fit.region.rate_open ? std::nullopt : std::make_optional(fit.region.rate_high)};
        }
    }

    const FeatureModels& models_;
    const FeatureQuestion& question_;
    const FoundFeature& found_;
    // All at the likeliest value:
    double scatter_ = 0;               ///< frames
    std::vector<Nuisance> nuisances_;  ///< of counts, those that are likely
    std::vector<Nuisance> all_nuisances_;
    std::optional<FlagLikelihood> flags_;
    RelativeWidths widths_;  ///< that grids begin with where there are counts
};

}  // namespace

GridPosterior mixture(const std::vector<GridPosterior>& parts) {
    GridPosterior all;
    const double most = most_of(parts);
    all.log_evidence = -HUGE_VAL;
    if (most == -HUGE_VAL) return all;
    double sum = 0;
    all.nuisance_weights.assign(parts.front().nuisance_weights.size(), 0);
    for (const GridPosterior& part : parts) sum += part.points.empty() ? 0 : std::exp(part.log_evidence - most);
    for (const GridPosterior& part : parts) {
        if (part.points.empty()) continue;
        const double weight = std::exp(part.log_evidence - most) / sum;
        for (SupportPoint point : part.points) point.weight *= weight, all.points.push_back(point);
        for (std::size_t i = 0; i < all.nuisance_weights.size(); ++i)
            all.nuisance_weights[i] += weight * part.nuisance_weights[i];
    }
    all.log_evidence = most + std::log(sum);
    return all;
}

std::optional<ModelFit> feature_posterior(const FeatureModels& models, const FoundFeature& found) {
    return FeaturePosterior(models, found).run();
}

}  // namespace watershed
