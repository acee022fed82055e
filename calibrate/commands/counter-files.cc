// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/counter-files.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/algorithm/string/join.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "calibrate/commands/calibration-options.h"
#include "calibrate/measure/measured-map.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

const std::vector<std::string> kCountedColumns{"ports",           "payload_bytes",   "separation_us", "events",
                                               "frames_sent",     "frames_received", "peak_bytes",    "peak_cells",
                                               "peak_resolution", "lost_at"};

std::vector<Counter> counters_of(const std::string& place_and_file) {
    const std::size_t equals = place_and_file.find('=');
    if (equals == std::string::npos) return read_counters(place_and_file);
    return read_counters(place_and_file.substr(equals + 1), place_named(place_and_file.substr(0, equals)));
}

/// "eth0, eth1"; "they name none"
std::string devices_of(const std::vector<Counter>& counted) {
    std::set<std::string> names;
    for (const Counter& one : counted)
        if (!one.device.empty()) names.insert(one.device);
    return names.empty() ? "they name none" : boost::algorithm::join(names, ", ");
}

/// Why the switch may have lost another number of frames than it seems to; empty where it may not.
std::string doubt_of(const Blame& blame) {
    const PlaceLoss& sender = blame.at(Place::Sender);
    if (sender.lost > 0)
        return std::to_string(sender.lost) + " frames never left the sender (" + sender.by +
               "), so that another burst reached the switch";
    if (!blame.contradictions.empty() && !blame.at(Place::Switch).counted) return blame.contradictions.front();
    return "";
}

/// A peak above the memory, even if it is off by what it may be off; empty where it is not, or nobody knows.
std::string beyond_memory(const std::optional<PeakReading>& peak, const Possible& possible) {
    if (!peak || peak->cells || !possible.memory || peak->amount - peak->resolution <= possible.memory->count)
        return "";
    return "the peak, " + std::to_string(peak->amount) + " B, is above the memory, " +
           std::to_string(possible.memory->count) + " B of switch.buffer.size";
}

}  // namespace

std::vector<Counter> CounterFiles::counted() const {
    if (before.size() != after.size())
        throw InputError("--before, --after: found " + std::to_string(before.size()) + " and " +
                         std::to_string(after.size()) + " files, expected as many, in the same order");
    std::vector<Counter> all;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::vector<Counter> one = between(counters_of(before[i]), counters_of(after[i]), after[i]);
        all.insert(all.end(), one.begin(), one.end());
    }
    if (devices.empty()) return all;
    for (const std::string& device : devices)
        if (boost::algorithm::none_of(all, [&](const Counter& one) { return one.device == device; }))
            throw InputError("--device: found \"" + device +
                             "\", expected a device of the counters: " + devices_of(all));
    const auto other = [&](const Counter& one) {
        return !one.device.empty() && boost::range::find(devices, one.device) == devices.end();
    };
    all.erase(std::remove_if(all.begin(), all.end(), other), all.end());
    return all;
}

std::optional<PeakReading> CounterFiles::peak() const {
    std::optional<PeakReading> largest;
    for (const std::string& each : peaks) {
        std::string file = each, wanted;
        if (!std::filesystem::exists(file)) {
            const std::size_t colon = each.find(':');
            if (colon != std::string::npos) file = each.substr(0, colon), wanted = each.substr(colon + 1);
        }
        std::string there;
        bool found = false;
        for (const Counter& one : read_counters(file)) {
            if (!one.is_peak()) continue;
            if (there.find(one.name) == std::string::npos) there += (there.empty() ? "" : ", ") + one.name;
            if (!wanted.empty() && one.name != wanted && one.device != wanted) continue;
            found = true;
            const bool cells = one.what == Counter::What::PeakCells;
            if (one.value > 0 && (!largest || one.value > largest->amount)) largest = PeakReading{one.value, cells, 1};
        }
        if (!found)
            throw InputError("--peak " + each + ": found " + (there.empty() ? "no peak" : there) + ", expected " +
                             (wanted.empty() ? "the most that was in use" : wanted));
    }
    if (!peaks.empty() && !largest) throw InputError("--peak: found nothing in use, expected a peak of this burst");
    if (largest) {
        try {
            largest->resolution = largest->cells ? std::stoll(resolution) : parse_bytes(resolution).count;
        } catch (const std::exception&) {
            largest->resolution = 0;
        }
        if (largest->resolution < 1)
            throw InputError("--peak-resolution: found \"" + resolution +
                             "\", expected at least one byte such as \"208 B\", or cells of a peak in cells");
    }
    return largest;
}

void add_counter_options(CLI::App& command, CounterFiles& files) {
    repeatable_option(command, "--before", files.before,
                      "Counters from before the burst (repeatable); with their place where that is not the tool's own: "
                      "switch=FILE");
    repeatable_option(command, "--after", files.after, "The same from after it, in the same order");
    repeatable_option(command, "--device", files.devices,
                      "Interface or port whose counters count (repeatable); without it all, which add up");
    repeatable_option(command, "--peak", files.peaks,
                      "What was in use at most, since it was cleared: the largest, or FILE:NAME for one pool, queue or "
                      "device (repeatable)");
    shown_option(command, "--peak-resolution", files.resolution, "The peak may be off by so much, such as a cell");
}

std::string write_counted_burst(LossMapRow row, const CounterFiles& files, const Possible& possible,
                                const std::string& output, bool append) {
    row.frames_sent = std::int64_t(row.ports) * row.events;
    const std::vector<Counter> counted = files.counted();
    const Blame blame = blame_for(row.frames_sent, std::nullopt, counted);
    const PlaceLoss& at_switch = blame.at(Place::Switch);
    const std::int64_t lost_there = at_switch.counted ? at_switch.lost : blame.unexplained;
    row.frames_received = std::max<std::int64_t>(0, row.frames_sent - lost_there);
    row.counted = !files.after.empty();
    row.peak = files.peak();
    if (row.counted) row.lost_at = lost_at_text(blame);
    std::string doubt = possible.ports ? impossible_counter(counted, *possible.ports) : "";
    if (doubt.empty()) doubt = doubt_of(blame);
    const std::string beyond = beyond_memory(row.peak, possible);
    const std::string columns = listed(kCountedColumns, ",");
    std::string text = Provenance::comment() + columns + '\n';
    if (append && output != "-" && std::filesystem::exists(output)) {
        std::ifstream there(output);
        text.assign(std::istreambuf_iterator<char>(there), {});
        if (!text.empty() && text.back() != '\n') text += '\n';
        if (text.find(columns) == std::string::npos)
            throw InputError(output + ": found other columns, expected " + columns);
    }
    const std::string cells = cells_of({row}, kCountedColumns);
    if (!beyond.empty()) text += "# " + beyond + '\n';
    text += doubt.empty() ? cells + '\n' : "# set aside: " + cells + ": " + doubt + '\n';
    OutputFile(output).write(text);
    const std::string lost = row.counted
                                 ? std::to_string(row.frames_lost()) + " lost by the switch; lost at: " + row.lost_at
                                 : "nobody counted what was lost";
    return std::to_string(row.frames_sent) + " frames sent, " + lost + (beyond.empty() ? "" : "; " + beyond) +
           (doubt.empty() ? "" : "; set aside: " + doubt) + '\n';
}

}  // namespace watershed
