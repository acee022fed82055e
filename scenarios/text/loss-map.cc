// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/loss-map.h"

#include <algorithm>
#include <ostream>

#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Columns that may be missing, and those that must not but have other names here, would be ignored without a word.
std::vector<LossMap::DoubtfulColumn> doubtful_columns(const CsvTable& table) {
    static const std::vector<std::string> kKnown{"ports",
                                                 "payload_bytes",
                                                 "separation_us",
                                                 "events",
                                                 "frames_sent",
                                                 "frames_received",
                                                 "worst_trigger_lateness_us",
                                                 "congested_uplinks",
                                                 "peak_bytes",
                                                 "peak_cells",
                                                 "peak_resolution",
                                                 "delay_us",
                                                 "span_us",
                                                 "handover_us",
                                                 "stalled_us",
                                                 "lost_at"};
    std::vector<LossMap::DoubtfulColumn> doubtful;
    for (const std::string& column : table.columns()) {
        if (std::find(kKnown.begin(), kKnown.end(), column) != kKnown.end()) continue;
        const auto meant = likely_column(column, kKnown);
        if (meant && !table.find_column(*meant)) doubtful.push_back({column, *meant});
    }
    return doubtful;
}

/// Columns of peak counters. They may be missing, and their cells may be empty.
class PeakColumns {
  public:
    explicit PeakColumns(const CsvTable& table)
        : table_(table),
          bytes_(table.find_column("peak_bytes")),
          cells_(table.find_column("peak_cells")),
          resolution_(table.find_column("peak_resolution")) {}

    std::optional<PeakReading> read(const CsvTable::Row& row) const {
        const bool bytes = filled(row, bytes_), cells = filled(row, cells_);
        if (bytes && cells) table_.refuse(row, *cells_, "nothing where there are peak_bytes");
        if (!bytes && !cells) return std::nullopt;
        PeakReading peak;
        peak.cells = cells;
        peak.amount = table_.integer(row, bytes ? *bytes_ : *cells_, 1);
        if (filled(row, resolution_)) peak.resolution = table_.integer(row, *resolution_, 1);
        return peak;
    }

    bool any() const { return bytes_ || cells_; }

    static bool filled(const CsvTable::Row& row, const std::optional<std::size_t>& column) {
        return column && !row.cells[*column].empty();
    }

  private:
    const CsvTable& table_;
    std::optional<std::size_t> bytes_, cells_, resolution_;
};

/// Returns the unit of the last digit that any time of a column shows; 0 for whole microseconds.
Time step_of(const CsvTable& table, std::size_t column) {
    std::size_t decimals = 0;
    for (const CsvTable::Row& row : table.rows()) {
        const std::string& cell = row.cells[column];
        const std::size_t point = cell.find('.');
        if (cell.find_first_of("eE") != std::string::npos) return Time{1};
        if (point != std::string::npos) decimals = std::max(decimals, cell.size() - point - 1);
    }
    std::int64_t step = 1'000'000;
    for (std::size_t i = 0; i < decimals && step > 1; ++i) step /= 10;
    return decimals == 0 ? Time{0} : Time{step};
}

}  // namespace

LossMap loss_map_from(const CsvTable& table, bool may_be_empty) {
    LossMap map{table.name(), {}};
    const auto ports = table.column("ports"), payload = table.column("payload_bytes"),
               separation = table.column("separation_us"), events = table.column("events"),
               sent = table.column("frames_sent");
    const auto lateness = table.find_column("worst_trigger_lateness_us"), delay = table.find_column("delay_us"),
               span = table.find_column("span_us"), handover = table.find_column("handover_us"),
               stalled = table.find_column("stalled_us"), uplinks = table.find_column("congested_uplinks"),
               lost_at = table.find_column("lost_at");
    const PeakColumns peaks(table);
    const auto received =
        peaks.any() ? table.find_column("frames_received") : std::make_optional(table.column("frames_received"));
    map.doubtful_columns = doubtful_columns(table);
    map.separation_step = step_of(table, separation);
    map.rows.reserve(table.rows().size());
    for (const CsvTable::Row& row : table.rows()) {
        LossMapRow burst;
        burst.line = row.line;
        const std::int64_t port_count = table.integer(row, ports, 1);
        if (port_count > 1'000'000) table.refuse(row, ports, "at most 1000000 ports");
        burst.ports = static_cast<int>(port_count);
        burst.payload = Bytes{table.integer(row, payload, 1)};
        burst.separation = table.microseconds(row, separation);
        burst.events = table.integer(row, events, 1);
        constexpr std::int64_t kMostFrames = 1'000'000'000'000;
        if (burst.events > kMostFrames / port_count)
            table.refuse(row, events, "at most " + std::to_string(kMostFrames) + " frames in a burst");
        burst.frames_sent = table.integer(row, sent, 1);
        burst.peak = peaks.read(row);
        burst.counted = PeakColumns::filled(row, received) || !burst.peak;
        if (burst.counted && !received) table.column("frames_received");
        burst.frames_received = burst.counted ? table.integer(row, *received, 0) : burst.frames_sent;
        if (burst.frames_received > burst.frames_sent)
            table.refuse(row, *received, "at most the " + std::to_string(burst.frames_sent) + " frames sent");
        if (uplinks && !row.cells[*uplinks].empty()) {
            const std::int64_t count = table.integer(row, *uplinks, 1);
            if (count > port_count) table.refuse(row, *uplinks, "at most as many uplinks as ports");
            burst.congested_uplinks = static_cast<int>(count);
        }
        if (lateness && !row.cells[*lateness].empty())
            burst.worst_trigger_lateness = table.microseconds(row, *lateness);
        if (delay && !row.cells[*delay].empty()) burst.delay = table.microseconds(row, *delay);
        if (span && !row.cells[*span].empty()) burst.span = table.microseconds(row, *span);
        if (handover && !row.cells[*handover].empty()) burst.handover = table.microseconds(row, *handover);
        if (stalled && !row.cells[*stalled].empty()) burst.stalled = table.microseconds(row, *stalled);
        if (lost_at) burst.lost_at = row.cells[*lost_at];
        map.rows.push_back(burst);
    }
    if (map.rows.empty() && !may_be_empty)
        throw InputError(table.name() + ": the map is empty, expected at least one burst below the header");
    return map;
}

