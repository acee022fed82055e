// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>

#include "model/base/outcome.h"
#include "model/network/incast.h"

namespace watershed {

/// A switch whose uplinks stand still while it is fed frame by frame, as tests of its thresholds do: each engine has
/// one. Inputs count from 0.
class StoppedSwitch {
  public:
    virtual ~StoppedSwitch() = default;

    /// What became of a frame.
    struct Fate {
        const LossCause* lost = nullptr;  ///< why, or null
        bool in_memory = false;           ///< and not in the pipeline of its uplink
        bool on_headroom = false;         ///< and so in memory
        bool paused = false;              ///< its sender has been told to pause, now or before
    };
    virtual Fate offer(int input) = 0;
    /// The oldest frame of all leaves. @return whether the sender on this input is still told to pause
    virtual bool release(int input) = 0;
};

/// Builds the switch of a scenario, stopped. Of the scenario it takes frame, front end and switch; triggers do not
/// count.
/// @param frames  at most, that will be offered
using StoppedSwitchFactory = std::function<std::unique_ptr<StoppedSwitch>(const Incast& scenario, std::int64_t frames)>;

/// Of the exact engine: the memory and the flow control by themselves.
std::unique_ptr<StoppedSwitch> stop_exactly(const Incast& scenario, std::int64_t frames);

}  // namespace watershed
