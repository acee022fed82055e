// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "plots/figures/figures.h"

/// Figures of UDPmon runs, each from the JSON of one `watershed run`.
/// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails
namespace watershed {

/// Received wire rate against requested spacing, a curve per payload.
void draw_udpmon_rate(const FigureRequest& request);

/// Packets lost, in percent, against requested spacing, a curve per payload.
void draw_udpmon_loss(const FigureRequest& request);

/// Histogram of the intervals between packets, a curve per payload and spacing.
void draw_udpmon_jitter(const FigureRequest& request);

}  // namespace watershed
