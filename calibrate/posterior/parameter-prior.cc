// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {
namespace {

// Priors that calibrate/README.md states. kNo...: prior probability that the effect is absent. kLeast..., kMost...:
// range of the effect otherwise, uniform in its logarithm if both are given.
constexpr double kNoNoise = 0.15;                       // else in frames or in ln(burst length), equally probable
constexpr double kLeastFrames = 0.1, kMostFrames = 60;  // standard deviation in frames
constexpr double kMostLength = 0.3;                     // standard deviation of ln(burst length)
constexpr double kNoLoss = 0.75, kLeastLoss = 1e-6, kMostLoss = 0.5;
constexpr double kAhead = 0.5;  // probability that random loss is ahead of the memory
constexpr double kNoBucket = 0.5, kLeastBucket = 64, kMostBucket = 65536;  // bytes
constexpr double kNoTraffic = 0.5, kLeastTraffic = 1e-3, kMostTraffic = 0.3;
constexpr double kLeastBatch = 84, kMostBatch = 65536;  // bytes on the link
constexpr double kLeastFrame = 84, kMostFrame = 1538;   // bytes of a frame, with preamble and gap
constexpr double kMostLikelyLoad = 20;  // load at the longest spacing up to which half of the prior is even
constexpr double kAboutNominal = 0.5, kNear = 0.02;  // probability and relative distance of a rate near the nominal one
constexpr double kLeastStray = 1e-3, kMostStray = 0.2;
constexpr double kLeavesAtOnce = 0.3;
constexpr double kNoConstant = 0.65, kConstant = 1;  // standard deviation of BurstParameters::constant, frames
constexpr std::size_t kMostConstants = 6;
constexpr std::size_t kOrders = std::size(kAskingOrders);

/// Returns the fraction of the frames that come to the memory. Coordinates are of a memory with all of them: they stay
/// when the place of the loss changes.
double arrive(const BurstParameters& parameters) { return parameters.loss_ahead ? 1 - parameters.loss : 1; }

double log_uniform(double least, double most, double share) { return least * std::pow(most / least, share); }

/// Value of BurstParameters::constant for a prior quantile: normal, with an atom at 0; and the inverse.
double constant_of(double share) {
    return share < kNoConstant ? 0 : kConstant * normal_quantile((share - kNoConstant) / (1 - kNoConstant));
}
double share_of(double constant) { return kNoConstant + (1 - kNoConstant) * normal_cdf(constant / kConstant); }

/// Uniform between given limits; else an atom at 0 and log-uniform in a range.
double value_of(const std::optional<KnownRange>& limits, double none, double least, double most, double share) {
    if (limits) return limits->low + share * (limits->high - limits->low);
    return share < none ? 0 : log_uniform(least, most, (share - none) / (1 - none));
}

/// Inverse of value_of() for a value above 0.
double share_of(const std::optional<KnownRange>& limits, double none, double least, double most, double value) {
    constexpr double kInside = 1e-9;
    const double share = limits ? (value - limits->low) / (limits->high - limits->low)
                                : none + (1 - none) * std::log(value / least) / std::log(most / least);
    return std::clamp(share, kInside, 1 - kInside);
}

/// Factor by which a depth may exceed the search range, if nothing bounds it.
constexpr double kTimesDeeper = 20;

}  // namespace

KnownRange log_depths_of(const SearchBox& box) {
    return {std::log(double(std::max<std::int64_t>(1, box.depth_low))),
            std::log(double(box.depth_high) + 1) + (box.depth_known || box.depth_bounded ? 0 : std::log(kTimesDeeper))};
}

