// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"

/// Which frames of a burst are missing, and in what order: a full memory takes a few frames of each trigger and refuses
/// the rest, so that they are missing in runs; what is lost at random is scattered.
namespace watershed {

struct FrameRecord {
    int burst = 0;  ///< of the campaign, from 1
    int row = 0;    ///< of the map, from 1; 0 where the burst was set aside
    int ports = 0;
    std::int64_t events = 0;
    std::vector<bool> missing;          ///< frame by frame as they were sent: module by module, event by event
    std::vector<Time> trigger_times{};  ///< when each was handed over; empty where nobody knows
};

/// Frames as hexadecimal digits, four in each, the first frame highest.
std::string digits_of(const std::vector<bool>& frames);
/// Nothing where these are not the digits of so many frames.
std::optional<std::vector<bool>> frames_of(const std::string& digits, std::size_t number);

/// CSV: burst,row,ports,events,missing,trigger_times_us: hexadecimal digits, and times with blanks between them. Files
/// without the last column are read, too.
void write_frame_header(std::ostream& out);
void write_frame_record(std::ostream& out, const FrameRecord& record);
/// A last line without an end is none: it was being written when the program was killed, or the disk was full.
/// @throws InputError with file, line and column
std::vector<FrameRecord> read_frame_records(const std::string& file);
/// The same of a file that is about to be continued, from which such a line is taken. @throws InputError without all
/// columns, too
std::vector<FrameRecord> continue_frame_records(const std::string& file);
std::vector<FrameRecord> read_frame_records(std::istream& in, const std::string& name);

/// How the missing frames of a burst lie.
struct LossOrder {
    std::int64_t frames = 0, missing = 0;
    std::int64_t runs = 0;          ///< of missing frames one after the other
    double expected_runs = 0;       ///< were each frame as likely to be missing
    double sigma = 0;               ///< standard deviation of that number
    std::int64_t first_event = 0;   ///< with a missing frame, from 1; 0: none
    double most_of_module = 0;      ///< largest share of the missing frames that one module has
    std::int64_t partial = 0;       ///< events some frames of which are missing, and not all
    std::int64_t from_the_end = 0;  ///< of these, those whose last frames are missing and no other
    std::int64_t after_last = 0;    ///< frames after the last that is missing
    /// Standard deviations by which there are fewer runs than at random; nothing to say with few missing frames.
    double clustering() const { return sigma > 0 ? (expected_runs - double(runs)) / sigma : 0; }
};
LossOrder order_of(const FrameRecord& record);

/// "in runs: a queue that was full", "scattered: lost at random", …
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
/// @throws InputError for records of another map
/// @param file  of the records
void add_beginnings(LossMap& map, const std::vector<FrameRecord>& records, const std::string& file);

}  // namespace watershed
