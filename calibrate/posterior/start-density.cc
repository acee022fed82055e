// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/start-density.h"

#include <algorithm>
#include <cmath>

#include "calibrate/closed-form/burst-sample.h"
#include "calibrate/posterior/evolution.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// Levels of noise for which the width of the posterior is tabled.
constexpr int kLevels = 32;
constexpr double kFewestFrames = 0.05, kHighestFrames = 2000, kLeastLength = 1e-4, kLongest = 0.5;
/// Of the start, drawn from the prior.
constexpr double kAnywhere = 0.2;
/// What goes with a coordinate may make it so much less certain than it is by itself.
constexpr double kTimesWider = 4;
/// Degrees of freedom of Student's distribution, and how much wider than the posterior it is taken.
constexpr double kFreedom = 3, kWider = 1.4;

double level(double least, double most, int i) {
    return least * std::pow(most / least, static_cast<double>(i) / (kLevels - 1));
}
std::size_t nearest(double least, double most, double value) {
    return static_cast<std::size_t>(
        std::clamp(std::lround(std::log(std::max(value, least) / least) / std::log(most / least) * (kLevels - 1)), 0L,
                   static_cast<long>(kLevels) - 1));
}

/// How well the logarithm of a bucket is known, where there is one.
double log_bucket_of(const BurstLaw& law) { return law.has_peaks() ? 0.1 : 0.3; }

}  // namespace

StartDensity::StartDensity(const BurstLaw& law, const ParameterPrior& prior, const QueueModel& model,
                           const std::vector<BurstParameters>& hints)
    : law_(law), prior_(prior) {
    std::vector<BurstParameters> places;
    if (model.feature == Feature::None) places = exact_pairs(law, model);
    places.insert(places.end(), hints.begin(), hints.end());
    const std::vector<BurstParameters> peaks = places_of_peaks(model, law.bursts());
    places.insert(places.end(), peaks.begin(), peaks.end());
    const BurstParameters given = prior.given();
    const auto seek_by = [&](Scatter scatter, std::size_t further = 0) {
        centres_.push_back(model.feature == Feature::None ? seek<5>(scatter, further, law, model, places)
                                                          : seek<6>(scatter, further, law, model, places));
    };
    // A feature is sought with one kind of scatter: either leads to it.
    if (!law.counted() || (given.noise_frames == 0 && (model.feature == Feature::None || given.noise_length > 0)))
        seek_by(Scatter::Length);
    if (law.counted() && given.noise_length == 0) seek_by(Scatter::Frames);
    if (model.feature == Feature::None) {
        if (prior.coordinate(ParameterPrior::What::Traffic)) seek_by(Scatter::Traffic);
        for (const std::size_t one : prior.laws()) seek_by(Scatter::Further, one);
    }
    stay_near_the_likeliest();
}

const StartDensity::Centre& StartDensity::best() const {
    return *std::max_element(centres_.begin(), centres_.end(),
                             [](const Centre& a, const Centre& b) { return a.log_likelihood < b.log_likelihood; });
}

const StartDensity::Centre& StartDensity::centre_of(const BurstParameters& parameters) const {
    const auto further =
        std::find_if(parameters.further.begin(), parameters.further.end(), [](double value) { return value != 0; });
    const bool has_further = further != parameters.further.end();
    const auto which = has_further ? static_cast<std::size_t>(further - parameters.further.begin()) : 0;
    const Scatter scatter = has_further                   ? Scatter::Further
                            : parameters.noise_length > 0 ? Scatter::Length
                            : parameters.traffic > 0      ? Scatter::Traffic
                                                          : Scatter::Frames;
    const auto found = std::find_if(centres_.begin(), centres_.end(),
                                    [&](const Centre& one) { return one.scatter == scatter && one.law == which; });
    return found == centres_.end() ? centres_.front() : *found;
}

