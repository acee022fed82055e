// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/event-scheduler.h"

#include <numeric>
#include <stdexcept>

namespace watershed {

EventScheduler::EventScheduler(const Distribution& distribution)
    : by_credit_(distribution.scheduler == Distribution::Scheduler::Credit) {
    const int producers = distribution.producers.count, consumers = distribution.consumers.count;
    if (consumers < 1) throw std::invalid_argument("no consumer, expected at least one");
    if (by_credit_ && distribution.consumers.credits < 1)
        throw std::invalid_argument("no credit, expected at least one of each consumer");
    for (int producer = 0; producer < (by_credit_ ? 1 : producers); ++producer)
        turn_.push_back(static_cast<int>(std::int64_t{producer} * consumers / producers));
    credits_.assign(static_cast<std::size_t>(consumers), by_credit_ ? distribution.consumers.credits : 0);
}

std::optional<int> EventScheduler::next(int producer) {
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

std::optional<int> EventScheduler::credited(int consumer) {
    if (!by_credit_) return std::nullopt;
    ++credits_[static_cast<std::size_t>(consumer)];
    if (waiting_.empty()) return std::nullopt;
    const int producer = waiting_.front();
    waiting_.pop_front();
    return producer;
}

std::int64_t EventScheduler::credits() const {
    return std::accumulate(credits_.begin(), credits_.end(), std::int64_t{0});
}

}  // namespace watershed
