// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/quantities.h"

/// The kinds of figure, one function and one file each: PLACE-figure.cc.
/// Each reads its inputs, recognised by their content and given in any order, and writes the figure and its gnuplot script.
/// @throws InputError if an input or the output's name is wrong, std::runtime_error if gnuplot fails
namespace watershed {

/// What every kind is given.
struct FigureRequest {
    std::vector<std::string> inputs;
    std::string output;
    std::string title;
    std::vector<std::string> labels;   ///< for the curves in the order of the inputs, instead of the file names
};

/// Complete and lossy bursts in the plane of event separation and burst length, and what separates them.
/// Inputs: loss maps, boundaries, fits; at least one.
void draw_watershed(const FigureRequest& request, bool log_events, bool inset);

/// Saturation frequency against loaded ports, beside the uplink's rate under each meaning of a frame's size.
void draw_saturation(const FigureRequest& request);

/// Memory occupancy over time. A run's JSON marks the first loss.
void draw_occupancy(const FigureRequest& request, std::optional<MemorySize> capacity, std::optional<Time> first_loss);

/// The feasible region of a fit in the plane of depth and service rate.
void draw_polygon(const FigureRequest& request);

}  // namespace watershed
