// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/by-type.h"
#include "scenarios/run/engine-choice.h"

namespace watershed {

/// @throws InputError that says where there is a program that simulates this
[[noreturn]] void ask_for_ns3(const std::string& what);

/// What can be simulated; main() fills it in, so that nothing else links ns-3.
struct Simulators {
    std::string usual_engine;  ///< of a camera, where the user names none
    EngineFactory engine;      ///< a camera behind a switch
    ByType systems;            ///< simulators of the other systems; the header of its run names the type of each

    /// The simulator of a system. @throws InputError where the program was built without ns-3
    template <class Simulator>
    const Simulator& of(const std::string& system) const {
        const Simulator& simulator = systems.of<Simulator>();
        if (!simulator) ask_for_ns3("system \"" + system + "\"");
        return simulator;
    }
};

}  // namespace watershed
