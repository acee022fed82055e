// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/proposals.h"

namespace watershed {
namespace {

/// Number of noise levels with a tabulated width.
constexpr int kLevels = 32;
constexpr double kFewestFrames = 0.05, kHighestFrames = 2000, kLeastLength = 1e-4, kLongest = 0.5;
/// Fraction of draws from the prior.
constexpr double kAnywhere = 0.2;
/// Factor by which correlations widen a coordinate.
constexpr double kTimesWider = 4;
/// Degrees of freedom of Student's t, and its width over that of the posterior.
constexpr double kFreedom = 3, kWider = 1.4;

double level(double least, double most, int i) { return least * std::pow(most / least, double(i) / (kLevels - 1)); }
std::size_t nearest(double least, double most, double value) {
    return std::size_t(
        std::clamp(std::lround(std::log(std::max(value, least) / least) / std::log(most / least) * (kLevels - 1)), 0L,
                   static_cast<long>(kLevels) - 1));
}

/// Returns the uncertainty of the log of a bucket.
double log_bucket_of(const BurstLikelihood& likelihood) { return likelihood.has_peaks() ? 0.1 : 0.3; }

/// Degrees of freedom of Student's t, and its width over that of the samples.
constexpr int kFreedomOfShape = 4;
constexpr double kWiderThanSamples = 1.15;
/// Log odds beyond which no coordinate is drawn.
constexpr double kFarthest = 20;

/// Rounds to 24 bits, which are equal on every processor.
double in_few_digits(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(mantissa * 0x1p24), exponent - 24);
}

double share_within(const ParameterPrior::MixtureComponent& component, double at) {
    constexpr double kEdge = 1e-9;
    return std::clamp((at - component.low) / (component.high - component.low), kEdge, 1 - kEdge);
}

}  // namespace

InitialProposal::InitialProposal(const BurstLikelihood& likelihood, const ParameterPrior& prior,
                                 const QueueModel& model, const std::vector<LikelihoodMode>& modes)
    : likelihood_(likelihood), prior_(prior) {
    for (const LikelihoodMode& mode : modes)
        if (mode.scatter != Scatter::Nuisance || prior.coordinate_of_nuisance(mode.nuisance))
            centres_.push_back(centre_at(mode, model));
    stay_near_the_likeliest();
}

InitialProposal::Centre InitialProposal::centre_at(const LikelihoodMode& mode, const QueueModel& model) const {
    Centre centre;
    static_cast<LikelihoodMode&>(centre) = mode;
    const double filled = centre.at.depth * prior_.feature().fraction_filled(centre.feature);
    centre.depth_or_rate = std::log(prior_.has_depth() ? filled + prior_.bucket_depth(centre.at) : centre.at.rate);
    centre.rate = std::log(centre.at.rate);
    BurstParameters parameters = centre.at;
    parameters.noise_frames = parameters.noise_length = parameters.traffic = 0;
    const bool by_length = mode.scatter == Scatter::Length;
    for (int i = 0; i < kLevels; ++i) {
        (by_length ? parameters.noise_length : parameters.noise_frames) =
            by_length ? level(kLeastLength, kLongest, i) : level(kFewestFrames, kHighestFrames, i);
        centre.scales.push_back(scale_at(likelihood_, model, parameters));
    }
    return centre;
}

const InitialProposal::Centre& InitialProposal::best() const {
    return *std::max_element(centres_.begin(), centres_.end(),
                             [](const Centre& a, const Centre& b) { return a.log_likelihood < b.log_likelihood; });
}

const InitialProposal::Centre& InitialProposal::centre_of(const BurstParameters& parameters) const {
    const auto nuisance =
        std::find_if(parameters.nuisances.begin(), parameters.nuisances.end(), [](double value) { return value != 0; });
    const bool has_nuisance = nuisance != parameters.nuisances.end();
    const auto which = has_nuisance ? std::size_t(nuisance - parameters.nuisances.begin()) : 0;
    const Scatter scatter = has_nuisance                  ? Scatter::Nuisance
                            : parameters.noise_length > 0 ? Scatter::Length
                            : parameters.traffic > 0      ? Scatter::Traffic
                                                          : Scatter::Frames;
    const auto found = std::find_if(centres_.begin(), centres_.end(),
                                    [&](const Centre& one) { return one.scatter == scatter && one.nuisance == which; });
    return found == centres_.end() ? centres_.front() : *found;
}

