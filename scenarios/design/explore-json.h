// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/design/explore.h"

/// A way as JSON, from which all other forms are made.
namespace watershed {

/// Unknown numbers are null.
/// @param loss  the wanted chance
nlohmann::ordered_json to_json(const Explored& way, double loss);

/// What is assumed, overridden or recalled in these ways: of each line that a way says of it the fields.
nlohmann::ordered_json unstated_of(const std::vector<Explored>& ways);

/// The stacking that to_json() told of.
/// @param modules  of the camera
Stacking stacking_of(const nlohmann::ordered_json& way, int modules);

/// Its points in JSON: [separation_us, events or null].
nlohmann::ordered_json points_of(const WatershedCurve& curve);

/// The chance of loss of a way in JSON, told by its upper limit.
Known risk_of_way(const nlohmann::ordered_json& way);

/// To and from another process, bit for bit.
std::string packed(const Explored& way);
void unpack(Explored& way, const std::string& text);

}  // namespace watershed
