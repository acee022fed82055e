// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/model-fit.h"

namespace watershed {

std::string to_text(FitStatus status) {
    static const char* const kNames[] = {"separated", "overlap", "inconsistent", "unbounded", "misfit"};
    return kNames[int(status)];
}

double correlation_of(const std::vector<SupportPoint>& points) {
    double sum = 0, depth = 0, rate = 0;
    for (const SupportPoint& p : points) sum += p.weight, depth += p.weight * p.depth, rate += p.weight * p.rate;
    double dd = 0, rr = 0, dr = 0;
    for (const SupportPoint& p : points) {
        const double d = p.depth - depth / sum, r = p.rate - rate / sum;
        dd += p.weight * d * d, rr += p.weight * r * r, dr += p.weight * d * r;
    }
    return dd > 0 && rr > 0 ? dr / std::sqrt(dd * rr) : 0;
}

}  // namespace watershed