void StartDensity::stay_near_the_likeliest() {
    const double log_bucket = log_bucket_of(law_);
    const BurstParameters& at = best().at;
    const auto loss = prior_.coordinate(ParameterPrior::What::Loss),
               bucket = prior_.coordinate(ParameterPrior::What::Bucket);
    if (at.loss > 0 && loss) {
        double lost = 1;
        for (std::size_t i = 0; i < law_.size(); ++i) lost += at.loss * static_cast<double>(law_.burst(i).fragments());
        const double share = prior_.loss_share(at.loss);
        near_.push_back(
            {*loss, share, kWider * std::abs(prior_.loss_share(at.loss * (1 + 1 / std::sqrt(lost))) - share)});
    }
    if (at.bucket > 0 && bucket) {
        const double share = prior_.bucket_share(at.bucket);
        near_.push_back({*bucket, share, std::abs(prior_.bucket_share(at.bucket * std::exp(-log_bucket)) - share)});
    }
    for (const std::size_t one : prior_.laws())
        if (const double value = at.further[one]; value != 0) {
            const double share = ParameterPrior::law_share(one, value), none = further_laws()[one].none;
            near_.push_back({*prior_.coordinate_of_law(one), share,
                             kTimesWider * width_of([&](double step) {
                                 BurstParameters off = at;
                                 const double there = std::clamp(share + step, none, 1.0);
                                 off.further[one] = further_laws()[one].value((there - none) / (1 - none));
                                 return off;
                             })});
        }
    stay_near_the_feature();
    near_.erase(std::remove_if(near_.begin(), near_.end(), [](const Near& one) { return !(one.width > 0); }),
                near_.end());
}

/// About how far a coordinate may be off before the likelihood falls, if all else stays.
/// @param off  the likeliest parameters with this coordinate so much larger
template <class Off>
double StartDensity::width_of(const Off& off) const {
    constexpr double kLeast = 1e-6, kMost = 0.5, kStep = 2, kFall = 0.5;
    const double most = law_.log_likelihood(best().at) - kFall;
    double width = kLeast;
    while (width < kMost && law_.log_likelihood(off(width)) >= most && law_.log_likelihood(off(-width)) >= most)
        width *= kStep;
    return width;
}

void StartDensity::stay_near_the_feature() {
    const auto feature = prior_.coordinate(ParameterPrior::What::Feature),
               order = prior_.coordinate(ParameterPrior::What::Order);
    if (!feature) return;
    const Centre& centre = best();
    const double filled = prior_.has_depth() ? centre.at.depth * prior_.feature().part_filled(centre.feature) : 0;
    const double width = width_of([&](double step) {
        BurstParameters off = centre.at;
        const double share = std::clamp(centre.feature + step, 0.0, 1.0);
        if (prior_.has_depth()) off.depth = filled / prior_.feature().part_filled(share);
        off.feature = prior_.feature().value(share, off.depth);
        return off;
    });
    near_.push_back({*feature, centre.feature, kTimesWider * width});
    if (order) near_.push_back({*order, ParameterPrior::order_share(centre.at.order), 1.0 / 12});
}

double StartDensity::Near::draw(RandomBits& random) const {
    if (uniform(random) <= kAnywhere) return uniform(random);
    const double low = std::atan(-at / width), high = std::atan((1 - at) / width);
    return at + width * std::tan(low + (high - low) * uniform(random));
}

double StartDensity::Near::log_density(double share) const {
    const double low = std::atan(-at / width), high = std::atan((1 - at) / width), off = (share - at) / width;
    return std::log(kAnywhere + (1 - kAnywhere) / ((high - low) * width * (1 + off * off)));
}

