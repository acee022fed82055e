// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature-fit.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <set>

#include "calibrate/burst-likelihood.h"
#include "calibrate/burst-sample.h"
#include "calibrate/count-likelihood.h"
#include "calibrate/evolution.h"
#include "calibrate/feature-scale.h"
#include "calibrate/rough-likelihood.h"
#include "calibrate/soft-fit.h"

namespace watershed {
namespace {

const double kFeature = std::log(0.1);
/// Log likelihood that a feature must gain to be worth a posterior.
constexpr double kWorth = 5;
/// Bursts that the search looks at, fewer where each is counted in several orders of asking, more where they are but lossy or lossless.
constexpr std::size_t kMostBursts = 60, kMostInOrders = 30, kMostFlags = 120;
/// Values that the search begins with at each place (others lie anywhere), rounds of closing in, and values in the end.
constexpr int kStarts = 3, kRounds = 8, kFinalValues = 15;
/// A value whose log likelihood is this far below the best one's does not matter.
constexpr double kBelow = 7;
/// Relative widths within which a value's own depth and rate are sought about the best ones, and with which flags begin their posterior.
constexpr double kNear = 0.02;
/// Members and generations of a search in three dimensions, and in two.
constexpr std::size_t kMembers = 24, kFewMembers = 16;
constexpr int kGenerations = 100, kFewGenerations = 40;

QueueModel with(const QueueModel& plain, Feature feature, double value) {
    QueueModel model = plain;
    model.feature = feature;
    model.value = value;
    return model;
}

struct Place {
    double depth = 0;
    double rate = 0;
};

class FeatureSearch {
  public:
    FeatureSearch(const ModelFit& plain, Feature feature, const std::vector<Burst>& bursts, const std::vector<Burst>& measured, const FitOptions& options, bool counts)
        : plain_(plain), feature_(feature), all_(bursts), measured_(measured), options_(options), counts_(counts),
          sample_(sample_of(measured, !counts ? kMostFlags : feature == Feature::UnevenUplinks ? kMostInOrders : kMostBursts)), typical_(typical_of(sample_)), scale_(feature, plain, bursts) {
        // The largest frames know nothing of descriptors, the bursts without loss nothing of resume levels: what they say alone is a start, too.
        places_.push_back({*plain.depth.value, *plain.rate.value});
        if (feature == Feature::UnevenUplinks && counts) orders_.assign(std::begin(kAskingOrders), std::end(kAskingOrders));
        std::vector<Burst> largest, flags = bursts;
        std::int64_t payload = 0;
        for (const Burst& burst : bursts) payload = std::max(payload, burst.payload);
        for (Burst& burst : flags) burst.counted = false;
        for (const Burst& burst : bursts)
            if (burst.payload == payload) largest.push_back(burst);
        start_from(flags, options);
        if (largest.size() < bursts.size()) start_from(largest, options);
        if (feature != Feature::UnevenUplinks || !options.service_rate) return;
        // Even uplinks are as good as uneven ones only where they are slower, and may leave no depth at all at the rate that is known.
        FitOptions unknown = options;
        unknown.service_rate.reset();
        start_from(bursts, unknown);
    }

    std::optional<ModelFit> run() {
        if (!promising()) return std::nullopt;
        const std::vector<Point> starts = set_limits();
        const auto without = [&](const std::array<double, 2>& x) { return at(plain_.model, {std::exp(x[0]), std::exp(x[1])}); };
        const auto with_value = [&](const Point& x) { return at_place(x[0], {std::exp(x[1]), std::exp(x[2])}); };
        const double plain = evolve<2>(without, {low_[1], low_[2]}, {high_[1], high_[2]}, {{starts.front()[1], starts.front()[2]}}, kFewMembers, kGenerations).value;
        // Resume levels have many narrow peaks, and even loads are a broad one beside that of uneven ones.
        const int difficulty = feature_ == Feature::UnevenUplinks ? 4 : feature_ == Feature::Resume || feature_ == Feature::DynamicThreshold ? 2 : 1;
        const double least = feature_ == Feature::UnevenUplinks ? -HUGE_VAL : plain + worth();   // a narrow peak that is found late
        best_ = evolve<3>(with_value, low_, high_, starts, kMembers * static_cast<std::size_t>(difficulty), std::min(2, difficulty) * kGenerations, least);
        if (best_.value < plain + worth()) return std::nullopt;
        keep_likely_orders();
        profile();
        begin_at_likeliest();
        return posterior();
    }