void InitialProposal::stay_near_the_likeliest() {
    const double log_bucket = log_bucket_of(likelihood_);
    const BurstParameters& at = best().at;
    const auto loss = prior_.coordinate(ParameterPrior::Parameter::Loss),
               bucket = prior_.coordinate(ParameterPrior::Parameter::Bucket);
    if (at.loss > 0 && loss) {
        double lost = 1;
        for (std::size_t i = 0; i < likelihood_.size(); ++i) lost += at.loss * double(likelihood_.burst(i).fragments());
        const double share = prior_.loss_share(at.loss);
        near_.push_back(
            {*loss, share, kWider * std::abs(prior_.loss_share(at.loss * (1 + 1 / std::sqrt(lost))) - share), {}});
    }
    if (at.bucket > 0 && bucket) {
        const double share = prior_.bucket_share(at.bucket);
        near_.push_back({*bucket, share, std::abs(prior_.bucket_share(at.bucket * std::exp(-log_bucket)) - share), {}});
    }
    for (const std::size_t one : prior_.nuisances())
        if (const double value = at.nuisances[one]; value != 0) {
            const double share = ParameterPrior::nuisance_share(one, value), none = nuisance_models()[one].none;
            near_.push_back({*prior_.coordinate_of_nuisance(one),
                             share,
                             kTimesWider * width_of([&](double step) {
                                 BurstParameters off = at;
                                 const double there = std::clamp(share + step, none, 1.0);
                                 off.nuisances[one] = nuisance_models()[one].value((there - none) / (1 - none));
                                 return off;
                             }),
                             {}});
        }
    stay_near_the_feature();
    near_.erase(std::remove_if(near_.begin(), near_.end(), [](const Near& one) { return !(one.width > 0); }),
                near_.end());
}

/// Returns the change of a coordinate at which the likelihood falls, all else equal.
/// @param off  function that returns the mode's parameters with the coordinate changed
template <class Off>
double InitialProposal::width_of(const Off& off) const {
    constexpr double kLeast = 1e-6, kMost = 0.5, kStep = 2, kFall = 0.5;
    const double most = likelihood_.log_likelihood(best().at) - kFall;
    double width = kLeast;
    while (width < kMost && likelihood_.log_likelihood(off(width)) >= most &&
           likelihood_.log_likelihood(off(-width)) >= most)
        width *= kStep;
    return width;
}

void InitialProposal::stay_near_the_feature() {
    const auto feature = prior_.coordinate(ParameterPrior::Parameter::Feature),
               order = prior_.coordinate(ParameterPrior::Parameter::Order);
    if (!feature) return;
    const Centre& centre = best();
    const double filled = prior_.has_depth() ? centre.at.depth * prior_.feature().fraction_filled(centre.feature) : 0;
    const auto with_share = [&](double share) {
        BurstParameters off = centre.at;
        if (prior_.has_depth()) off.depth = filled / prior_.feature().fraction_filled(share);
        off.feature = prior_.feature().value(share, off.depth);
        return off;
    };
    const double width = width_of([&](double step) { return with_share(std::clamp(centre.feature + step, 0.0, 1.0)); });
    near_.push_back({*feature, centre.feature, kTimesWider * width, as_likely(with_share)});
    if (order) near_.push_back({*order, ParameterPrior::order_share(centre.at.order), 1.0 / 12, {}});
}

