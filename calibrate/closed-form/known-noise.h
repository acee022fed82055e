// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string_view>

/// What is known, before anything is measured, of how bursts scatter about the closed form.
namespace watershed {

struct KnownNoise {
    double low = 0;
    double high = 0;  ///< the same as `low` where the noise itself is known
    bool relative =
        true;  ///< standard deviation of ln(burst length) at which losses begin, else of the number of frames lost

    /// Lossy and lossless bursts, and numbers of lost frames, are what the switch alone makes of them: a simulation,
    /// say.
    bool none() const { return high <= 0; }
};

/// "2 %" of a burst's length, "2.5 frames" that are lost, or "0".
/// @throws std::invalid_argument
KnownNoise parse_noise(std::string_view text);

}  // namespace watershed
