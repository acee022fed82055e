// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/ejfat-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {

System ejfat() {
    System system;
    system.name = "ejfat";
    system.help = "sources, a balancer and its nodes";
    system.keys = ejfat_keys;
    system.required = {"source.event_size", "source.bit_rate"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_ejfat(scenario.of<Ejfat>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_ejfat(scenario, simulators, pcap_prefix));
    };
    system.published = "ejfat";
    system.validate = validate_ejfat;
    system.figures = {"ejfat-latency", "ejfat-reassembly", "ejfat-no-drop", "ejfat-nodes", "ejfat-control"};
    return system;
}

}  // namespace watershed::systems
