// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/simulators.h"

#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"

namespace watershed {

void ask_for_ns3(const std::string& what) {
    throw InputError(what +
                     ": this program was built without ns-3, which simulates it; the Debian package watershed has it, "
                     "and so has what ./waf build makes of the source");
}

namespace {

std::unique_ptr<Engine> make_exact_engine(const std::string& name, const std::string&) {
    if (name != "exact") ask_for_ns3("engine " + name);
    return std::make_unique<ExactEngine>();
}

}  // namespace

Simulators exact_only() {
    Simulators simulators;
    simulators.usual_engine = "exact";
    simulators.engine = make_exact_engine;
    return simulators;
}

}  // namespace watershed