  private:
    /// Value on its scale, logarithms of depth and rate.
    using Point = std::array<double, 3>;

    /// Where to search, and from where.
    std::vector<Point> set_limits() {
        // A plain memory explains uplinks of which one carries nearly all by half the rate, and bursts towards so many uplinks by what
        // the queues of most of them hold together, which may be that many times what one holds.
        int most_uplinks = 1;
        for (const Burst& burst : sample_) most_uplinks = std::max(most_uplinks, burst.uplinks);
        const double factor = feature_ == Feature::UnevenUplinks ? 2.5 : feature_ == Feature::DynamicThreshold ? std::max(1.5, static_cast<double>(most_uplinks)) : 1.5;
        std::vector<Point> starts;
        for (const Place& place : places_) {
            low_ = {scale_.low(), std::min(low_[1], std::log(place.depth / factor)), std::min(low_[2], std::log(place.rate / factor))};
            high_ = {scale_.high(), std::max(high_[1], std::log(place.depth * factor)), std::max(high_[2], std::log(place.rate * factor))};
            for (int i = 0; i < kStarts; ++i) {
                const double at = scale_.low() + (scale_.high() - scale_.low()) * (i + 0.5) / kStarts;
                starts.push_back({at, std::log(place.depth), std::log(place.rate)});
                // Of two uplinks one of which is hardly used, the other must be as fast as the plain memory's two.
                if (feature_ == Feature::UnevenUplinks) starts.push_back({at, std::log(place.depth / (1 + at)), std::log(place.rate * (1 + at))});
            }
        }
        const SearchBox box = known_box(plain_.model, all_, options_);
        const auto keep_within = [&](std::size_t i, double low, double high) { low_[i] = std::clamp(low_[i], std::log(low), std::log(high)), high_[i] = std::clamp(high_[i], low_[i], std::log(high)); };
        if (box.depth_known || box.depth_bounded) keep_within(1, static_cast<double>(std::max<std::int64_t>(1, box.depth_low)), static_cast<double>(box.depth_high));
        if (box.rate_known || box.rate_bounded) keep_within(2, std::max(1.0, box.rate_low), box.rate_high);
        return starts;
    }

    /// Whole events are lost while a queue falls: less scatter than half an event has another reason than a resume level.
    bool promising() const {
        if (feature_ != Feature::Resume) return true;
        std::int64_t ports = INT64_MAX;
        for (const Burst& burst : sample_) ports = std::min(ports, burst.ports);
        return scatter_at(plain_.model, places_.front()) > static_cast<double>(ports) / 2;
    }

    /// A resume level that is there explains each number of lost frames much better; one that is not finds luck among its many peaks.
    double worth() const {
        constexpr double kOfEach = 0.15;
        const auto numbers = std::count_if(sample_.begin(), sample_.end(), [](const Burst& burst) { return burst.lossy && burst.counted; });
        return kWorth + (feature_ == Feature::Resume ? kOfEach * static_cast<double>(numbers) : 0);
    }

    void start_from(const std::vector<Burst>& bursts, const FitOptions& options) {
        const SearchBox box = known_box(plain_.model, bursts, options);
        const FeasibleRegion region = feasible_region(plain_.model, bursts, box);
        if (region.feasible() && !region.depth_open && !region.rate_open)
            places_.push_back({static_cast<double>(region.depth_low + region.depth_high) / 2, (region.rate_low + region.rate_high) / 2});
        else if (const auto counts = fit_counts(plain_.model, bursts, options.service_rate ? std::make_optional(static_cast<double>(options.service_rate->count)) : std::nullopt))
            if (counts->depth > 0 && counts->rate > 0) places_.push_back({counts->depth, counts->rate});
    }

    /// The depth with which a dynamic threshold leaves most lossy bursts what a plain memory leaves them: so alpha alone decides on the others.
    Place moved(const QueueModel& model, Place place) const {
        if (feature_ == Feature::DynamicThreshold && model.feature == feature_ && !options_.depth && !options_.depth_bounds)
            place.depth /= typical_.uplinks * model.share_of_pool(typical_);
        return place;
    }

