// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/frontend/senders.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {

std::vector<PayloadShare> read_payloads(const std::string& file) {
    constexpr std::int64_t kMost = 1'000'000'000;
    OutputFile::note_input(file);
    const CsvTable table = CsvTable::read(file);
    const std::size_t payload = table.column("payload_bytes"), weight = table.column("weight");
    std::vector<PayloadShare> payloads;
    for (const CsvTable::Row& row : table.rows()) {
        payloads.push_back({Bytes{table.integer(row, payload, 1)}, table.integer(row, weight, 1)});
        if (payloads.back().payload.count > kMost) table.refuse(row, payload, "1 to 1000000000");
        if (payloads.back().weight > kMost) table.refuse(row, weight, "1 to 1000000000");
    }
    if (payloads.empty()) throw InputError(file + ": found no rows, expected one or more of payload_bytes,weight");
    return payloads;
}

namespace {

/// "0", "0.0", "0e3": a rate that parse_frequency() would refuse.
bool is_zero(const std::string& number) {
    const std::string digits = number.substr(0, number.find_first_of("eE"));
    return digits.find('0') != std::string::npos && digits.find_first_not_of("0.") == std::string::npos;
}

}  // namespace

std::vector<RatePoint> read_rate_profile(const std::string& file, const std::optional<Time>& largest_step) {
    OutputFile::note_input(file);
    const CsvTable table = CsvTable::read(file);
    const std::size_t time = table.column("time_s"), rate = table.column("rate_hz");
    std::vector<RatePoint> profile;
    for (const CsvTable::Row& row : table.rows()) {
        RatePoint point;
        for (const std::size_t column : {time, rate})
            if (row.cells[column].empty())
                table.refuse(row, column, "a number; a profile has no gaps, because rates in between are interpolated");
        try {
            point.time = parse_time(row.cells[time] + " s");
        } catch (const std::invalid_argument&) {
            table.refuse(row, time, "a number of seconds, 0 or more");
        }
        try {
            if (!is_zero(row.cells[rate])) point.rate = parse_frequency(row.cells[rate] + " Hz");
        } catch (const std::invalid_argument&) {
            table.refuse(row, rate, "a number of triggers per second, 0 or more");
        }
        if (point.time.count() > std::numeric_limits<std::int64_t>::max() / 2)
            table.refuse(row, time, "less than 53 days");
        if (profile.empty() && point.time != Time{0})
            table.refuse(row, time, "0 in the first row: there is a gap before it");
        if (!profile.empty() && point.time <= profile.back().time)
            table.refuse(row, time, "more than " + to_text(profile.back().time) + ", the time of the row above");
        if (!profile.empty() && largest_step && point.time - profile.back().time > *largest_step)
            table.refuse(row, time,
                         "at most " + to_text(profile.back().time + *largest_step) +
                             ": there is a gap of more than trigger.largest_step behind the row above");
        profile.push_back(point);
    }
    if (profile.size() < 2)
        throw InputError(file + ": found " + std::to_string(profile.size()) +
                         " rows, expected two or more of time_s,rate_hz");
    if (std::all_of(profile.begin(), profile.end(), [](const RatePoint& point) { return point.rate.count == 0; }))
        throw InputError(file + ": rate_hz: found 0 in every row, expected triggers");
    return profile;
}

std::vector<Time> read_trigger_times(const std::string& file) {
    OutputFile::note_input(file);
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    std::vector<Time> times;
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        text.erase(std::min(text.find('#'), text.size()));
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        text.erase(text.find_last_not_of(" \t\r") + 1);
        const std::string place = file + ":" + std::to_string(line);
        times.push_back(read_at(place, [&] { return parse_time(text); }));
        if (times.back().count() > std::numeric_limits<std::int64_t>::max() / 2)
            throw InputError(place + ": found \"" + text + "\", expected less than 53 days");
        if (times.size() > 1 && times.back() < times[times.size() - 2])
            throw InputError(place + ": found \"" + text + "\", expected a time not before the one above it");
    }
    if (times.empty()) throw InputError(file + ": expected at least one trigger time");
    return times;
}

std::string named_file(const std::string& name, const std::string& key, const std::string& file, const Places& given) {
    const std::filesystem::path path(name);
    return path.is_relative() && given.at(key) != "--set" ? (std::filesystem::path(file).parent_path() / path).string()
                                                          : name;
}

}  // namespace watershed
