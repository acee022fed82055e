// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/generator.h"
#include "calibrate/posterior/noise-law.h"
#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

/// A measurement without a laboratory: bursts into a switch whose parameters nobody is told, by an apparatus that is
/// not perfect.
namespace watershed {

/// What the apparatus and the switch do beside what is asked for. The first terms are those of the likelihood that the
/// fit assumes.
struct Apparatus {
    /// The switch treats a burst as if it were longer or shorter by a random factor, and loses a random number of
    /// frames more or fewer; no number is below 0.
    NoiseLaw noise;
    double background = 0;     ///< share of bursts that lose one frame beside those that no queue had room for
    double loss = 0;           ///< share of the frames that get through which are then lost at random
    double bucket = 0;         ///< bytes on the link that an idle uplink may send at once, ahead of its rate
    double other_traffic = 0;  ///< variance of the number lost, in frames, per frame drained: of others, in clumps
    double late = 0;  ///< share of bursts in which a trigger comes 1 to 10 separations late; the map says by how much
    bool counts = true;  ///< else a burst loses one frame or none
    // What no law of the fit foresees.
    bool heavy_tails = false;  ///< threshold and counts scatter as Student's t with 2 degrees of freedom, scaled alike
    double drift = 0;          ///< relative change of the service rate from each burst to the next
    double stray = 0;          ///< share of bursts that lose 1 to 1000 frames more, any factor as likely, by themselves
    std::int64_t overhead_error = 0;  ///< bytes by which a frame is longer, on link and in memory, than is believed
    std::uint64_t seed = 1;
};

/// Between 0 and 1, neither included.
double uniform_draw(std::uint64_t seed, std::int64_t number, std::uint64_t draw);

class SimulatedSwitch {
  public:
    /// @param hidden of its own modules, payload and trigger nothing is used
    SimulatedSwitch(Scenario hidden, const Apparatus& apparatus, Generator generator = {});

    /// Sends burst number `number` of a campaign, at the settings closest to those wanted. The number names its random
    /// disturbances, so that no burst changes another.
    /// @throws std::invalid_argument if the hidden switch cannot take such frames
    LossMapRow measure(std::int64_t number, const BurstSetting& wanted) const;

  private:
    Scenario hidden_;
    Apparatus apparatus_;
    Generator generator_;
};

}  // namespace watershed
