// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/frame-record.h"

#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr std::size_t kBits = 4;  // bits of a digit
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::int64_t kFew = 10;  // missing frames, of which order tells nothing
constexpr double kSurely = 4;      // standard deviations

constexpr std::array kRecordColumns{"burst", "row", "ports", "events", "missing", "trigger_times_us"};

/// @throws std::invalid_argument for what is no number
std::vector<Time> times_of(const std::string& cell) {
    std::vector<std::string> numbers;
    std::vector<Time> times;
    if (!cell.empty()) boost::split(numbers, cell, boost::is_any_of(" "));
    for (const std::string& number : numbers) times.push_back(parse_microseconds(number));
    return times;
}

std::string whole_lines_of(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read");
    std::string lines{std::istreambuf_iterator<char>(in), {}};
    lines.resize(lines.rfind('\n') + 1);  // none: 0
    return lines;
}

std::vector<FrameRecord> records_of(const CsvTable& table) {
    const std::size_t burst = table.column("burst"), row = table.column("row"), ports = table.column("ports"),
                      events = table.column("events"), missing = table.column("missing");
    const auto times = table.find_column("trigger_times_us");
    constexpr std::int64_t kMostFrames = 100'000'000;
    std::vector<FrameRecord> records;
    for (const CsvTable::Row& line : table.rows()) {
        FrameRecord one;
        one.burst = int(std::min<std::int64_t>(table.integer(line, burst, 1), 1'000'000'000));
        one.row = int(std::min<std::int64_t>(table.integer(line, row, 0), 1'000'000'000));
        const std::int64_t modules = table.integer(line, ports, 1);
        if (modules > 1'000'000) table.refuse(line, ports, "at most 1000000 ports");
        one.ports = int(modules);
        one.events = table.integer(line, events, 1);
        if (one.events > kMostFrames / modules)
            table.refuse(line, events, "at most " + std::to_string(kMostFrames) + " frames");
        const std::string& digits = line.cells[missing];
        const auto frames = std::size_t(modules * one.events), expected = (frames + kBits - 1) / kBits;
        if (digits.size() != expected) table.refuse(line, missing, std::to_string(expected) + " digits");
        auto read = frames_of(digits, frames);
        if (!read) table.refuse(line, missing, "digits 0 to 9 and a to f");
        one.missing = std::move(*read);
        try {
            if (times) one.trigger_times = times_of(line.cells[*times]);
        } catch (const std::invalid_argument&) {
            table.refuse(line, *times, "times in microseconds, with blanks between them");
        }
        const bool rising = std::is_sorted(one.trigger_times.begin(), one.trigger_times.end());
        if (!one.trigger_times.empty() && (one.trigger_times.size() != std::size_t(one.events) || !rising))
            table.refuse(line, *times, std::to_string(one.events) + " times, none before the one ahead of it");
        records.push_back(std::move(one));
    }
    return records;
}

}  // namespace

std::string digits_of(const std::vector<bool>& frames) {
    std::string digits;
    for (std::size_t first = 0; first < frames.size(); first += kBits) {
        std::size_t value = 0;
        for (std::size_t frame = first; frame < first + kBits; ++frame)
            value = value * 2 + (frame < frames.size() && frames[frame]);
        digits += kDigits[value];
    }
    return digits;
}

std::optional<std::vector<bool>> frames_of(const std::string& digits, std::size_t number) {
    if (digits.size() != (number + kBits - 1) / kBits) return std::nullopt;
    std::vector<bool> frames;
    for (std::size_t i = 0; i < number; ++i) {
        const std::size_t value = kDigits.find(digits[i / kBits]);
        if (value == std::string_view::npos) return std::nullopt;
        frames.push_back(value >> (kBits - 1 - i % kBits) & 1);
    }
    return frames;
}

void write_frame_header(std::ostream& out) { out << listed(kRecordColumns, ",") << '\n'; }

void write_frame_record(std::ostream& out, const FrameRecord& record) {
    out << record.burst << ',' << record.row << ',' << record.ports << ',' << record.events << ','
        << digits_of(record.missing) << ',' << listed(record.trigger_times, microseconds, " ") << '\n';
}

std::vector<FrameRecord> read_frame_records(const std::string& file) {
    std::istringstream in(whole_lines_of(file));
    return read_frame_records(in, file);
}
std::vector<FrameRecord> continue_frame_records(const std::string& file) {
    std::filesystem::resize_file(file, whole_lines_of(file).size());
    std::istringstream in(whole_lines_of(file));
    const CsvTable table = CsvTable::read(in, file);
    for (const char* const column : kRecordColumns) table.column(column);
    return records_of(table);
}

std::vector<FrameRecord> read_frame_records(std::istream& in, const std::string& name) {
    return records_of(CsvTable::read(in, name));
}

LossOrder order_of(const FrameRecord& record) {
    LossOrder order;
    order.frames = std::int64_t(record.missing.size());
    std::vector<std::int64_t> by_module(std::size_t(std::max(record.ports, 1)));
    for (std::size_t i = 0; i < record.missing.size(); ++i) {
        if (!record.missing[i]) continue;
        ++order.missing;
        order.after_last = order.frames - std::int64_t(i) - 1;
        order.runs += i == 0 || !record.missing[i - 1];
        ++by_module[i % by_module.size()];
        if (order.first_event == 0) order.first_event = std::int64_t(i / by_module.size()) + 1;
    }
    if (order.missing == 0) return order;
    for (std::size_t first = 0; first + by_module.size() <= record.missing.size(); first += by_module.size()) {
        const auto begin = record.missing.begin() + std::ptrdiff_t(first),
                   end = begin + std::ptrdiff_t(by_module.size());
        if (std::count(begin, end, true) % record.ports == 0) continue;
        ++order.partial;
        order.from_the_end += std::is_sorted(begin, end);
    }
    order.most_of_module = double(*std::max_element(by_module.begin(), by_module.end())) / double(order.missing);
    // With m of n frames missing at random places the number of runs is hypergeometric (Wald and Wolfowitz, 1940).
    const auto n = double(order.frames), m = double(order.missing), there = n - m;
    order.expected_runs = m * (there + 1) / n;
    if (order.frames > 2) order.sigma = std::sqrt(std::max(0.0, m * (m - 1) * (there + 1) * there / (n * n * (n - 1))));
    return order;
}

std::string meaning_of(const LossOrder& order) {
    if (order.missing == 0) return "nothing is missing";
    if (order.missing == order.frames) return "all are missing";
    if (order.missing < kFew) return "too few are missing to say";
    if (order.clustering() > kSurely) return "in runs, as a full queue loses them";
    return "scattered, as frames are lost at random";
}

namespace {

bool oldest_are_lost(const std::vector<FrameRecord>& records) {
    constexpr int kFewest = 3;
    int told = 0;
    for (const FrameRecord& record : records) {
        const LossOrder order = order_of(record);
        if (order.missing < kFew || order.clustering() <= kSurely) continue;
        if (order.after_last <= record.ports) return false;
        ++told;
    }
    return told >= kFewest;
}

/// Frames that arrived from each single missing one, with none missing on either side, to the next.
std::vector<double> between_single_ones(const std::vector<bool>& missing) {
    std::vector<double> spacings;
    double arrived = 0, since = -1;
    for (std::size_t i = 1; i + 1 < missing.size(); ++i) {
        arrived += !missing[i];
        if (!missing[i] || missing[i - 1] || missing[i + 1]) continue;
        if (since >= 0) spacings.push_back(arrived - since);
        since = arrived;
    }
    return spacings;
}

/// Returns how many spacings, from the first on, are interval / sqrt(n) for successive n; 0 unless closer at the end.
/// @param interval  frames that leave in CoDel's
std::size_t as_codel(const std::vector<double>& spacings, double interval) {
    constexpr double kAlike = 0.03, kCloser = 1.05;
    if (spacings.empty()) return 0;
    const double first = std::max(1.0, std::round(std::pow(interval / spacings.front(), 2)));
    std::size_t i = 0;
    while (i < spacings.size() && std::abs(spacings[i] * std::sqrt(first + double(i)) / interval - 1) < kAlike) ++i;
    return i > 0 && spacings.front() > kCloser * spacings[i - 1] ? i : 0;
}

bool dropped_while_waiting(const std::vector<FrameRecord>& records) {
    // By chance three spacings lie so in one burst of a few hundred; that others have the same interval tells the rest.
    constexpr std::size_t kFewest = 3, kEnough = 8;
    constexpr int kMostFirst = 64;  // first frames of a queue that goes on dropping where it had left off
    std::vector<std::vector<double>> bursts;
    for (const FrameRecord& record : records)
        if (auto spacings = between_single_ones(record.missing); spacings.size() >= kFewest)
            bursts.push_back(std::move(spacings));
    for (const std::vector<double>& one : bursts)
        for (int first = 1; first <= kMostFirst; ++first) {
            std::size_t told = 0, all = 0;
            for (const std::vector<double>& each : bursts)
                if (const std::size_t n = as_codel(each, one.front() * std::sqrt(first)); n >= kFewest)
                    ++told, all += n;
            if (told > 1 && all >= kEnough) return true;
        }
    return false;
}

}  // namespace

Drops infer_drop_policy(const std::vector<FrameRecord>& records) {
    return dropped_while_waiting(records) ? Drops::Waiting : oldest_are_lost(records) ? Drops::Oldest : Drops::New;
}

std::string infer_sharing(const std::vector<FrameRecord>& records) {
    if (infer_drop_policy(records) != Drops::New) return "";
    constexpr double kMost = 0.75, kHardly = 0.25;
    std::int64_t partial = 0, from_the_end = 0;
    for (const FrameRecord& record : records) {
        const LossOrder order = order_of(record);
        partial += order.partial;
        from_the_end += order.from_the_end;
    }
    const double share = double(from_the_end) / double(std::max<std::int64_t>(1, partial));
    if (partial < kFew || (share < kMost && share > kHardly)) return "";
    const std::string many = std::to_string(share >= kMost ? from_the_end : partial - from_the_end) + " of " +
                             std::to_string(partial) + " triggers that lost a part of their frames lost ";
    return many + (share >= kMost ? "the last ones: all inputs share the memory"
                                  : "others than the last ones: each input has a memory of its own, or the switch "
                                    "takes inputs in changing order");
}

void add_beginnings(LossMap& map, const std::vector<FrameRecord>& records, const std::string& file) {
    const std::size_t rows = map.rows.size();
    const bool beginnings = infer_drop_policy(records) == Drops::New;
    for (const FrameRecord& record : records) {
        if (record.row == 0) continue;
        const auto refuse = [&](const std::string& found, const std::string& expected) {
            throw InputError(file + ": burst " + std::to_string(record.burst) + ": found " + found + ", expected " +
                             expected + " in row " + std::to_string(record.row) + " of " + map.source);
        };
        if (std::size_t(record.row) > rows) refuse("a row beyond the last", "a burst");
        const LossMapRow whole = map.rows[std::size_t(record.row) - 1];
        if (record.ports != whole.ports || record.events != whole.events)
            refuse(std::to_string(record.ports) + " ports and " + std::to_string(record.events) + " events",
                   std::to_string(whole.ports) + " and " + std::to_string(whole.events));
        const LossOrder order = order_of(record);
        if (whole.counted && order.missing != whole.frames_lost())
            refuse(std::to_string(order.missing) + " missing frames", std::to_string(whole.frames_lost()));
        const auto add = [&](std::int64_t events) {
            if (events == 0 || events == whole.events) return;
            LossMapRow part = whole;
            part.beginning_of = record.row;
            part.events = events;
            part.frames_sent = part.ports * events;
            part.frames_received =
                part.frames_sent - std::count(record.missing.begin(), record.missing.begin() + part.frames_sent, true);
            part.counted = true;
            part.peak.reset();
            part.delay.reset();
            part.span.reset();
            if (!record.trigger_times.empty())
                part.span = record.trigger_times[std::size_t(events) - 1] - record.trigger_times.front();
            map.rows.push_back(part);
        };
        // Times of its triggers between the first and the last may not be kept.
        const bool uneven = record.trigger_times.empty() && whole.span &&
                            whole.worst_trigger_lateness.value_or(Time{0}) * 2 > whole.separation;
        // Nor are times at which the output stood still.
        if (order.missing == 0 || uneven || whole.stalled > Time{0} || !beginnings) continue;
        add(order.first_event - 1);
        add(order.first_event);
    }
}

}  // namespace watershed
