// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/exact-only.h"

#include "model/exact/exact-engine.h"

namespace watershed {
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
