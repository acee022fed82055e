// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/frame.h"
#include "model/base/random.h"

namespace watershed {

/// The frames of every fragment: all alike, or of a payload drawn for each fragment from the format's distribution. A
/// draw depends on nothing but seed, event and module.
class FragmentSizes {
  public:
    /// @param modules_before  of the whole camera, where modules are numbered within one switch
    /// @throws std::invalid_argument as frames_of_fragment() does
    FragmentSizes(const FrameFormat& format, std::uint64_t seed, int modules_before = 0)
        : seed_(seed), modules_before_(modules_before) {
        std::int64_t sum = 0;
        for (const PayloadShare& share : format.payloads) {
            FrameFormat one = format;
            one.payload = share.payload;
            choices_.push_back(frames_of_fragment(one));
            weights_.push_back(sum += share.weight);
        }
        if (choices_.empty()) choices_.push_back(frames_of_fragment(format));
    }

    /// So many frames of no size, for those who only count.
    explicit FragmentSizes(std::size_t frames)
        : seed_(0), modules_before_(0), choices_(1, std::vector<FrameSizes>(frames)) {}

    bool vary() const { return choices_.size() > 1; }
    /// Returns the index in choices() of a fragment. @param event, module  numbers from 1
    std::size_t choice(std::int64_t event, int module) const { return vary() ? draw(event, module) : 0; }
    const std::vector<FrameSizes>& of(std::int64_t event, int module) const { return choices_[choice(event, module)]; }
    /// The frames of each kind of fragment there is.
    const std::vector<std::vector<FrameSizes>>& choices() const { return choices_; }

  private:
    std::size_t draw(std::int64_t event, int module) const {
        const std::uint64_t bits = random_bits(seed_, Stream::Payload, static_cast<std::uint64_t>(event),
                                               static_cast<std::uint64_t>(modules_before_ + module));
        const std::int64_t drawn = uniform_up_to(bits, weights_.back() - 1);
        return static_cast<std::size_t>(std::upper_bound(weights_.begin(), weights_.end(), drawn) - weights_.begin());
    }

    std::uint64_t seed_;
    int modules_before_;
    std::vector<std::vector<FrameSizes>> choices_;
    std::vector<std::int64_t> weights_;  ///< cumulative
};

}  // namespace watershed
