// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/outcome.h"
#include "model/ipbus/ipbus-link.h"
#include "model/ipbus/ipbus.h"

namespace watershed {

/// Result of one point of an IPbus readout, summed over its units.
struct IpbusResult {
    IpbusPoint point;
    double transferred_mbps = 0;  ///< words read, filler included, from the warm-up to the end
    double data_mbps = 0;         ///< words read without filler, likewise
    double survival = 1;          ///< waveforms not rejected over waveforms generated, from the warm-up to the end
    double server_busy =
        0;  ///< share of its time that a thread works, mean of all threads, from the warm-up to the end

    /// Counts of waveforms by their fate.
    struct Waveforms {
        std::int64_t generated = 0;
        std::int64_t read = 0;  ///< whole ones that the clients have
        std::int64_t rejected = 0;
        std::int64_t left = 0;  ///< in FIFOs, or in replies that never came
    } waveforms;
    IpbusLink::Counts requests;  ///< control packets
    std::int64_t units_given_up = 0;
    std::int64_t frames_sent = 0;       ///< either way, repetitions included
    std::int64_t frames_received = 0;   ///< frames taken by the unit or ControlHub
    std::vector<Outcome::Loss> losses;  ///< lost frames by place and reason
    Bytes switch_peak{0};
    Time simulated{0};

    std::int64_t frames_lost() const { return frames_sent - frames_received; }
    /// Every waveform, request and frame is accounted for. @throws std::logic_error that says which is not
    void check_conservation() const;
};

/// The part of periodic waveforms that a reader takes which is busy `load` of its time for all of them: 1, or 1 / load
/// beyond.
double periodic_survival(double load);

/// Fraction of the waveforms that survive at random times, if each takes the reader equally long and at most `room`
/// wait or are read at a time: the queue M/D/1/room. By its chain of states left behind at the ends of service (D. G.
/// Kendall, 1953).
/// @param load  above 0
double random_survival(double load, int room);

}  // namespace watershed
