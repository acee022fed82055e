// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/commands/command-options.h"
#include "calibrate/measure/frame-record.h"

/// The options of calibration commands that say what is known of a map.
namespace watershed {

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
/// Of --frames; none without it. @throws InputError
inline std::vector<FrameRecord> frame_records_of(const KnownOptions& options) {
    return options.frames.empty() ? std::vector<FrameRecord>() : read_frame_records(options.frames);
}

}  // namespace watershed