std::vector<BurstParameters> exact_pairs(const BurstLaw& law, const QueueModel& model) {
    constexpr std::size_t kMostPairs = 40;
    std::vector<const Burst*> counted;
    for (std::size_t i = 0; i < law.size(); ++i)
        if (law.burst(i).lossy && law.burst(i).counted) counted.push_back(&law.burst(i));
    if (counted.size() < 2) return {};
    std::vector<std::pair<const Burst*, const Burst*>> chosen;
    if (counted.size() * counted.size() <= 2 * kMostPairs) {
        for (const Burst* a : counted)
            for (const Burst* b : counted)
                if (a < b) chosen.emplace_back(a, b);
    } else {
        RandomBits random(1);
        const auto pick = [&] {
            return counted[static_cast<std::size_t>(uniform(random) * static_cast<double>(counted.size()))];
        };
        for (std::size_t i = 0; i < kMostPairs; ++i) chosen.emplace_back(pick(), pick());
    }
    // Bursts that the memory took whole show the losses at random alone.
    std::vector<double> shares;
    for (const Burst* burst : counted)
        shares.push_back(static_cast<double>(burst->lost) / static_cast<double>(burst->fragments()));
    std::sort(shares.begin(), shares.end());
    std::vector<double> losses{0};
    for (const double quantile : {0.1, 0.25, 0.5})
        losses.push_back(shares[static_cast<std::size_t>(quantile * static_cast<double>(shares.size() - 1))]);
    std::vector<BurstParameters> all;
    for (const double loss : losses)
        for (const auto& [a, b] : chosen) {
            const auto room = [&](const Burst& burst) {
                return static_cast<double>(model.memories(burst)) / static_cast<double>(model.cost(burst));
            };
            const auto drain = [](const Burst& burst) { return burst.uplinks * burst.drain(); };
            const auto kept = [&](const Burst& burst) {
                return static_cast<double>(burst.fragments() - burst.lost) / (1 - loss) + 0.5;
            };
            const double determinant = room(*a) * drain(*b) - room(*b) * drain(*a);
            if (std::abs(determinant) <= 1e-9 * room(*a) * drain(*b)) continue;
            BurstParameters parameters;
            parameters.depth = (kept(*a) * drain(*b) - kept(*b) * drain(*a)) / determinant;
            parameters.rate = (room(*a) * kept(*b) - room(*b) * kept(*a)) / determinant;
            parameters.loss = loss;
            if (parameters.depth > 0 && parameters.rate > 0 && loss < 1) all.push_back(parameters);
        }
    return all;
}

void StartDensity::centre_depth(BurstParameters& parameters, const BurstLaw& law) const {
    if (!prior_.has_depth()) return;
    constexpr int kSteps = 4;
    for (int step = 0; step < kSteps; ++step) {
        std::vector<double> factors;
        for (std::size_t i = 0; i < law.size(); ++i) {
            const Burst& burst = law.burst(i);
            const double held = law.held(i, parameters);
            if (burst.lossy && burst.counted && held >= 1)
                factors.push_back((held + law.overflow(i, parameters) - static_cast<double>(burst.lost)) / held);
        }
        if (factors.empty()) return;
        constexpr double kFar = 3;
        parameters.depth = std::max(1.0, parameters.depth * std::clamp(median(std::move(factors)), 1 / kFar, kFar));
    }
}

std::pair<double, double> StartDensity::memory_and_descriptors(BurstParameters parameters, const BurstLaw& law) const {
    parameters.feature = HUGE_VAL;  // as if there were enough
    std::int64_t least = INT64_MAX, most = 0;
    for (std::size_t i = 0; i < law.size(); ++i)
        if (const Burst& burst = law.burst(i); burst.lossy && burst.counted)
            least = std::min(least, burst.buffer), most = std::max(most, burst.buffer);
    std::vector<double> depths, counts;
    for (std::size_t i = 0; i < law.size(); ++i) {
        const Burst& burst = law.burst(i);
        if (!burst.lossy || !burst.counted) continue;
        const double held = law.held(i, parameters),
                     room = held + law.overflow(i, parameters) - static_cast<double>(burst.lost);
        if (burst.buffer == most && held >= 1) depths.push_back(parameters.depth * (room + 0.5) / held);
        if (burst.buffer == least) counts.push_back(room);
    }
    if (depths.empty()) return {parameters.depth, parameters.depth};
    return {median(std::move(depths)), std::round(median(std::move(counts)))};
}

