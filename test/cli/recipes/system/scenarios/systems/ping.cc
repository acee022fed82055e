// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/ping-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ping-run.h"
#include "scenarios/run/system-run.h"

namespace watershed::systems {

System ping() {
    System system;
    system.name = "ping";
    system.help = "a packet that crosses links";
    system.keys = ping_keys;
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string&) {
        return report_of(run_ping(scenario, simulators));
    };
    system.figures = {"ping-arrival"};
    return system;
}

}  // namespace watershed::systems
