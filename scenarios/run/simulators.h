// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/exact/engine.h"
#include "model/scenario.h"

namespace watershed {

/// Makes the engine of this name, "ns3" or "exact"; main() knows how, so that nothing else links ns-3.
/// @param pcap_prefix  where the engine writes captures; empty for none
using EngineFactory = std::function<std::unique_ptr<Engine>(const std::string& name, const std::string& pcap_prefix)>;

/// @throws InputError that says where there is a program that simulates this
[[noreturn]] void ask_for_ns3(const std::string& what);

/// Simulators of this program. main() sets them, so that nothing else links ns-3.
struct Simulators {
    std::string usual_engine;  ///< default engine for a camera
    EngineFactory engine;      ///< returns an engine for a camera
    /// Returns the simulators of the other systems, which may have to be loaded; the header of a system's run names its
    /// type.
    std::function<const TypeMap&()> systems;

    /// Empty where there is none.
    template <class Simulator>
    Simulator find() const {
        return systems ? systems().of<Simulator>() : Simulator{};
    }
    /// The simulator of a system. @throws InputError where the program was built without ns-3
    template <class Simulator>
    Simulator of(const std::string& system) const {
        const Simulator simulator = find<Simulator>();
        if (!simulator) ask_for_ns3("system \"" + system + "\"");
        return simulator;
    }
};

/// Returns the simulators of a program without ns-3: cameras in the exact engine. All others throw InputError with
/// advice how to get ns-3.
Simulators exact_only();

/// Simulators in ns-3.
struct Ns3Simulators {
    std::unique_ptr<Engine> (*engine)(const std::string& pcap_prefix) = nullptr;
    TypeMap systems;
};

/// A library of this program gives them by the function of this name. It is loaded once something is simulated in ns-3,
/// since that takes longer than most exact runs.
using GiveNs3Simulators = const Ns3Simulators*();
constexpr auto kGiveNs3Simulators = "watershed_ns3_simulators";

/// The exact engine, and what the library has.
/// @param places  where it may be, seen from the folder of the program
/// @throws std::runtime_error from what needs it, where it cannot be loaded
Simulators with_ns3_from(const std::vector<std::string>& places);

}  // namespace watershed
