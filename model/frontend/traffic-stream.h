// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/base/quantities.h"

namespace watershed {

/// IEEE 802.1p tells eight priorities apart.
constexpr int kTrafficClasses = 8;

/// Frames beside the camera's that go to the server through the same switches: slow control, time stamps, another
/// camera.
struct TrafficStream {
    enum class Pattern {
        Constant,  ///< frames evenly spaced, at `rate`
        Bursts,    ///< `burst` frames at once, every `period`
        Poisson,   ///< frames at random, at `rate` on average
        OnOff      ///< evenly spaced at `rate` for a random time of mean `on`, then silent for one of mean `off`
    };
    /// How often frames come: so many a second, or so many bits of the link a second.
    struct Rate {
        Frequency frames{0};
        BitRate bits{0};  ///< if not 0, in place of `frames`
    };

    std::string name;
    Pattern pattern = Pattern::Constant;
    Bytes payload{1024};
    Rate rate;
    std::int64_t burst = 1;
    Time period{0};
    Time on{0}, off{0};
    Time start{0};                     ///< of its first frame, burst or wait
    ClockTolerance clock;              ///< the error of its clock is drawn up to this, fast or slow
    Time jitter{0};                    ///< largest delay of a frame, or burst; uniform
    std::optional<Time> phase;         ///< delay of all; absent: drawn, less than from one frame or burst to the next
    std::optional<Time> stop;          ///< frames come before this; absent: as long as the camera sends
    int traffic_class = 0;             ///< IEEE 802.1p
    std::optional<int> module;         ///< over whose link it comes, from 1; absent: over one of its own
    std::string at_switch;             ///< to which that leads, by its name in Network; empty: the first
    std::optional<BitRate> link_rate;  ///< of that; absent: as the modules'
    bool obeys_pause = true;           ///< on a link of its own
};

}  // namespace watershed
