// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/generator.h"

#include <algorithm>

namespace watershed {
namespace {

/// Of two neighbouring settings the closer one, the lower where both are as close.
template <class Value>
Value closest(Value below, Value above, Value wanted) {
    return wanted - below <= above - wanted ? below : above;
}

template <class Value>
Value first_from(const std::vector<Value>& settings, Value wanted) {
    const auto found = std::lower_bound(settings.begin(), settings.end(), wanted);
    return found == settings.end() ? settings.back() : *found;
}

template <class Value>
Value nearest_of(const std::vector<Value>& settings, Value wanted) {
    const auto found = std::lower_bound(settings.begin(), settings.end(), wanted);
    if (found == settings.begin()) return settings.front();
    if (found == settings.end()) return settings.back();
    return closest(*std::prev(found), *found, wanted);
}

}  // namespace

Time Generator::nearest(Time separation) const {
    if (!separations.empty()) return nearest_of(separations, separation);
    const Time wanted = std::max(separation, shortest), below = step * (wanted.count() / step.count());
    return below < shortest ? below + step : closest(below, below + step, wanted);
}

std::int64_t Generator::nearest(std::int64_t events) const {
    return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : nearest_of(lengths, events);
}

Time Generator::at_least(Time separation) const {
    return separations.empty() ? step * ceil_div(std::max(separation, shortest).count(), step.count())
                               : first_from(separations, separation);
}

std::int64_t Generator::at_least(std::int64_t events) const {
    return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : first_from(lengths, events);
}

}  // namespace watershed
