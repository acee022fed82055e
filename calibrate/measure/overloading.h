// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>

#include "calibrate/closed-form/overload.h"
#include "calibrate/measure/rig.h"

namespace watershed {

/// How constant overloads are measured.
struct OverloadPlan {
    BitRate rate{0};            ///< offered
    int senders = 1;            ///< which send a frame each at a time
    Bytes payload{0}, wire{0};  ///< of a frame: sent, on a link
    std::int64_t frames = 0;    ///< of the first overload
    std::int64_t most_frames = 0;
    Time budget{0};  ///< none begins after that
    int most = 1;    ///< overloads, those set aside among them
    Time rest{0};    ///< before each, in which a token bucket fills that is larger than the queue
};

/// Sends overloads, each as long as the one before tells, until they are enough.
/// @param add   told what came of each: a row, or why there is none
/// @param enough  asked after each row
/// @param say   told each in a line
/// @returns why it ended @throws std::runtime_error where the rig fails, or nothing can be measured
std::string measure_overloads(Rig& rig, const OverloadPlan& plan,
                              const std::function<void(const OverloadOutcome&)>& add,
                              const std::function<bool()>& enough, const std::function<void(const std::string&)>& say);

}  // namespace watershed
