// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/base/rate-law.h"

namespace watershed {

/// Swift (Kumar et al., "Swift: Delay is simple and effective for congestion control in the datacenter", SIGCOMM 2020):
/// the sender holds the round trip of its packets at a target, which grows with the hops of the path and shrinks with
/// the window. The paper leaves most parameters to the network.
struct Swift {
    Time base_target{20'000'000};    ///< target of a path without switches and a wide window
    Time hop_scaling{1'000'000};     ///< target of each switch on the way
    Time flow_scaling{40'000'000};   ///< range of what narrow windows add; fs_range
    double flow_scaling_from = 0.1;  ///< packets of a window that gets all of it; fs_min_cwnd
    double flow_scaling_to = 100;    ///< packets of a window that gets none; fs_max_cwnd
    double additive = 1;             ///< packets by which a window grows in a round trip; ai
    double beta = 0.8;               ///< part of the excess over the target by which it shrinks
    double max_decrease = 0.5;       ///< most of the window that goes at once; max_mdf
    double min_window = 0.001;       ///< packets
    double max_window = 1000;        ///< packets
};

/// The paper's algorithm 1 and 3.5, without the delays within hosts, which have none here. A window shrinks once in a
/// round trip; one of less than a packet sends a packet each rtt / window.
class SwiftFlow final : public RateLaw {
  public:
    /// @param packet  bytes of a full one
    SwiftFlow(const Swift& swift, BitRate link, Bytes packet)
        : swift_(swift),
          link_(static_cast<double>(link.count)),
          packet_(static_cast<double>(packet.count)),
          rtt_(swift.base_target),
          window_(clamp(link_ * static_cast<double>(swift.base_target.count()) / 8e12 / packet_)) {}

    double rate(Time) override {
        if (window_ >= 1) return link_;
        return std::min(link_, window_ * packet_ * 8e12 / static_cast<double>(rtt_.count()));
    }
    double window() const override { return std::max(1.0, std::floor(window_)) * packet_; }
    void acknowledged(const Acknowledgement& news, Time now) override {
        timeouts_ = 0;
        rtt_ = news.delay;
        const Time target = get_target(news.links.size());
        if (news.delay < target) {
            const double step = swift_.additive * static_cast<double>(news.newly);
            window_ = clamp(window_ + (window_ >= 1 ? step / window_ : step));
        } else {
            const double excess =
                static_cast<double>((news.delay - target).count()) / static_cast<double>(news.delay.count());
            shrink(std::min(swift_.beta * excess, swift_.max_decrease), now);
        }
    }
    void lost(bool timed_out, Time now) override {
        constexpr int kTimeouts = 5;  // RETX_RESET_THRESHOLD
        if (timed_out && ++timeouts_ >= kTimeouts)
            window_ = swift_.min_window;
        else
            shrink(swift_.max_decrease, now);
    }
    /// @param hops  switches on the way
    Time get_target(std::size_t hops) const {
        const double from = 1 / std::sqrt(swift_.flow_scaling_from), to = 1 / std::sqrt(swift_.flow_scaling_to);
        const double share = std::clamp((1 / std::sqrt(window_) - to) / (from - to), 0.0, 1.0);
        return swift_.base_target + swift_.hop_scaling * static_cast<std::int64_t>(hops) +
               Time{std::llround(share * static_cast<double>(swift_.flow_scaling.count()))};
    }
    double get_window() const { return window_; }

  private:
    double clamp(double window) const { return std::clamp(window, swift_.min_window, swift_.max_window); }
    void shrink(double part, Time now) {
        if (part <= 0 || (shrunk_ && now - *shrunk_ < rtt_)) return;
        window_ = clamp(window_ * (1 - part));
        shrunk_ = now;
    }

    Swift swift_;
    double link_, packet_;  ///< bits per second, bytes
    Time rtt_;
    double window_;  ///< packets
    std::optional<Time> shrunk_;
    int timeouts_ = 0;
};

}  // namespace watershed
