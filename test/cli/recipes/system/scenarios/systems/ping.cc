// SPDX-License-Identifier: GPL-2.0-only
#include "model/ping/ping.h"

#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ping-run.h"
#include "scenarios/run/system-run.h"

namespace watershed::systems {
namespace {

std::vector<ScenarioKey> ping_keys() {
    return {{"ping.hops", "integer", "1", "Links that the packet crosses.",
             key_setters::count(WATERSHED_PLACE(of<Ping>().hops), 0, 1000)}};
}

}  // namespace

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
