// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

/// The part of periodic waveforms that a reader takes which is busy `load` of its time for all of them: 1, or 1 / load
/// beyond.
double periodic_survival(double load);

/// The same for waveforms at random times, each of which takes the reader equally long, where no more than `room` wait
/// or are read at a time: the queue M/D/1/room. By its chain of states left behind at the ends of service (D. G.
/// Kendall, 1953).
/// @param load  above 0
double random_survival(double load, int room);

}  // namespace watershed
