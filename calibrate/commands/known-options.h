// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "calibrate/advice/advise.h"
#include "calibrate/ingest/blame.h"
#include "calibrate/measure/frame-record.h"
#include "scenarios/text/loss-map.h"

/// The options of calibration commands that say what is known of a map.
namespace watershed {

/// Adds an option of which help shows the default.
template <class Value>
CLI::Option* shown_option(CLI::App& command, const std::string& name, Value& value, const std::string& help) {
    return command.add_option(name, value, help)->capture_default_str();
}
/// Adds an option of a value between two limits.
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

struct KnownOptions {
    std::string map;
    std::string columns;  ///< what its columns hold, if they have not the usual names
    std::string frames;   ///< which frames of its bursts are missing
    std::string scenario;
    std::vector<std::string> overrides, fixed, free, bounds;
    std::string rate = "nominal", counts = "auto";
    int jobs = 0;  ///< threads that compute at a time; 0: as many as processors
};

/// @throws InputError, as all that read options
Conditions conditions_of(const KnownOptions& options);
FitOptions fit_options_of(const KnownOptions& options);

/// "2 %" of a burst's length, "2.5 frames" that are lost, or "0".
/// @throws std::invalid_argument
KnownNoise parse_noise(std::string_view text);

/// Nothing where it is no number.
std::optional<double> ratio_in(std::string_view text);

/// Adds --fix, --free and --bound.
void add_fix_options(CLI::App& command, KnownOptions& options);
/// Adds MAP, --columns, --scenario, --set, --fix, --free, --bound, --counts, --frames and --jobs.
void add_known_options(CLI::App& command, KnownOptions& options);
/// The map of this table, and with --frames the beginnings of its bursts. @throws InputError
LossMap loss_map_of(const KnownOptions& options, const CsvTable& table);
/// Returns the records of --frames; empty without it. @throws InputError
inline std::vector<FrameRecord> frame_records_of(const KnownOptions& options) {
    return options.frames.empty() ? std::vector<FrameRecord>() : read_frame_records(options.frames);
}

// The options of calibration commands that say what is wanted, and what can be set.

struct AdviceOptionTexts {
    std::string target = "depth";
    std::string precision = "1%", precision_option = "--precision", step = "10 ns", separations, events;
    std::string shortest_separation;
    std::int64_t longest_burst = Generator().longest;
    std::string ports, payloads, setup = "1 s";
    std::size_t points = 5;
};

/// A time above 0 that an option gives. @throws InputError
Time positive_time(const std::string& option, const std::string& text);

/// A share from a percentage: 0.01 from "1%". @throws InputError
double parse_precision(const std::string& option, const std::string& text);

/// @throws InputError
AdviceOptions advice_options_of(const AdviceOptionTexts& texts);

/// Adds --target, --precision, --step, --separation, --events, --shortest-separation, --longest-burst, --ports,
/// --payloads and --setup.
void add_advice_options(CLI::App& command, AdviceOptionTexts& texts);

// The options of calibration commands that name files of counters.

/// Files of counters from before and after a burst, each perhaps with its place: "switch=before.json".
struct CounterFiles {
    std::vector<std::string> before, after, peaks;
    std::vector<std::string> devices;  ///< whose counters count; empty: all
    std::vector<std::string> told;     ///< what counters count: "NAME=lost"
    std::string resolution = "1 B";    ///< of the peaks
    bool any() const { return !before.empty() || !after.empty() || !peaks.empty(); }
    /// Returns the counts between before and after. @throws InputError
    std::vector<Counter> counted() const;
    /// The largest of the peaks, or that of the pool, queue or device that is named: "FILE:ingress_lossless_pool".
    std::optional<PeakReading> peak() const;
};
void add_counter_options(CLI::App& command, CounterFiles& files);

}  // namespace watershed
