// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <sstream>

#include "calibrate/measure/rig.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr const char* kColumns =
    "ports,payload_bytes,separation_us,events,frames_sent,frames_received,worst_trigger_lateness_us,median_trigger_"
    "lateness_us,delay_us,span_us,handover_us,stalled_us";

}  // namespace

std::string cells_of(const BurstRecord& record, const std::vector<std::string>& columns) {
    const auto cell = [&](const std::string& column) {
        return column == "median_trigger_lateness_us" && record.median_trigger_lateness
                   ? microseconds(*record.median_trigger_lateness)
                   : cell_of(record.row, column);
    };
    return listed(columns, cell, ",");
}

MeasuredMap::MeasuredMap(std::string file, bool peaks) : file_(std::move(file)), map_{file_, {}} {
    if (file_ == "-") throw InputError("found - for the map, expected a file, which grows burst by burst");
    OutputFile{file_};  // refuses what cannot be written before the first burst
    text_ =
        text_to_continue(file_, Provenance::comment() + kColumns + (peaks ? ",peak_bytes,peak_resolution\n" : "\n"));
    std::istringstream in(text_);
    const CsvTable table = CsvTable::read(in, file_);
    columns_ = table.columns();
    if (table.rows().empty())
        for (const char* column :
             {"ports", "payload_bytes", "separation_us", "events", "frames_sent", "frames_received"})
            table.column(column);
    else
        map_ = loss_map_from(table);
}

void MeasuredMap::add_peak_columns(bool cells) {
    const std::string names[] = {cells ? "peak_cells" : "peak_bytes", "peak_resolution"};
    for (const std::string& name : names) {
        if (std::find(columns_.begin(), columns_.end(), name) != columns_.end()) continue;
        std::istringstream lines(text_);
        std::string wider, line;
        for (bool header = true; std::getline(lines, line);) {
            const bool comment = line.empty() || line.front() == '#';
            wider += line + (comment ? "" : header ? "," + name : ",") + '\n';
            header &= comment;
        }
        text_ = wider;
        columns_.push_back(name);
    }
}

void MeasuredMap::add(const BurstRecord& record, const std::string& why_not) {
    if (record.row.peak) add_peak_columns(record.row.peak->cells);
    const std::string line = cells_of(record, columns_);
    const std::string text = text_ + (why_not.empty() ? line : "# set aside: " + line + ": " + why_not) + '\n';
    OutputFile(file_).write(text);
    text_ = text;
    if (why_not.empty()) map_.rows.push_back(record.row);
}

}  // namespace watershed
