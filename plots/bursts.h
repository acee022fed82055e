// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "plots/hyperbola.h"
#include "plots/inputs.h"

namespace watershed {

/// Bursts of one mix of ports, payload and congested uplinks, sorted by what became of them.
struct Bursts {
    std::vector<PlotPoint> complete, lossy, set_aside;
    std::vector<PlotPoint> binding, violating;   ///< of these, the ones that limit the fit and the ones that contradict it
    std::vector<PlotPoint> advised, checks;      ///< to be measured next, and to check the fit with
    std::size_t left_out = 0;   ///< of another mix
    std::string mix;            ///< "44 ports, 1024 B"
};

Bursts bursts_from(const Inputs& inputs);

/// What a map alone tells about the line: the middle between the longest burst without loss and the shortest with.
std::vector<PlotPoint> line_between(const Bursts& bursts);

}  // namespace watershed
