// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "model/base/outcome.h"

/// What a run tells of the streams that share the switch, the camera among them.
namespace watershed {

/// Adds `streams`, if there are any beside the camera.
void add_streams(nlohmann::ordered_json& json, const Outcome& outcome);
void print_streams(std::ostream& out, const Outcome& outcome);

}  // namespace watershed
