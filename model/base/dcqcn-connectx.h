// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/dcqcn.h"

namespace watershed {

/// Parameters of cards beside those of the paper. Names and defaults of NVIDIA: DCQCN CC Parameters.
struct DcqcnConnectx {
    Time cut_timer{4'000'000};  ///< time between cuts; rate_reduce_monitor_period
    bool clamps = false;        ///< each cut sets the target, not only the first after an increase; clamp_tgt_rate
};

/// DCQCN of ConnectX cards, as the simulator of HPCC has it (RdmaHw, "Mellanox's version", commit 9f4be2a). Timers act
/// on notifications; two of them start with the first one.
///     alpha timer   alpha = (1 - g) alpha, and + g if a notification came since it ran out before
///     cut timer     if one came: rate = rate (1 - alpha / 2)
///     rate timer    since the last cut: F increases halve the distance to the target, one is additive, others hyper
/// There is no byte counter, and the limiter is never released.
class DcqcnConnectxFlow final : public RateLaw {
  public:
    DcqcnConnectxFlow(const Dcqcn& dcqcn, const DcqcnConnectx& connectx, BitRate link)
        : dcqcn_(dcqcn),
          connectx_(connectx),
          link_(static_cast<double>(link.count)),
          gain_(as_number(dcqcn.gain)),
          rate_(link_),
          target_(link_) {}

    double rate(Time now) override {
        advance(now);
        return rate_;
    }
    void notified(Time now) override {
        advance(now);
        cuts_ = true;
        alpha_rises_ = is_limited_;
        if (is_limited_) return;
        is_limited_ = true;
        alpha_due_ = now + dcqcn_.alpha_timer;
        cut_due_ = now + connectx_.cut_timer;
    }
    double alpha() const { return alpha_; }
    double target() const { return target_; }

  private:
    void advance(Time now) {
        if (!is_limited_) return;
        for (;;) {
            const Time due = std::min({alpha_due_, cut_due_, rate_due_});
            if (due > now) return;
            if (due == alpha_due_) {  // before a cut at the same time
                alpha_ = (1 - gain_) * alpha_ + (alpha_rises_ ? gain_ : 0);
                alpha_rises_ = false;
                alpha_due_ += dcqcn_.alpha_timer;
            } else if (due == cut_due_) {
                if (cuts_) cut();
                cut_due_ += connectx_.cut_timer;
            } else {
                increase();
                rate_due_ += dcqcn_.rate_timer;
            }
        }
    }
    void cut() {
        if (steps_ > 0 || connectx_.clamps) target_ = rate_;
        rate_ = std::max(rate_ * (1 - alpha_ / 2), static_cast<double>(dcqcn_.least.count));
        steps_ = 0;
        cuts_ = false;
        rate_due_ = cut_due_ + dcqcn_.rate_timer;
    }
    void increase() {
        const int beyond = steps_++ - dcqcn_.fast_recovery;
        if (beyond >= 0)
            target_ += static_cast<double>((beyond > 0 ? dcqcn_.hyper_increase : dcqcn_.additive_increase).count);
        target_ = std::min(target_, link_);
        rate_ = (rate_ + target_) / 2;
    }

    Dcqcn dcqcn_;
    DcqcnConnectx connectx_;
    double link_, gain_;
    bool is_limited_ = false;
    bool alpha_rises_ = false, cuts_ = false;  ///< a notification came since the timer ran out
    double rate_, target_;
    double alpha_ = 1;
    Time alpha_due_{0}, cut_due_{0}, rate_due_ = Time::max();
    int steps_ = 0;  ///< increases since the last cut
};

}  // namespace watershed
