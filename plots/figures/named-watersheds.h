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

/// Returns true if a burst of some length loses an event at one of these points, so that a line can be drawn.
bool has_line(const nlohmann::ordered_json& points);

/// Draws watersheds in one plane, burst lengths on a logarithmic axis. Without a line of any, the plane says why.
/// @param look     all but the axis
/// @param request  of which inputs and labels are replaced
void draw_named_watersheds(const std::vector<NamedWatershed>& watersheds, FigureRequest request,
                           const std::string& source, WatershedStyle look = {});

}  // namespace watershed
