// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/explored-result.h"

#include "scenarios/design/explore-result.h"

namespace watershed {

bool is_from_program(const nlohmann::ordered_json& document) {
    return document.is_object() && document.contains("program") && document["program"].is_string() &&
           document["program"].get<std::string>().rfind("watershed ", 0) == 0;
}

void check_explored(const nlohmann::ordered_json& document, const std::string& file) {
    explore_result_of(document, file);
}

}  // namespace watershed
