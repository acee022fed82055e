// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/random.h"
#include "model/scenario.h"

namespace watershed {

/// Where a frame stands among those that arrive at the same instant: the lowest rank asks for memory first, and the lower
/// module number first where ranks are equal.
/// In a synchronous camera every fragment of an event arrives at one instant, so this order decides who loses.
class ArrivalRank {
  public:
    ArrivalRank(ArrivalOrder order, int modules, std::uint64_t seed) : order_(order), modules_(modules), seed_(seed) {}

    std::uint64_t operator()(std::int64_t event, int module) const {
        switch (order_) {
            case ArrivalOrder::Module: return static_cast<std::uint64_t>(module);
            case ArrivalOrder::Rotating: {
                const std::int64_t first = (event - 1) % modules_;   // this event begins with module first + 1
                return static_cast<std::uint64_t>((module - 1 - first + modules_) % modules_);
            }
            case ArrivalOrder::Random:
                return random_bits(seed_, Stream::ArrivalOrder, static_cast<std::uint64_t>(event), static_cast<std::uint64_t>(module));
        }
        return 0;
    }

  private:
    ArrivalOrder order_;
    int modules_;
    std::uint64_t seed_;
};

}  // namespace watershed
