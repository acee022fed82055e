// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/CLI.hpp>

#include "calibrate/commands/known-options.h"
#include "calibrate/ingest/blame.h"
#include "calibrate/measure/frame-record.h"

/// Options that calibration commands share.
namespace watershed {

/// Adds an option of which help shows the default.
template <class Value>
CLI::Option* shown_option(CLI::App& command, const std::string& name, Value& value, const std::string& help) {
    return command.add_option(name, value, help)->capture_default_str();
}
/// The same of a value between two limits.
template <class Value>
CLI::Option* ranged_option(CLI::App& command, const std::string& name, Value& value, std::common_type_t<Value> least,
                           std::common_type_t<Value> most, const std::string& help) {
    return shown_option(command, name, value, help)->check(CLI::Range(least, most));
}
/// Adds one that may be given again and again, each time with one value.
inline void repeatable_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
    command.add_option(name, values, help)->allow_extra_args(false);
}
/// Adds --fix, --free and --bound.
void add_fix_options(CLI::App& command, KnownOptions& options);
/// Adds MAP, --columns, --scenario, --set, --fix, --free, --bound, --counts, --frames and --jobs.
void add_known_options(CLI::App& command, KnownOptions& options);
/// The map of this table, and with --frames the beginnings of its bursts. @throws InputError
LossMap loss_map_of(const KnownOptions& options, const CsvTable& table);
/// Of --frames; none without it. @throws InputError
std::vector<FrameRecord> frame_records_of(const KnownOptions& options);
/// Adds --target, --precision, --step, --separation, --events, --shortest-separation, --longest-burst, --ports,
/// --payloads and --setup.
void add_advice_options(CLI::App& command, AdviceOptionTexts& texts);

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

}  // namespace watershed
