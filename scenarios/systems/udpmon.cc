// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/system.h"
#include "scenarios/keys/udpmon-keys.h"
#include "scenarios/run/system-run.h"
#include "scenarios/run/udpmon-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {

System udpmon() {
    System system;
    system.name = "udpmon";
    system.help = "two hosts and a path between them";
    system.keys = udpmon_keys;
    system.required = {"payload", "spacing"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_udpmon(scenario.of<Udpmon>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_udpmon(scenario, simulators, pcap_prefix));
    };
    system.published = "nexpres";
    system.validate = validate_nexpres;
    system.figures = {"udpmon-rate", "udpmon-loss", "udpmon-jitter"};
    return system;
}

}  // namespace watershed::systems
