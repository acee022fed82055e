// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/fragment-sizes.h"

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

}  // namespace watershed
