// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/ledger.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "model/frontend/front-end.h"

namespace watershed {

void Ledger::lost(const FrameId& frame, Time time, const LossCause& cause, int number) {
    ++lost_;
    const auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.cause == cause; });
    if (count != counts_.end())
        ++count->frames;
    else
        counts_.push_back({cause, 1});

    const bool at_front_end = cause.where == FrontEndPort::kFifoFull.where;
    if (at_front_end && sizes_) {
        Outcome::Link& refused = refused_[frame.module];
        ++refused.frames;
        refused.wire += sizes_->of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)].wire;
    }
    const int place = at_front_end ? 0 : number + 1;
    const auto precedes_first = [&] {
        if (time != first_->time) return time < first_->time;
        if (place != first_place_) return place < first_place_;
        return at_front_end && std::tie(frame.module, frame.event, frame.frame) <
                                   std::tie(first_->frame.module, first_->frame.event, first_->frame.frame);
    };
    if (!first_ || precedes_first()) {
        first_ = FirstLoss{frame, time, std::string(cause.where)};
        first_place_ = place;
    }
    if (observer_ && observer_->lost) observer_->lost(frame, time, cause);
}

Outcome::Link Ledger::refused_by_fifo(int module) const {
    const auto refused = refused_.find(module);
    return refused == refused_.end() ? Outcome::Link{} : refused->second;
}

std::vector<Outcome::Loss> Ledger::losses() const {
    std::vector<Outcome::Loss> losses;
    for (const Count& count : counts_)
        losses.push_back({std::string(count.cause.where), std::string(count.cause.reason), count.frames});
    std::sort(losses.begin(), losses.end(),
              [](const auto& a, const auto& b) { return std::tie(a.where, a.reason) < std::tie(b.where, b.reason); });
    return losses;
}

TrafficBooks::TrafficBooks(const Senders& senders, const Observer* observer) {
    if (senders.traffic.empty()) return;
    const auto open = [&](const std::string& name, int traffic_class) {
        accounts_.push_back({{}, Ledger(observer), {}});
        accounts_.back().seen.name = name;
        accounts_.back().seen.traffic_class = traffic_class;
    };
    open("camera", senders.front_end.traffic_class);
    for (const TrafficStream& stream : senders.traffic) open(stream.name, stream.traffic_class);
}

void TrafficBooks::offered(const FrameId& frame, Time now) {
    if (!are_kept()) return;
    Account& account = accounts_[static_cast<std::size_t>(frame.stream)];
    ++account.seen.frames_sent;
    account.ready.emplace(key_of(frame), now);
}

void TrafficBooks::arrived(const FrameId& frame, Time now) {
    if (!are_kept()) return;
    Account& account = accounts_[static_cast<std::size_t>(frame.stream)];
    const auto ready = account.ready.find(key_of(frame));
    if (ready == account.ready.end()) throw std::logic_error("a frame arrived that was never sent");
    const Time latency = now - ready->second;
    account.ready.erase(ready);
    ++account.seen.frames_received;
    ++account.seen.frames_arrived;
    account.seen.latency += latency;
    account.seen.latency_most = std::max(account.seen.latency_most, latency);
}

bool TrafficBooks::lost(const FrameId& frame, Time now, const LossCause& cause, int number) {
    if (!are_kept()) return false;
    Account& account = accounts_[static_cast<std::size_t>(frame.stream)];
    account.ready.erase(key_of(frame));
    if (frame.stream == 0) return false;
    account.ledger.lost(frame, now, cause, number);
    return true;
}

void TrafficBooks::report(Outcome& outcome, const std::vector<std::vector<Outcome::Amount>>& peaks) const {
    for (std::size_t i = 0; i < accounts_.size(); ++i) {
        const Account& account = accounts_[i];
        Outcome::Stream seen = account.seen;
        if (i == 0) {
            if (seen.frames_sent != outcome.frames_sent)
                throw std::logic_error("the books of the camera's frames do not balance");
            seen.frames_received = outcome.frames_received;  // a server with limits may lose some that arrived
            seen.losses = outcome.losses;
        } else {
            seen.losses = account.ledger.losses();
            if (seen.frames_sent != seen.frames_received + account.ledger.frames_lost() || !account.ready.empty())
                throw std::logic_error("the books of stream " + seen.name +
                                       " do not balance: " + std::to_string(seen.frames_sent) + " frames sent, " +
                                       std::to_string(seen.frames_received) + " received, " +
                                       std::to_string(account.ledger.frames_lost()) + " lost");
        }
        for (const auto& at_switch : peaks) seen.peaks.push_back(at_switch[i]);
        outcome.streams.push_back(std::move(seen));
    }
}

}  // namespace watershed
