// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/calibration-options.h"

#include <boost/algorithm/string/join.hpp>
#include <filesystem>
#include <set>

#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

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

}  // namespace

void add_fix_options(CLI::App& command, KnownOptions& options) {
    repeatable_option(
        command, "--fix", options.fixed,
        "NAME=VALUE: a value that is known: service_rate=\"10 Gb/s\" (of one uplink), depth=\"308000 "
        "frames\", noise=\"2 %\" of a burst's length, noise=\"3 frames\" lost, or noise=0, loss=\"0.1 %\" "
        "of the frames at random, bucket=\"3 kB\" that an idle uplink sends at once, traffic=\"5 %\" of "
        "the uplink that others take, sharing=shared, per-input or per-output, kind=shared-bytes or "
        "another in the fit's table of models (repeatable)");
    repeatable_option(command, "--free", options.free,
                      "NAME: of those above, to be fitted, as without --fix (repeatable)");
    repeatable_option(
        command, "--bound", options.bounds,
        "NAME=LOW:HIGH: limits between which a value is known to lie: depth=\"100 kB:2 MB\", service_rate=\"9 "
        "Gb/s:10 Gb/s\", noise=\"0:5 %\", loss=\"0:1 %\", bucket=\"0:30 kB\", traffic=\"0:10 %\" (repeatable)");
}

void add_known_options(CLI::App& command, KnownOptions& options) {
    command
        .add_option("MAP", options.map,
                    "Loss map (CSV: ports,payload_bytes,separation_us,events,frames_sent,frames_received)")
        ->required();
    command.add_option(
        "--columns", options.columns,
        "What columns of other names and units hold: \"sep "
        "(ns)=separation_us*0.001,lost=frames_sent-frames_received\", or FILE.toml with lines \"sep (ns)\" = "
        "\"separation_us*0.001\"; cells may then be separated by semicolons or tabs and have decimal commas");
    command.add_option("--scenario", options.scenario,
                       "Scenario that supplies framing, link rate and number of uplinks; without it: 66 B on a link, "
                       "46 B in a buffer, 1 Gb/s inputs, 1 uplink");
    repeatable_option(command, "--set", options.overrides, "KEY=VALUE: override a key of the scenario (repeatable)");
    add_fix_options(command, options);
    shown_option(command, "--rate", options.rate,
                 "What is known of the service rate: it is about the scenario's uplink rate (nominal: within 2 % "
                 "with a probability of one half, else anywhere), or unknown")
        ->check(CLI::IsMember({"nominal", "unknown"}));
    shown_option(command, "--counts", options.counts,
                 "Whether frames_sent - frames_received counts frames (use), or only says that some were lost "
                 "(ignore); auto: ignore if no burst lost more than one")
        ->check(CLI::IsMember({"auto", "use", "ignore"}));
    command.add_option("--frames", options.frames,
                       "Which frames of the bursts are missing, as `watershed measure --frames` keeps it: what a burst "
                       "lost of its first triggers is what a shorter burst would have lost");
    command.add_option("--jobs", options.jobs, "Number of threads; the result does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->default_str("all processors");
}

std::vector<FrameRecord> frame_records_of(const KnownOptions& options) {
    return options.frames.empty() ? std::vector<FrameRecord>() : read_frame_records(options.frames);
}

LossMap loss_map_of(const KnownOptions& options, const CsvTable& table) {
    LossMap map = loss_map_from(table);
    add_beginnings(map, frame_records_of(options), options.frames);
    return map;
}

void add_advice_options(CLI::App& command, AdviceOptionTexts& texts) {
    shown_option(command, "--target", texts.target, "What is to be known: depth, rate, or watershed@SEPARATION");
    shown_option(command, "--precision", texts.precision, "Wanted half width of the target's 95 % interval");
    CLI::Option* step =
        shown_option(command, "--step", texts.step, "Step of the pulse generator: separations are multiples of it");
    CLI::Option* separations =
        command
            .add_option(
                "--separation", texts.separations,
                "Separations that the pulse generator can set, in place of --step: 8.72us,20us or FIRST:LAST:COUNT")
            ->excludes(step);
    CLI::Option* events = command.add_option(
        "--events", texts.events, "Burst lengths that the pulse generator can set, a list [all up to --longest-burst]");
    command
        .add_option(
            "--shortest-separation", texts.shortest_separation,
            "Shortest separation that the pulse generator can set [the shortest that the modules' links can follow]")
        ->excludes(separations);
    shown_option(command, "--longest-burst", texts.longest_burst,
                 "Longest burst that the pulse generator can set, in events")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->excludes(events);
    command.add_option("--ports", texts.ports,
                       "Other numbers of ports to measure with, which tell how a memory is shared, a list; 0: none [a "
                       "half and a quarter of all]");
    command.add_option("--payloads", texts.payloads,
                       "Other payloads to measure with, which tell what a memory counts, a list such as \"512 B,128 "
                       "B\"; 0: none [a half and an eighth]");
    shown_option(command, "--setup", texts.setup, "Time that each measurement takes beside the burst itself");
}

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

}  // namespace watershed
