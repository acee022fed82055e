// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "plots/figures/figures.h"

namespace watershed {

/// Throughput of producers and consumers, their mean and, shaded, from the lowest to the highest, and the number of
/// busy consumers over time; from the JSON of one `watershed run` of a distribution.
/// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails
void draw_lhcb_throughput(const FigureRequest& request);

}  // namespace watershed
