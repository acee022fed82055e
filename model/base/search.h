// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/iterator/counting_iterator.hpp>
#include <cstdint>
#include <vector>

namespace watershed {

/// The first of a range for which something holds, or its end; once it holds it goes on to.
template <class Predicate>
std::int64_t first_of(std::int64_t low, std::int64_t end, const Predicate& holds) {
    using Number = boost::counting_iterator<std::int64_t>;
    return *std::partition_point(Number(low), Number(end), [&](std::int64_t number) { return !holds(number); });
}

/// The larger of the two middle ones where their number is even. There must be one.
template <class Value>
Value median(std::vector<Value> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace watershed
