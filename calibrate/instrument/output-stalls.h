// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <vector>

#include "model/base/quantities.h"

/// Where an output stood still while frames waited: its machine was held up, or the link was told to pause.
namespace watershed {

/// One frame of a burst.
struct ArrivedFrame {
    std::size_t place = 0;  ///< among the frames as they were sent, from 0
    Time time{0};
};

struct OutputStall {
    std::size_t next = 0;  ///< place of the first frame after it
    Time begin{0};         ///< when the frame before it arrived, since the first of all
    Time lost{0};          ///< what the output did not make up
};

/// A pause that the frames after it make up, as behind a token bucket, is none; nor is one of less than a quarter of a
/// frame's time, by the usual pace of the frames. Whether frames waited is not asked: a pause between triggers looks
/// alike.
/// @param arrivals  in their order
std::vector<OutputStall> output_stalls(const std::vector<ArrivedFrame>& arrivals);

}  // namespace watershed
