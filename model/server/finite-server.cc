// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/finite-server.h"

namespace watershed {

FiniteServer::FiniteServer(const Receiver& receiver, int interfaces, const Trigger& trigger, std::uint64_t seed,
                           const FragmentSizes& sizes, Books books)
    : books_(std::move(books)),
      sizes_(sizes),
      path_(receiver, interfaces),
      builder_(receiver, books_of_builder()),
      train_(trigger, seed) {}

EventBuilder::Books FiniteServer::books_of_builder() {
    return {books_.received, books_.lost, books_.expected, [this](Time now) { tell_occupancy(now); }};
}

void FiniteServer::advance(Time now) {
    for (; !arriving_.empty() && arriving_.top().time < now; arriving_.pop()) {
        const auto& [time, interface, frame] = arriving_.top();
        take_until(time);
        builder_.advance(time);
        if (path_.arrive(frame, sizes_.of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)], interface,
                         time)) {
            ++in_rings_;
            tell_occupancy(time);
        } else {
            books_.lost(frame, time, ReceivePath::kRingFull);
        }
    }
}

void FiniteServer::take_until(Time now) {
    while (const auto taken = path_.next(now)) {
        builder_.advance(taken->time);
        --in_rings_;
        tell_occupancy(taken->time);
        builder_.add(taken->frame, taken->payload, trigger_of(taken->frame.event), taken->time);
    }
}

Time FiniteServer::trigger_of(std::int64_t event) {
    while (static_cast<std::int64_t>(triggers_.size()) < event) triggers_.push_back(*train_.next());
    return triggers_[static_cast<std::size_t>(event - 1)];
}

Outcome::Server FiniteServer::finish() {
    advance(Time::max());
    take_until(Time::max());
    builder_.finish();
    Outcome::Server server;
    path_.report(server);
    builder_.report(server);
    return server;
}

}  // namespace watershed
