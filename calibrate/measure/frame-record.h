// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"

/// Records of missing frames. Their order shows the cause: a full memory accepts a few frames of each trigger and
/// refuses the rest, so that frames are missing in runs; random losses are scattered.
namespace watershed {

/// Missing frames of one burst.
struct FrameRecord {
    int burst = 0;  ///< number of the burst in the campaign, from 1
    int row = 0;    ///< row of the map, from 1; 0 if the burst was set aside
    int ports = 0;
    std::int64_t events = 0;
    std::vector<bool> missing;          ///< true for lost frames, in the order of sending: event by event, by module
    std::vector<Time> trigger_times{};  ///< time at which each trigger was handed over; empty if unknown
};

/// Returns frames as hexadecimal digits, four frames per digit, the first frame in the highest bit.
std::string digits_of(const std::vector<bool>& frames);
/// Parses hexadecimal digits; std::nullopt unless they are those of `number` frames.
std::optional<std::vector<bool>> frames_of(const std::string& digits, std::size_t number);

/// Writes the header of a CSV file: burst,row,ports,events,missing,trigger_times_us. The cells of `missing` are
/// hexadecimal digits; times are separated by blanks.
void write_frame_header(std::ostream& out);
/// Writes one row of the CSV file.
void write_frame_record(std::ostream& out, const FrameRecord& record);
/// Reads a CSV file; the last column may be missing. A last line without an end is ignored: the program was killed, or
/// the disk was full, while it was written.
/// @throws InputError with file, line and column
std::vector<FrameRecord> read_frame_records(const std::string& file);
/// Reads a CSV file that is about to be continued, and removes an incomplete last line from it.
/// @throws InputError as read_frame_records(), and if a column is missing
std::vector<FrameRecord> continue_frame_records(const std::string& file);
std::vector<FrameRecord> read_frame_records(std::istream& in, const std::string& name);

/// Statistics of the order of missing frames in a burst.
struct LossOrder {
    std::int64_t frames = 0, missing = 0;
    std::int64_t runs = 0;          ///< number of runs of successive missing frames
    double expected_runs = 0;       ///< expected number of runs if losses are random
    double sigma = 0;               ///< standard deviation of the number of runs if losses are random
    std::int64_t first_event = 0;   ///< first event with a missing frame, from 1; 0: none
    double most_of_module = 0;      ///< largest fraction of the missing frames that belongs to one module
    std::int64_t partial = 0;       ///< number of events that miss some frames, but not all
    std::int64_t from_the_end = 0;  ///< number of partial events that miss exactly their last frames
    std::int64_t after_last = 0;    ///< number of frames after the last missing one
    /// Returns the number of standard deviations by which runs are fewer than at random; 0 if too few frames are
    /// missing.
    double clustering() const { return sigma > 0 ? (expected_runs - double(runs)) / sigma : 0; }
};
/// Returns the statistics of a record.
LossOrder order_of(const FrameRecord& record);

/// Returns the meaning in words: "in runs: a queue that was full", "scattered: lost at random", …
std::string meaning_of(const LossOrder& order);

/// Infers the drop policy. A queue that drops its oldest frames keeps the last ones sent; one that refuses new frames
/// loses some of the last trigger; CoDel drops single frames, the n-th 100 ms / sqrt(n) after the one before (RFC
/// 8289).
Drops infer_drop_policy(const std::vector<FrameRecord>& records);

/// Infers from partly lost triggers whether inputs share one memory (their last frames are lost) or have their own, or
/// are served in changing order. Empty if unknown, or if the oldest frames are lost.
std::string infer_sharing(const std::vector<FrameRecord>& records);

/// Adds to the map, for each lossy burst, the triggers before the first loss and those up to it: two bursts that
/// bracket the watershed. Later triggers change nothing unless the oldest frames are lost.
/// @param file  name of the file of the records, for errors
/// @throws InputError for records of another map
void add_beginnings(LossMap& map, const std::vector<FrameRecord>& records, const std::string& file);

}  // namespace watershed
