// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/base/timestamp.h"

namespace watershed {

/// A frame that leaves its switch.
struct Departure {
    Timestamp done{};
    int link = 0;

    friend bool operator<(const Departure& a, const Departure& b) {
        return a.done != b.done ? a.done < b.done : a.link < b.link;
    }
};

/// When links that send are done, the next one first; at one instant they take turns by their numbers. A single one
/// needs no heap.
class Departures {
  public:
    bool empty() const { return !any_; }
    const Departure& first() const { return first_; }
    bool are_at(const Timestamp& now) const { return any_ && first_.done == now; }
    void add(Departure departure) {
        if (!std::exchange(any_, true)) {
            first_ = departure;
            return;
        }
        if (departure < first_) std::swap(departure, first_);
        later_.push_back(departure);
        std::push_heap(later_.begin(), later_.end(), is_later);
    }
    /// @return the link of the first
    int take() {
        const int link = first_.link;
        if (later_.empty()) {
            any_ = false;
            return link;
        }
        std::pop_heap(later_.begin(), later_.end(), is_later);
        first_ = later_.back();
        later_.pop_back();
        return link;
    }

  private:
    static bool is_later(const Departure& a, const Departure& b) { return b < a; }

    bool any_ = false;
    Departure first_;
    std::vector<Departure> later_;  ///< a heap
};

}  // namespace watershed
