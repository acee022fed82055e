// SPDX-License-Identifier: GPL-2.0-only
#include "model/ping/ping.h"

#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ping-run.h"
#include "scenarios/run/system-run.h"

namespace watershed::systems {
namespace {

std::vector<ScenarioKey> ping_keys() {
    using namespace key_tables;
    std::vector<Key<Ping>> all{{"hops", WATERSHED_AT(Ping, hops), "Links that the packet crosses.", from_to(0, 1000)}};
    return system_keys("ping.", std::move(all));
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