LossMap read_loss_map(const std::string& file) { return loss_map_from(CsvTable::read(file)); }
LossMap read_loss_map(std::istream& in, const std::string& name) { return loss_map_from(CsvTable::read(in, name)); }

std::string cell_of(const LossMapRow& row, const std::string& column) {
    if (column == "ports") return std::to_string(row.ports);
    if (column == "payload_bytes") return std::to_string(row.payload.count);
    if (column == "separation_us") return microseconds(row.separation);
    if (column == "events") return std::to_string(row.events);
    if (column == "frames_sent") return std::to_string(row.frames_sent);
    if (column == "frames_received" && row.counted) return std::to_string(row.frames_received);
    if (column == "worst_trigger_lateness_us" && row.worst_trigger_lateness)
        return microseconds(*row.worst_trigger_lateness);
    if (column == "peak_bytes" && row.peak && !row.peak->cells) return std::to_string(row.peak->amount);
    if (column == "peak_cells" && row.peak && row.peak->cells) return std::to_string(row.peak->amount);
    if (column == "peak_resolution" && row.peak) return std::to_string(row.peak->resolution);
    if (column == "delay_us" && row.delay) return microseconds(*row.delay);
    if (column == "span_us" && row.span) return microseconds(*row.span);
    if (column == "handover_us" && row.handover) return microseconds(*row.handover);
    if (column == "stalled_us" && row.span) return microseconds(row.stalled);
    if (column == "lost_at") return row.lost_at;
    return "";
}

void write_loss_map_header(std::ostream& out) {
    out << "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n";
}

void write_loss_map_rows(std::ostream& out, const std::vector<LossMapRow>& rows) {
    for (const LossMapRow& row : rows)
        out << row.ports << ',' << row.payload.count << ',' << microseconds(row.separation) << ',' << row.events << ','
            << row.frames_sent << ',' << row.frames_received << '\n';
}

namespace {

const std::string kTried = ": no loss up to ";

/// Returns BoundaryPoint::tried of a point with this comment.
std::int64_t tried_of(const std::string& comment) {
    const std::size_t at = comment.find(kTried);
    return at == std::string::npos ? 0 : std::strtoll(comment.c_str() + at + kTried.size(), nullptr, 10);
}

std::vector<BoundaryPoint> boundary_from(const CsvTable& table) {
    const auto separation = table.column("separation_us"), events = table.column("events_lossless");
    const auto depth = table.find_column("depth");
    std::vector<BoundaryPoint> points;
    for (const CsvTable::Row& row : table.rows()) {
        if (depth && row.cells[*depth] != table.rows().front().cells[*depth])
            table.refuse(row, *depth, "the depth of the first row: one boundary");
        BoundaryPoint point{table.microseconds(row, separation), std::nullopt};
        if (!row.cells[events].empty())
            point.events_lossless = table.integer(row, events, 0);
        else
            point.tried = tried_of(row.comment);
        points.push_back(point);
    }
    return points;
}

}  // namespace

std::string tried_comment(const BoundaryPoint& point) {
    return "# separation " + to_text(point.separation) + kTried + std::to_string(point.tried) +
           " events; longer bursts were not tried\n";
}

std::vector<BoundaryPoint> read_boundary(const std::string& file) { return boundary_from(CsvTable::read(file)); }
std::vector<BoundaryPoint> read_boundary(std::istream& in, const std::string& name) {
    return boundary_from(CsvTable::read(in, name));
}

void write_boundary(std::ostream& out, const std::vector<BoundaryPoint>& points) {
    out << "separation_us,events_lossless\n";
    for (const BoundaryPoint& point : points) {
        out << microseconds(point.separation) << ',';
        if (point.events_lossless) out << *point.events_lossless;
        out << '\n';
    }
}

}  // namespace watershed
