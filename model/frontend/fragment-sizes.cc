// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/fragment-sizes.h"

#include <algorithm>

namespace watershed {

FragmentSizes::FragmentSizes(const FrameFormat& format, std::uint64_t seed, int modules_before)
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

std::size_t FragmentSizes::draw(std::int64_t event, int module) const {
    const std::uint64_t bits = random_bits(seed_, Stream::Payload, static_cast<std::uint64_t>(event),
                                           static_cast<std::uint64_t>(modules_before_ + module));
    const std::int64_t drawn = uniform_up_to(bits, weights_.back() - 1);
    return static_cast<std::size_t>(std::upper_bound(weights_.begin(), weights_.end(), drawn) - weights_.begin());
}

}  // namespace watershed
