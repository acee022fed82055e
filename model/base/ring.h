// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace watershed {

/// First in, first out, in one piece of memory that doubles when it is full. The last one in may be taken back.
template <class T>
class Ring {
  public:
    bool empty() const { return first_ == last_; }
    std::int64_t size() const { return static_cast<std::int64_t>(last_ - first_); }
    const T& front() const { return items_[first_ & mask_]; }
    /// @param place  from 0, the first one
    const T& operator[](std::int64_t place) const { return items_[(first_ + static_cast<std::size_t>(place)) & mask_]; }
    T& operator[](std::int64_t place) { return items_[(first_ + static_cast<std::size_t>(place)) & mask_]; }
    void push(const T& item) {
        if (last_ - first_ > mask_) grow();
        items_[last_++ & mask_] = item;
    }
    void drop() { ++first_; }
    T pop() { return items_[first_++ & mask_]; }
    T pop_back() { return items_[--last_ & mask_]; }

  private:
    [[gnu::noinline]] void grow() {
        std::vector<T> larger(2 * items_.size());
        const std::size_t mask = larger.size() - 1;
        for (std::size_t i = first_; i != last_; ++i) larger[i & mask] = items_[i & mask_];
        items_ = std::move(larger);
        mask_ = mask;
    }

    std::vector<T> items_ = std::vector<T>(4);
    std::size_t mask_ = 3;  ///< there are a power of two
    std::size_t first_ = 0;
    std::size_t last_ = 0;
};

}  // namespace watershed
