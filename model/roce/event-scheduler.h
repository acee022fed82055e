// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/roce/distribution.h"

namespace watershed {

/// Which consumer an event goes to. Producers and consumers count from 0.
class EventScheduler {
  public:
    /// @throws std::invalid_argument if there is no consumer, or no credit where they decide
    explicit EventScheduler(const Distribution& distribution);

    /// For the next event of a producer. A blind producer takes the consumers in turn, beginning so that producers are
    /// spread evenly; with credits it is the next consumer of all that has one left, which it takes.
    /// @return nothing if no consumer has a credit; the producer is then waiting
    std::optional<int> next(int producer);
    /// A consumer has room for one more event. @return the producer that has waited longest and gets it, if any does
    std::optional<int> credited(int consumer);

    /// Credits not taken.
    std::int64_t credits() const;

  private:
    bool by_credit_;
    std::vector<int> turn_;              ///< of each producer; of all where credits decide
    std::vector<std::int64_t> credits_;  ///< of each consumer
    std::deque<int> waiting_;
};

}  // namespace watershed
