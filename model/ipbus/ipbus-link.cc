// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-link.h"

#include <algorithm>
#include <utility>

namespace watershed {

IpbusLink::IpbusLink(const IpbusHubFormat& format, int buffers)
    : format_(format), window_(static_cast<std::size_t>(std::min(format.in_flight, buffers))) {}

void IpbusLink::enqueue(const ipbus::FifoRead& read) {
    ++counts_.requests;
    if (given_up())
        ++counts_.abandoned;
    else
        queue_.push_back(read);
}

std::vector<ipbus::Words> IpbusLink::outgoing(Time now) {
    while (state_ == State::Normal && !queue_.empty() && in_flight_.size() < window_) {
        in_flight_.push_back({next_id_, ipbus::read_request(next_id_, queue_.front())});
        queue_.pop_front();
        next_id_ = ipbus::next_id(next_id_);
        outgoing_.push_back(in_flight_.back().packet);
        since_ = now;
    }
    return std::exchange(outgoing_, {});
}

bool IpbusLink::receive(const ipbus::Words& packet, Time now) {
    if (packet.empty() || given_up()) return false;
    if (packet.front() == ipbus::kStatusHeader) {
        if (state_ == State::Status) recover(ipbus::next_expected(packet), now);
        return false;
    }
    if (state_ == State::Normal) since_ = now;
    if (in_flight_.empty() || packet.front() != ipbus::control_header(in_flight_.front().id)) {
        ++counts_.ignored;
        return false;
    }
    in_flight_.pop_front();
    ++counts_.answered;
    if (state_ == State::Recovery) {
        state_ = State::Normal;
        since_ = now;
    }
    return true;
}

std::optional<Time> IpbusLink::deadline() const {
    if (given_up() || (state_ == State::Normal && in_flight_.empty())) return std::nullopt;
    return since_ + format_.timeout;
}

void IpbusLink::time_out(Time now) {
    switch (state_) {
        case State::Normal:
            ++counts_.timeouts;
            attempts_ = status_attempts_ = 0;
            return ask_status(now);
        case State::Status: return status_attempts_ == format_.attempts ? give_up() : ask_status(now);
        case State::Recovery:
            if (++attempts_ == format_.attempts) return give_up();
            status_attempts_ = 0;
            return ask_status(now);
        case State::GivenUp: return;
    }
}

void IpbusLink::ask_status(Time now) {
    ++status_attempts_;
    state_ = State::Status;
    outgoing_.push_back(ipbus::status_request());
    since_ = now;
}

void IpbusLink::recover(std::uint16_t unit_expects, Time now) {
    since_ = now;
    if (in_flight_.empty()) {  // the replies came meanwhile
        state_ = State::Normal;
        return;
    }
    state_ = State::Recovery;
    const bool request_lost = unit_expects == in_flight_.front().id;
    for (const Request& request : in_flight_) {
        outgoing_.push_back(request_lost ? request.packet : ipbus::Words{ipbus::resend_header(request.id)});
        ++(request_lost ? counts_.sent_again : counts_.asked_again);
    }
}

void IpbusLink::give_up() {
    state_ = State::GivenUp;
    counts_.abandoned += static_cast<std::int64_t>(in_flight_.size() + queue_.size());
    in_flight_.clear();
    queue_.clear();
}

IpbusLink::Counts IpbusLink::counts() const {
    Counts counts = counts_;
    counts.open = static_cast<std::int64_t>(in_flight_.size() + queue_.size());
    return counts;
}

}  // namespace watershed
