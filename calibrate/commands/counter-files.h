// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/commands/command-options.h"
#include "calibrate/ingest/blame.h"
#include "scenarios/text/loss-map.h"

/// The options of calibration commands that name files of counters.
namespace watershed {

/// Files of counters from before and after a burst, each perhaps with its place: "switch=before.json".
struct CounterFiles {
    std::vector<std::string> before, after, peaks;
    std::vector<std::string> devices;  ///< whose counters count; empty: all
    std::vector<std::string> told;     ///< what counters count: "NAME=lost"
    std::string resolution = "1 B";    ///< of the peaks
    bool any() const { return !before.empty() || !after.empty() || !peaks.empty(); }
    /// What was counted between them. @throws InputError
    std::vector<Counter> counted() const;
    /// The largest of the peaks, or that of the pool, queue or device that is named: "FILE:ingress_lossless_pool".
    std::optional<PeakReading> peak() const;
};
void add_counter_options(CLI::App& command, CounterFiles& files);

}  // namespace watershed
