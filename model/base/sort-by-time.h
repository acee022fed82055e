// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cstdint>
#include <vector>

namespace watershed {

/// Many by the digits of their times, where these have no more than 64 bits: that takes about as long for each of them,
/// however many they are.
/// @param time_of   of an item
/// @param precedes  an order of all items, by their times first
template <class Item, class TimeOf, class Precedes>
void sort_by_time(std::vector<Item>& items, const TimeOf& time_of, const Precedes& precedes) {
    constexpr std::size_t kMany = 1000;  // with fewer Boost compares, too
    if (std::is_sorted(items.begin(), items.end(), precedes)) return;
    if constexpr (sizeof(time_of(items.front())) <= sizeof(std::int64_t)) {
        if (items.size() >= kMany) {
            boost::sort::spreadsort::integer_sort(
                items.begin(), items.end(), [&](const Item& item, unsigned bits) { return time_of(item) >> bits; },
                [&](const Item& a, const Item& b) { return time_of(a) < time_of(b); });
            for (auto first = items.begin(); first != items.end();) {  // those of one instant
                const auto end = std::find_if(first, items.end(),
                                              [&](const Item& item) { return time_of(item) != time_of(*first); });
                if (end - first > 1) std::sort(first, end, precedes);
                first = end;
            }
            return;
        }
    }
    std::sort(items.begin(), items.end(), precedes);
}

}  // namespace watershed