template <std::size_t N>
StartDensity::Centre StartDensity::seek(Scatter scatter, std::size_t further, const BurstLaw& law,
                                        const QueueModel& model, const std::vector<BurstParameters>& places) const {
    constexpr bool kFeature = N > 5;
    // A drift, depth and rate replace each other; values of features have narrow peaks.
    constexpr std::size_t kMembers = kFeature ? 64 : 32;
    const int generations = kFeature ? 80 : scatter == Scatter::Further ? 150 : 45;
    constexpr double kStray = 0.02, kLeastLoss = 1e-7, kMostLoss = 0.5, kNone = 0.1, kNoLoss = 0.3, kNoBucket = 0.5,
                     kLeastBucket = 64, kMostBucket = 65536,
                     kVolume = 4;  // what a further law's part of the prior usually costs
    // Depth, rate, scatter, loss, bucket; or in place of the last how dense others lie in the memory, or what a further
    // law is told by; and the value of a feature.
    using Place = std::array<double, N>;
    const BurstParameters given = prior_.given();
    const DisturbanceLaw& sought_law = further_laws()[further];
    const double log_depths = prior_.log_depth(1) - prior_.log_depth(0),
                 log_rates = prior_.log_rate(1) - prior_.log_rate(0);
    const bool has_bucket = prior_.coordinate(ParameterPrior::What::Bucket).has_value(),
               orders = prior_.coordinate(ParameterPrior::What::Order).has_value();
    const auto read = [&](const Place& at) {
        BurstParameters parameters = given;
        if (prior_.has_depth()) parameters.depth = std::exp(prior_.log_depth(0) + at[0] * log_depths);
        if (prior_.has_rate()) parameters.rate = std::exp(prior_.log_rate(0) + at[1] * log_rates);
        if (scatter == Scatter::Traffic) {
            constexpr double kLeastTraffic = 3e-4, kOfThree = 1000, kBatch = 1500;
            parameters.traffic = kLeastTraffic * std::pow(kOfThree, at[2]);
            parameters.traffic_batch = kBatch;
            parameters.traffic_memory = prior_.traffic_memory(at[4]);
        } else {
            if (parameters.noise_frames == 0 && parameters.noise_length == 0)
                (scatter == Scatter::Length ? parameters.noise_length : parameters.noise_frames) =
                    at[2] < kNone                ? 0
                    : scatter == Scatter::Length ? 0.003 * std::pow(100, at[2])
                                                 : 0.3 * std::pow(1000, at[2]);
            if (scatter == Scatter::Further)
                parameters.further[further] = sought_law.most * (sought_law.either_way ? 2 * at[4] - 1 : at[4]);
            else if (has_bucket && at[4] > kNoBucket)
                parameters.bucket =
                    kLeastBucket * std::pow(kMostBucket / kLeastBucket, (at[4] - kNoBucket) / (1 - kNoBucket));
            if (prior_.has_depth()) parameters.depth = std::max(1.0, parameters.depth - prior_.ahead(parameters));
        }
        if (at[3] > kNoLoss && prior_.coordinate(ParameterPrior::What::Loss))
            parameters.loss = kLeastLoss * std::pow(kMostLoss / kLeastLoss, at[3]);
        if constexpr (kFeature) {
            if (prior_.has_depth()) parameters.depth /= prior_.feature().part_filled(at[5]);
            parameters.feature = prior_.feature().value(at[5], parameters.depth);
        }
        parameters.stray = kStray;
        return parameters;
    };
    // Features take longer: of larger maps some bursts tell as well where to look.
    constexpr std::size_t kMostSought = 60;
    std::optional<BurstLaw> of_some;
    if (kFeature && law.size() > kMostSought) of_some.emplace(model, sample_of(law.bursts(), kMostSought), law.mixes());
    const BurstLaw& sought = of_some ? *of_some : law;
    const auto log_prior = [&](const BurstParameters& parameters) {
        return prior_.log_density_of_rate(std::log(parameters.rate)) +
               (scatter == Scatter::Further ? ParameterPrior::log_odds_of_law(further) - kVolume : 0);
    };
    /// With the order of asking that suits it best.
    const auto likeliest_order = [&](BurstParameters parameters) {
        std::pair<double, AskingOrder> best{-HUGE_VAL, AskingOrder::Unknown};
        for (const AskingOrder order : kAskingOrders) {
            parameters.order = order;
            const double value = sought.log_likelihood(parameters, best.first);
            if (value > best.first) best = {value, order};
            if (!orders) break;
        }
        return best;
    };
    const auto log_likelihood = [&](const Place& at) {
        const BurstParameters parameters = read(at);
        return likeliest_order(parameters).first + log_prior(parameters);
    };
    const auto inside = [](double x) { return std::clamp(x, 1e-6, 1 - 1e-6); };
    constexpr std::size_t kValues = kFeature ? 24 : 0;
    std::vector<std::pair<double, Place>> starts, best_of_value(kValues, {HUGE_VAL, Place{}});
    for (const BurstParameters& place : places)
        for (const double noise : {0.05, 0.2, 0.6}) {
            const double loss =
                place.loss > 0 ? std::log(place.loss / kLeastLoss) / std::log(kMostLoss / kLeastLoss) : 0;
            const bool bucket = has_bucket && place.bucket > kLeastBucket && place.bucket < kMostBucket;
            const double filled = place.depth + (bucket ? prior_.ahead(place) : 0);
            Place at{inside((std::log(filled) - prior_.log_depth(0)) / log_depths),
                     inside((std::log(place.rate) - prior_.log_rate(0)) / log_rates), noise, inside(loss),
                     bucket ? inside(kNoBucket + (1 - kNoBucket) * std::log(place.bucket / kLeastBucket) /
                                                     std::log(kMostBucket / kLeastBucket))
                            : kNoBucket};
            if constexpr (kFeature) {
                const double uncentred = at[0];
                if (model.feature == Feature::Descriptors && prior_.has_depth()) {
                    const auto [depth, count] = memory_and_descriptors(read(at), sought);
                    at[0] = inside((std::log(std::max(1.0, depth)) - prior_.log_depth(0)) / log_depths);
                    at[5] = inside(prior_.feature().share(std::max(1.0, count), std::max(1.0, depth)));
                    starts.emplace_back(-log_likelihood(at), at);
                }
                for (std::size_t i = 0; i < kValues; ++i)
                    for (const AskingOrder order : kAskingOrders) {
                        at[0] = uncentred, at[5] = (static_cast<double>(i) + 0.5) / kValues;
                        BurstParameters parameters = read(at);
                        parameters.order = order;
                        centre_depth(parameters, sought);
                        at[0] = inside(
                            (std::log(parameters.depth * prior_.feature().part_filled(at[5])) - prior_.log_depth(0)) /
                            log_depths);
                        const std::pair start{-sought.log_likelihood(parameters) - log_prior(parameters), at};
                        if (start < best_of_value[i]) best_of_value[i] = start;
                        if (!orders) break;
                    }
            } else {
                starts.emplace_back(-log_likelihood(at), at);
            }
        }
    starts.insert(starts.end(), best_of_value.begin(), best_of_value.end());
    std::sort(starts.begin(), starts.end());
    std::vector<Place> likeliest;
    for (std::size_t i = 0; i < starts.size() && i < kMembers / 2; ++i) likeliest.push_back(starts[i].second);
    Place low{}, high;
    high.fill(1);
    const auto peak = evolve<N>(log_likelihood, low, high, likeliest, kMembers, generations);
    Centre centre;
    centre.scatter = scatter;
    centre.law = further;
    centre.at = read(peak.at);
    centre.at.order = likeliest_order(centre.at).second;
    centre.log_likelihood = of_some ? law.log_likelihood(centre.at) + log_prior(centre.at) : peak.value;
    double filled = centre.at.depth;
    if constexpr (kFeature) {
        centre.feature = peak.at[5];
        filled *= prior_.feature().part_filled(centre.feature);
    }
    centre.depth_or_rate = std::log(prior_.has_depth() ? filled + prior_.ahead(centre.at) : centre.at.rate);
    centre.rate = std::log(centre.at.rate);
    BurstParameters parameters = centre.at;
    parameters.noise_frames = parameters.noise_length = parameters.traffic = 0;
    const bool by_length = scatter == Scatter::Length;
    for (int i = 0; i < kLevels; ++i) {
        (by_length ? parameters.noise_length : parameters.noise_frames) =
            by_length ? level(kLeastLength, kLongest, i) : level(kFewestFrames, kHighestFrames, i);
        centre.scales.push_back(scale_at(law, model, parameters));
    }
    return centre;
}

