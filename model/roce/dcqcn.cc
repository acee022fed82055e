// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/dcqcn.h"

#include <algorithm>

namespace watershed {

DcqcnFlow::DcqcnFlow(const Dcqcn& dcqcn, BitRate link)
    : dcqcn_(dcqcn),
      link_(static_cast<double>(link.count)),
      gain_(as_number(dcqcn.gain)),
      rate_(link_),
      target_(link_) {}

double DcqcnFlow::rate(Time now) {
    advance(now);
    return rate_;
}

void DcqcnFlow::notified(Time now) {
    advance(now);
    if (!limited_) alpha_ = 1;  // a flow that was never slowed down assumes the worst, as the paper's does
    limited_ = true;
    target_ = rate_;
    rate_ = std::max(rate_ * (1 - alpha_ / 2), static_cast<double>(dcqcn_.least.count));
    alpha_ = (1 - gain_) * alpha_ + gain_;
    timer_steps_ = byte_steps_ = 0;
    counted_ = Bytes{0};
    alpha_due_ = now + dcqcn_.alpha_timer;
    rate_due_ = now + dcqcn_.rate_timer;
}

void DcqcnFlow::sent(Bytes bytes, Time now) {
    advance(now);
    if (!limited_) return;
    counted_ += bytes;
    if (counted_ < dcqcn_.byte_counter) return;
    counted_ = Bytes{0};
    ++byte_steps_;
    increase();
}

void DcqcnFlow::advance(Time now) {
    while (limited_ && std::min(alpha_due_, rate_due_) <= now) {
        if (alpha_due_ <= rate_due_) {
            alpha_ *= 1 - gain_;
            alpha_due_ += dcqcn_.alpha_timer;
        } else {
            rate_due_ += dcqcn_.rate_timer;
            ++timer_steps_;
            increase();
        }
    }
}

void DcqcnFlow::increase() {
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

}  // namespace watershed
