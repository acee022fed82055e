// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/quantities.h"

namespace watershed {

/// A front-end FIFO of 32-bit words that takes whole waveforms: one that does not fit is rejected as a whole.
class WaveformFifo {
  public:
    /// Sizes in words.
    WaveformFifo(std::int64_t size, std::int64_t waveform) : size_(size), waveform_(waveform) {}

    bool fits() const { return words() + waveform_ <= size_; }
    /// A trigger. @return false if the waveform was rejected
    bool store() {
        if (!fits()) {
            ++rejected_;
            return false;
        }
        ++accepted_;
        return true;
    }
    /// Removes words, which are there. @return the number, from 0, of the first among all that were ever stored
    std::int64_t take(std::int64_t words) {
        const std::int64_t first = taken_;
        taken_ += words;
        return first;
    }

    std::int64_t words() const { return accepted_ * waveform_ - taken_; }
    std::int64_t taken() const { return taken_; }
    std::int64_t accepted() const { return accepted_; }  ///< waveforms
    std::int64_t rejected() const { return rejected_; }

  private:
    std::int64_t size_;
    std::int64_t waveform_;
    std::int64_t accepted_ = 0;
    std::int64_t rejected_ = 0;
    std::int64_t taken_ = 0;
};

}  // namespace watershed
