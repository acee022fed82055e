// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/validate/udpmon-sample.h"

#include "scenarios/reader/reader.h"

namespace watershed {

std::vector<UdpmonResult> udpmon_sample(const Validation& validation, const std::string& scenario,
                                        const std::string& spacing, std::int64_t packets,
                                        std::vector<std::string> overrides) {
    overrides.push_back("udpmon.spacing=" + spacing);
    overrides.push_back("udpmon.packets=" + std::to_string(validation.packets(packets)));
    const Scenario read = read_system(validation.scenario(scenario), overrides);
    return run_udpmon(read, validation.simulators).results;
}

}  // namespace watershed
