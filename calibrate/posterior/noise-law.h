// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>

#include "calibrate/posterior/normal-table.h"
#include "calibrate/posterior/statistics.h"

namespace watershed {

/// How a burst scatters about the closed form: by a normal number of frames, by a normal part of its length, or by
/// both. The likelihoods, the goodness of a fit, the advice and the simulated apparatus hold the same law.
///
/// `size` is by how many frames a burst overflows more for each unit of ln(burst length): it turns a part of the length
/// into frames.
struct NoiseLaw {
    double frames = 0;  ///< standard deviation of the number of frames by which a burst overflows
    double length = 0;  ///< of ln(burst length): the burst acts as one that is longer or shorter

    /// @param relative the value is one of ln(burst length), else one of frames
    static NoiseLaw of(double value, bool relative) { return relative ? NoiseLaw{0, value} : NoiseLaw{value, 0}; }

    bool none() const { return frames <= 0 && length <= 0; }

    /// Of the overflow, frames.
    double deviation(double size) const {
        if (length <= 0) return frames;
        return frames <= 0 ? length * size : std::hypot(frames, length * size);
    }

    /// Probability that a burst overflows by fewer than `off` frames more than it would without noise. To 1e-7 of
    /// itself, as a table has it.
    double below(double off, double size) const {
        if (length > 0 && frames <= 0) return off <= -size ? 0 : normal_below(std::log1p(off / size) / length);
        // As the deviation; asked so often that the slower function would be felt.
        const double sigma = length > 0 ? std::sqrt(frames * frames + length * length * size * size) : frames;
        return sigma > 0 ? normal_below(off / sigma) : off >= 0 ? 1 : 0;
    }

    /// Probability that a burst acts as if its length were over its threshold, which it exceeds by the factor of this
    /// logarithm. There must be noise of the length.
    double over_threshold(double log_ratio) const { return watershed::below(log_ratio / length); }

    /// Frames by which a burst overflows more, from a number drawn from the standard normal distribution.
    double drawn_frames(double deviate) const { return frames * deviate; }
    /// The factor by which a burst acts longer, from such a number.
    double drawn_factor(double deviate) const { return length > 0 ? std::exp(length * deviate) : 1; }
};

}  // namespace watershed
