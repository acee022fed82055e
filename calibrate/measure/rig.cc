// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "calibrate/measure/measuring.h"
#include "calibrate/measure/program.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& found, const std::string& expected) {
    throw std::invalid_argument("\"" + name + "\": found " + found + ", expected " + expected);
}

std::int64_t count_in(const json& answer, const char* name) {
    const auto found = answer.find(name);
    if (found == answer.end())
        throw std::invalid_argument(std::string("found no \"") + name + "\", expected a whole number");
    return count_of(*found, name);
}

std::string line_for(const BurstSetting& setting) {
    return "{\"separation_us\": " + microseconds(setting.separation) +
           ", \"events\": " + std::to_string(setting.events) + ", \"ports\": " + std::to_string(setting.ports) +
           ", \"payload_bytes\": " + std::to_string(setting.payload.count) + "}";
}

class CommandRig final : public Rig {
  public:
    CommandRig(const std::string& command, Time patience)
        : command_(command), patience_(patience), program_(command, Program::Group::Own, kLongestAnswer) {}

    BurstRecord measure(const BurstSetting& setting) override {
        expecting("it to wait for a burst", [&] {
            if (const auto unasked = program_.lines().receive(std::chrono::nanoseconds{0}))
                throw std::runtime_error("found \"" + *unasked + "\" before the burst");
            program_.lines().send(line_for(setting));
        });
        const Time patience = patience_ + setting.separation * setting.events;
        std::optional<std::string> told;
        expecting("an answer to the last burst", [&] {
            told = program_.lines().receive(std::chrono::duration_cast<std::chrono::nanoseconds>(patience));
        });
        if (!told) throw std::runtime_error(command_ + ": no answer within " + rounded(patience));
        try {
            return record_of(setting, *told);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(command_ + ": " + error.what());
        }
    }

  private:
    static constexpr std::size_t kLongestAnswer = 1'000'000;

    template <typename Step>
    void expecting(const char* what, const Step& step) {
        try {
            step();
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(command_ + ": " + error.what() + ", expected " + what);
        }
    }

    std::string command_;
    Time patience_;
    Program program_;
};

constexpr const char* kColumns =
    "ports,payload_bytes,separation_us,events,frames_sent,frames_received,worst_trigger_lateness_us,median_trigger_"
    "lateness_us,delay_us,span_us,handover_us,stalled_us";

}  // namespace

BurstRecord record_of(const BurstSetting& setting, const std::string& answer) {
    const json told = json::parse(answer, nullptr, false);
    if (!told.is_object())
        throw std::invalid_argument("found \"" + answer +
                                    "\", expected a line such as {\"frames_sent\": 2380, \"frames_received\": 1207}");
    if (const auto error = told.find("error"); error != told.end())
        throw std::invalid_argument(error->is_string() ? one_line(*error) : error->dump());
    BurstRecord record;
    record.row = {setting.ports, setting.payload, setting.separation, setting.events, count_in(told, "frames_sent"), 0,
                  std::nullopt};
    record.row.counted =
        told.contains("frames_received") || !(told.contains("peak_bytes") || told.contains("peak_cells"));
    record.row.frames_received = record.row.counted ? count_in(told, "frames_received") : record.row.frames_sent;
    const std::int64_t asked = setting.ports * setting.events;
    if (record.row.frames_sent < 1 || record.row.frames_sent > asked)
        refuse("frames_sent", std::to_string(record.row.frames_sent),
               "1 to the " + std::to_string(asked) + " that were asked for");
    if (record.row.frames_sent < asked)
        record.host_loss = "the rig sent " + std::to_string(record.row.frames_sent) + " of the " +
                           std::to_string(asked) + " frames that were asked for";
    if (record.row.frames_received > record.row.frames_sent)
        refuse("frames_received", std::to_string(record.row.frames_received),
               "at most the " + std::to_string(record.row.frames_sent) + " frames sent");
    if (const auto late = told.find("worst_trigger_lateness_us"); late != told.end() && !late->is_null()) {
        constexpr double kMost = 1e12;  // microseconds; more than any rig runs
        if (!late->is_number() || !(late->get<double>() >= 0) || late->get<double>() > kMost)
            refuse("worst_trigger_lateness_us", late->dump(), "microseconds from 0 to 10^12");
        record.row.worst_trigger_lateness = time_of_microseconds(late->get<double>());
    }
    for (const bool cells : {false, true}) {
        const char* const name = cells ? "peak_cells" : "peak_bytes";
        const auto peak = told.find(name);
        if (peak == told.end() || peak->is_null()) continue;
        if (record.row.peak) refuse("peak_cells", "beside peak_bytes", "one of them");
        record.row.peak = PeakReading{count_in(told, name), cells, 1};
        if (told.contains("peak_resolution")) record.row.peak->resolution = count_in(told, "peak_resolution");
        if (record.row.peak->amount < 1 || record.row.peak->resolution < 1)
            refuse(std::string(name) + "\", \"peak_resolution", "0", "1 at least");
    }
    if (const auto loss = told.find("host_loss"); loss != told.end() && !loss->is_null()) {
        if (!loss->is_string()) refuse("host_loss", loss->dump(), "a text");
        record.host_loss = one_line(*loss);
    }
    return record;
}

std::unique_ptr<Rig> command_rig(const std::string& command, Time patience) {
    return std::make_unique<CommandRig>(command, patience);
}

std::string cells_of(const BurstRecord& record, const std::vector<std::string>& columns) {
    const auto cell = [&](const std::string& column) {
        return column == "median_trigger_lateness_us" && record.median_trigger_lateness
                   ? microseconds(*record.median_trigger_lateness)
                   : cell_of(record.row, column);
    };
    return listed(columns, cell, ",");
}

std::string table_to_continue(const std::string& file, const std::string& columns, const std::string& rig) {
    const std::string mark = "\n# rig: ",
                      text =
                          text_to_continue(file, Provenance::comment() +
                                                     (rig.empty() ? "" : comment_line("rig: " + rig)) + columns + '\n');
    const std::size_t at = text.find(mark);
    if (rig.empty() || at == std::string::npos) return text;
    const std::size_t begin = at + mark.size();
    if (const std::string other = text.substr(begin, text.find('\n', begin) - begin); other != one_line(rig))
        throw InputError(file + ": found a table of another rig, \"" + other + "\", expected that of \"" + rig +
                         "\": another table (-o) for each");
    return text;
}

GrowingLossMap::GrowingLossMap(std::string file, bool peaks, const std::string& rig)
    : file_(std::move(file)), map_{file_, {}} {
    if (file_ == "-") throw InputError("found - for the map, expected a file, which grows burst by burst");
    OutputFile{file_};  // refuses what cannot be written before the first burst
    text_ = table_to_continue(file_, std::string(kColumns) + (peaks ? ",peak_bytes,peak_resolution" : ""), rig);
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

void GrowingLossMap::add_peak_columns(bool cells) {
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

void GrowingLossMap::add(const BurstRecord& record, const std::string& why_not) {
    if (record.row.peak) add_peak_columns(record.row.peak->cells);
    const std::string line = cells_of(record, columns_);
    const std::string text =
        text_ + (why_not.empty() ? line + '\n' : comment_line("set aside: " + line + ": " + why_not));
    OutputFile(file_).write(text);
    text_ = text;
    if (why_not.empty()) map_.rows.push_back(record.row);
}

}  // namespace watershed
