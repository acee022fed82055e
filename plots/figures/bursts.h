// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "plots/figures/hyperbola.h"
#include "plots/figures/inputs.h"

namespace watershed {

/// Bursts of one mix of ports, payload and congested uplinks, sorted by what became of them.
struct Bursts {
    std::vector<PlotPoint> complete, lossy, set_aside;
    std::vector<PlotPoint> binding,
        violating;                           ///< bursts that limit the fit, and bursts that contradict it
    std::vector<PlotPoint> advised, checks;  ///< to be measured next, and to check the fit with
    std::string
        mix;  ///< "44 ports, 1024 B", or behind it ", 2 congested uplinks" where the map says so; empty without a map

    std::size_t measured() const { return complete.size() + lossy.size() + set_aside.size(); }
};

/// The mixes that can be drawn, six at most: those that the first fit has a line for, or without a fit that of the
/// first row and then those with most rows; and that of advice in any case.
std::vector<Mix> mixes_of(const Inputs& inputs);

Bursts bursts_from(const Inputs& inputs, const Mix& mix);

/// Estimates the line from a map alone: the middle between the longest burst without loss and the shortest with.
std::vector<PlotPoint> line_between(const Bursts& bursts);

}  // namespace watershed
