// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/losses.h"

#include <nlohmann/json.hpp>

namespace watershed {

nlohmann::ordered_json losses_json(const std::vector<Outcome::Loss>& losses) {
    auto json = nlohmann::ordered_json::array();
    for (const auto& loss : losses)
        json.push_back({{"where", loss.where}, {"reason", loss.reason}, {"frames", loss.frames}});
    return json;
}

}  // namespace watershed