std::vector<double> InitialProposal::as_likely(const std::function<BurstParameters(double)>& with_share) const {
    constexpr double kWorse = 3, kFewest = 1000, kMost = 20'000;
    const double least = likelihood_.log_likelihood(best().at) - kWorse;
    // A step of a frame.
    const auto steps = int(std::clamp(best().at.depth / likelihood_.most_cost(), kFewest, kMost));
    const auto log_likelihood = [&](int i) {
        return i < steps ? likelihood_.log_likelihood(with_share((i + 0.5) / steps), least) : -HUGE_VAL;
    };
    std::vector<double> peaks;
    double before = -HUGE_VAL, at = log_likelihood(0);
    for (int i = 0; i < steps; ++i) {
        const double after = log_likelihood(i + 1);
        if (at >= least && at > before && at >= after) peaks.push_back((i + 0.5) / steps);
        before = at, at = after;
    }
    return peaks;
}

double InitialProposal::Near::draw(RandomBits& random) const {
    if (uniform(random) <= kAnywhere) return uniform(random);
    const auto which = std::size_t(uniform(random) * double(others.size() + 1));
    const double middle = which < others.size() ? others[which] : at;
    const double low = std::atan(-middle / width), high = std::atan((1 - middle) / width);
    return middle + width * std::tan(low + (high - low) * uniform(random));
}

double InitialProposal::Near::log_density(double share) const {
    double sum = 0;
    const auto add = [&](double middle) {
        const double low = std::atan(-middle / width), high = std::atan((1 - middle) / width);
        sum += 1 / ((high - low) * width * (1 + std::pow((share - middle) / width, 2)));
    };
    add(at);
    for (const double other : others) add(other);
    return std::log(kAnywhere + (1 - kAnywhere) * sum / double(others.size() + 1));
}

InitialProposal::Scale InitialProposal::scale_at(const BurstLikelihood& likelihood, const QueueModel& model,
                                                 const BurstParameters& parameters) const {
    constexpr double kRounding = 0.3, kRangeOfPrior = 2;  // frames^2; logarithms
    double dd = 1 / (kRangeOfPrior * kRangeOfPrior), dr = 0,
           rr = dd + prior_.precision_of_rate(std::log(parameters.rate));
    for (std::size_t i = 0; i < likelihood.size(); ++i) {
        const Burst& burst = likelihood.burst(i);
        const double by_depth = model.feature == Feature::DynamicThreshold || model.has_reserve()
                                    ? likelihood.held(i, parameters)
                                    : double(model.memories(burst)) *
                                          (parameters.depth + prior_.bucket_depth(parameters)) /
                                          double(model.cost(burst));
        const double drained = burst.uplinks * burst.drain() * parameters.rate,
                     most = double((burst.events - 1) * burst.ports);
        const double by_rate = drained < most ? drained : 0;
        const double over = likelihood.overflow(i, parameters), sigma = likelihood.deviation(i, parameters),
                     variance = sigma * sigma + kRounding;
        double weight = 0;
        if (burst.lossy && burst.counted) {
            const double off = (over - double(burst.lost) * (1 - parameters.loss)) / (3 * std::sqrt(variance));
            weight = 1 / variance / (1 + off * off);
        } else {
            weight = 0.5 / (variance + over * over);
        }
        if (likelihood.peak(i).read()) {
            const double open = prior_.coordinate(ParameterPrior::Parameter::Bucket)
                                    ? log_bucket_of(likelihood) * parameters.bucket / double(burst.wire)
                                    : 0;
            const double peak_weight = 1 / (variance + likelihood.peak(i).variance() + open * open);
            (burst.lossy ? dd : rr) += peak_weight * std::pow(burst.lossy ? by_depth : by_rate, 2);
        }
        dd += weight * by_depth * by_depth, dr += weight * by_depth * by_rate, rr += weight * by_rate * by_rate;
    }
    Scale scale;
    if (prior_.has_depth() && prior_.has_rate()) {
        const double determinant = std::max(dd * rr - dr * dr, 1e-12 * dd * rr);
        const double vd = rr / determinant, vr = dd / determinant, v = -dr / determinant;
        scale.a = kWider * std::sqrt(vd), scale.b = kWider * v / std::sqrt(vd),
        scale.c = kWider * std::sqrt(std::max(vr - v * v / vd, 1e-12 * vr));
        scale.log_determinant = std::log(scale.a) + std::log(scale.c);
    } else {
        scale.a = kWider / std::sqrt(prior_.has_depth() ? dd : rr);
        scale.log_determinant = std::log(scale.a);
    }
    return scale;
}

