// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// Depth from a constant overload: the excess of input over output accumulates until the memory is full and a frame is
/// lost.
namespace watershed {

struct FrameFormat;

/// Result of one overload.
struct Overload {
    BitRate offered{0}, output{0};  ///< input and output rate, with preambles and gaps
    Time first_drop{0};             ///< time from the first frame to the first lost one
    std::optional<Bytes> payload{};
    std::optional<Time> delay{};  ///< delay of the last frame, minus that of the first
};

/// Returns the time in which `bytes` leave at a rate.
Time time_to_leave(Bytes bytes, BitRate rate);
/// Returns the bytes that accumulate in `time`.
std::int64_t held(BitRate in, BitRate out, Time time);

/// Columns of a table of overloads: offered_bps, output_bps, t_first_drop_us, and the optional payload_bytes and
/// delay_us.
extern const char* const kOverloadColumns;
/// Returns the row of an overload, with commas between the cells.
std::string cells_of(const Overload& overload);
/// Returns true if the header has `t_first_drop_us`.
inline bool is_overload_table(const CsvTable& table) { return table.find_column("t_first_drop_us").has_value(); }
/// Reads a table of overloads. @throws InputError with file, line and column
std::vector<Overload> overloads_from(const CsvTable& table);

/// Record of frames sent at a constant rate.
struct OverloadTrace {
    std::vector<Time> sent;     ///< time at which each trigger was handed over
    std::vector<bool> missing;  ///< true for lost frames, in the order of sending; each trigger has as many frames
    Bytes payload{0}, wire{0};  ///< bytes of a frame: payload, and on a link
    std::optional<Time> delay;  ///< delay of the last frame that arrived, minus that of the first
};
/// Evaluation of an overload.
struct OverloadOutcome {
    std::optional<Overload> overload;  ///< result; std::nullopt without one
    std::int64_t enough = 0;  ///< frames that are enough for a result; more than were sent if these were too few
    std::string why_not;      ///< reason why there is no result; empty if too few frames were sent
    bool held_up = false;     ///< true if the sender is the reason, not the queue
};
/// Evaluates an overload. The queue accepts all frames before the first lost one, and afterwards as many as leave, so
/// that only the sender's clock is needed. Later losses must agree with the first one; losses at random, or before the
/// memory is full, do not.
OverloadOutcome outcome_of(const OverloadTrace& trace);

/// Depth, rate and kind of queue by all overloads.
struct OverloadFit {
    std::vector<Overload> overloads;
    enum class Kind { Queue, Bucket, Policer };
    Kind kind = Kind::Queue;       ///< Bucket: tokens for `depth - delayed` pass at once, ahead of the output's rate
    bool frames = false;           ///< unit of the depths; true: frames, false: bytes
    double depth = 0;              ///< amount accepted before the first drop; the burst size of a policer
    std::optional<double> margin;  ///< half width of the 95 % interval; std::nullopt for a single overload
    std::optional<std::pair<double, double>> by_rate;  ///< depths at the lower and the higher rates, if they differ
    std::optional<double> delayed;                     ///< depth that the delay of the last frame implies
    double frame = 0;   ///< largest frame, in the unit of the depths; 0 if no payload is known
    double output = 0;  ///< output rate, bit/s
};
/// Returns the fit of all overloads. @pre at least one overload
/// @param format  framing, which gives the bytes of a frame on a link and in a memory if its payload is known
OverloadFit fit_overloads(const std::vector<Overload>& overloads, const FrameFormat& format, bool in_frames);

}  // namespace watershed
