// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <vector>

namespace watershed {

/// Many by their times alone, without a branch that a processor guesses wrong every other time; then those of one
/// instant by all that they have. A few are sorted with fewer instructions.
/// @param time_of   of an item
/// @param precedes  an order of all items, by their times first
template <class Item, class TimeOf, class Precedes>
void sort_by_time(std::vector<Item>& items, const TimeOf& time_of, const Precedes& precedes) {
    constexpr std::size_t kMany = 64;
    if (std::is_sorted(items.begin(), items.end(), precedes)) return;
    if (items.size() < kMany) return std::sort(items.begin(), items.end(), precedes);
    boost::sort::pdqsort_branchless(items.begin(), items.end(),
                                    [&](const Item& a, const Item& b) { return time_of(a) < time_of(b); });
    for (auto first = items.begin(); first != items.end();) {
        const auto end =
            std::find_if(first, items.end(), [&](const Item& item) { return time_of(item) != time_of(*first); });
        if (end - first > 1) std::sort(first, end, precedes);
        first = end;
    }
}

}  // namespace watershed
