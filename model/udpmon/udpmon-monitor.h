// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "model/base/outcome.h"
#include "model/udpmon/udpmon.h"

namespace watershed {

/// One payload at one spacing, as the instrument states it.
struct UdpmonResult {
    Bytes payload;
    Time requested{0};
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t reordered = 0;         ///< came behind one with a higher number
    std::vector<Outcome::Loss> losses;  ///< by place and reason
    double send_spacing_ns = 0;         ///< from the first packet to the last, over the number of packets
    double receive_spacing_ns = 0;
    double wire_rate_mbps = 0;  ///< payload and `reported_overhead` over the receive spacing
    double payload_rate_mbps = 0;
    /// Of the histogram: every interval counts as the lower edge of its bin.
    struct Intervals {
        double least_us = 0, most_us = 0, mode_us = 0, mean_us = 0, deviation_us = 0;
    } intervals;
    std::map<std::int64_t, std::int64_t> histogram;  ///< packets by number of the bin, from 0
    Time simulated{0};

    std::int64_t lost() const { return sent - received; }
    /// Of a VLBI observation whose data these were, relative to one without loss: the root of the fraction that arrived
    /// (J. Cullen, NEXPReS, "eVLBI": SNR goes as the root of 1 - fractional loss).
    double vlbi_signal_to_noise() const { return std::sqrt(static_cast<double>(received) / static_cast<double>(sent)); }
};

/// The instrument: notes when packets are sent and read, and states what follows.
class UdpmonMonitor {
  public:
    UdpmonMonitor(const UdpmonReceiver& receiver, Bytes payload) : receiver_(receiver), payload_(payload) {}

    void sent(Time now);
    /// @param number of the packet, from 1
    /// @param read   when the receiver stamped it
    void received(std::int64_t number, Time read);
    void lost(const LossCause& cause);

    /// @throws std::logic_error if a packet is unaccounted for
    UdpmonResult result(Time requested) const;

  private:
    const UdpmonReceiver& receiver_;
    Bytes payload_;
    std::int64_t sent_ = 0;
    std::int64_t received_ = 0;
    std::int64_t highest_ = 0;
    std::int64_t reordered_ = 0;
    Time first_sent_{0}, last_sent_{0}, first_read_{0}, last_read_{0};
    std::map<std::int64_t, std::int64_t> histogram_;
    std::vector<Outcome::Loss> losses_;
};

}  // namespace watershed
