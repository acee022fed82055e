// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// Room for telemetry in a packet: 2 B, and 8 B for each of so many links (Li et al., "HPCC", SIGCOMM 2019, 4.1).
constexpr std::size_t kTelemetryLinks = 5;
constexpr std::uint32_t kTelemetryBytes = 2 + 8 * kTelemetryLinks;

/// In-band telemetry (INT) of a link on a packet's way: its state when the packet began to leave by it.
struct LinkReport {
    Time time{0};
    Bytes sent{0};   ///< bytes of the link that have left by it, preambles and gaps included
    Bytes queue{0};  ///< bytes that wait behind the packet
    BitRate rate{0};
};

/// News of an acknowledgement, for the law of its flow.
struct Acknowledgement {
    std::uint64_t expected = 0;     ///< packets before this one have arrived
    std::uint64_t newly = 0;        ///< packets that are acknowledged for the first time
    std::uint64_t next = 0;         ///< packet that the sender sends next for the first time
    Time delay{0};                  ///< time since the packet that it answers was sent
    std::vector<LinkReport> links;  ///< reports of switches on that packet's way, in order
};

/// Law of the rate of one flow at its sender. It sees what happens to the flow, and no packet. Bytes are those of the
/// link.
class RateLaw {
  public:
    virtual ~RateLaw() = default;
    /// Returns bits per second.
    virtual double rate(Time now) = 0;
    /// Returns the bytes from which on no new packet is sent while so many are on their way.
    virtual double window() const { return std::numeric_limits<double>::infinity(); }
    virtual void sent(Bytes, Time) {}
    /// A notification of congestion (CNP) has come.
    virtual void notified(Time) {}
    virtual void acknowledged(const Acknowledgement&, Time) {}
    /// A packet was lost. @param timed_out  nothing was heard for too long
    virtual void lost(bool /*timed_out*/, Time) {}
};

}  // namespace watershed
