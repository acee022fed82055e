// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

// The kinds of figure, one function and one file each: PLACE-figure.cc. plots/commands/figure-kinds.cc tells of each
// what it shows and of which inputs. Each reads its inputs, recognised by their content and given in any order, and
// writes the figure and its gnuplot script.
// @throws InputError if an input or the output's name is wrong, std::runtime_error if gnuplot fails

/// The input of every kind of figure.
struct FigureRequest {
    std::vector<std::string> inputs;
    std::string output;
    std::string title;
    std::vector<std::string> labels;  ///< for curves or panels in the order of the inputs, instead of the file names
    std::string source{};   ///< description of the data for the line at the bottom, in place of the file names
    std::string columns{};  ///< meaning of the columns of measured tables, as --columns has it
};

/// @throws InputError if there are more labels than the figure has to label
void refuse_surplus_labels(const FigureRequest& request, std::size_t labelled);

/// A burst with a name.
struct MarkedBurst {
    double separation_us = 0, events = 0;
    std::string name;
};

struct WatershedStyle {
    bool log_events = false;      ///< logarithmic axis of burst lengths
    bool log_separation = false;  ///< logarithmic axis of event separations
    bool inset = true;     ///< the small-gap region magnified; never with a logarithmic axis, which shows it anyway
    std::string region{};  ///< several lines: the name of the shaded region that the last one leaves without loss
    std::optional<MarkedBurst> marked{};
    std::string why_none{};  ///< why there is no line, where boundaries do not tell
};

/// Complete and lossy bursts in the plane of event separation and burst length, and what separates them. Where the maps
/// hold several mixes of ports and payload and there are no boundaries and no second fit, a panel for each mix. Inputs:
/// loss maps, boundaries, fits, at least one; and advice, whose points are marked.
void draw_watershed(const FigureRequest& request, const WatershedStyle& look);

/// @param recovery  marks the time from the last moment at the peak to an empty memory
void draw_occupancy(const FigureRequest& request, std::optional<MemorySize> capacity, std::optional<Time> first_loss,
                    bool recovery = false);

using DrawFigure = void(const FigureRequest& request);

DrawFigure draw_comparison, draw_saturation, draw_latency, draw_lateness, draw_loss_per_module;
DrawFigure draw_models, draw_polygon, draw_posterior, draw_corner, draw_residuals, draw_campaigns, draw_calibration;
DrawFigure draw_size, draw_pareto, draw_thresholds, draw_sensitivity, draw_designs, draw_throttle, draw_stagger;
DrawFigure draw_ejfat_latency, draw_ejfat_reassembly, draw_ejfat_no_drop, draw_ejfat_nodes, draw_ejfat_control;
DrawFigure draw_juno_block, draw_juno_units, draw_juno_survival, draw_juno_flashing;
DrawFigure draw_lhcb_throughput;
DrawFigure draw_udpmon_rate, draw_udpmon_loss, draw_udpmon_jitter;

/// From the result itself, as its command writes it. @param output  the figure's name
using DrawFigureOf = void(const nlohmann::ordered_json& result, const std::string& output);

DrawFigureOf draw_sensitivity_of, draw_designs_of, draw_throttle_of, draw_stagger_of;

}  // namespace watershed