StartDensity::Scale StartDensity::scale_at(const BurstLaw& law, const QueueModel& model,
                                           const BurstParameters& parameters) const {
    constexpr double kRounding = 0.3, kRangeOfPrior = 2;  // frames^2; logarithms
    double dd = 1 / (kRangeOfPrior * kRangeOfPrior), dr = 0,
           rr = dd + prior_.precision_of_rate(std::log(parameters.rate));
    for (std::size_t i = 0; i < law.size(); ++i) {
        const Burst& burst = law.burst(i);
        const double by_depth = model.feature == Feature::DynamicThreshold
                                    ? law.held(i, parameters)
                                    : static_cast<double>(model.memories(burst)) *
                                          (parameters.depth + prior_.ahead(parameters)) /
                                          static_cast<double>(model.cost(burst));
        const double drained = burst.uplinks * burst.drain() * parameters.rate,
                     most = static_cast<double>((burst.events - 1) * burst.ports);
        const double by_rate = drained < most ? drained : 0;
        const double over = law.overflow(i, parameters), sigma = law.deviation(i, parameters),
                     variance = sigma * sigma + kRounding;
        double weight = 0;
        if (burst.lossy && burst.counted) {
            const double off =
                (over - static_cast<double>(burst.lost) * (1 - parameters.loss)) / (3 * std::sqrt(variance));
            weight = 1 / variance / (1 + off * off);
        } else {
            weight = 0.5 / (variance + over * over);
        }
        if (law.peak(i).read()) {
            const double open = prior_.coordinate(ParameterPrior::What::Bucket)
                                    ? log_bucket_of(law) * parameters.bucket / static_cast<double>(burst.wire)
                                    : 0;
            const double peak_weight = 1 / (variance + law.peak(i).variance() + open * open);
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

const StartDensity::Scale& StartDensity::scale_of(const Centre& centre, const BurstParameters& parameters) const {
    if (centre.scatter == Scatter::Length)
        return centre.scales[nearest(kLeastLength, kLongest, parameters.noise_length)];
    return centre.scales[nearest(
        kFewestFrames, kHighestFrames,
        parameters.traffic > 0 || parameters.noise_length > 0 ? law_.width(parameters) : parameters.noise_frames)];
}

Point StartDensity::draw(RandomBits& random) const {
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
            point[0] = std::log(std::exp(prior_.log_depth(uniform(random))) + prior_.ahead(parameters));
        if (prior_.has_rate()) point[leading - 1] = prior_.log_rate(uniform(random));
        return point;
    }
    const Centre& centre = centre_of(parameters);
    const Scale& scale = scale_of(centre, parameters);
    // A normal pair over the root of a chi-squared one is Student's; the square of a normal pair's length is
    // exponential.
    const double angle = 2 * M_PI * uniform(random), length = std::sqrt(-2 * std::log(uniform(random)));
    double chi = 0;
    for (int i = 0; i < static_cast<int>(kFreedom); ++i)
        chi += -2 * std::log(uniform(random)) * std::pow(std::cos(2 * M_PI * uniform(random)), 2);
    const double far = length / std::sqrt(chi / kFreedom), x = far * std::cos(angle), y = far * std::sin(angle);
    if (leading == 2)
        point[0] = centre.depth_or_rate + scale.a * x, point[1] = centre.rate + scale.b * x + scale.c * y;
    else
        point[0] = centre.depth_or_rate + scale.a * x;
    return point;
}

double StartDensity::log_density(const Point& point, const BurstParameters& parameters) const {
    const std::size_t leading = prior_.leading();
    double others = 0;
    for (const Near& one : near_) others += one.log_density(point[one.coordinate]);
    if (leading == 0) return others;
    const double prior = prior_.log_density(point);
    const Centre& centre = centre_of(parameters);
    const Scale& scale = scale_of(centre, parameters);
    const auto d = static_cast<double>(leading);
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
