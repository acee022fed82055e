// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/start-density.h"

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/evolution.h"

namespace watershed {
namespace {

/// Levels of noise for which the width of the posterior is tabled.
constexpr int kLevels = 32;
constexpr double kLeastFrames = 0.05, kMostFrames = 2000, kLeastLength = 1e-4, kMostLength = 0.5;
/// Of the start, drawn from the prior.
constexpr double kAnywhere = 0.2;
/// Degrees of freedom of Student's distribution, and how much wider than the posterior it is taken.
constexpr double kFreedom = 3, kWider = 1.4;

double level(double least, double most, int i) { return least * std::pow(most / least, static_cast<double>(i) / (kLevels - 1)); }
std::size_t nearest(double least, double most, double value) {
    return static_cast<std::size_t>(std::clamp(std::lround(std::log(std::max(value, least) / least) / std::log(most / least) * (kLevels - 1)), 0L, static_cast<long>(kLevels) - 1));
}

}  // namespace

StartDensity::StartDensity(const BurstLaw& law, const HiddenPrior& prior, const QueueModel& model, const std::vector<Hidden>& hints) : law_(law), prior_(prior) {
    std::vector<Hidden> places = pairs(law, model);
    places.insert(places.end(), hints.begin(), hints.end());
    const Hidden given = prior.given();
    if (law.counted() && given.noise_length == 0) seek(by_frames_, false, law, model, places);
    if (!law.counted() || given.noise_frames == 0) seek(by_length_, true, law, model, places);
    if (best().at.loss > 0 && prior.loss_coordinate()) {
        double lost = 1;
        for (std::size_t i = 0; i < law.size(); ++i) lost += best().at.loss * static_cast<double>(law.burst(i).fragments());
        loss_ = prior.loss_share(best().at.loss);
        loss_width_ = kWider * std::abs(prior.loss_share(best().at.loss * (1 + 1 / std::sqrt(lost))) - loss_);
    }
}

/// Depth and rate with which two bursts lose exactly what they lost, for some pairs, and for some shares that may be lost at random.
std::vector<Hidden> StartDensity::pairs(const BurstLaw& law, const QueueModel& model) {
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
        const auto pick = [&] { return counted[static_cast<std::size_t>(uniform(random) * static_cast<double>(counted.size()))]; };
        for (std::size_t i = 0; i < kMostPairs; ++i) chosen.emplace_back(pick(), pick());
    }
    // Bursts that the memory took whole show the losses at random alone.
    std::vector<double> shares;
    for (const Burst* burst : counted) shares.push_back(static_cast<double>(burst->lost) / static_cast<double>(burst->fragments()));
    std::sort(shares.begin(), shares.end());
    std::vector<double> losses{0};
    for (const double quantile : {0.1, 0.25, 0.5}) losses.push_back(shares[static_cast<std::size_t>(quantile * static_cast<double>(shares.size() - 1))]);
    std::vector<Hidden> all;
    for (const double loss : losses)
        for (const auto& [a, b] : chosen) {
            const auto room = [&](const Burst& burst) { return static_cast<double>(model.memories(burst)) / static_cast<double>(model.cost(burst)); };
            const auto drain = [](const Burst& burst) { return burst.uplinks * burst.drain(); };
            const auto kept = [&](const Burst& burst) { return static_cast<double>(burst.fragments() - burst.lost) / (1 - loss) + 0.5; };
            const double determinant = room(*a) * drain(*b) - room(*b) * drain(*a);
            if (std::abs(determinant) <= 1e-9 * room(*a) * drain(*b)) continue;
            Hidden hidden;
            hidden.depth = (kept(*a) * drain(*b) - kept(*b) * drain(*a)) / determinant;
            hidden.rate = (room(*a) * kept(*b) - room(*b) * kept(*a)) / determinant;
            hidden.loss = loss;
            if (hidden.depth > 0 && hidden.rate > 0 && loss < 1) all.push_back(hidden);
        }
    return all;
}

