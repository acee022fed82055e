// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/ingest/blame.h"
#include "scenarios/text/loss-map.h"

namespace CLI {
class App;
}

namespace watershed {

/// Files of counters from before and after a burst, each perhaps with its place: "switch=before.json".
struct CounterFiles {
    std::vector<std::string> before, after, peaks;
    std::vector<std::string> devices;  ///< whose counters count; empty: all
    std::string resolution = "1 B";    ///< of the peaks
    bool any() const { return !before.empty() || !after.empty() || !peaks.empty(); }
    /// What was counted between them. @throws InputError
    std::vector<Counter> counted() const;
    /// The largest of the peaks, or that of the pool, queue or device that is named: "FILE:ingress_lossless_pool".
    std::optional<PeakReading> peak() const;
};
void add_counter_options(CLI::App& command, CounterFiles& files);

/// What can be counted, as far as it is known.
struct Possible {
    std::optional<CounterLimits> ports;
    std::optional<Bytes> memory;  ///< of the scenario's switch, where all ports share it; a peak beyond is named
};

/// What counters say that the switch lost of a burst: a row of a map, or a comment of it where it must not be believed.
/// @param append  to the map that is there @returns the same in words
std::string write_counted_burst(LossMapRow row, const CounterFiles& files, const Possible& possible,
                                const std::string& output, bool append);

}  // namespace watershed
