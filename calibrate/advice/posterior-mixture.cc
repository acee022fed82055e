// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/advice/burst-planner.h"

namespace watershed {
namespace {

constexpr int kRates = 25;
constexpr int kDepthsPerRate = 40;
/// Tolerance of a number of lost frames.
constexpr std::int64_t kCountTolerance = 1;

struct DepthRange {
    std::int64_t low = 0, high = 0;
    bool empty() const { return low > high; }
};

/// Returns the least depth with at most `most` lost frames, or one beyond the range; deeper memories never lose more.
std::int64_t least_depth(const QueueModel& model, const Burst& burst, double rate, const DepthRange& range,
                         std::int64_t most) {
    return first_of(range.low, range.high + 1, [&](std::int64_t depth) {
        const std::int64_t room = model.room(burst, depth);
        return room >= 1 && frames_lost(model, burst, room, burst.drained(rate)) <= most;
    });
}

/// Returns the depths that explain the burst.
DepthRange explains(const QueueModel& model, const Burst& burst, double rate, const DepthRange& range) {
    if (!burst.lossy) return {least_depth(model, burst, rate, range, 0), range.high};
    if (!burst.counted) return {range.low, least_depth(model, burst, rate, range, 0) - 1};
    const std::int64_t tolerance = kCountTolerance + excess_loss(model, burst);
    const std::int64_t fewest = std::max<std::int64_t>(1, burst.lost - tolerance);
    return {least_depth(model, burst, rate, range, burst.lost + kCountTolerance),
            least_depth(model, burst, rate, range, fewest - 1) - 1};
}

/// Returns the longest lossless and shortest lossy burst of each kind and separation; the others follow.
std::vector<Burst> decisive(const std::vector<Burst>& bursts) {
    std::map<std::tuple<std::int64_t, int, std::int64_t, Time, bool>, const Burst*> chosen;
    for (const Burst& burst : bursts) {
        const Burst*& best = chosen[{burst.ports, burst.uplinks, burst.payload, burst.spacing, burst.lossy}];
        if (!best || (burst.lossy ? burst.events < best->events : burst.events > best->events)) best = &burst;
    }
    return transformed_values(chosen, [](const auto& kind) { return *kind.second; });
}

/// Returns the prior's depths in the unit of another model.
DepthRange depths_of(const Prior& prior, const QueueModel& model) {
    const double scale = double(model.cost(prior.usual)) / double(prior.model.cost(prior.usual));
    const double least = prior.model.sharing != model.sharing && model.sharing == Buffer::Sharing::PerInput
                             ? double(model.cost(prior.usual))
                             : prior.depth_low * scale;
    return {std::max<std::int64_t>(1, std::llround(least)), std::llround(prior.depth_high * scale)};
}

/// Returns weighted rates of the prior: near the scenario's or at other link speeds, or uniform.
std::vector<std::pair<double, double>> rates_of(const Prior& prior) {
    const bool normal = prior.rate_spread < 0.5;
    std::vector<std::pair<double, double>> rates;
    double sum = 0;
    for (int i = 0; i < kRates; ++i) {
        const double sigmas = -2 + 4.0 * i / (kRates - 1), weight = normal ? std::exp(-sigmas * sigmas / 2) : 1;
        rates.emplace_back(prior.rate * std::exp(sigmas * prior.rate_spread), weight);
        sum += weight;
    }
    constexpr double kOtherSpeeds = 0.1;  // total weight of other link speeds
    constexpr int kDoublings = 5;         // factors of two between link speeds
    for (int i = -kDoublings; i <= kDoublings && normal && !prior.rate_measured; ++i)
        if (i != 0) rates.emplace_back(std::ldexp(prior.rate, i), kOtherSpeeds * sum / (2 * kDoublings));
    return rates;
}

/// Returns depths that explain all bursts for each rate, with prior weights.
std::vector<PosteriorPoint> assumed(const Prior& prior, const QueueModel& model, const std::vector<Burst>& bursts) {
    std::vector<PosteriorPoint> points;
    for (const auto& [rate, weight] : rates_of(prior)) {
        DepthRange range = depths_of(prior, model);
        for (auto burst = bursts.begin(); burst != bursts.end() && !range.empty(); ++burst)
            range = explains(model, *burst, rate, range);
        if (range.empty()) continue;
        const double low = double(range.low), factors = std::log((double(range.high) + 1) / low);
        for (int j = 0; j < kDepthsPerRate; ++j)
            points.push_back({std::floor(low * std::exp(factors * (j + 0.5) / kDepthsPerRate)), rate, factors * weight,
                              model.value});
    }
    return points;
}

bool will_count(const std::optional<Fit>& fit, const Prior& prior) {
    if (!fit) return prior.counts;
    if (fit->options.counts == CountUse::Flag) return false;
    const bool any_lossy = boost::algorithm::any_of(fit->bursts, [](const Burst& burst) { return burst.lossy; });
    return any_lossy ? any_loss_counted(fit->bursts) : prior.counts;
}

/// Returns a kind with its noise and loss, if more likely present than absent.
MixtureKind kind_of(const ModelFit& one, const FitOptions& options) {
    MixtureKind kind{one.model, one.probability};
    if (const auto& known = options.noise) kind.noise = NoiseModel::of(known->low, known->relative);
    bool estimated = false;  // disturbances have their own estimates
    const auto adopt = [&](const Disturbance& disturbance, double& value) {
        estimated |= &value != &kind.loss;
        if (disturbance.value && (disturbance.known || disturbance.probability >= 0.5)) value = *disturbance.value;
    };
    for (const Disturbance& disturbance : one.disturbances) {
        if (disturbance.name == "noise-length") adopt(disturbance, kind.noise.length);
        if (disturbance.name == "noise-frames") adopt(disturbance, kind.noise.frames);
        if (disturbance.name == "loss") adopt(disturbance, kind.loss);
        if (disturbance.name == "loss-ahead") kind.loss_ahead = disturbance.probability >= 0.5;
    }
    if (!estimated && one.noise && one.noise->value)
        (one.noise->relative ? kind.noise.length : kind.noise.frames) = *one.noise->value;
    return kind;
}

bool determined(const ModelFit& one) { return one.depth.value && one.rate.value && !one.support.empty(); }

/// Returns at most `most` equally weighted points, at equal steps of the cumulative weight.
std::vector<PosteriorPoint> thinned(std::vector<PosteriorPoint> points, std::size_t most) {
    if (points.size() <= most) return points;
    boost::sort(points, [](const PosteriorPoint& a, const PosteriorPoint& b) {
        return std::tie(a.depth, a.rate) < std::tie(b.depth, b.rate);
    });
    double total = 0, sum = 0;
    for (const PosteriorPoint& point : points) total += point.weight;
    std::vector<PosteriorPoint> some;
    for (const PosteriorPoint& point : points) {
        sum += point.weight;
        while (some.size() < most && sum >= total * (double(some.size()) + 0.5) / double(most)) {
            some.push_back(point);
            some.back().weight = total / double(most);
        }
    }
    return some;
}

/// Adds the points of a kind, weighted by its probability.
void add_points(PosteriorMixture& mixture, std::vector<PosteriorPoint> points, std::size_t kind) {
    double total = 0;
    for (const PosteriorPoint& point : points) total += point.weight;
    for (PosteriorPoint& point : points) {
        point.kind = kind;
        point.weight *= mixture.kinds[kind].probability / total;
        mixture.points.push_back(point);
    }
}

std::vector<PosteriorPoint> fitted(const ModelFit& one) {
    return transformed_values(one.support, [](const SupportPoint& point) { return PosteriorPoint{point}; });
}

/// Narrows the prior rate by the peaks of lossless bursts, which determine it even if nothing bounds the depth.
Prior with_rate_of_peaks(const Prior& prior, const Fit& fit) {
    if (boost::algorithm::none_of(fit.bursts,
                                  [](const Burst& burst) { return burst.peak && !burst.lossy && burst.events > 1; }))
        return prior;
    const Estimate& rate = fit.best().rate;
    if (!rate.value || !rate.interval95.low || !rate.interval95.high) return prior;
    constexpr double kWidth95 = 2 * 1.96;  // standard deviations
    Prior narrowed = prior;
    narrowed.rate = *rate.value;
    narrowed.rate_measured = true;
    narrowed.rate_spread =
        std::min(prior.rate_spread, std::log(*rate.interval95.high / *rate.interval95.low) / kWidth95);
    return narrowed;
}

}  // namespace

Prior prior_of(const Scenario& scenario, const Conditions& conditions) {
    Prior prior;
    const LossMapRow row{scenario.front_end.modules, scenario.frame.payload, Time{0}, 1, 1, 1, std::nullopt};
    prior.usual = bursts_of({conditions.scenario, {row}}, conditions, CountUse::Flag).front();
    prior.slot = prior.usual.spacing;
    prior.model = {conditions.sharing,
                   conditions.unit == MemorySize::Unit::Byte ? MemorySize::Unit::Byte : MemorySize::Unit::Frame};
    constexpr double kTimesDeeper = 100, kRateSpread = 0.02;
    prior.depth_low =
        double(prior.model.cost(prior.usual) * (conditions.sharing == Buffer::Sharing::Shared ? prior.usual.ports : 1));
    prior.depth_high = kTimesDeeper * std::max(prior.depth_low, double(scenario.network_switch.buffer.size.amount));
    prior.rate = double(scenario.network_switch.uplink_rate.count);
    prior.rate_spread = kRateSpread;
    return prior;
}

Prior prior_of(const std::vector<Burst>& bursts, const QueueModel& model, const Conditions& conditions, bool counts) {
    Prior prior;
    prior.model = model;
    prior.usual = first_row(bursts);
    prior.slot = Time{std::int64_t(std::ceil(bit_picoseconds(prior.usual.wire) / double(conditions.link_rate.count)))};
    const SearchBox box = search_box(prior.model, bursts);
    constexpr double kTimesDeeper = 100, kRateFactor = 10;
    prior.depth_low = double(prior.model.cost(prior.usual));
    prior.depth_high = kTimesDeeper * double(box.depth_high);
    prior.rate = box.rate_high / kRateFactor;
    prior.rate_spread = std::log(kRateFactor) / 2;  // from a hundredth of the rate that the closest triggers need
    prior.counts = counts;
    return prior;
}

Prior prior_of(const Fit& fit) {
    return prior_of(fit.bursts, fit.best().model, fit.conditions, fit.options.counts != CountUse::Flag);
}

PosteriorMixture posterior_mixture_of(const std::optional<Fit>& fit, const Prior& any_prior) {
    Prior prior = any_prior;
    std::optional<PeakReading> peak;
    if (fit) {
        for (const Burst& burst : fit->bursts)
            if (burst.peak) peak = burst.peak;
        if (peak) prior = with_rate_of_peaks(prior, *fit);
    }
    PosteriorMixture mixture;
    mixture.counts = will_count(fit, prior);
    mixture.peak = peak;
    mixture.kinds = {MixtureKind{prior.model}};
    if (fit) {
        mixture.wire = largest_row(fit->bursts).wire;
        mixture.kinds = {kind_of(fit->best(), fit->options)};
        double undetermined = 0;
        for (const ModelFit& one : fit->models)
            if (!determined(one)) undetermined += one.probability;
        constexpr double kTail = 0.025;  // tail of a 95 % interval
        mixture.measured = determined(fit->best()) && undetermined < kTail;
    }
    if (mixture.measured) {
        mixture.kinds.clear();
        std::vector<const ModelFit*> fits;
        for (const ModelFit& one : fit->models)
            if (&one == &fit->best() || (determined(one) && one.probability >= kLeastProbable))
                mixture.kinds.push_back(kind_of(one, fit->options)), fits.push_back(&one);
        double total = 0;
        for (const MixtureKind& kind : mixture.kinds) total += kind.probability;
        constexpr double kMost = 1500, kFewest = 150;  // numbers of points per kind
        for (std::size_t i = 0; i < fits.size(); ++i) {
            mixture.kinds[i].probability /= total;
            std::vector<PosteriorPoint> points = fitted(*fits[i]);
            if (fits.size() > 1)
                points =
                    thinned(std::move(points), std::size_t(std::max(kFewest, kMost * mixture.kinds[i].probability)));
            add_points(mixture, std::move(points), i);
        }
        return mixture;
    }
    const QueueModel& model = mixture.kinds.front().model;
    mixture.kinds.front().probability = 1;
    // The reported kind is used as fitted if the bursts bound it, even if they do not bound others.
    std::vector<PosteriorPoint> points =
        fit && determined(fit->best()) ? fitted(fit->best())
                                       : assumed(prior, model, fit ? decisive(fit->bursts) : std::vector<Burst>());
    // The map contradicts the whole prior and bounds nothing.
    if (points.empty()) points = fitted(fit->best());
    if (points.empty()) points = assumed(prior, model, {});
    add_points(mixture, std::move(points), 0);
    return mixture;
}

}  // namespace watershed