ParameterPrior::ParameterPrior(const BurstLikelihood& likelihood, const QueueModel& model, const SearchBox& box,
                               const FitOptions& options)
    : options_(options),
      model_(model),
      depth_per_bucket_(likelihood.depth_per_bucket()),
      feature_(model, likelihood.bursts()),
      counted_(likelihood.counted()),
      log_depths_(log_depths_of(box)) {
    has_depth_ = !box.depth_known && box.depth_low < box.depth_high;
    has_rate_ = !box.rate_known;
    given_.depth = double(box.depth_low);
    given_.rate = box.rate_high;
    if (has_depth_) coordinates_.push_back(Parameter::Depth);
    if (has_rate_) coordinates_.push_back(Parameter::Rate);
    leading_ = coordinates_.size();
    if (model.feature != Feature::None) feature_at_ = coordinates_.size(), coordinates_.push_back(Parameter::Feature);
    const auto take = [&](const auto& known, double& value, Parameter parameter, bool identifiable = true) {
        if (is_given(known))
            value = known->low;
        else if (identifiable)
            coordinates_.push_back(parameter);
    };
    take(options.bucket, given_.bucket, Parameter::Bucket, likelihood.identifies_bucket());
    correlated_ = coordinates_.size();
    const bool exact = options.noise && options.noise->none(), by_length = options.noise && options.noise->relative;
    take(options.noise, by_length ? given_.noise_length : given_.noise_frames, Parameter::Noise);
    take(options.loss, given_.loss, Parameter::Loss);
    take(options.traffic, given_.traffic, Parameter::Traffic,
         counted_);  // without counts, noise of the length stands for it
    if (counted_ && (!is_given(options.traffic) || given_.traffic > 0))
        coordinates_.insert(coordinates_.end(), {Parameter::TrafficBatch, Parameter::TrafficMemory});
    bucket_ = coordinate(Parameter::Bucket);
    given_.nuisances.assign(nuisance_models().size(), 0.0);
    first_nuisance_ = coordinates_.size();
    const std::vector<Burst> bursts = likelihood.bursts();
    for (std::size_t i = 0; i < nuisance_models().size() && !exact; ++i)
        if (nuisance_models()[i].is_identifiable(bursts, counted_))
            nuisances_.push_back(i), coordinates_.push_back(Parameter::Nuisance);
    if (model.feature == Feature::UnevenUplinks && counted_) coordinates_.push_back(Parameter::Order);
    if (counted_ && (coordinate(Parameter::Loss) || given_.loss > 0)) coordinates_.push_back(Parameter::LossAhead);
    coordinates_.push_back(Parameter::Stray);
    if (model.pools() == QueueModel::Pools::Input && counted_) coordinates_.push_back(Parameter::Excess);
    if (counted_ && !exact) {
        coordinates_.push_back(Parameter::LeavesAtOnce);
        constants_ = coordinates_.size();
        coordinates_.insert(coordinates_.end(), std::min(likelihood.mixes().size(), kMostConstants),
                            Parameter::Constant);
        given_.constant.assign(likelihood.mixes().size(), 0.0);
    }

    if (options.depth_prior && has_depth_) {
        const Burst largest = largest_row(bursts);
        const ChosenPrior prior = options.depth_prior->scaled(
            double(model.cost(largest)) /
            (options.depth_prior->unit == MemorySize::Unit::Byte ? double(largest.buffer) : 1));
        log_depths_ = prior.log_range();
        depths_ = LogDensity(prior);
    }
    if (options.rate_prior && has_rate_) {
        rates_ = LogDensity(*options.rate_prior);
        return;
    }
    // One half is Jeffreys's prior of the rate. The other half is log-uniform for loads up to twenty, and falls in
    // proportion to lower rates.
    const std::vector<double> sent = transformed_values(bursts, sent_per_rate);
    const double low = std::log(box.least_rate()), high = std::max(std::log(box.rate_high), low + 1e-12),
                 step = (high - low) / LogDensity::kSteps,
                 least_likely = std::max(low, high - std::log(kMostLikelyLoad)),
                 all_even = high - least_likely + 1 - std::exp(low - least_likely);
    std::vector<double> densities;
    double sum = 0;
    for (int i = 0; i <= LogDensity::kSteps; ++i) {
        const double log_rate = low + step * i;
        densities.push_back(std::exp(log_rate - high + log_spread_of_slopes(sent, std::exp(log_rate))));
        if (i > 0) sum += (densities[std::size_t(i)] + densities[std::size_t(i) - 1]) / 2;
    }
    if (options.nominal_rate && !model.per_packet) {
        const double nominal = double(options.nominal_rate->count);
        near_low_ = std::max(std::log(nominal * (1 - kNear)), low);
        near_high_ = std::min(std::log(nominal * (1 + kNear)), high);
    }
    const double wide = near_low_ < near_high_ ? 1 - kAboutNominal : 1;
    const auto steps_near = std::floor((near_high_ - low) / step) - std::ceil((near_low_ - low) / step) + 1;
    const double near = (1 - wide) / (std::max(1.0, steps_near) * step);
    for (int i = 0; i <= LogDensity::kSteps; ++i) {
        const double log_rate = low + step * i, even = std::exp(std::min(0.0, log_rate - least_likely)) / all_even,
                     jeffreys = densities[std::size_t(i)];
        densities[std::size_t(i)] =
            wide * (0.5 * jeffreys / (sum * step) + 0.5 * even) + (is_near(log_rate) ? near : 0);
    }
    rates_ = {low, high, densities};
}

