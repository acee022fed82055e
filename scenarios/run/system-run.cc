// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/system-run.h"

#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {

nlohmann::ordered_json losses_json(const std::vector<Outcome::Loss>& losses) {
    auto json = nlohmann::ordered_json::array();
    for (const auto& loss : losses)
        json.push_back({{"where", loss.where}, {"reason", loss.reason}, {"frames", loss.frames}});
    return json;
}

std::string capture_name(const std::string& pcap_prefix, const std::string& end) {
    return pcap_prefix.empty() ? "" : pcap_prefix + "-" + end;
}

void expect_one_capture(const std::string& pcap_prefix, std::size_t runs, const std::string& expected) {
    if (!pcap_prefix.empty() && runs > 1)
        throw InputError("--pcap: found " + std::to_string(runs) + " runs, expected " + expected);
}

nlohmann::ordered_json system_head(const char* system, const char* engine, const Scenario& scenario) {
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"system", system},
            {"engine", engine},
            {"seed", scenario.seed}};
}

nlohmann::ordered_json frames_json(std::int64_t sent, std::int64_t received) {
    return {{"sent", sent}, {"received", received}, {"lost", sent - received}};
}

}  // namespace watershed
