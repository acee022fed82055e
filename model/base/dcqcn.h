// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/rate-law.h"

namespace watershed {

/// Data center quantized congestion notification (Zhu et al., "Congestion control for large-scale RDMA deployments",
/// SIGCOMM 2015): a switch marks frames that find a long queue, the receiver answers with congestion notification
/// packets (CNP), the sender cuts the rate of that flow and recovers. Defaults: those that the HPCC simulator states
/// for 100 Gb/s, but the paper's alpha timer.
struct Dcqcn {
    bool enabled = true;
    Bytes mark_from{400'000};        ///< length of the output's queue from which on frames may be marked; Kmin
    Bytes mark_to{1'600'000};        ///< length from which on every frame is marked; Kmax
    Ratio mark_probability{1, 5};    ///< just below `mark_to`; Pmax
    Time cnp_interval{50'000'000};   ///< a receiver sends no more than one CNP of a flow in it
    Ratio gain{1, 256};              ///< gain of the estimate alpha; g
    Time alpha_timer{55'000'000};    ///< time without a CNP after which alpha falls
    Time rate_timer{900'000'000};    ///< time after which the rate is increased
    Bytes byte_counter{10'000'000};  ///< bytes sent after which the rate is increased
    int fast_recovery = 1;           ///< increases that only halve the distance to the target rate; F
    BitRate additive_increase{50'000'000};
    BitRate hyper_increase{100'000'000};
    BitRate least{100'000'000};
};

/// The rate of one flow at its sender, the paper's reaction point:
///     at a CNP      target = rate, rate = rate (1 - alpha / 2), alpha = (1 - g) alpha + g
///     alpha timer   alpha = (1 - g) alpha
///     increase      target += 0, additive or hyper increase; rate = (rate + target) / 2
/// It needs no events: the next call makes up for expired timers. At the rate of its link a flow has no rate timer
/// running; alpha starts at 1 and, from the first CNP on, falls there, too.
class DcqcnFlow final : public RateLaw {
  public:
    DcqcnFlow(const Dcqcn& dcqcn, BitRate link)
        : dcqcn_(dcqcn),
          link_(static_cast<double>(link.count)),
          gain_(as_number(dcqcn.gain)),
          rate_(link_),
          target_(link_) {}

    double rate(Time now) override {
        advance(now);
        return rate_;
    }
    /// The flow is slower than its link.
    bool is_limited(Time now) {
        advance(now);
        return limited_;
    }
    void notified(Time now) override {
        advance(now);
        alpha_falls_ = gain_ > 0;
        limited_ = true;
        target_ = rate_;
        rate_ = std::max(rate_ * (1 - alpha_ / 2), static_cast<double>(dcqcn_.least.count));
        alpha_ = (1 - gain_) * alpha_ + gain_;
        timer_steps_ = byte_steps_ = 0;
        counted_ = Bytes{0};
        alpha_due_ = now + dcqcn_.alpha_timer;
        rate_due_ = now + dcqcn_.rate_timer;
    }
    void sent(Bytes bytes, Time now) override {
        advance(now);
        if (!limited_) return;
        counted_ += bytes;
        if (counted_ < dcqcn_.byte_counter) return;
        counted_ = Bytes{0};
        ++byte_steps_;
        increase();
    }

    double alpha() const { return alpha_; }
    double target() const { return target_; }

  private:
    void advance(Time now) {
        while (limited_ && rate_due_ <= now) {
            rate_due_ += dcqcn_.rate_timer;
            ++timer_steps_;
            increase();
        }
        // Smaller ones cut no rate: 1 - alpha / 2 is 1 in a double.
        constexpr double kNegligible = 1e-20;
        while (alpha_falls_ && alpha_ > kNegligible && alpha_due_ <= now) {
            alpha_ *= 1 - gain_;
            alpha_due_ += dcqcn_.alpha_timer;
        }
    }
    void increase() {
        if (std::min(timer_steps_, byte_steps_) > dcqcn_.fast_recovery)
            target_ += static_cast<double>(dcqcn_.hyper_increase.count);
        else if (std::max(timer_steps_, byte_steps_) > dcqcn_.fast_recovery)
            target_ += static_cast<double>(dcqcn_.additive_increase.count);
        target_ = std::min(target_, link_);
        rate_ = (rate_ + target_) / 2;
        // Halving never ends; a thousandth below its link a flow is no longer held up.
        if (rate_ > 0.999 * link_) {
            rate_ = target_ = link_;
            limited_ = false;
        }
    }

    Dcqcn dcqcn_;
    double link_, gain_;
    bool limited_ = false;
    bool alpha_falls_ = false;
    double rate_, target_;
    double alpha_ = 1;
    Time alpha_due_{0}, rate_due_{0};
    Bytes counted_{0};
    int timer_steps_ = 0, byte_steps_ = 0;
};

}  // namespace watershed
