// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/adaptive-proposal.h"

namespace watershed {
namespace {

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
