// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// Loss maps, measured or simulated: the table that the simulator writes and the fit and the figures read.
namespace watershed {

class CsvTable;

/// The most of a memory that was in use during a burst, as a counter of the switch tells it.
struct PeakReading {
    std::int64_t amount = 0;
    bool cells = false;           ///< else bytes
    std::int64_t resolution = 1;  ///< the counter may be off by so much, either way
};

/// One burst.
struct LossMapRow {
    int ports = 0;
    Bytes payload{0};
    Time separation{0};
    std::int64_t events = 0;
    std::int64_t frames_sent = 0;
    std::int64_t frames_received = 0;
    std::optional<Time>
        worst_trigger_lateness;  ///< how late the apparatus sent this burst's latest trigger, where it was recorded
    int line = 0;                ///< in the file, from 1; 0 for a row that was not read
    std::optional<int>
        congested_uplinks{};  ///< over which this burst was spread, where it was not all of the scenario's
    std::optional<PeakReading> peak{};
    std::optional<Time> delay{};     ///< delay of the last frame that arrived, minus that of the first
    std::optional<Time> span{};      ///< measured time from the first trigger to the last; std::nullopt: as set
    std::optional<Time> handover{};  ///< time from the first frame of the last trigger to its last frame
    Time stalled{0};                 ///< time of the burst in which the output stalled while frames waited
    std::string lost_at{};           ///< places where losses were counted; empty if no counter was read
    bool counted = true;   ///< false: arrivals were not counted, the row states no loss, and only the peak shows one
    int beginning_of = 0;  ///< data row of which this is the beginning; 0 for a burst of its own

    std::int64_t frames_lost() const { return frames_sent - frames_received; }
    bool lossless() const { return frames_received == frames_sent; }
};

struct LossMap {
    struct DoubtfulColumn {
        std::string column, meant;
    };
    std::string source;            ///< file name for messages and captions
    std::vector<LossMapRow> rows;  ///< data row i of the file is rows[i - 1]
    Time separation_step{0};  ///< unit of the last digit that any separation shows; 0: whole microseconds, or not read
    std::vector<DoubtfulColumn> doubtful_columns{};  ///< ignored ones that resemble one which could be there and is not
};

/// Reads `ports,payload_bytes,separation_us,events,frames_sent,frames_received` in any column order, and where they are
/// there `congested_uplinks`, `worst_trigger_lateness_us`, `peak_bytes` or `peak_cells` with `peak_resolution`,
/// `delay_us`, `span_us`, `handover_us`, `stalled_us` and `lost_at`; other columns are ignored, `#` lines are comments.
/// `frames_received` may be empty, or not there, where there is a peak.
/// @throws InputError with file, line and column for a missing column, a malformed or negative number, more frames
/// received
///         than sent, or no row at all, unless there may be none yet
LossMap read_loss_map(const std::string& file);
LossMap read_loss_map(std::istream& in, const std::string& name);
LossMap loss_map_from(const CsvTable& table, bool may_be_empty = false);

/// The cell of a row under one of these columns but congested_uplinks; empty where nothing is known, or under any
/// other.
std::string cell_of(const LossMapRow& row, const std::string& column);

/// Writes the header line, and rows without the lateness.
void write_loss_map_header(std::ostream& out);
void write_loss_map_rows(std::ostream& out, const std::vector<LossMapRow>& rows);

/// The watershed: the longest burst without loss at each separation; no value where no length loses, or none that was
/// tried.
struct BoundaryPoint {
    Time separation{0};
    std::optional<std::int64_t> events_lossless;
    std::int64_t tried = 0;  ///< length up to which none loses, where longer ones are not known; else 0
};

/// Returns the comment in front of a point whose longer bursts are not known: a line of its own.
std::string tried_comment(const BoundaryPoint& point);

/// `separation_us,events_lossless`
std::vector<BoundaryPoint> read_boundary(const std::string& file);
std::vector<BoundaryPoint> read_boundary(std::istream& in, const std::string& name);
void write_boundary(std::ostream& out, const std::vector<BoundaryPoint>& points);

}  // namespace watershed
