// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
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
    IpbusLink(const IpbusHubFormat& format, int buffers);

    void enqueue(const ipbus::FifoRead& read);
    /// What is to be sent now, to be called after every other call.
    std::vector<ipbus::Words> outgoing(Time now);
    /// A packet has come. @return whether it answers the oldest request
    bool receive(const ipbus::Words& packet, Time now);
    /// When time_out() is due, if nothing happens before.
    std::optional<Time> deadline() const;
    void time_out(Time now);
    /// The unit was given up: nothing more is sent.
    bool given_up() const { return state_ == State::GivenUp; }

    /// What the link has done so far.
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
    Counts counts() const;

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

    void ask_status(Time now);
    void recover(std::uint16_t unit_expects, Time now);
    void give_up();

    IpbusHubFormat format_;
    std::size_t window_;
    State state_ = State::Normal;
    std::deque<ipbus::FifoRead> queue_;
    std::deque<Request> in_flight_;
    std::vector<ipbus::Words> outgoing_;
    std::uint16_t next_id_ = 1;
    Time since_{0};  ///< of the last packet that the time-out counts from
    int status_attempts_ = 0;
    int attempts_ = 0;
    Counts counts_;
};

}  // namespace watershed
