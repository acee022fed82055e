// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/key-lookup.h"

#include <algorithm>

#include "scenarios/keys/network-keys.h"
#include "scenarios/text/input-error.h"

namespace watershed {

const ScenarioKey* find_key(const std::string& name) {
    const auto& keys = scenario_keys();
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [listed = listed_name(name)](const ScenarioKey& k) { return k.name == listed; });
    return key == keys.end() ? nullptr : &*key;
}

std::string siblings(const std::string& prefix) {
    std::vector<std::string> names;
    for (const ScenarioKey& key : scenario_keys()) {
        if (key.name.compare(0, prefix.size(), prefix) != 0) continue;
        const std::string rest = key.name.substr(prefix.size());
        const std::string name = rest.substr(0, rest.find('.'));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void unknown_key(const std::string& place, const std::string& name) {
    std::string table = listed_name(name), prefix;
    do {
        const auto dot = table.rfind('.');
        table = dot == std::string::npos ? "" : table.substr(0, dot);
        prefix = table.empty() ? "" : table + ".";
    } while (siblings(prefix).empty());
    throw InputError(place + ": " + name + ": unknown key, expected " + (prefix.empty() ? "" : "in [" + table + "] ") +
                     "one of " + siblings(prefix));
}

}  // namespace watershed