double ParameterPrior::log_density(const std::vector<double>& point) const {
    double log = 0;
    if (has_depth_) {
        const double own = std::exp(point[0]) - bucket_of(point) * depth_per_bucket_,
                     log_own = std::log(std::max(own, 1e-300)), log_depth = log_own - std::log(fraction_filled(point));
        if (log_depth < log_depths_.low || log_depth > log_depths_.high) return -HUGE_VAL;
        log += point[0] - log_own +
               (depths_.empty() ? -std::log(log_depths_.high - log_depths_.low) : depths_.at(log_depth));
    }
    if (has_rate_) {
        const double log_rate = point[leading_ - 1];
        if (log_rate < rates_.low() || log_rate > rates_.high()) return -HUGE_VAL;
        log += log_density_of_rate(log_rate);
    }
    return log;
}

ParameterPrior::MixtureComponent ParameterPrior::component_of(std::size_t coordinate, double share) const {
    const auto one_of = [&](double low, bool known) {
        return known         ? MixtureComponent{}
               : share < low ? MixtureComponent{0, low, true}
                             : MixtureComponent{low, 1, false};
    };
    switch (coordinates_[coordinate]) {
        case Parameter::Noise: {
            if (options_.noise) return one_of(kNoNoise, options_.noise->low > 0);
            const double of_length = counted_ ? (1 + kNoNoise) / 2 : kNoNoise;
            return share >= of_length ? MixtureComponent{of_length, 1, false}
                   : share < kNoNoise ? MixtureComponent{0, kNoNoise, true}
                                      : MixtureComponent{kNoNoise, of_length, false};
        }
        case Parameter::Loss: return one_of(kNoLoss, options_.loss.has_value());
        case Parameter::Bucket: return one_of(kNoBucket, options_.bucket.has_value());
        case Parameter::Traffic: return one_of(kNoTraffic, options_.traffic.has_value());
        case Parameter::Nuisance:
            return one_of(nuisance_models()[nuisances_[coordinate - first_nuisance_]].none, false);
        case Parameter::Order: {
            const double step = 1.0 / kOrders, low = std::floor(share / step) * step;
            return {low, low + step, true};
        }
        case Parameter::LossAhead:
            return share < kAhead ? MixtureComponent{0, kAhead, true} : MixtureComponent{kAhead, 1, true};
        case Parameter::LeavesAtOnce:
            return share < kLeavesAtOnce ? MixtureComponent{0, kLeavesAtOnce, true}
                                         : MixtureComponent{kLeavesAtOnce, 1, true};
        case Parameter::Constant: return one_of(kNoConstant, false);
        default: return {};
    }
}

double ParameterPrior::loss_share(double loss) const {
    return share_of(options_.loss, kNoLoss, kLeastLoss, kMostLoss, loss);
}

double ParameterPrior::bucket_share(double bytes) const {
    return share_of(options_.bucket, kNoBucket, kLeastBucket, kMostBucket, bytes);
}

void ParameterPrior::keep(const std::vector<std::size_t>& nuisances, bool loss) {
    if (const auto ahead = coordinate(Parameter::LossAhead); ahead && !loss) {
        coordinates_.erase(coordinates_.begin() + std::ptrdiff_t(*ahead));
        if (has_constants()) --constants_;
    }
    const auto fewer = std::ptrdiff_t(nuisances_.size() - nuisances.size()), first = std::ptrdiff_t(first_nuisance_);
    coordinates_.erase(coordinates_.begin() + first, coordinates_.begin() + first + fewer);
    if (has_constants()) constants_ -= std::size_t(fewer);
    nuisances_ = nuisances;
}

