// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/roce/distribution.h"

namespace watershed {

/// Chooses the consumer of each event. Producers and consumers count from 0.
class EventScheduler {
  public:
    /// @throws std::invalid_argument if there is no consumer, or no credit where they decide
    explicit EventScheduler(const Distribution& distribution)
        : by_credit_(distribution.scheduler == Distribution::Scheduler::Credit) {
        const int producers = distribution.producers.count, consumers = distribution.consumers.count;
        if (consumers < 1) throw std::invalid_argument("no consumer, expected at least one");
        if (by_credit_ && distribution.consumers.credits < 1)
            throw std::invalid_argument("no credit, expected at least one of each consumer");
        for (int producer = 0; producer < (by_credit_ ? 1 : producers); ++producer)
            turn_.push_back(static_cast<int>(std::int64_t{producer} * consumers / producers));
        credits_.assign(static_cast<std::size_t>(consumers), by_credit_ ? distribution.consumers.credits : 0);
    }

    /// For the next event of a producer. A blind producer takes the consumers in turn, beginning so that producers are
    /// spread evenly; with credits it is the next consumer of all that has one left, which it takes.
    /// @return nothing if no consumer has a credit; the producer is then waiting
    std::optional<int> next(int producer) {
        const int consumers = static_cast<int>(credits_.size());
        int& turn = turn_[by_credit_ ? 0 : static_cast<std::size_t>(producer)];
        for (int tried = 0; tried < consumers; ++tried) {
            const int consumer = turn;
            turn = (turn + 1) % consumers;
            if (!by_credit_) return consumer;
            std::int64_t& credits = credits_[static_cast<std::size_t>(consumer)];
            if (credits == 0) continue;
            --credits;
            return consumer;
        }
        waiting_.push_back(producer);
        return std::nullopt;
    }
    /// A consumer has room for one more event. @return the producer that has waited longest and gets it, if any does
    std::optional<int> credited(int consumer) {
        if (!by_credit_) return std::nullopt;
        ++credits_[static_cast<std::size_t>(consumer)];
        if (waiting_.empty()) return std::nullopt;
        const int producer = waiting_.front();
        waiting_.pop_front();
        return producer;
    }

    /// Credits not taken.
    std::int64_t credits() const { return std::accumulate(credits_.begin(), credits_.end(), std::int64_t{0}); }

  private:
    bool by_credit_;
    std::vector<int> turn_;              ///< next consumer of each producer; one for all where credits decide
    std::vector<std::int64_t> credits_;  ///< credits of each consumer
    std::deque<int> waiting_;
};

}  // namespace watershed
