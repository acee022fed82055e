// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/ipbus/ipbus-packet.h"
#include "model/ipbus/ipbus.h"

namespace watershed {

/// ControlHub's conversation with one unit, without network: so many packets in flight, replies taken in the order of
/// the requests only, and after a time-out a status request that tells whether requests or replies have to be sent
/// again. Source: ipbus-software, controlhub/src/ch_device_client.erl.
class IpbusLink {
  public:
    /// @param buffers  of the unit, which limit the packets in flight too
    IpbusLink(const IpbusHubFormat& format, int buffers)
        : format_(format), window_(static_cast<std::size_t>(std::min(format.in_flight, buffers))) {}

    void enqueue(const ipbus::FifoRead& read) {
        ++counts_.requests;
        if (given_up())
            ++counts_.abandoned;
        else
            queue_.push_back(read);
    }
    /// Returns the packets to be sent now; to be called after every other call.
    std::vector<ipbus::Words> outgoing(Time now) {
        while (state_ == State::Normal && !queue_.empty() && in_flight_.size() < window_) {
            in_flight_.push_back({next_id_, ipbus::read_request(next_id_, queue_.front())});
            queue_.pop_front();
            next_id_ = ipbus::next_id(next_id_);
            outgoing_.push_back(in_flight_.back().packet);
            since_ = now;
        }
        return std::exchange(outgoing_, {});
    }
    /// A packet has come. @return whether it answers the oldest request
    bool receive(const ipbus::Words& packet, Time now) {
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
    /// When time_out() is due, if nothing happens before.
    std::optional<Time> deadline() const {
        if (given_up() || (state_ == State::Normal && in_flight_.empty())) return std::nullopt;
        return since_ + format_.timeout;
    }
    void time_out(Time now) {
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
    /// The unit was given up: nothing more is sent.
    bool given_up() const { return state_ == State::GivenUp; }

    /// Counts of the link so far.
    struct Counts {
        std::int64_t requests = 0;  ///< enqueued; the sum of the next three
        std::int64_t answered = 0;
        std::int64_t abandoned = 0;  ///< because the unit was given up
        std::int64_t open = 0;
        std::int64_t timeouts = 0;
        std::int64_t sent_again = 0;   ///< requests
        std::int64_t asked_again = 0;  ///< replies
        std::int64_t ignored = 0;      ///< replies out of order, or for the second time
    };
    Counts counts() const {
        Counts counts = counts_;
        counts.open = static_cast<std::int64_t>(in_flight_.size() + queue_.size());
        return counts;
    }

  private:
    enum class State {
        Normal,
        Status,    ///< waits for a status reply
        Recovery,  ///< waits for the reply to the oldest request, which was sent again
        GivenUp
    };
    struct Request {
        std::uint16_t id;
        ipbus::Words packet;
    };

    void ask_status(Time now) {
        ++status_attempts_;
        state_ = State::Status;
        outgoing_.push_back(ipbus::status_request());
        since_ = now;
    }
    void recover(std::uint16_t unit_expects, Time now) {
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
    void give_up() {
        state_ = State::GivenUp;
        counts_.abandoned += static_cast<std::int64_t>(in_flight_.size() + queue_.size());
        in_flight_.clear();
        queue_.clear();
    }

    IpbusHubFormat format_;
    std::size_t window_;
    State state_ = State::Normal;
    std::deque<ipbus::FifoRead> queue_;
    std::deque<Request> in_flight_;
    std::vector<ipbus::Words> outgoing_;
    std::uint16_t next_id_ = 1;
    Time since_{0};  ///< time of the last packet, from which the time-out counts
    int status_attempts_ = 0;
    int attempts_ = 0;
    Counts counts_;
};

}  // namespace watershed
