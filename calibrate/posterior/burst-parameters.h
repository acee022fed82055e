// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"

namespace watershed {

/// Bursts of one number of ports and uplinks and one payload.
using BurstMix = std::tuple<std::int64_t, int, std::int64_t>;

/// Everything about a switch and a measurement that a loss map does not say: what the fit infers.
struct BurstParameters {
    double depth = 0;                          ///< of the memory, in its own unit
    double rate = 0;                           ///< bit/s of one uplink
    double feature = 0;                        ///< value of the memory's feature, where it has one
    AskingOrder order = AskingOrder::Unknown;  ///< of modules on uneven uplinks
    double noise_frames = 0;  ///< standard deviation of the number of frames by which a burst overflows
    double noise_length =
        0;            ///< standard deviation of ln(burst length): the burst acts as one that is longer or shorter
    double loss = 0;  ///< probability that a frame is lost for a reason of its own
    bool leaves_at_once = false;    ///< the frame that an uplink sends takes no room any more
    double bucket = 0;              ///< bytes that an uplink which was idle may send at once, ahead of its rate
    double traffic = 0;             ///< share of each uplink that others take; `rate` is what they leave free
    double traffic_batch = 0;       ///< bytes on the link that they send at once
    double traffic_memory = 0;      ///< units of depth that they fill for each byte on the link
    double stray = 0;               ///< share of bursts whose outcome has nothing to do with the switch
    double excess = 0;              ///< share of bursts in which memories of inputs lose more than the closed form says
    std::vector<double> further{};  ///< what each of `further_laws()` is told by; 0 where it is not there
    std::vector<double>
        constant{};  ///< frames that all bursts of one mix of ports, uplinks and payload overflow more; by mix
};

}  // namespace watershed
