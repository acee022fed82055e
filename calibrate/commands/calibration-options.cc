// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/calibration-options.h"

#include "scenarios/text/csv.h"

namespace watershed {

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

}  // namespace watershed