double ParameterPrior::order_share(AskingOrder order) {
    return (double(std::find(std::begin(kAskingOrders), std::end(kAskingOrders), order) - std::begin(kAskingOrders)) +
            0.5) /
           kOrders;
}

double ParameterPrior::bucket(double share) const {
    return value_of(options_.bucket, kNoBucket, kLeastBucket, kMostBucket, share);
}

double ParameterPrior::traffic_memory(double share) const {
    constexpr std::int64_t kPreambleAndGap = 20;
    const double wire = log_uniform(kLeastFrame, kMostFrame, share);
    Burst others;
    others.buffer = std::llround(wire) - kPreambleAndGap;
    return double(model_.cost(others)) / wire;
}

double ParameterPrior::slide(std::vector<double>& point, const BurstLikelihood& likelihood, double depth_change,
                             double value_change, bool toggle) const {
    BurstParameters before = given_;
    read(point, before);
    BurstParameters after = before;
    after.depth += depth_change;
    // Log volume of depth and value in the coordinates of a point.
    const auto log_slope = [&](double value) {
        return std::log(fraction_filled(point)) - point[0] + (feature_at_ ? feature_.log_slope(value) : 0);
    };
    const double value = feature_at_ ? feature_.unrounded(point[*feature_at_], before.depth) : 0,
                 other_value = value + value_change;
    if (!(after.depth >= 1) || (feature_at_ && !(other_value > 0))) return NAN;
    double log_volume = -log_slope(value), sooner = 0;
    if (toggle) {
        double& share = point[constants_ - 1];
        const bool at_once = share < kLeavesAtOnce;
        share = at_once ? kLeavesAtOnce + share / kLeavesAtOnce * (1 - kLeavesAtOnce)
                        : (share - kLeavesAtOnce) / (1 - kLeavesAtOnce) * kLeavesAtOnce;
        log_volume += std::log((1 - kLeavesAtOnce) / kLeavesAtOnce) * (at_once ? 1 : -1);
        sooner = at_once ? -1 : 1;
    }
    if (feature_at_) {
        double& share = point[*feature_at_];
        share = feature_.share(other_value, after.depth);
        if (!(share > 0 && share < 1)) return NAN;
        after.feature = feature_.value(share, after.depth);
    }
    for (std::size_t k = constants_; k < coordinates_.size(); ++k) {
        const int mix = int(k - constants_);
        const double more = likelihood.frames_more(mix, before, after) + sooner * likelihood.uplinks(mix);
        if (more == 0) continue;
        if (point[k] < kNoConstant) return NAN;
        const double constant = constant_of(point[k]), other = constant + more;
        constexpr double kFar = 6;
        if (std::abs(other) > kFar * kConstant) return NAN;
        point[k] = share_of(other);
        log_volume += (constant * constant - other * other) / (2 * kConstant * kConstant);
    }
    point[0] = std::log(after.depth / arrive(after) * fraction_filled(point) + bucket_depth(after));
    return log_volume + log_slope(other_value);
}

double ParameterPrior::trade_traffic(std::vector<double>& point, const BurstLikelihood& likelihood,
                                     const BurstLikelihood::Likeness& likeness, double factor) const {
    const auto traffic = coordinate(Parameter::Traffic), batch = coordinate(Parameter::TrafficBatch);
    if (!traffic || options_.traffic) return NAN;
    BurstParameters parameters = given_;
    read(point, parameters);
    const double more = parameters.traffic * factor;
    if (more <= kLeastTraffic || more >= kMostTraffic) return NAN;
    const double before = parameters.traffic / (1 - parameters.traffic), after = more / (1 - more),
                 shift = (before - after) * likelihood.likeness_share(parameters);
    // Each coordinate is shifted by a function of those before it, so volumes stay.
    point[*traffic] = share_of(options_.traffic, kNoTraffic, kLeastTraffic, kMostTraffic, more);
    point[*batch] += std::log(before / after) / std::log(kMostBatch / kLeastBatch);
    if (has_depth_) point[0] += shift * likeness.depth;
    if (has_rate_) point[leading_ - 1] += shift * likeness.rate;
    return 0;
}

