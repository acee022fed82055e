// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "plots/figures/figures.h"

/// Figures of IPbus and flashing runs, each from the JSON of `watershed run`.
/// @throws InputError if an input is something else or the output's name is wrong, std::runtime_error if gnuplot fails
namespace watershed {

/// Bandwidth of one unit against block size, beside the bus that limits it. One input; a curve for each number of
/// units.
void draw_juno_block(const FigureRequest& request);

/// Bandwidth of the server against the number of units, a curve for each input, beside what 1 kHz asks for.
void draw_juno_units(const FigureRequest& request);

/// Part of the waveforms that are read against the trigger rate, beside theory for their pattern. One input.
void draw_juno_survival(const FigureRequest& request);

/// Duration of flashing against the number of workers. Inputs: the JSON of one run, and tables of measured durations
/// (CSV: workers,duration_s).
void draw_juno_flashing(const FigureRequest& request);

}  // namespace watershed
