// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The default of a key as a scenario would give it.
inline KeyValue stated_default(const ScenarioKey& key) {
    const std::string& text = key.default_value;
    if (text == "true" || text == "false") return text == "true";
    if (text.front() == '[') return std::vector<std::string>{text.substr(2, text.size() - 4)};  // of one element
    if (text.find_first_not_of("0123456789") == std::string::npos) return static_cast<std::int64_t>(std::stoll(text));
    return text;
}

}  // namespace watershed
