// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "plots/figures/figures.h"

/// Figures of EJFAT runs, each from the JSON of one `watershed run`.
/// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails
namespace watershed {

/// One event from hop to hop: as packets that are handed on as they come, and as if whole events waited for each other.
void draw_ejfat_latency(const FigureRequest& request);

/// Mean reassembly latency against bit rate, a curve per event size.
void draw_ejfat_reassembly(const FigureRequest& request);

/// The highest bit rate without loss against processing time, beside the hyperbola.
void draw_ejfat_no_drop(const FigureRequest& request);

/// Nodes for 100 Gb/s against processing time, from the same.
void draw_ejfat_nodes(const FigureRequest& request);

/// How full the queue of each node is over time, and how many slots it has.
void draw_ejfat_control(const FigureRequest& request);

}  // namespace watershed
