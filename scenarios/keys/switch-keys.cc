// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/switch-keys.h"

#include "model/switch/switch-fields.h"
#include "scenarios/keys/field-key.h"

namespace watershed {

std::vector<ScenarioKey> switch_keys() {
    std::vector<ScenarioKey> keys;
    for (const SwitchField& field : switch_fields())
        keys.push_back(field_keys::key_of(
            field, "switch.", +[](Scenario& scenario) -> Switch& { return scenario.network_switch; }));
    return keys;
}

}  // namespace watershed
