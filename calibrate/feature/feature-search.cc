// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-search.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "calibrate/posterior/evolution.h"
#include "calibrate/posterior/rough-likelihood.h"

namespace watershed {
namespace {

/// Log likelihood that a feature must gain to be worth a posterior.
constexpr double kWorth = 5;
/// Values that the search begins with at each place; others lie anywhere.
constexpr int kStarts = 3;
/// Members and generations of a search in three dimensions, and in two.
constexpr std::size_t kMembers = 24, kFewMembers = 16;
constexpr int kGenerations = 100, kFewGenerations = 40;

class FeatureSearch {
  public:
    explicit FeatureSearch(const FeatureModels& models)
        : models_(models), question_(models.question()), feature_(question_.feature) {
        if (feature_ == Feature::UnevenUplinks && question_.counts)
            orders_.assign(std::begin(kAskingOrders), std::end(kAskingOrders));
    }

    std::optional<FoundFeature> run() {
        places_.push_back({*question_.plain.depth.value, *question_.plain.rate.value});
        if (!promising()) return std::nullopt;
        add_places();
        const std::vector<Point> starts = set_limits();
        const auto without = [&](const std::array<double, 2>& x) {
            return at(question_.plain.model, {std::exp(x[0]), std::exp(x[1])});
        };
        const auto with_value = [&](const Point& x) { return at_place(x[0], {std::exp(x[1]), std::exp(x[2])}); };
        const double plain = evolve<2>(without, {low_[1], low_[2]}, {high_[1], high_[2]},
                                       {{starts.front()[1], starts.front()[2]}}, kFewMembers, kGenerations)
                                 .value;
        // Resume levels have many narrow peaks, and even loads are a broad one beside that of uneven ones.
        const int difficulty = feature_ == Feature::UnevenUplinks                                     ? 4
                               : feature_ == Feature::Resume || feature_ == Feature::DynamicThreshold ? 2
                                                                                                      : 1;
        const double least =
            feature_ == Feature::UnevenUplinks ? -HUGE_VAL : plain + worth();  // a narrow peak that is found late
        best_ = evolve<3>(with_value, low_, high_, starts, kMembers * static_cast<std::size_t>(difficulty),
                          std::min(2, difficulty) * kGenerations, least);
        if (best_.value < plain + worth()) return std::nullopt;
        keep_likely_orders();
        profile();
        return found();
    }

  private:
    /// Value on its scale, logarithms of depth and rate.
    using Point = std::array<double, 3>;

    /// Whole events are lost while a queue falls: less scatter than half an event has another reason than a resume
    /// level.
    bool promising() const {
        if (feature_ != Feature::Resume) return true;
        std::int64_t ports = INT64_MAX;
        for (const Burst& burst : models_.sample()) ports = std::min(ports, burst.ports);
        return models_.scatter_at(question_.plain.model, places_.front()) > static_cast<double>(ports) / 2;
    }

    /// The largest frames know nothing of descriptors, the bursts without loss nothing of resume levels: what they say
    /// alone is a start, too.
    void add_places() {
        std::vector<Burst> largest, flags = question_.bursts;
        std::int64_t payload = 0;
        for (const Burst& burst : question_.bursts) payload = std::max(payload, burst.payload);
        for (Burst& burst : flags) burst.counted = false;
        for (const Burst& burst : question_.bursts)
            if (burst.payload == payload) largest.push_back(burst);
        start_from(flags, question_.options);
        if (largest.size() < question_.bursts.size()) start_from(largest, question_.options);
        if (feature_ != Feature::UnevenUplinks || !question_.options.service_rate) return;
        // Even uplinks are as good as uneven ones only where they are slower, and may leave no depth at all at the rate
        // that is known.
        FitOptions unknown = question_.options;
        unknown.service_rate.reset();
        start_from(question_.bursts, unknown);
    }

