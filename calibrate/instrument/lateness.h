// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <chrono>
#include <vector>

namespace watershed {

using Nanoseconds = std::chrono::nanoseconds;

/// How well a burst kept its times.
class Lateness {
  public:
    /// @param late   how long after its time the trigger's first frame was handed over
    /// @param took   until its last frame was
    void add(Nanoseconds late, Nanoseconds took);

    /// Of the beginnings of triggers. @pre one trigger at least
    Nanoseconds median() const;
    /// What handing a trigger's frames over takes usually.
    Nanoseconds median_handover() const;
    /// Of the latest trigger; one that was held up while its frames were handed over is as late as the hold-up.
    Nanoseconds worst() const;

  private:
    std::vector<Nanoseconds> late_, took_;
};

}  // namespace watershed
