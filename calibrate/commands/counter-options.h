// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/commands/cli-option.h"
#include "calibrate/ingest/blame.h"
#include "scenarios/text/loss-map.h"

/// Options of calibration commands for files of counters.
namespace watershed {

/// Files of counters from before and after a burst. A name may begin with the place: "switch=before.json".
struct CounterFiles {
    std::vector<std::string> before, after, peaks;
    std::vector<std::string> devices;  ///< devices whose counters are used; empty: all
    std::vector<std::string> told;     ///< meanings of counters given by the user: "NAME=lost"
    std::string resolution = "1 B";    ///< resolution of the peaks
    bool any() const { return !before.empty() || !after.empty() || !peaks.empty(); }
    /// Returns the counts between before and after. @throws InputError
    std::vector<Counter> counted() const;
    /// Returns the largest peak, or that of the named pool, queue or device: "FILE:ingress_lossless_pool".
    std::optional<PeakReading> peak() const;
};
void add_counter_options(CLI::App& command, CounterFiles& files);

}  // namespace watershed