void StartDensity::seek(Centre& centre, bool by_length, const BurstLaw& law, const QueueModel& model, const std::vector<Hidden>& places) const {
    constexpr std::size_t kMembers = 32;
    constexpr int kGenerations = 45;
    constexpr double kStray = 0.02, kLeastLoss = 1e-7, kMostLoss = 0.5, kNone = 0.1;
    using Place = std::array<double, 4>;
    const Hidden given = prior_.given();
    const double log_depths = prior_.log_depth(1) - prior_.log_depth(0), log_rates = prior_.log_rate(1) - prior_.log_rate(0);
    const auto read = [&](const Place& at) {
        Hidden hidden = given;
        if (prior_.has_depth()) hidden.depth = std::exp(prior_.log_depth(0) + at[0] * log_depths);
        if (prior_.has_rate()) hidden.rate = std::exp(prior_.log_rate(0) + at[1] * log_rates);
        if (hidden.noise_frames == 0 && hidden.noise_length == 0) (by_length ? hidden.noise_length : hidden.noise_frames) = at[2] < kNone ? 0 : by_length ? 0.003 * std::pow(100, at[2]) : 0.3 * std::pow(1000, at[2]);
        if (at[3] > 0.3 && prior_.loss_coordinate()) hidden.loss = kLeastLoss * std::pow(kMostLoss / kLeastLoss, at[3]);
        hidden.stray = kStray;
        return hidden;
    };
    const auto log_likelihood = [&](const Place& at) { return law.log_likelihood(read(at)); };
    const auto inside = [](double x) { return std::clamp(x, 1e-6, 1 - 1e-6); };
    std::vector<std::pair<double, Place>> starts;
    for (const Hidden& place : places)
        for (const double noise : {0.05, 0.2, 0.6}) {
            const double loss = place.loss > 0 ? std::log(place.loss / kLeastLoss) / std::log(kMostLoss / kLeastLoss) : 0;
            const Place at{inside((std::log(place.depth) - prior_.log_depth(0)) / log_depths), inside((std::log(place.rate) - prior_.log_rate(0)) / log_rates), noise, inside(loss)};
            starts.emplace_back(-log_likelihood(at), at);
        }
    std::sort(starts.begin(), starts.end());
    std::vector<Place> likeliest;
    for (std::size_t i = 0; i < starts.size() && i < kMembers / 2; ++i) likeliest.push_back(starts[i].second);
    const auto peak = evolve<4>(log_likelihood, {0, 0, 0, 0}, {1, 1, 1, 1}, likeliest, kMembers, kGenerations);
    centre.at = read(peak.at);
    centre.log_likelihood = peak.value;
    centre.depth_or_rate = std::log(prior_.has_depth() ? centre.at.depth : centre.at.rate);
    centre.rate = std::log(centre.at.rate);
    Hidden hidden = centre.at;
    hidden.noise_frames = hidden.noise_length = 0;
    for (int i = 0; i < kLevels; ++i) {
        (by_length ? hidden.noise_length : hidden.noise_frames) = by_length ? level(kLeastLength, kMostLength, i) : level(kLeastFrames, kMostFrames, i);
        centre.scales.push_back(scale_at(law, model, hidden));
    }
}

StartDensity::Scale StartDensity::scale_at(const BurstLaw& law, const QueueModel& model, const Hidden& hidden) const {
    constexpr double kRounding = 0.3, kRangeOfPrior = 2;   // frames^2; logarithms
    double dd = 1 / (kRangeOfPrior * kRangeOfPrior), dr = 0, rr = dd;
    for (std::size_t i = 0; i < law.size(); ++i) {
        const Burst& burst = law.burst(i);
        const double by_depth = static_cast<double>(model.memories(burst)) * hidden.depth / static_cast<double>(model.cost(burst));
        const double drained = burst.uplinks * burst.drain() * hidden.rate, most = static_cast<double>((burst.events - 1) * burst.ports);
        const double by_rate = drained < most ? drained : 0;
        const double over = law.overflow(i, hidden), sigma = law.deviation(i, hidden), variance = sigma * sigma + kRounding;
        double weight = 0;
        if (burst.lossy && burst.counted) {
            const double off = (over - static_cast<double>(burst.lost) * (1 - hidden.loss)) / (3 * std::sqrt(variance));
            weight = 1 / variance / (1 + off * off);
        } else {
            weight = 0.5 / (variance + over * over);
        }
        dd += weight * by_depth * by_depth, dr += weight * by_depth * by_rate, rr += weight * by_rate * by_rate;
    }
    Scale scale;
    if (prior_.has_depth() && prior_.has_rate()) {
        const double determinant = std::max(dd * rr - dr * dr, 1e-12 * dd * rr);
        const double vd = rr / determinant, vr = dd / determinant, v = -dr / determinant;
        scale.a = kWider * std::sqrt(vd), scale.b = kWider * v / std::sqrt(vd), scale.c = kWider * std::sqrt(std::max(vr - v * v / vd, 1e-12 * vr));
        scale.log_determinant = std::log(scale.a) + std::log(scale.c);
    } else {
        scale.a = kWider / std::sqrt(prior_.has_depth() ? dd : rr);
        scale.log_determinant = std::log(scale.a);
    }
    return scale;
}

