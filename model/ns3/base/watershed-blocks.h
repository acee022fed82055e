// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

namespace watershed {

/// Allocates the blocks of deques through which frames pass, and keeps some that are given back for the next who asks:
/// a queue that neither grows nor shrinks asks nobody else.
template <class T>
struct WatershedBlocks {
    using value_type = T;

    WatershedBlocks() = default;
    template <class Other>
    WatershedBlocks(const WatershedBlocks<Other>&) {}

    T* allocate(std::size_t number) {
        return number == kBlock && kept > 0 ? blocks[--kept] : std::allocator<T>().allocate(number);
    }
    void deallocate(T* block, std::size_t number) {
        if (number == kBlock && kept < kMost)
            blocks[kept++] = block;
        else
            std::allocator<T>().deallocate(block, number);
    }
    friend bool operator==(const WatershedBlocks&, const WatershedBlocks&) { return true; }
    friend bool operator!=(const WatershedBlocks&, const WatershedBlocks&) { return false; }

  private:
    static constexpr std::size_t kBlock =
        512 / sizeof(T);  ///< block of a deque of libstdc++; with other libraries nothing is kept
    static constexpr std::size_t kMost = 256;
    static inline thread_local T* blocks[kMost];
    static inline thread_local std::size_t kept = 0;
};

template <class T>
using WatershedDeque = std::deque<T, WatershedBlocks<T>>;

}  // namespace watershed
