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

/// Options of calibration commands for prior knowledge about a map.
namespace watershed {

/// Adds an option whose default the help shows.
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
/// Adds an option that may be given several times, each time with one value.
inline void repeatable_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
    command.add_option(name, values, help)->allow_extra_args(false);
}

struct KnownOptions {
    std::string map;      ///< file of the map
    std::string columns;  ///< names of its columns, if not the usual ones
    std::string frames;   ///< file of frame records; empty without one
    std::string scenario;
    std::vector<std::string> overrides, fixed, free, bounds;
    std::string rate = "nominal", counts = "auto";
    int jobs = 0;  ///< number of threads; 0: number of processors
};

/// Returns the conditions of the measurement. @throws InputError
Conditions conditions_of(const KnownOptions& options);
/// Returns the options of the fit. @throws InputError
FitOptions fit_options_of(const KnownOptions& options);

/// Parses "2 %" (of a burst's length), "2.5 frames" (of the number lost), or "0". @throws std::invalid_argument
KnownNoise parse_noise(std::string_view text);

/// Parses a ratio; std::nullopt if the text is no number.
std::optional<double> ratio_in(std::string_view text);

/// Adds --fix, --free and --bound.
void add_fix_options(CLI::App& command, KnownOptions& options);
/// Adds MAP, --columns, --scenario, --set, --fix, --free, --bound, --counts, --frames and --jobs.
void add_known_options(CLI::App& command, KnownOptions& options);
/// Returns the map of a table; with --frames also the beginnings of its bursts. @throws InputError
LossMap loss_map_of(const KnownOptions& options, const CsvTable& table);
/// Returns the records of --frames; empty without it. @throws InputError
inline std::vector<FrameRecord> frame_records_of(const KnownOptions& options) {
    return options.frames.empty() ? std::vector<FrameRecord>() : read_frame_records(options.frames);
}

// Options of calibration commands for the target and for settings of the generator.

struct AdviceOptionTexts {
    std::string target = "depth";
    std::string precision = "1%", precision_option = "--precision", step = "10 ns", separations, events;
    std::string shortest_separation;
    std::int64_t longest_burst = Generator().longest;
    std::string ports, payloads, setup = "1 s";
    std::size_t points = 5;
};

/// Parses a time above 0. @throws InputError that names `option`
Time positive_time(const std::string& option, const std::string& text);

/// Parses a percentage: 0.01 from "1%". @throws InputError that names `option`
double parse_precision(const std::string& option, const std::string& text);

/// Returns the options of an advice. @throws InputError
AdviceOptions advice_options_of(const AdviceOptionTexts& texts);

/// Adds --target, --precision, --step, --separation, --events, --shortest-separation, --longest-burst, --ports,
/// --payloads and --setup.
void add_advice_options(CLI::App& command, AdviceOptionTexts& texts);

// Options of calibration commands for files of counters.

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
