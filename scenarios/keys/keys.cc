// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "model/frontend/sender-fields.h"
#include "scenarios/keys/field-key.h"
#include "scenarios/keys/network-keys.h"
#include "scenarios/keys/server-keys.h"
#include "scenarios/keys/switch-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/keys/traffic-keys.h"
#include "scenarios/text/units.h"

namespace watershed {

using namespace key_setters;

namespace {

ScenarioKey system_key() {
    std::string meaning = "What is simulated. \"camera\": modules, a switch and a server.";
    std::vector<std::pair<std::string, std::string>> names{{"camera", "camera"}};
    for (const System& system : all_systems()) {
        std::string figures;
        for (const std::string& kind : system.figures) figures += (figures.empty() ? ", drawn by " : ", ") + kind;
        meaning += " \"" + system.name + "\": " + system.help + figures + ".";
        names.emplace_back(system.name, system.name);
    }
    return {"system", "text", "camera",
            meaning +
                " Each system has a table of its name; the camera has the tables from [frame] to [server]. Figures "
                "are kinds of watershed plot.",
            choice(WATERSHED_PLACE(system), names)};
}

std::vector<ScenarioKey> keys_before_the_switch() {
    std::vector<ScenarioKey> keys{system_key(),
                                  {"seed", "integer", "1", "All random numbers of a run derive from this seed.",
                                   count(WATERSHED_PLACE(seed), 0, std::numeric_limits<std::int64_t>::max())}};
    for (const SenderField& field : sender_fields())
        keys.push_back(field_keys::key_of(
            field, "", +[](Scenario& scenario) -> Senders& { return scenario; }));
    return keys;
}

}  // namespace

const std::vector<ScenarioKey>& scenario_keys() {
    static const std::vector<ScenarioKey> keys = [] {
        std::vector<ScenarioKey> all = keys_before_the_switch();
        for (const std::vector<ScenarioKey>& more : {switch_keys(), network_keys(), traffic_keys(), server_keys()})
            all.insert(all.end(), more.begin(), more.end());
        for (const System& system : all_systems()) {
            const std::vector<ScenarioKey> more = system.keys();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return keys;
}

}  // namespace watershed
