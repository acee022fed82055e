// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/quantities.h"

namespace watershed {

/// Data center quantized congestion notification (Zhu et al., "Congestion control for large-scale RDMA deployments",
/// SIGCOMM 2015): a switch marks frames that find a long queue, the receiver answers with congestion notification
/// packets (CNP), the sender cuts the rate of that flow and recovers. Defaults: those that the HPCC simulator states
/// for 100 Gb/s, but the paper's alpha timer.
struct Dcqcn {
    bool enabled = true;
    Bytes mark_from{400'000};        ///< of the output's queue; Kmin
    Bytes mark_to{1'600'000};        ///< every frame from here on; Kmax
    Ratio mark_probability{1, 5};    ///< just below `mark_to`; Pmax
    Time cnp_interval{50'000'000};   ///< a receiver sends no more than one CNP of a flow in it
    Ratio gain{1, 256};              ///< of the estimate alpha; g
    Time alpha_timer{55'000'000};    ///< without a CNP after which alpha falls
    Time rate_timer{900'000'000};    ///< after which the rate is increased
    Bytes byte_counter{10'000'000};  ///< and so many bytes sent
    int fast_recovery = 1;           ///< increases that only halve the distance to the target rate; F
    BitRate additive_increase{50'000'000};
    BitRate hyper_increase{100'000'000};
    BitRate least{100'000'000};
};

/// The rate of one flow at its sender, the paper's reaction point:
///     at a CNP      target = rate, rate = rate (1 - alpha / 2), alpha = (1 - g) alpha + g
///     alpha timer   alpha = (1 - g) alpha
///     increase      target += 0, additive or hyper increase; rate = (rate + target) / 2
/// It asks for no events: what timers would have done is made up for when it is next looked at. A flow at the rate of
/// its link has no timers running.
class DcqcnFlow {
  public:
    DcqcnFlow(const Dcqcn& dcqcn, BitRate link);

    /// Bits per second, now.
    double rate(Time now);
    /// The flow is slower than its link.
    bool is_limited(Time now) {
        advance(now);
        return limited_;
    }
    void notified(Time now);
    void sent(Bytes bytes, Time now);

    double alpha() const { return alpha_; }
    double target() const { return target_; }

  private:
    void advance(Time now);
    void increase();

    Dcqcn dcqcn_;
    double link_, gain_;
    bool limited_ = false;
    double rate_, target_;
    double alpha_ = 1;
    Time alpha_due_{0}, rate_due_{0};
    Bytes counted_{0};
    int timer_steps_ = 0, byte_steps_ = 0;
};

}  // namespace watershed
