// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/initial-proposal.h"

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

}  // namespace watershed