const StartDensity::Scale& StartDensity::scale_of(const Centre& centre, const Hidden& hidden) const {
    if (&centre == &by_length_) return centre.scales[nearest(kLeastLength, kMostLength, hidden.noise_length)];
    return centre.scales[nearest(kLeastFrames, kMostFrames, hidden.traffic > 0 ? law_.width(hidden) : hidden.noise_frames)];
}

Point StartDensity::draw(RandomBits& random) const {
    Point point(prior_.dimensions());
    for (std::size_t k = prior_.leading(); k < point.size(); ++k) point[k] = uniform(random);
    if (loss_width_ > 0 && uniform(random) > kAnywhere) {
        // Cauchy's distribution, cut to where the coordinate lies.
        const double low = std::atan(-loss_ / loss_width_), high = std::atan((1 - loss_) / loss_width_);
        point[*prior_.loss_coordinate()] = loss_ + loss_width_ * std::tan(low + (high - low) * uniform(random));
    }
    const std::size_t leading = prior_.leading();
    const double anywhere = uniform(random);
    if (leading == 0) return point;
    if (anywhere < kAnywhere) {
        if (prior_.has_depth()) point[0] = prior_.log_depth(uniform(random));
        if (prior_.has_rate()) point[leading - 1] = prior_.log_rate(uniform(random));
        return point;
    }
    Hidden hidden = prior_.given();
    prior_.read(point, hidden);
    const Centre& centre = centre_of(hidden);
    const Scale& scale = scale_of(centre, hidden);
    // A normal pair over the root of a chi-squared one is Student's; the square of a normal pair's length is exponential.
    const double angle = 2 * M_PI * uniform(random), length = std::sqrt(-2 * std::log(uniform(random)));
    double chi = 0;
    for (int i = 0; i < static_cast<int>(kFreedom); ++i) chi += -2 * std::log(uniform(random)) * std::pow(std::cos(2 * M_PI * uniform(random)), 2);
    const double far = length / std::sqrt(chi / kFreedom), x = far * std::cos(angle), y = far * std::sin(angle);
    if (leading == 2)
        point[0] = centre.depth_or_rate + scale.a * x, point[1] = centre.rate + scale.b * x + scale.c * y;
    else
        point[0] = centre.depth_or_rate + scale.a * x;
    return point;
}

double StartDensity::log_density(const Point& point, const Hidden& hidden) const {
    const std::size_t leading = prior_.leading();
    double loss = 0;
    if (loss_width_ > 0) {
        const double low = std::atan(-loss_ / loss_width_), high = std::atan((1 - loss_) / loss_width_), off = (point[*prior_.loss_coordinate()] - loss_) / loss_width_;
        loss = std::log(kAnywhere + (1 - kAnywhere) / ((high - low) * loss_width_ * (1 + off * off)));
    }
    if (leading == 0) return loss;
    const double prior = prior_.log_density(point);
    const Centre& centre = centre_of(hidden);
    const Scale& scale = scale_of(centre, hidden);
    const auto d = static_cast<double>(leading);
    double square = 0;
    if (leading == 2) {
        const double x = (point[0] - centre.depth_or_rate) / scale.a, y = (point[1] - centre.rate - scale.b * x) / scale.c;
        square = x * x + y * y;
    } else {
        square = std::pow((point[0] - centre.depth_or_rate) / scale.a, 2);
    }
    static const double kConstant[] = {std::lgamma((kFreedom + 1) / 2) - std::lgamma(kFreedom / 2) - std::log(kFreedom * M_PI) / 2,
                                       std::lgamma((kFreedom + 2) / 2) - std::lgamma(kFreedom / 2) - std::log(kFreedom * M_PI)};
    const double student = kConstant[leading - 1] - (kFreedom + d) / 2 * std::log1p(square / kFreedom) - scale.log_determinant;
    const double a = std::log(kAnywhere) + prior, b = std::log(1 - kAnywhere) + student, most = std::max(a, b);
    return loss + most + std::log(std::exp(a - most) + std::exp(b - most));
}

}  // namespace watershed
