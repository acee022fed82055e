// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/rate-law.h"

namespace watershed {

/// High precision congestion control (Li et al., "HPCC: High precision congestion control", SIGCOMM 2019): switches
/// write into packets how busy their links are, and the sender holds the busiest of them just below its rate. Defaults
/// are the values that the paper states for its simulations; the authors' page says that their maxStage was 0.
struct Hpcc {
    Time base_rtt{13'000'000};  ///< round trip without queues, of the longest path; T
    Ratio eta{95, 100};         ///< target utilisation
    int max_stage = 5;          ///< additive increases before one by the ratio of target and utilisation
    Bytes additive{80};         ///< additive increase of the window; W_AI
};

/// The paper's algorithm 1. The window W is that of the round trip before, W_c, times eta / U, or, while the
/// utilisation U of the busiest link is less than eta, W_c alone, no more than `max_stage` times in a row; plus W_AI in
/// both cases. The flow sends at W / T.
/// n flows over one link B are at rest where W = W_c: each at eta B / n + W_AI / T.
class HpccFlow final : public RateLaw {
  public:
    HpccFlow(const Hpcc& hpcc, BitRate link)
        : hpcc_(hpcc),
          link_(static_cast<double>(link.count)),
          base_(static_cast<double>(hpcc.base_rtt.count())),
          window_(link_ * base_ / 8e12),
          reference_(window_) {}

    double rate(Time) override { return std::min(window_ * 8e12 / base_, link_); }
    double window() const override { return window_; }
    void acknowledged(const Acknowledgement& news, Time) override {
        if (links_.empty() || links_.size() != news.links.size()) {
            update_behind_ = news.next;  // as in the authors' simulator; the paper leaves the first one open
        } else {
            const bool updates = news.expected > update_behind_;
            const auto busiest = find_busiest(news.links);
            if (!busiest) return;
            const double weight = std::min(busiest->time, base_) / base_;
            utilisation_ = (1 - weight) * utilisation_ + weight * busiest->utilisation;
            compute(updates);
            if (updates) update_behind_ = news.next;
        }
        links_ = news.links;
    }
    double get_utilisation() const { return utilisation_; }

  private:
    struct Busiest {
        double utilisation, time;  ///< picoseconds since the report before
    };

    /// @return nothing if the reports are not all later than those before
    std::optional<Busiest> find_busiest(const std::vector<LinkReport>& links) const {
        Busiest busiest{-1, 0};
        for (std::size_t i = 0; i < links.size(); ++i) {
            const LinkReport &now = links[i], &before = links_[i];
            if (now.time <= before.time) return std::nullopt;
            const double passed = static_cast<double>((now.time - before.time).count());
            const double utilisation = (bit_picoseconds(std::min(now.queue, before.queue).count) / base_ +
                                        bit_picoseconds((now.sent - before.sent).count) / passed) /
                                       static_cast<double>(now.rate.count);
            if (utilisation > busiest.utilisation) busiest = {utilisation, passed};
        }
        return busiest;
    }
    void compute(bool updates) {
        const double eta = as_number(hpcc_.eta);
        const bool multiplies = utilisation_ >= eta || stage_ >= hpcc_.max_stage;
        window_ =
            (multiplies ? reference_ * eta / utilisation_ : reference_) + static_cast<double>(hpcc_.additive.count);
        window_ = std::min(window_, link_ * base_ / 8e12);
        if (!updates) return;
        stage_ = multiplies ? 0 : stage_ + 1;
        reference_ = window_;
    }

    Hpcc hpcc_;
    double link_, base_;         ///< bits per second, picoseconds
    double window_, reference_;  ///< W and W_c
    double utilisation_ = 1;     ///< U
    int stage_ = 0;
    std::uint64_t update_behind_ = 0;  ///< an acknowledgement of a later packet sets W_c
    std::vector<LinkReport> links_;
};

}  // namespace watershed