    void start_from(const std::vector<Burst>& bursts, const FitOptions& options) {
        const QueueModel& plain = question_.plain.model;
        const SearchBox box = known_box(plain, bursts, options);
        const FeasibleRegion region = feasible_region(plain, bursts, box);
        if (region.feasible() && !region.depth_open && !region.rate_open)
            places_.push_back({static_cast<double>(region.depth_low + region.depth_high) / 2,
                               (region.rate_low + region.rate_high) / 2});
        else if (const auto counts = fit_counts(
                     plain, bursts,
                     options.service_rate ? std::make_optional(static_cast<double>(options.service_rate->count))
                                          : std::nullopt))
            if (counts->depth > 0 && counts->rate > 0) places_.push_back({counts->depth, counts->rate});
    }

    /// Where to search, and from where.
    std::vector<Point> set_limits() {
        // A plain memory explains uplinks of which one carries nearly all by half the rate, and bursts towards so many
        // uplinks by what the queues of most of them hold together, which may be that many times what one holds.
        int most_uplinks = 1;
        for (const Burst& burst : models_.sample()) most_uplinks = std::max(most_uplinks, burst.uplinks);
        const double factor = feature_ == Feature::UnevenUplinks      ? 2.5
                              : feature_ == Feature::DynamicThreshold ? std::max(1.5, static_cast<double>(most_uplinks))
                                                                      : 1.5;
        const FeatureScale& scale = models_.scale();
        std::vector<Point> starts;
        for (const Place& place : places_) {
            low_ = {scale.low(), std::min(low_[1], std::log(place.depth / factor)),
                    std::min(low_[2], std::log(place.rate / factor))};
            high_ = {scale.high(), std::max(high_[1], std::log(place.depth * factor)),
                     std::max(high_[2], std::log(place.rate * factor))};
            for (int i = 0; i < kStarts; ++i) {
                const double at = scale.low() + (scale.high() - scale.low()) * (i + 0.5) / kStarts;
                starts.push_back({at, std::log(place.depth), std::log(place.rate)});
                // Of two uplinks one of which is hardly used, the other must be as fast as the plain memory's two.
                if (feature_ == Feature::UnevenUplinks)
                    starts.push_back({at, std::log(place.depth / (1 + at)), std::log(place.rate * (1 + at))});
            }
        }
        const SearchBox box = known_box(question_.plain.model, question_.bursts, question_.options);
        const auto keep_within = [&](std::size_t i, double low, double high) {
            low_[i] = std::clamp(low_[i], std::log(low), std::log(high)),
            high_[i] = std::clamp(high_[i], low_[i], std::log(high));
        };
        if (box.depth_known || box.depth_bounded)
            keep_within(1, static_cast<double>(std::max<std::int64_t>(1, box.depth_low)),
                        static_cast<double>(box.depth_high));
        if (box.rate_known || box.rate_bounded) keep_within(2, std::max(1.0, box.rate_low), box.rate_high);
        return starts;
    }

    /// A resume level that is there explains each number of lost frames much better; one that is not finds luck among
    /// its many peaks.
    double worth() const {
        constexpr double kOfEach = 0.15;
        const auto numbers = std::count_if(models_.sample().begin(), models_.sample().end(),
                                           [](const Burst& burst) { return burst.lossy && burst.counted; });
        return kWorth + (feature_ == Feature::Resume ? kOfEach * static_cast<double>(numbers) : 0);
    }

    /// Without a search: the best noise at one place.
    double at(const QueueModel& model, const Place& place) const {
        const RoughLikelihood likelihood(model, models_.sample(), question_.counts);
        std::vector<double> sums(likelihood.nuisances().size(), 0);
        likelihood.add(place.depth, place.rate, sums);
        return *std::max_element(sums.begin(), sums.end());
    }
    double at_place(double at_value, const Place& place, AskingOrder order) const {
        const QueueModel model = models_.with(models_.scale().value(at_value), order);
        return at(model, models_.place(model, place));
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
            if (value > best_.value - FoundFeature::kBelow) likely.emplace_back(-value, order);
        }
        log_order_prior_ = -std::log(static_cast<double>(orders_.size()));
        std::sort(likely.begin(), likely.end());
        orders_.clear();
        for (const auto& [value, order] : likely) orders_.push_back(order);
    }