    /// One of the lossy bursts that congest as many uplinks as most of them do.
    static Burst typical_of(const std::vector<Burst>& bursts) {
        std::map<int, std::size_t> lossy;
        for (const Burst& burst : bursts) lossy[burst.uplinks] += burst.lossy;
        const int most = std::max_element(lossy.begin(), lossy.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
        return *std::find_if(bursts.begin(), bursts.end(), [&](const Burst& burst) { return burst.uplinks == most; });
    }

    /// Without a search: the best noise at one place.
    double at(const QueueModel& model, const Place& place) const {
        const RoughLikelihood likelihood(model, sample_, counts_);
        std::vector<double> sums(likelihood.nuisances().size(), 0);
        likelihood.add(place.depth, place.rate, sums);
        return *std::max_element(sums.begin(), sums.end());
    }
    double at_place(double at_value, const Place& place, AskingOrder order) const {
        QueueModel model = with(plain_.model, feature_, scale_.value(at_value));
        model.order = order;
        return at(model, moved(model, place));
    }
    double at_place(double at_value, const Place& place) const {
        double most = -HUGE_VAL;
        for (const AskingOrder order : orders_) most = std::max(most, at_place(at_value, place, order));
        return most;
    }

    /// The likeliest first.
    void keep_likely_orders() {
        std::vector<std::pair<double, AskingOrder>> likely;
        for (const AskingOrder order : orders_) {
            const double value = at_place(best_.at[0], {std::exp(best_.at[1]), std::exp(best_.at[2])}, order);
            if (value > best_.value - kBelow) likely.emplace_back(-value, order);
        }
        log_order_prior_ = -std::log(static_cast<double>(orders_.size()));
        std::sort(likely.begin(), likely.end());
        orders_.clear();
        for (const auto& [value, order] : likely) orders_.push_back(order);
    }

    /// The likeliest depth and rate with a value, about those of the best one so far.
    void look(double value) {
        const std::array<double, 2> middle{best_.at[1], best_.at[2]};
        const std::array<double, 2> low{std::max(low_[1], middle[0] - kNear), std::max(low_[2], middle[1] - kNear)}, high{std::min(high_[1], middle[0] + kNear), std::min(high_[2], middle[1] + kNear)};
        const auto likelihood = [&](const std::array<double, 2>& x) { return at_place(value, {std::exp(x[0]), std::exp(x[1])}); };
        const Peak<2> peak = evolve<2>(likelihood, low, high, {middle}, kFewMembers, kFewGenerations);
        found_[value] = peak;
        if (peak.value > best_.value) best_ = {{value, peak.at[0], peak.at[1]}, peak.value};
    }

    /// Values about the best one, until enough of them matter.
    void profile() {
        constexpr double kFirst = 1e-5;
        const double range = scale_.high() - scale_.low();
        look(best_.at[0]);
        for (const int sign : {-1, 1}) {
            const double from = best_.at[0];
            for (double far = kFirst * range;; far *= 4) {
                const double value = std::clamp(from + sign * far, scale_.low(), scale_.high());
                look(value);
                if (!matters(found_[value]) || value == scale_.low() || value == scale_.high()) break;
            }
        }
        for (int round = 0; round < kRounds; ++round) {
            if (std::count_if(found_.begin(), found_.end(), [&](const auto& one) { return matters(one.second); }) >= kFinalValues) return;
            const auto [low, high] = span();
            for (int i = 0; i < kFinalValues; ++i) look(low + (high - low) * (i + 0.5) / kFinalValues);
        }
    }

    bool matters(const Peak<2>& peak) const { return peak.value > best_.value - kBelow; }

    /// Between the places where values cease to matter: beside the peak a log likelihood falls as a square.
    std::pair<double, double> span() const {
        const auto matter = [&](const auto& one) { return matters(one.second); };
        const auto first = std::find_if(found_.begin(), found_.end(), matter);
        const auto last = std::find_if(found_.rbegin(), found_.rend(), matter);
        const auto end = [&](const auto& inner, const auto& outer) {
            const double in = std::sqrt(best_.value - inner.second.value), out = std::sqrt(best_.value - outer.second.value);
            return inner.first + (outer.first - inner.first) * (std::sqrt(kBelow) - in) / (out - in);
        };
        return {first == found_.begin() ? first->first : end(*first, *std::prev(first)), last == found_.rbegin() ? last->first : end(*last, *std::prev(last))};
    }

    /// Of one value, in full.
    GridPosterior posterior_at(const QueueModel& model, const Place& place) const {
        const SearchBox box = known_box(model, all_, options_);
        if (!counts_) return grid_posterior(flags_->of(model), box, place.depth, place.rate, kNear, kNear, {9, 15});
        CountFit here;
        here.depth = place.depth, here.rate = place.rate, here.scatter = scatter_;
        return grid_posterior(CountLikelihood(model, measured_, here, nuisances_), box, place.depth, place.rate, widths_.depth, widths_.rate, {7, 15});
    }

    /// Relative widths of depth and rate to begin with.
    RelativeWidths rough_widths(const QueueModel& model, const Place& place) const {
        double rooms = 0, drained = 0;
        for (const Burst& burst : sample_) rooms = std::max(rooms, model.room_as_real(burst, place.depth)), drained = std::max(drained, burst.drain() * place.rate);
        const double frames = 3 * scatter_ / std::sqrt(static_cast<double>(measured_.size()));
        return {std::clamp(frames / rooms, 1e-6, kNear), std::clamp(frames / drained, 1e-6, kNear)};
    }

    double scatter_at(const QueueModel& model, const Place& place) const {
        constexpr double kLeast = 0.2887, kMedianOfNormal = 0.6745;   // of a number rounded down
        constexpr std::size_t kFewest = 4;
        std::vector<double> off, sure;   // the latter where the closed form is right to a frame
        for (const Burst& burst : sample_) {
            if (!burst.lossy || !burst.counted) continue;
            const double residual = std::abs(kept_residual(model, burst, place.depth, place.rate)), unknown = count_uncertainty(model, burst, place.depth, place.rate);
            off.push_back(residual * kLeast / std::hypot(kLeast, unknown));
            if (unknown < 1) sure.push_back(residual);
        }
        if (sure.size() >= kFewest) off = sure;
        if (off.empty()) return kLeast;
        std::nth_element(off.begin(), off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2), off.end());
        return std::max(kLeast, off[off.size() / 2] / kMedianOfNormal);
    }