double ParameterPrior::log_undisturbed(std::size_t bursts) const {
    double log = 0;
    for (const Parameter one : coordinates_) switch (one) {
            case Parameter::Noise:
                log += std::log(options_.noise && options_.noise->low > 0 ? 1e-300 : kNoNoise);
                break;
            case Parameter::Loss: log += std::log(options_.loss && options_.loss->low > 0 ? 1e-300 : kNoLoss); break;
            case Parameter::Bucket:
                log += std::log(options_.bucket && options_.bucket->low > 0 ? 1e-300 : kNoBucket);
                break;
            case Parameter::Traffic:
                log += std::log(options_.traffic && options_.traffic->low > 0 ? 1e-300 : kNoTraffic);
                break;
            case Parameter::Stray:
                log += std::log1p(-kLeastStray) * double(bursts) - std::log(2.0);
                break;  // a few times the least fraction at most
            case Parameter::LeavesAtOnce: log += std::log1p(-kLeavesAtOnce); break;
            case Parameter::Constant: log += std::log(kNoConstant); break;
            default: break;
        }
    for (const std::size_t one : nuisances_) log += std::log(nuisance_models()[one].none);
    return log;
}

void ParameterPrior::set_noise(BurstParameters& parameters, double share) const {
    parameters.noise_frames = parameters.noise_length = 0;
    const auto& known = options_.noise;
    const double none = known && known->low > 0 ? 0 : kNoNoise;
    if (share < none) return;
    double rest = (share - none) / (1 - none);
    const bool either = !known && counted_, relative = known ? known->relative : !counted_ || rest >= 0.5;
    if (either) rest = relative ? 2 * rest - 1 : 2 * rest;
    const double level = known      ? (known->low > 0 ? log_uniform(known->low, known->high, rest) : known->high * rest)
                         : relative ? kMostLength * rest * rest
                                    : log_uniform(kLeastFrames, kMostFrames, rest);
    (relative ? parameters.noise_length : parameters.noise_frames) = level;
}

void ParameterPrior::read(const std::vector<double>& point, BurstParameters& parameters) const {
    std::size_t constant = 0;
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
        const double share = point[i];
        switch (coordinates_[i]) {
            case Parameter::Depth: parameters.depth = std::exp(share); break;
            case Parameter::Rate: parameters.rate = std::exp(share); break;
            case Parameter::Noise: set_noise(parameters, share); break;
            case Parameter::Loss:
                parameters.loss = value_of(options_.loss, kNoLoss, kLeastLoss, kMostLoss, share);
                break;
            case Parameter::Bucket: parameters.bucket = bucket(share); break;
            case Parameter::Traffic:
                parameters.traffic = value_of(options_.traffic, kNoTraffic, kLeastTraffic, kMostTraffic, share);
                break;
            case Parameter::TrafficBatch: parameters.traffic_batch = log_uniform(kLeastBatch, kMostBatch, share); break;
            case Parameter::TrafficMemory: parameters.traffic_memory = traffic_memory(share); break;
            case Parameter::Nuisance: {
                const std::size_t at = nuisances_[i - first_nuisance_];
                const NuisanceModel& model = nuisance_models()[at];
                parameters.nuisances[at] =
                    share < model.none ? 0 : model.value((share - model.none) / (1 - model.none));
                break;
            }
            case Parameter::Feature: break;  // once the depth is known
            case Parameter::Order:
                parameters.order = kAskingOrders[std::min(std::size_t(share * kOrders), kOrders - 1)];
                break;
            case Parameter::LossAhead: parameters.loss_ahead = share < kAhead && parameters.loss > 0; break;
            case Parameter::Stray: parameters.stray = log_uniform(kLeastStray, kMostStray, share); break;
            case Parameter::Excess:
                parameters.excess = std::pow(std::sin(M_PI / 2 * share), 2);
                break;  // Jeffreys's prior of a share
            case Parameter::LeavesAtOnce: parameters.leaves_at_once = share < kLeavesAtOnce; break;
            case Parameter::Constant: parameters.constant[constant++] = constant_of(share); break;
        }
    }
    if (has_depth_)
        parameters.depth = (parameters.depth - bucket_depth(parameters)) / fraction_filled(point) * arrive(parameters);
    if (has_rate_) parameters.rate *= arrive(parameters);
    if (feature_at_) parameters.feature = feature_.value(point[*feature_at_], parameters.depth);
}

}  // namespace watershed
