// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/ping-run.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "scenarios/text/units.h"

namespace watershed {

PingRun run_ping(const Scenario& scenario, const Simulators& simulators) {
    Progress progress("run", "packets", 1);
    return run_points(scenario, std::vector<Ping>{scenario.of<Ping>()}, progress, 1,
                      simulators.of<PingSimulator>("ping"));
}

nlohmann::ordered_json to_json(const PingRun& run) {
    nlohmann::ordered_json json = system_head("ping", "ns3", run.scenario);
    json["runs"] = nlohmann::ordered_json::array();
    for (const PingResult& result : run.results)
        json["runs"].push_back(
            {{"hops", run.scenario.of<Ping>().hops}, {"arrived_us", in_microseconds(result.arrived)}});
    return json;
}

void print(std::ostream& out, const PingRun& run) {
    for (const PingResult& result : run.results) out << "arrived after " << to_text(result.arrived) << "\n";
}

}  // namespace watershed
