// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/keys/keys.h"

namespace watershed {

/// The pattern of a stream that there is not.
constexpr const char* kNoStream = "none";

/// The keys of streams beside the camera. They write to the scenario's last stream.
std::vector<ScenarioKey> traffic_keys();

/// The stream in the name of a key, "slow" in "traffic.slow.rate"; empty if it is of none.
std::string stream_of(const std::string& name);

}  // namespace watershed