    static double most_of(const std::vector<GridPosterior>& parts) {
        double most = -HUGE_VAL;
        for (const GridPosterior& part : parts)
            if (!part.points.empty()) most = std::max(most, part.log_evidence);
        return most;
    }

    /// Each by its evidence; that of the whole is their sum.
    static GridPosterior mixture(const std::vector<GridPosterior>& parts) {
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
            for (std::size_t i = 0; i < all.nuisance_weights.size(); ++i) all.nuisance_weights[i] += weight * part.nuisance_weights[i];
        }
        all.log_evidence = most + std::log(sum);
        return all;
    }

    /// The feature at the best place, and that place.
    QueueModel likeliest() const {
        QueueModel model = with(plain_.model, feature_, scale_.value(best_.at[0]));
        model.order = orders_.front();
        return model;
    }
    Place likeliest_place() const { return moved(likeliest(), {std::exp(best_.at[1]), std::exp(best_.at[2])}); }

    /// Noise and widths differ little from one value to the next that matters: what hardly weighs at the best one is left out.
    void begin_at_likeliest() {
        const QueueModel model = likeliest();
        const Place place = likeliest_place();
        scatter_ = scatter_at(model, place);
        if (counts_) {
            CountFit about;
            about.rate = place.rate, about.scatter = scatter_;
            nuisances_ = count_nuisances(measured_, about, options_.noise);
            widths_ = rough_widths(model, place);
        } else {
            flags_.emplace(model, measured_, place.rate, options_.noise);
        }
        all_nuisances_ = nuisances();
        const GridPosterior here = posterior_at(model, place);
        if (here.points.empty()) return;
        if (counts_) {
            nuisances_ = likely(nuisances_, here.nuisance_weights);
            constexpr double kMore = 1.5, kLeast = 1e-7;
            widths_ = widths_of(here.points);
            for (double* const width : {&widths_.depth, &widths_.rate}) *width = std::max(kLeast, kMore * *width);
        } else {
            flags_->keep_likely(here.nuisance_weights);
        }
    }
    const std::vector<Nuisance>& nuisances() const { return counts_ ? nuisances_ : flags_->nuisances(); }

    /// Posteriors of values in the middle of equal parts of a range.
    struct Slices {
        double low = 0, high = 0;
        std::vector<GridPosterior> parts;
        double most() const { return most_of(parts); }
        double step() const { return (high - low) / static_cast<double>(parts.size()); }
    };

    Slices slices_between(double low, double high) const {
        std::vector<std::future<GridPosterior>> parts;
        for (int i = 0; i < kFinalValues; ++i) {
            const double at_value = low + (high - low) * (i + 0.5) / kFinalValues;
            parts.push_back(std::async(std::launch::async, [this, at_value] { return slice_at(at_value); }));
        }
        Slices all{low, high, {}};
        for (std::future<GridPosterior>& part : parts) all.parts.push_back(part.get());
        return all;
    }

