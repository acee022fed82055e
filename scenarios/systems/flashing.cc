// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/ipbus-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"

namespace watershed::systems {

System flashing() {
    System system;
    system.name = "flashing";
    system.help = "workers that update firmware";
    system.keys = flashing_keys;
    system.required = {"workers"};
    system.engine = "exact";
    system.run = [](const Scenario& scenario, const Simulators&, const std::string&) {
        return report_of(run_flashing(scenario));
    };
    system.figures = {"juno-flashing"};
    return system;
}

}  // namespace watershed::systems
