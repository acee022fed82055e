// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace watershed {

/// Sorts what hardly stands elsewhere than it should.
template <class Item, class Precedes>
void insert_in_order(Item* first, Item* last, const Precedes& precedes) {
    for (Item* each = first + 1; each < last; ++each) {
        if (!precedes(*each, each[-1])) continue;
        const Item moved = *each;
        Item* to = each;
        do *to = to[-1];
        while (--to != first && precedes(moved, to[-1]));
        *to = moved;
    }
}

/// Lays items in as many spans of time as there are items, and sorts those of each span. @param spare  of as many items
template <class Item, class TimeOf, class Precedes>
void sort_by_spans(Item* first, Item* last, std::vector<Item>& spare, const TimeOf& time_of, const Precedes& precedes) {
    constexpr std::ptrdiff_t kFew = 16;
    constexpr int kBits = 8;
    if (last - first < kFew) return std::sort(first, last, precedes);
    if (std::is_sorted(first, last, precedes)) return;
    std::int64_t least = time_of(*first), most = least;
    for (const Item* each = first; each != last; ++each) {
        least = std::min(least, time_of(*each));
        most = std::max(most, time_of(*each));
    }
    if (least == most) return std::sort(first, last, precedes);
    const std::uint64_t whole = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    int bits = 1, shift = 0;
    while (bits < kBits && (last - first) >> bits > 0) ++bits;
    while (whole >> shift >> bits > 0) ++shift;
    const auto span_of = [&](const Item& each) {
        return (static_cast<std::uint64_t>(time_of(each)) - static_cast<std::uint64_t>(least)) >> shift;
    };
    std::array<std::ptrdiff_t, 1 << kBits> ends;  // of each span; where it begins, before its items are laid
    const std::size_t spans = (whole >> shift) + 1;
    std::fill_n(ends.begin(), spans, 0);
    const Item* const end = std::copy(first, last, spare.data());
    for (const Item* each = spare.data(); each != end; ++each) ++ends[span_of(*each)];
    std::ptrdiff_t before = 0, fullest = 0;
    for (std::size_t i = 0; i < spans; ++i) {
        const std::ptrdiff_t here = std::exchange(ends[i], before);
        before += here;
        fullest = std::max(fullest, here);
    }
    for (const Item* each = spare.data(); each != end; ++each) first[ends[span_of(*each)]++] = *each;
    if (fullest < kFew) return insert_in_order(first, last, precedes);
    Item* begin = first;
    for (std::size_t i = 0; i < spans; ++i) {
        Item* const next = first + ends[i];
        sort_by_spans(begin, next, spare, time_of, precedes);
        begin = next;
    }
}

/// By their times first, where these have no more than 64 bits: that takes about as long for each item, however many
/// they are.
/// @param time_of   of an item
/// @param precedes  an order of all items, by their times first
template <class Item, class TimeOf, class Precedes>
void sort_by_time(std::vector<Item>& items, const TimeOf& time_of, const Precedes& precedes) {
    if constexpr (sizeof(time_of(items.front())) > sizeof(std::int64_t)) {
        if (!std::is_sorted(items.begin(), items.end(), precedes)) std::sort(items.begin(), items.end(), precedes);
    } else {
        static thread_local std::vector<Item> spare;
        if (spare.size() < items.size()) spare.resize(items.size());
        sort_by_spans(items.data(), items.data() + items.size(), spare, time_of, precedes);
    }
}

}  // namespace watershed
