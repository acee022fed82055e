// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/distribution-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {

System distribution() {
    System system;
    system.name = "distribution";
    system.help = "producers that send whole events to consumers by RoCE";
    system.keys = distribution_keys;
    system.check = [](const Scenario& scenario, const KeyPlace& place) {
        check_distribution(scenario.of<Distribution>(), place);
    };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_distribution(scenario, simulators, pcap_prefix));
    };
    system.published = "lhcb";
    system.validate = validate_lhcb;
    system.figures = {"lhcb-throughput"};
    return system;
}

}  // namespace watershed::systems
