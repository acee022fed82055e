// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/base/by-type.h"
#include "model/exact/engine.h"

namespace watershed {

/// Makes the engine of this name, "ns3" or "exact"; main() knows how, so that nothing else links ns-3.
/// @param pcap_prefix  where the engine writes captures; empty for none
using EngineFactory = std::function<std::unique_ptr<Engine>(const std::string& name, const std::string& pcap_prefix)>;

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

/// What a program without ns-3 can simulate: cameras, in the exact engine. The rest throws InputError, which says where
/// ns-3 is to be had.
Simulators exact_only();

}  // namespace watershed
