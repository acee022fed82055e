// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "calibrate/measure/rig.h"

/// The highest rate that a rig can be trusted with, found over a cable in place of the switch.
namespace watershed {

/// Long bursts of one separation, with nothing between sender and receiver that may lose a frame.
struct TrustStep {
    BurstSetting setting;
    std::int64_t lost = 0;  ///< frames of the last burst
    std::string why_not;    ///< why this separation cannot be trusted; empty where it can
};

struct TrustedRate {
    std::optional<BurstSetting> closest;  ///< the shortest separation that can be trusted; nothing where none can
    std::string limit;                    ///< why triggers must not come closer
};

/// The separation is halved until bursts fail, and what lies between is then bisected to a twentieth. Bursts that come
/// late, or of which the machine itself notes losses, are sent again, as a measurement does it. Frames that are lost
/// without a trace are the worst: a measurement would take them for the switch's.
/// @param most_frames  of a burst
/// @param say          told each separation
TrustedRate trusted_rate(Rig& rig, int ports, Bytes payload, std::int64_t most_frames,
                         const std::function<void(const TrustStep&)>& say);

}  // namespace watershed