    GridPosterior slice_at(double at_value) const {
        const double value = scale_.value(at_value);
        const auto nearest = std::min_element(found_.begin(), found_.end(), [&](const auto& a, const auto& b) { return std::abs(a.first - at_value) < std::abs(b.first - at_value); });
        std::vector<GridPosterior> by_order;
        for (const AskingOrder order : orders_) {
            QueueModel model = with(plain_.model, feature_, value);
            model.order = order;
            GridPosterior part = posterior_at(model, moved(model, {std::exp(nearest->second.at[0]), std::exp(nearest->second.at[1])}));
            for (SupportPoint& point : part.points) point.value = value;
            part.log_evidence += log_order_prior_;
            by_order.push_back(std::move(part));
        }
        return mixture(by_order);
    }

    /// Where depth and value replace each other, each value has a depth of its own, known better than the depth is: with few values of
    /// some weight the depths between them would be missing. Closes in until many have some.
    Slices slices() const {
        const auto [low, high] = span();
        Slices all = slices_between(low, high);
        for (int round = 0; round < kRounds && all.most() > -HUGE_VAL; ++round) {
            const auto matter = [&](const GridPosterior& part) { return !part.points.empty() && part.log_evidence > all.most() - kBelow; };
            if (2 * std::count_if(all.parts.begin(), all.parts.end(), matter) >= kFinalValues) break;
            const auto first = std::find_if(all.parts.begin(), all.parts.end(), matter) - all.parts.begin();
            const auto last = all.parts.rend() - std::find_if(all.parts.rbegin(), all.parts.rend(), matter) - 1;
            const auto edge = [&](std::ptrdiff_t i) { return std::clamp(all.low + all.step() * static_cast<double>(i), all.low, all.high); };
            all = slices_between(edge(first - 1), edge(last + 2));
        }
        return all;
    }

    std::optional<ModelFit> posterior() const {
        const Slices each = slices();
        GridPosterior all = mixture(each.parts);
        if (all.points.empty()) return std::nullopt;
        all.log_evidence += std::log(each.step() / (scale_.high() - scale_.low()));
        return filled(std::move(all));
    }

    ModelFit filled(GridPosterior posterior) const {
        ModelFit fit;
        // The likeliest point: with the median of a value that comes in steps nothing might be explained.
        const SupportPoint likeliest = *std::max_element(posterior.points.begin(), posterior.points.end(), [](const SupportPoint& a, const SupportPoint& b) { return a.weight < b.weight; });
        fit.model = with(plain_.model, feature_, likeliest.value);
        fit.model.order = orders_.front();
        double cost = 0, drain = 0;
        for (const Burst& burst : all_) cost = std::max(cost, static_cast<double>(fit.model.cost(burst))), drain = std::max(drain, burst.drain());
        // Where whole events are lost or not, the likelihood has many narrow peaks, and noise decides which is the highest: as far apart as
        // one burst scatters.
        const bool rate_known = options_.service_rate.has_value();
        if (counts_ && feature_ == Feature::Resume) {
            if (!rate_known) widen(posterior.points, &SupportPoint::rate, scatter_ / drain);
            widen(posterior.points, &SupportPoint::depth, scatter_ * cost);
        }
        // Which modules ask last is the same in all bursts: what it decides does not average out.
        if (counts_ && feature_ == Feature::UnevenUplinks && orders_.front() == AskingOrder::Unknown) {
            constexpr double kOrder = 0.002;
            if (!rate_known) widen(posterior.points, &SupportPoint::rate, kOrder * likeliest.rate);
            widen(posterior.points, &SupportPoint::depth, kOrder * likeliest.depth);
        }
        posterior.nuisance_weights = weights_of_all(all_nuisances_, nuisances(), posterior.nuisance_weights);
        take(fit, std::move(posterior), all_nuisances_);
        std::vector<std::pair<double, double>> values;
        for (const SupportPoint& point : fit.support) values.emplace_back(point.value, point.weight);
        const auto quantile = [&](double share) { return weighted_quantile(values, share); };
        fit.feature = Estimate{quantile(0.5), {}, {quantile(0.16), quantile(0.84)}, {quantile(0.025), quantile(0.975)}};
        fit.log_prior = plain_.log_prior + kFeature;
        CountFit counts{*fit.depth.value, *fit.rate.value, (*fit.depth.interval68.high - *fit.depth.interval68.low) / 2, (*fit.rate.interval68.high - *fit.rate.interval68.low) / 2, fit.correlation, scatter_,
                        fit.log_evidence, {}};
        std::vector<Burst> flags, explained;
        std::vector<int> unexplained;
        for (Burst burst : all_) {
            const double off = counts_ ? kept_residual(fit.model, burst, likeliest.depth, likeliest.rate) : 0;
            const bool lossy = static_cast<double>(burst.events) > threshold_events(fit.model, burst, likeliest.depth, likeliest.rate);
            if (lossy != burst.lossy)
                unexplained.push_back(burst.row);
            else if (burst.lossy && burst.counted && std::abs(off) > std::max(5 * std::hypot(scatter_, count_uncertainty(fit.model, burst, likeliest.depth, likeliest.rate)), 2.0))
                counts.outliers.push_back(burst.row);
            burst.counted = false;
            flags.push_back(burst);
            if (lossy == burst.lossy) explained.push_back(burst);
        }
        if (counts_) fit.counts = counts;
        fit.violating = counts.outliers;
        // The likeliest point is one of a grid's: beside it some pair may explain what it does not.
        fit.region = feasible_region(fit.model, flags, known_box(fit.model, flags, options_));
        fit.feasible = fit.region.feasible();
        if (!fit.feasible) {
            fit.violating.insert(fit.violating.end(), unexplained.begin(), unexplained.end());
            std::sort(fit.violating.begin(), fit.violating.end());
            if (!explained.empty()) fit.region = feasible_region(fit.model, explained, known_box(fit.model, explained, options_));
        }
        if (fit.region.feasible()) {
            fit.depth.hard = {static_cast<double>(fit.region.depth_low), fit.region.depth_open ? std::nullopt : std::make_optional(static_cast<double>(fit.region.depth_high))};
            fit.rate.hard = {fit.region.rate_low, fit.region.rate_open ? std::nullopt : std::make_optional(fit.region.rate_high)};
        }
        return fit;
    }

