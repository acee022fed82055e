// SPDX-License-Identifier: GPL-2.0-only
#include "test/fuzz/targets.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "calibrate/absorption/absorption-fit.h"
#include "calibrate/ingest/ingest.h"
#include "plots/studio/studio-request.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/loss-map.h"

namespace watershed {
namespace {

void expect(bool holds, const char* promise) {
    if (!holds) throw std::logic_error(promise);
}

void scenario(const std::string& file) { read_scenario(Scope::anything(), file); }

/// Rows that are written are read back, and written again the same.
template <class Rows>
void write_and_read(const Rows& rows, void (*write)(std::ostream&, const Rows&),
                    Rows (*read)(std::istream&, const std::string&)) {
    std::stringstream first, second;
    write(first, rows);
    write(second, read(first, "written"));
    expect(first.str() == second.str(), "what was read is written and read back unchanged");
}

void loss_map(const std::string& file) {
    const LossMap map = read_loss_map(file);
    for (const LossMapRow& row : map.rows)
        expect(row.frames_lost() >= 0 && row.separation >= Time{0}, "no more frames are received than sent");
    write_and_read<std::vector<LossMapRow>>(
        map.rows,
        [](std::ostream& out, const std::vector<LossMapRow>& rows) {
            write_loss_map_header(out);
            write_loss_map_rows(out, rows);
        },
        [](std::istream& in, const std::string& name) { return read_loss_map(in, name).rows; });
}

void boundary(const std::string& file) {
    write_and_read<std::vector<BoundaryPoint>>(read_boundary(file), write_boundary, read_boundary);
}

void burst_table(const std::string& file) {
    const CsvTable table = CsvTable::read(file);
    if (is_burst_table(table)) burst_table_from(table);
}

void trigger_times(const std::string& file) {
    const std::vector<Time> times = read_trigger_times(file);
    expect(std::is_sorted(times.begin(), times.end()) && times.front() >= Time{0}, "trigger times ascend");
}

void capture(const std::string& file) {
    SentBursts sent;
    sent.ports = 2;
    sent.separations = {Time{20'000'000}};
    sent.events = {3};
    const Capture read = read_captures({file});
    const auto fragments = static_cast<std::int64_t>(read.fragments.size());
    expect(fragments + read.further_pieces + read.refusals.packets() == read.packets,
           "every packet is a fragment, a further piece of one, or refused");
    if (read.fragments.empty()) return;
    Capture by_header = read;
    std::int64_t received = 0;
    for (const LossMapRow& row : ingest(by_header, sent)) received += row.frames_received;
    expect(received + read.further_pieces + by_header.refusals.packets() == read.packets,
           "every packet is a fragment of a burst, a further piece of one, or refused");
    sent.by_flow = true;
    Capture by_flow = read;
    ingest(by_flow, sent);
}

/// Text that no kind of list takes is refused by all; each gets the same.
void list(const std::string& file) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    int refused = 0;
    const auto parse = [&](auto function, auto holds) {
        try {
            for (const auto& value : function("--list", text))
                expect(holds(value), "a value of a list is in its range");
        } catch (const InputError&) {
            ++refused;
        }
    };
    parse(parse_time_list, [](Time time) { return time >= Time{0}; });
    parse(parse_count_list, [](std::int64_t count) { return count >= 1; });
    parse(parse_frequency_list, [](Frequency frequency) { return frequency.count > 0; });
    parse(parse_probability_list, [](double probability) { return probability > 0 && probability < 1; });
    expect(refused >= 1, "no text is both a time and a bare number");
}

/// A line with the command, and the body of a request of the studio's page behind it; the body is an answer, too.
void studio(const std::string& file) {
    std::ifstream in(file);
    std::string command;
    std::getline(in, command);
    const std::string body{std::istreambuf_iterator<char>(in), {}};
    try {
        const StudioRequest request = studio_request(command, body);
        for (std::string word : request.words) {
            for (auto rate = word.find("/s"); rate != std::string::npos; rate = word.find("/s")) word.erase(rate, 2);
            expect(word.find('/') == std::string::npos && word.find("..") == std::string::npos &&
                       word.find('\0') == std::string::npos,
                   "no word of a request names a file of another folder");
        }
    } catch (const InputError&) {
        // and yet its body may pass for an answer
    }
    expect(body.empty() || body.front() != '#' || nlohmann::json::accept(studio_answer(body)), "a table becomes JSON");
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
    static const std::vector<FuzzTarget> all{
        {"scenario", scenario},           {"loss-map", loss_map}, {"boundary", boundary}, {"burst-table", burst_table},
        {"trigger-times", trigger_times}, {"capture", capture},   {"list", list},         {"studio-request", studio}};
    return all;
}

}  // namespace watershed
