// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plots/figures/bursts.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"

/// The plane of event separation and burst length for one mix of ports and payload: bursts, and what divides them.
namespace watershed {

/// A line between loss and no loss, predicted or fitted.
struct LossBoundary {
    std::string label;
    std::string colour;
    bool fitted = false;
    std::vector<PlotPoint> known;  ///< ascending in x, finite
    std::vector<PlotPoint>
        lossless{};  ///< bursts of a boundary, and the longest burst tried where longer ones were not
    std::vector<PlotPoint> line;
    Figure::Rows band;  ///< x, low, high
    std::optional<Bounds> asymptote;
    std::optional<double> open_from;  ///< separation in us from which on a boundary has no limit
    double last = 0;                  ///< separation in us of a boundary that is the largest of all its points
    std::string why_none{};           ///< a boundary without a line: why there is none

    double asymptote_middle() const { return (asymptote->low + asymptote->high) / 2; }
};

LossBoundary dividing_line(const BoundaryFile& boundary);
/// @param line one of the fit's
LossBoundary dividing_line(const FitFile& fit, const FitFile::Line& line);

struct Ranges {
    double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
};

/// The content of a panel.
struct WatershedPanel {
    Bursts bursts;
    std::vector<LossBoundary> lines;
    std::string region{};  ///< several lines: the name of the region that the last one leaves without loss
    std::string suffix{};  ///< behind the names of its data, where there are several panels
};

Ranges ranges_of(const WatershedPanel& panel, bool log_events, bool log_separation);

/// Takes out bands that would be thinner than their line, wherever they are within the ranges.
void drop_thin_bands(WatershedPanel& panel, const Ranges& ranges, bool log_events);

/// The elements that can be drawn, each with its place in the legend. Panels with as many lines have the same, in the
/// same order, whether they have data or not; the first ones lie below the others.
std::vector<Series> series_of(const WatershedPanel& panel, const Ranges& all);

/// @param font size of the labels
void add_asymptotes(ChartPanel& panel, const std::vector<LossBoundary>& lines, const Ranges& all, int font);

}  // namespace watershed
