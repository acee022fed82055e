// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/lateness.h"

#include <algorithm>

namespace watershed {
namespace {

Nanoseconds median_of(std::vector<Nanoseconds> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

void Lateness::add(Nanoseconds late, Nanoseconds took) {
    late_.push_back(std::max(late, Nanoseconds{0}));
    took_.push_back(took);
}

Nanoseconds Lateness::median() const { return median_of(late_); }
Nanoseconds Lateness::median_handover() const { return median_of(took_); }

Nanoseconds Lateness::worst() const {
    const Nanoseconds usual = median_handover();
    Nanoseconds worst{0};
    for (std::size_t i = 0; i < late_.size(); ++i) worst = std::max({worst, late_[i], late_[i] + took_[i] - usual});
    return worst;
}

}  // namespace watershed
