// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/exact-only.h"

#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

[[noreturn]] void ask_for_ns3(const std::string& what) {
    throw InputError(what + ": this program was built without ns-3, which simulates it; the Debian package watershed has it, and so has what ./waf build makes of the source");
}

std::unique_ptr<Engine> make_exact_engine(const std::string& name, const std::string&) {
    if (name != "exact") ask_for_ns3("engine " + name);
    return std::make_unique<ExactEngine>();
}

}  // namespace

Simulators exact_only() {
    Simulators simulators;
    simulators.usual_engine = "exact";
    simulators.engine = make_exact_engine;
    simulators.udpmon = [](const auto&...) -> UdpmonResult { ask_for_ns3("system \"udpmon\""); };
    simulators.ipbus = [](const auto&...) -> IpbusResult { ask_for_ns3("system \"ipbus\""); };
    simulators.ejfat = [](const auto&...) -> EjfatResult { ask_for_ns3("system \"ejfat\""); };
    simulators.distribution = [](const auto&...) -> DistributionResult { ask_for_ns3("system \"distribution\""); };
    return simulators;
}

}  // namespace watershed
