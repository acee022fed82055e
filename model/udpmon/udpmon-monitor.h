// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
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
    std::vector<Outcome::Loss> losses;  ///< lost packets by place and reason
    double send_spacing_ns = 0;         ///< time from the first packet to the last, over the number of packets
    double receive_spacing_ns = 0;
    double wire_rate_mbps = 0;  ///< payload and `reported_overhead` over the receive spacing
    double payload_rate_mbps = 0;
    /// Statistics of the histogram: every interval counts as the lower edge of its bin.
    struct Intervals {
        double least_us = 0, most_us = 0, mode_us = 0, mean_us = 0, deviation_us = 0;
    } intervals;
    std::map<std::int64_t, std::int64_t> histogram;  ///< packets by number of the bin, from 0
    Time simulated{0};

    std::int64_t lost() const { return sent - received; }
    /// Signal-to-noise ratio of a VLBI observation with these data, relative to one without loss: the root of the
    /// fraction that arrived (J. Cullen, NEXPReS, "eVLBI": SNR goes as the root of 1 - fractional loss).
    double vlbi_signal_to_noise() const { return std::sqrt(static_cast<double>(received) / static_cast<double>(sent)); }
};

/// The instrument: notes when packets are sent and read, and states what follows.
class UdpmonMonitor {
  public:
    UdpmonMonitor(const UdpmonReceiver& receiver, Bytes payload) : receiver_(receiver), payload_(payload) {}

    void sent(Time now) {
        if (sent_++ == 0) first_sent_ = now;
        last_sent_ = now;
    }
    /// @param number of the packet, from 1
    /// @param read   when the receiver stamped it
    void received(std::int64_t number, Time read) {
        if (receiver_.granularity > Time{0}) read -= read % receiver_.granularity;
        if (received_++ == 0)
            first_read_ = read;
        else
            ++histogram_[(read - last_read_) / receiver_.bin];
        last_read_ = read;
        if (number < highest_) ++reordered_;
        highest_ = std::max(highest_, number);
    }
    void lost(const LossCause& cause) {
        for (Outcome::Loss& loss : losses_)
            if (loss.where == cause.where && loss.reason == cause.reason) {
                ++loss.frames;
                return;
            }
        losses_.push_back({std::string(cause.where), std::string(cause.reason), 1});
    }

    /// @throws std::logic_error if a packet is unaccounted for
    UdpmonResult result(Time requested) const {
        UdpmonResult result;
        result.payload = payload_;
        result.requested = requested;
        result.sent = sent_;
        result.received = received_;
        result.reordered = reordered_;
        result.losses = losses_;
        std::sort(result.losses.begin(), result.losses.end(), [](const auto& a, const auto& b) {
            return std::tie(a.where, a.reason) < std::tie(b.where, b.reason);
        });
        result.histogram = histogram_;
        result.simulated = last_read_;
        std::int64_t accounted = received_;
        for (const Outcome::Loss& loss : losses_) accounted += loss.frames;
        if (accounted != sent_)
            throw std::logic_error(std::to_string(sent_) + " packets sent, " + std::to_string(accounted) +
                                   " accounted for");

        if (sent_ > 0) result.send_spacing_ns = in_nanoseconds(last_sent_ - first_sent_) / static_cast<double>(sent_);
        if (received_ < 2 || last_read_ <= first_read_) return result;
        result.receive_spacing_ns = in_nanoseconds(last_read_ - first_read_) / static_cast<double>(received_);
        result.wire_rate_mbps =
            8e3 * static_cast<double>((payload_ + receiver_.reported_overhead).count) / result.receive_spacing_ns;
        result.payload_rate_mbps = 8e3 * static_cast<double>(payload_.count) / result.receive_spacing_ns;

        const double bin_us = in_microseconds(receiver_.bin);
        const auto mode = std::max_element(histogram_.begin(), histogram_.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        double n = 0, sum = 0, squares = 0;
        for (const auto& [number, packets] : histogram_) {
            const double from_mode = static_cast<double>(number - mode->first), weight = static_cast<double>(packets);
            n += weight;
            sum += weight * from_mode;
            squares += weight * from_mode * from_mode;
        }
        auto& intervals = result.intervals;
        intervals.least_us = static_cast<double>(histogram_.begin()->first) * bin_us;
        intervals.most_us = static_cast<double>(histogram_.rbegin()->first) * bin_us;
        intervals.mode_us = static_cast<double>(mode->first) * bin_us;
        intervals.mean_us = (static_cast<double>(mode->first) + sum / n) * bin_us;
        intervals.deviation_us = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n))) * bin_us;
        return result;
    }

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
