// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plots/figures/figures.h"

namespace watershed {

/// A watershed that a command found, with its place in the legend.
struct NamedWatershed {
    std::string name;  ///< for the line at the bottom, should it lack a watershed
    std::string label;
    nlohmann::ordered_json points;  ///< separation in microseconds, and the longest lossless burst or null; none where
                                    ///< it is not known
};

/// Draws them in one plane, burst lengths on a logarithmic axis.
/// @param look     all but the axis
/// @param request  of which inputs and labels are replaced
/// @throws InputError if no burst of any loses an event
void draw_named_watersheds(const std::vector<NamedWatershed>& watersheds, FigureRequest request,
                           const std::string& source, WatershedStyle look = {});

}  // namespace watershed