    /// The likeliest depth and rate with a value, about those of the best one so far.
    void look(double value) {
        const std::array<double, 2> middle{best_.at[1], best_.at[2]};
        const std::array<double, 2> low{std::max(low_[1], middle[0] - FoundFeature::kNear),
                                        std::max(low_[2], middle[1] - FoundFeature::kNear)};
        const std::array<double, 2> high{std::min(high_[1], middle[0] + FoundFeature::kNear),
                                         std::min(high_[2], middle[1] + FoundFeature::kNear)};
        const auto likelihood = [&](const std::array<double, 2>& x) {
            return at_place(value, {std::exp(x[0]), std::exp(x[1])});
        };
        const Peak<2> peak = evolve<2>(likelihood, low, high, {middle}, kFewMembers, kFewGenerations);
        peaks_[value] = peak;
        if (peak.value > best_.value) best_ = {{value, peak.at[0], peak.at[1]}, peak.value};
    }

    /// Values about the best one, until enough of them matter.
    void profile() {
        constexpr double kFirst = 1e-5;
        const FeatureScale& scale = models_.scale();
        const double range = scale.high() - scale.low();
        look(best_.at[0]);
        for (const int sign : {-1, 1}) {
            const double from = best_.at[0];
            for (double far = kFirst * range;; far *= 4) {
                const double value = std::clamp(from + sign * far, scale.low(), scale.high());
                look(value);
                if (!matters(peaks_[value]) || value == scale.low() || value == scale.high()) break;
            }
        }
        for (int round = 0; round < FoundFeature::kRounds; ++round) {
            if (std::count_if(peaks_.begin(), peaks_.end(), [&](const auto& one) { return matters(one.second); }) >=
                FoundFeature::kValues)
                return;
            const auto [low, high] = span();
            for (int i = 0; i < FoundFeature::kValues; ++i)
                look(low + (high - low) * (i + 0.5) / FoundFeature::kValues);
        }
    }

    bool matters(const Peak<2>& peak) const { return peak.value > best_.value - FoundFeature::kBelow; }

    /// Between the places where values cease to matter: beside the peak a log likelihood falls as a square.
    std::pair<double, double> span() const {
        const auto matter = [&](const auto& one) { return matters(one.second); };
        const auto first = std::find_if(peaks_.begin(), peaks_.end(), matter);
        const auto last = std::find_if(peaks_.rbegin(), peaks_.rend(), matter);
        const auto end = [&](const auto& inner, const auto& outer) {
            const double in = std::sqrt(best_.value - inner.second.value),
                         out = std::sqrt(best_.value - outer.second.value);
            return inner.first + (outer.first - inner.first) * (std::sqrt(FoundFeature::kBelow) - in) / (out - in);
        };
        return {first == peaks_.begin() ? first->first : end(*first, *std::prev(first)),
                last == peaks_.rbegin() ? last->first : end(*last, *std::prev(last))};
    }

    FoundFeature found() const {
        FoundFeature all;
        all.best = best_.at[0];
        all.place = {std::exp(best_.at[1]), std::exp(best_.at[2])};
        for (const auto& [value, peak] : peaks_) all.places[value] = {std::exp(peak.at[0]), std::exp(peak.at[1])};
        std::tie(all.low, all.high) = span();
        all.orders = orders_;
        all.log_order_prior = log_order_prior_;
        return all;
    }

    const FeatureModels& models_;
    const FeatureQuestion& question_;
    Feature feature_;
    std::vector<AskingOrder> orders_{AskingOrder::Unknown};  ///< those that may be
    double log_order_prior_ = 0;
    std::vector<Place> places_;  ///< of plain memories, to begin with
    Point low_{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high_{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    Peak<3> best_;
    std::map<double, Peak<2>> peaks_;  ///< by value: of depth and rate
};

}  // namespace

std::optional<FoundFeature> search_feature(const FeatureModels& models) { return FeatureSearch(models).run(); }

}  // namespace watershed