const InitialProposal::Scale& InitialProposal::scale_of(const Centre& centre, const BurstParameters& parameters) const {
    if (centre.scatter == Scatter::Length)
        return centre.scales[nearest(kLeastLength, kLongest, parameters.noise_length)];
    return centre.scales[nearest(kFewestFrames, kHighestFrames,
                                 parameters.traffic > 0 || parameters.noise_length > 0 ? likelihood_.width(parameters)
                                                                                       : parameters.noise_frames)];
}

Point InitialProposal::draw(RandomBits& random) const {
    Point point(prior_.dimensions());
    for (std::size_t k = prior_.leading(); k < point.size(); ++k) point[k] = uniform(random);
    for (const Near& one : near_) point[one.coordinate] = one.draw(random);
    const std::size_t leading = prior_.leading();
    const double anywhere = uniform(random);
    if (leading == 0) return point;
    BurstParameters parameters = prior_.given();
    prior_.read(point, parameters);
    if (anywhere < kAnywhere) {
        if (prior_.has_depth())
            point[0] = std::log(std::exp(prior_.log_depth(uniform(random))) + prior_.bucket_depth(parameters));
        if (prior_.has_rate()) point[leading - 1] = prior_.log_rate(uniform(random));
        return point;
    }
    const Centre& centre = centre_of(parameters);
    const Scale& scale = scale_of(centre, parameters);
    // Student's t from a normal pair over the root of a chi-squared number; the squared length of the pair is
    // exponential.
    const double angle = 2 * M_PI * uniform(random), length = std::sqrt(-2 * std::log(uniform(random)));
    double chi = 0;
    for (int i = 0; i < int(kFreedom); ++i)
        chi += -2 * std::log(uniform(random)) * std::pow(std::cos(2 * M_PI * uniform(random)), 2);
    const double far = length / std::sqrt(chi / kFreedom), x = far * std::cos(angle), y = far * std::sin(angle);
    if (leading == 2)
        point[0] = centre.depth_or_rate + scale.a * x, point[1] = centre.rate + scale.b * x + scale.c * y;
    else
        point[0] = centre.depth_or_rate + scale.a * x;
    return point;
}

double InitialProposal::log_density(const Point& point, const BurstParameters& parameters) const {
    const std::size_t leading = prior_.leading();
    double others = 0;
    for (const Near& one : near_) others += one.log_density(point[one.coordinate]);
    if (leading == 0) return others;
    const double prior = prior_.log_density(point);
    const Centre& centre = centre_of(parameters);
    const Scale& scale = scale_of(centre, parameters);
    const auto d = double(leading);
    double square = 0;
    if (leading == 2) {
        const double x = (point[0] - centre.depth_or_rate) / scale.a,
                     y = (point[1] - centre.rate - scale.b * x) / scale.c;
        square = x * x + y * y;
    } else {
        square = std::pow((point[0] - centre.depth_or_rate) / scale.a, 2);
    }
    static const double kConstant[] = {
        std::lgamma((kFreedom + 1) / 2) - std::lgamma(kFreedom / 2) - std::log(kFreedom * M_PI) / 2,
        std::lgamma((kFreedom + 2) / 2) - std::lgamma(kFreedom / 2) - std::log(kFreedom * M_PI)};
    const double student =
        kConstant[leading - 1] - (kFreedom + d) / 2 * std::log1p(square / kFreedom) - scale.log_determinant;
    const double a = std::log(kAnywhere) + prior, b = std::log(1 - kAnywhere) + student, most = std::max(a, b);
    return others + most + std::log(std::exp(a - most) + std::exp(b - most));
}

