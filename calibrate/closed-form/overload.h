// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// Depth from a constant overload: what comes in beyond what leaves is held, until the memory is full and a frame is
/// lost.
namespace watershed {

struct FrameFormat;

struct Overload {
    BitRate offered{0}, output{0};  ///< as a link counts frames
    Time first_drop{0};             ///< after the first frame
    std::optional<Bytes> payload{};
    std::optional<Time> delay{};  ///< of the last frame, beyond that of the first
};

/// In which so many leave.
Time time_to_leave(Bytes bytes, BitRate rate);
/// Bytes that pile up.
std::int64_t held(BitRate in, BitRate out, Time time);

/// Columns offered_bps, output_bps, t_first_drop_us, and where there are payload_bytes and delay_us.
extern const char* const kOverloadColumns;
std::string cells_of(const Overload& overload);
/// Whether the header has `t_first_drop_us`.
inline bool is_overload_table(const CsvTable& table) { return table.find_column("t_first_drop_us").has_value(); }
/// @throws InputError with file, line and column
std::vector<Overload> overloads_from(const CsvTable& table);

/// Frames sent at a constant rate, and which of them arrived.
struct OverloadTrace {
    std::vector<Time> sent;     ///< when each trigger was handed over
    std::vector<bool> missing;  ///< frame by frame; each trigger has as many
    Bytes payload{0}, wire{0};  ///< of a frame: sent, on a link
    std::optional<Time> delay;  ///< of the last frame that arrived, beyond that of the first
};
struct OverloadOutcome {
    std::optional<Overload> overload;
    std::int64_t enough = 0;  ///< frames that tell; more than were sent where these told nothing
    std::string why_not;      ///< empty where they were too few
    bool held_up = false;     ///< because of the sender, which tells nothing of the queue
};
/// The frames before the first that is missing were accepted, and of those that come later as many as leave. Only the
/// sender's clock is needed. What the later frames tell has to agree with the first drop: frames that are lost at
/// random, or early, do not.
OverloadOutcome outcome_of(const OverloadTrace& trace);

/// Depth, rate and kind of queue by all overloads.
struct OverloadFit {
    std::vector<Overload> overloads;
    enum class Kind { Queue, Bucket, Policer };
    Kind kind = Kind::Queue;       ///< Bucket: tokens for `depth - delayed` pass at once, ahead of the output's rate
    bool frames = false;           ///< depths are in frames, else in bytes
    double depth = 0;              ///< taken before the first drop: of a policer what it lets pass at once
    std::optional<double> margin;  ///< half of the 95 % interval; nothing for one overload
    std::optional<std::pair<double, double>> by_rate;  ///< depth at the lower and the higher rates, where they differ
    std::optional<double> delayed;                     ///< the delay of the last frame as a depth
    double frame = 0;   ///< the largest, in the unit of the depths; 0 where no payload is known
    double output = 0;  ///< bit/s
};
/// @param format  what a frame costs a link and a memory; counts where a payload is known
/// @pre one overload at least
OverloadFit fit_overloads(const std::vector<Overload>& overloads, const FrameFormat& format, bool in_frames);

}  // namespace watershed
