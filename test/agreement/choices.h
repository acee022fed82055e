// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/random.h"

namespace watershed {

/// Choices of a random scenario, the same for the same seed.
class Choices {
  public:
    explicit Choices(std::uint64_t seed) : state_(mixed(seed)) {}
    /// Uniform in {least … most}.
    std::int64_t operator()(std::int64_t least, std::int64_t most) {
        state_ = mixed(state_);
        return least + uniform_up_to(state_, most - least);
    }
    bool chance(int percent) { return (*this)(1, 100) <= percent; }

  private:
    std::uint64_t state_;
};

}  // namespace watershed