AdaptiveProposal::AdaptiveProposal(const ParameterPrior& prior, const std::vector<Point>& samples) : prior_(prior) {
    const std::size_t n = prior.dimensions(),
                      others = prior.coordinate(ParameterPrior::Parameter::LeavesAtOnce).value_or(n);
    std::map<std::string, std::vector<const Point*>> groups;
    if (prior.has_depth()) part_depths(samples);
    for (const Point& point : samples) groups[side(point) + components_of(point, others)].push_back(&point);
    for (const auto& [causes, members] : groups) {
        if (members.size() < 3 * n) continue;
        Point mean(n), covariance(n * n), origin(n), off(n);
        for (std::size_t k = 0; k < n; ++k) origin[k] = straightened(k, (*members.front())[k]);
        for (const Point* const point : members)
            for (std::size_t i = 0; i < n; ++i) {
                mean[i] += off[i] = straightened(i, (*point)[i]) - origin[i];
                for (std::size_t j = 0; j <= i; ++j) covariance[i * n + j] += off[i] * off[j];
            }
        const auto size = double(members.size());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                covariance[j * n + i] = covariance[i * n + j] =
                    covariance[i * n + j] / size - mean[i] / size * (mean[j] / size);
        for (std::size_t i = 0; i < n; ++i) mean[i] = origin[i] + in_few_digits(mean[i] / size);
        for (const Point* const point : members) {
            const auto [shape, is_new] = shapes_.try_emplace(side(*point) + components_of(*point, n));
            if (is_new) shape->second = shape_of(mean, covariance, *point);
            ++shape->second.samples;
        }
    }
    for (const auto& [key, shape] : shapes_) until_.push_back(shape.samples + (until_.empty() ? 0 : until_.back()));
    for (auto& [key, shape] : shapes_) shape.log_constant += std::log(shape.samples / until_.back());
}

void AdaptiveProposal::part_depths(const std::vector<Point>& samples) {
    if (samples.empty()) return;
    constexpr double kGap = 4;  // quartile distances
    std::vector<double> depths = transformed_values(samples, [](const Point& point) { return point[0]; });
    std::sort(depths.begin(), depths.end());
    const std::size_t n = depths.size(), middle = n / 2;
    const double gap = kGap * (depths[3 * n / 4] - depths[n / 4]);
    for (std::size_t i = middle; i > 0 && lowest_ == -HUGE_VAL; --i)
        if (depths[i] - depths[i - 1] > gap) lowest_ = (depths[i] + depths[i - 1]) / 2;
    for (std::size_t i = middle; i + 1 < n && highest_ == HUGE_VAL; ++i)
        if (depths[i + 1] - depths[i] > gap) highest_ = (depths[i] + depths[i + 1]) / 2;
}

std::string AdaptiveProposal::components_of(const Point& point, std::size_t coordinates) const {
    std::string key;
    for (std::size_t k = prior_.leading(); k < coordinates; ++k) key += char(100 * component_of(k, point[k]).low);
    return key;
}

double AdaptiveProposal::straightened(std::size_t coordinate, double at) const {
    if (coordinate < prior_.leading()) return at;
    const ParameterPrior::MixtureComponent within = component_of(coordinate, at);
    if (within.is_atom) return within.low > 0;
    const double share = share_within(within, at);
    return std::log(share / (1 - share));
}

