// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/ipbus-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {

System ipbus() {
    System system;
    system.name = "ipbus";
    system.help = "front-end units and the server that reads them out";
    system.keys = ipbus_keys;
    system.required = {"units", "block"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_ipbus(scenario.of<Ipbus>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_ipbus(scenario, simulators, pcap_prefix));
    };
    system.published = "juno";
    system.validate = validate_juno;
    system.figures = {"juno-block", "juno-units", "juno-survival"};
    return system;
}

}  // namespace watershed::systems