    const ModelFit& plain_;
    Feature feature_;
    const std::vector<Burst>&all_, &measured_;
    const FitOptions& options_;
    bool counts_;
    std::vector<Burst> sample_;
    Burst typical_;
    FeatureScale scale_;
    std::vector<AskingOrder> orders_{AskingOrder::Unknown};   ///< those that may be
    double log_order_prior_ = 0;
    std::vector<Place> places_;
    Point low_{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high_{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    Peak<3> best_;
    double scatter_ = 0;                     ///< frames, at the best value
    std::vector<Nuisance> nuisances_;        ///< of counts, those that are likely
    std::vector<Nuisance> all_nuisances_;
    std::optional<FlagLikelihood> flags_;    ///< at the best value
    RelativeWidths widths_;                           ///< relative, that grids begin with where there are counts
    std::map<double, Peak<2>> found_;   ///< by value: of depth and rate
};

}  // namespace

std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts) {
    std::vector<Feature> visible;
    if (plain.pools() != QueueModel::Pools::All || bursts.empty()) return visible;
    const Burst& first = bursts.front();
    const auto any = [&](auto holds) { return std::any_of(bursts.begin(), bursts.end(), holds); };
    const bool payloads = any([&](const Burst& burst) { return burst.payload != first.payload; });
    if (payloads && plain.unit != MemorySize::Unit::Frame) visible.push_back(Feature::Descriptors);
    if (any([](const Burst& burst) { return burst.lossy && burst.counted; })) visible.push_back(Feature::Resume);
    if (any([&](const Burst& burst) { return burst.uplinks != first.uplinks; })) visible.push_back(Feature::DynamicThreshold);
    if (any([](const Burst& burst) { return burst.uplinks > 1; })) visible.push_back(Feature::UnevenUplinks);
    return visible;
}

std::optional<ModelFit> fit_feature(const ModelFit& plain, Feature feature, const std::vector<Burst>& bursts, const std::vector<Burst>& measured, const FitOptions& options, bool counts) {
    if (!plain.depth.value || !plain.rate.value || *plain.rate.value <= 0) return std::nullopt;
    ModelFit start = plain;
    // What a plain memory makes of numbers of lost frames may be no memory at all; lossy and lossless bursts limit it all the same.
    if (*start.depth.value < 1) start.depth.value = plain.depth.hard.high ? plain.depth.hard.high : plain.depth.hard.low;
    if (!start.depth.value || *start.depth.value < 1) return std::nullopt;
    return FeatureSearch(start, feature, bursts, measured, options, counts).run();
}

}  // namespace watershed
