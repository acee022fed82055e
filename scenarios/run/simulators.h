// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/by-type.h"
#include "scenarios/run/engine-choice.h"

namespace watershed {

/// What can be simulated; main() fills it in, so that nothing else links ns-3.
struct Simulators {
    EngineFactory engine;   ///< a camera behind a switch
    ByType systems;         ///< of the other systems; the header of its run names the type of each
};

}  // namespace watershed
