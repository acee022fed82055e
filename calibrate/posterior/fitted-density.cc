// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/fitted-density.h"

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// Degrees of freedom of Student's distribution, and how much wider than the samples it is taken.
constexpr double kFreedomOfShape = 4, kWiderThanSamples = 1.15;
/// Standard deviations of the prior that a coordinate lies away at most.
constexpr double kFarthest = 5.5;

}  // namespace

FittedDensity::FittedDensity(const ParameterPrior& prior, const std::vector<Point>& samples) : prior_(prior) {
    const std::size_t n = prior.dimensions(), others = prior.coordinate(ParameterPrior::What::LeavesAtOnce).value_or(n);
    std::map<std::string, Group> groups;
    std::map<std::string, Point> any;
    for (const Point& point : samples) {
        Group& group = groups[parts_of(point, others)];
        const std::vector<double> y = deviates_of(point);
        group.sum.resize(n), group.products.resize(n * n);
        ++group.samples;
        for (std::size_t i = 0; i < n; ++i) {
            group.sum[i] += y[i];
            for (std::size_t j = 0; j <= i; ++j) group.products[i * n + j] += y[i] * y[j];
        }
        const std::string parts = parts_of(point, n);
        ++shapes_[parts].samples;
        any[parts] = point;
    }
    for (auto shape = shapes_.begin(); shape != shapes_.end();) {
        const Point& point = any[shape->first];
        const Group& group = groups[parts_of(point, others)];
        if (group.samples < 3 * static_cast<double>(n)) {
            shape = shapes_.erase(shape);
            continue;
        }
        take_shape(shape->second, group, point);
        samples_ += shape->second.samples;
        ++shape;
    }
    for (auto& [parts, shape] : shapes_) shape.log_constant += std::log(shape.samples / samples_);
}

std::string FittedDensity::parts_of(const Point& point, std::size_t coordinates) const {
    std::string parts;
    for (std::size_t k = prior_.leading(); k < coordinates; ++k)
        parts += static_cast<char>(100 * prior_.part(k, point[k]).low);
    return parts;
}

std::vector<double> FittedDensity::deviates_of(const Point& point) const {
    std::vector<double> y = point;
    for (std::size_t k = prior_.leading(); k < y.size(); ++k) {
        const ParameterPrior::Part part = prior_.part(k, point[k]);
        y[k] = part.says_all
                   ? part.low > 0
                   : normal_quantile(std::clamp((point[k] - part.low) / (part.high - part.low), 1e-10, 1 - 1e-10));
    }
    return y;
}

void FittedDensity::take_shape(Shape& shape, const Group& group, const Point& any) const {
    const std::size_t n = any.size();
    std::vector<std::size_t>& order = shape.order;
    for (const bool known : {true, false}) {
        for (std::size_t k = 0; k < n; ++k)
            if ((k >= prior_.leading() && prior_.part(k, any[k]).says_all) == known) order.push_back(k);
        if (known) shape.known = order.size();
    }
    const std::vector<double> y = deviates_of(any);
    shape.lower.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = order[i];
        const ParameterPrior::Part part = k < prior_.leading() ? ParameterPrior::Part{} : prior_.part(k, any[k]);
        shape.low.push_back(part.low), shape.width.push_back(part.high - part.low);
        shape.log_constant -= std::log(part.high - part.low);
        shape.mean.push_back(group.sum[k] / group.samples);
        for (std::size_t j = 0; j <= i; ++j) {
            const std::size_t a = std::max(k, order[j]), b = std::min(k, order[j]);
            double sum = group.products[a * n + b] / group.samples -
                         group.sum[a] / group.samples * (group.sum[b] / group.samples);
            constexpr double kOwn = 1e-6, kLeast = 1e-4, kLeastOfLogarithm = 1e-16;
            if (i == j) sum = (1 + kOwn) * std::max(0.0, sum) + (k < prior_.leading() ? kLeastOfLogarithm : kLeast);
            const double own = sum;
            for (std::size_t m = 0; m < j; ++m) sum -= shape.lower[i * n + m] * shape.lower[j * n + m];
            shape.lower[i * n + j] = i == j ? std::sqrt(std::max(sum, kOwn * own)) : sum / shape.lower[j * n + j];
        }
        if (i < shape.known) {
            double off = y[k] - shape.mean[i];
            for (std::size_t m = 0; m < i; ++m) off -= shape.lower[i * n + m] * shape.z[m];
            shape.z.push_back(off / shape.lower[i * n + i]);
        } else {
            for (std::size_t m = shape.known; m <= i; ++m) shape.lower[i * n + m] *= kWiderThanSamples;
            shape.log_constant -= std::log(shape.lower[i * n + i]);
        }
    }
    const auto open = static_cast<double>(n - shape.known);
    shape.log_constant += std::lgamma((kFreedomOfShape + open) / 2) - std::lgamma(kFreedomOfShape / 2) -
                          open / 2 * std::log(kFreedomOfShape * M_PI);
}

Point FittedDensity::draw(RandomBits& random) const {
    double left = uniform(random) * samples_;
    const Shape* shape = nullptr;
    for (const auto& [parts, one] : shapes_) {
        shape = &one;
        if ((left -= one.samples) < 0) break;
    }
    const std::size_t n = shape->order.size();
    Point point(n);
    for (std::size_t i = 0; i < shape->known; ++i)
        point[shape->order[i]] = shape->low[i] + shape->width[i] * uniform(random);
    const auto normal = [&] {
        return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * M_PI * uniform(random));
    };
    for (bool inside = false; !inside;) {
        inside = true;
        double chi = 0;
        for (int i = 0; i < static_cast<int>(kFreedomOfShape); ++i) chi += std::pow(normal(), 2);
        const double scale = std::sqrt(kFreedomOfShape / chi);
        std::vector<double> z = shape->z;
        for (std::size_t i = shape->known; i < n; ++i) {
            z.push_back(normal() * scale);
            double y = shape->mean[i];
            for (std::size_t m = 0; m <= i; ++m) y += shape->lower[i * n + m] * z[m];
            const std::size_t k = shape->order[i];
            if (k >= prior_.leading()) inside &= std::abs(y) < kFarthest;
            point[k] = k < prior_.leading() ? y : shape->low[i] + shape->width[i] * below(y);
        }
    }
    return point;
}

double FittedDensity::log_density(const Point& point) const {
    const auto found = shapes_.find(parts_of(point, point.size()));
    if (found == shapes_.end()) return -HUGE_VAL;
    const Shape& shape = found->second;
    const std::vector<double> y = deviates_of(point);
    const std::size_t n = point.size();
    std::vector<double> z = shape.z;
    double square = 0, normal = 0;
    for (std::size_t i = shape.known; i < n; ++i) {
        const std::size_t k = shape.order[i];
        double off = y[k] - shape.mean[i];
        for (std::size_t m = 0; m < i; ++m) off -= shape.lower[i * n + m] * z[m];
        z.push_back(off / shape.lower[i * n + i]);
        square += z[i] * z[i];
        if (k >= prior_.leading()) normal += (y[k] * y[k] + std::log(2 * M_PI)) / 2;
    }
    return shape.log_constant + normal -
           (kFreedomOfShape + static_cast<double>(n - shape.known)) / 2 * std::log1p(square / kFreedomOfShape);
}

}  // namespace watershed