AdaptiveProposal::Shape AdaptiveProposal::shape_of(const std::vector<double>& mean,
                                                   const std::vector<double>& covariance, const Point& at) const {
    const std::size_t n = at.size();
    Shape shape;
    for (std::size_t k = 0; k < n; ++k) shape.order.push_back(k), shape.components.push_back(component_of(k, at[k]));
    shape.known = std::size_t(std::stable_partition(shape.order.begin(), shape.order.end(),
                                                    [&](auto k) { return shape.components[k].is_atom; }) -
                              shape.order.begin());
    shape.lower.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = shape.order[i];
        shape.mean.push_back(mean[k]);
        shape.log_constant -= std::log(shape.components[k].high - shape.components[k].low);
        for (std::size_t j = 0; j <= i; ++j) {
            constexpr double kOwn = 1e-6, kLeast = 1e-4, kLeastOfLogarithm = 1e-16;
            double sum = covariance[k * n + shape.order[j]];
            if (i == j) sum = (1 + kOwn) * std::max(0.0, sum) + (k < prior_.leading() ? kLeastOfLogarithm : kLeast);
            const double own = sum;
            for (std::size_t m = 0; m < j; ++m) sum -= shape.lower[i * n + m] * shape.lower[j * n + m];
            shape.lower[i * n + j] =
                in_few_digits(i == j ? std::sqrt(std::max(sum, kOwn * own)) : sum / shape.lower[j * n + j]);
        }
        if (i < shape.known) {
            double off = straightened(k, at[k]) - mean[k];
            for (std::size_t m = 0; m < i; ++m) off -= shape.lower[i * n + m] * shape.z[m];
            shape.z.push_back(in_few_digits(off / shape.lower[i * n + i]));
        } else {
            for (std::size_t m = shape.known; m <= i; ++m) shape.lower[i * n + m] *= kWiderThanSamples;
            shape.log_constant -= std::log(shape.lower[i * n + i]);
        }
    }
    const auto open = double(n - shape.known);
    shape.log_constant += std::lgamma((kFreedomOfShape + open) / 2) - std::lgamma(kFreedomOfShape / 2.0) -
                          open / 2 * std::log(kFreedomOfShape * M_PI);
    return shape;
}

Point AdaptiveProposal::draw(RandomBits& random) const {
    const auto chosen = std::upper_bound(until_.begin(), std::prev(until_.end()), uniform(random) * until_.back());
    const Shape& shape = shapes_.nth(std::size_t(chosen - until_.begin()))->second;
    const std::size_t n = shape.order.size();
    Point point(n);
    const auto place = [&](std::size_t k, double share) {
        point[k] = shape.components[k].low + (shape.components[k].high - shape.components[k].low) * share;
    };
    for (std::size_t i = 0; i < shape.known; ++i) place(shape.order[i], uniform(random));
    const auto normal = [&] {
        return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * M_PI * uniform(random));
    };
    for (bool inside = false; !inside;) {
        inside = true;
        double chi = 0;
        for (int i = 0; i < kFreedomOfShape; ++i) chi += std::pow(normal(), 2);
        std::vector<double> z = shape.z;
        for (std::size_t i = shape.known; i < n; ++i) {
            z.push_back(normal() / std::sqrt(chi / kFreedomOfShape));
            double y = shape.mean[i];
            for (std::size_t m = 0; m <= i; ++m) y += shape.lower[i * n + m] * z[m];
            const std::size_t k = shape.order[i];
            if (k < prior_.leading())
                point[k] = y;
            else
                inside &= std::abs(y) < kFarthest, place(k, 1 / (1 + std::exp(-y)));
        }
    }
    return point;
}

double AdaptiveProposal::log_density(const Point& point) const {
    const std::size_t n = point.size();
    const std::string key = components_of(point, n);
    std::vector<double> logs;
    for (const char* side = kSides; *side; ++side) {
        const auto found = shapes_.find(*side + key);
        if (found != shapes_.end()) logs.push_back(log_density(found->second, point));
    }
    return logs.empty() ? -HUGE_VAL : log_sum(logs);
}

double AdaptiveProposal::log_density(const Shape& shape, const Point& point) const {
    const std::size_t n = point.size();
    std::vector<double> z = shape.z;
    double square = 0, slope = 1;
    for (std::size_t i = shape.known; i < n; ++i) {
        const std::size_t k = shape.order[i];
        double off = straightened(k, point[k]) - shape.mean[i];
        for (std::size_t m = 0; m < i; ++m) off -= shape.lower[i * n + m] * z[m];
        z.push_back(off / shape.lower[i * n + i]);
        square += z[i] * z[i];
        if (k < prior_.leading()) continue;
        const double share = share_within(shape.components[k], point[k]);
        slope *= share * (1 - share);
    }
    return shape.log_constant - std::log(slope) -
           (kFreedomOfShape + double(n - shape.known)) / 2 * std::log1p(square / kFreedomOfShape);
}

}  // namespace watershed
