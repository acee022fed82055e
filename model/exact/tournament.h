// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace watershed {

/// The least of several keys, of which one changes at a time: the winners of a knock-out tournament (Knuth, The Art of
/// Computer Programming 3, 5.4.1). A change plays one match on each of log2(n) levels; in a heap it plays about two.
template <class Key>
class Tournament {
  public:
    /// @param none  goes behind every key there is, and stands for those that have none
    Tournament(std::size_t keys, const Key& none) : leaves_(1) {
        while (leaves_ < keys) leaves_ *= 2;
        keys_.assign(leaves_, none);
        winners_.resize(2 * leaves_);
        for (std::size_t leaf = 0; leaf < leaves_; ++leaf) winners_[leaves_ + leaf] = leaf;
        for (std::size_t match = leaves_ - 1; match > 0; --match) play(match);
    }

    /// Of equal keys the first.
    std::size_t winner() const { return winners_[1]; }
    const Key& least() const { return keys_[winner()]; }

    void set(std::size_t number, const Key& key) {
        keys_[number] = key;
        for (std::size_t match = (leaves_ + number) / 2; match > 0; match /= 2) play(match);
    }

  private:
    void play(std::size_t match) {
        const std::size_t first = winners_[2 * match], second = winners_[2 * match + 1];
        winners_[match] = keys_[second] < keys_[first] ? second : first;
    }

    std::size_t leaves_;  ///< a power of two
    std::vector<Key> keys_;
    std::vector<std::size_t> winners_;  ///< of each match, whose players won matches 2 m and 2 m + 1
};

}  // namespace watershed
