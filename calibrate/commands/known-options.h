// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/burst.h"
#include "calibrate/commands/cli-option.h"
#include "calibrate/measure/frame-record.h"
#include "scenarios/text/loss-map.h"

/// Options of calibration commands for prior knowledge about a map.
namespace watershed {

struct KnownOptions {
    std::string map;      ///< file of the map
    std::string columns;  ///< names of its columns, if not the usual ones
    std::string frames;   ///< file of frame records; empty without one
    std::string scenario;
    std::vector<std::string> overrides, fixed, free, bounds, priors;
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
/// Adds MAP, --columns, --scenario, --set, --fix, --free, --bound, --prior, --counts, --frames and --jobs.
void add_known_options(CLI::App& command, KnownOptions& options);
/// Returns the map of a table; with --frames also the beginnings of its bursts. @throws InputError
LossMap loss_map_of(const KnownOptions& options, const CsvTable& table, bool may_be_empty = false);
/// Returns the records of --frames; empty without it. @throws InputError
inline std::vector<FrameRecord> frame_records_of(const KnownOptions& options) {
    return options.frames.empty() ? std::vector<FrameRecord>() : read_frame_records(options.frames);
}

}  // namespace watershed
