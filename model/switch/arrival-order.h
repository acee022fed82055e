// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/switch/switch.h"

namespace watershed {

/// Where a frame stands among those that arrive at a switch at the same instant: the lowest rank asks for memory first,
/// and the lower number first where ranks are equal. Numbers are those of the inputs, from 1, which at a camera's only
/// switch are the modules'. In a synchronous camera every fragment of an event arrives at one instant, so this order
/// decides who loses.
class ArrivalRank {
  public:
    /// @param before  inputs of other switches that precede this one's, so that each draws an order of its own
    ArrivalRank(ArrivalOrder order, int inputs, std::uint64_t seed, int before = 0)
        : order_(order), inputs_(inputs), seed_(seed), before_(before) {}

    std::uint64_t operator()(std::int64_t event, int number) const {
        switch (order_) {
            case ArrivalOrder::Module: return static_cast<std::uint64_t>(number);
            case ArrivalOrder::Rotating: {
                const std::int64_t first = (event - 1) % inputs_;  // this event begins with number first + 1
                return static_cast<std::uint64_t>((number - 1 - first + inputs_) % inputs_);
            }
            case ArrivalOrder::Random:
                return random_bits(seed_, Stream::ArrivalOrder, static_cast<std::uint64_t>(event),
                                   static_cast<std::uint64_t>(before_ + number));
        }
        return 0;
    }

  private:
    ArrivalOrder order_;
    int inputs_;
    std::uint64_t seed_;
    int before_;
};

/// The rank of a frame at an input, from 0: those of other streams come after the camera's, by their inputs.
inline std::uint64_t arrival_rank(const ArrivalRank& rank, const FrameId& frame, int input) {
    return frame.stream == 0 ? rank(frame.event, input + 1) : UINT64_MAX;
}

}  // namespace watershed
