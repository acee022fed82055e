// SPDX-License-Identifier: GPL-2.0-only
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "scenarios/commands/frame-table.h"
#include "scenarios/commands/options.h"
#include "scenarios/keys/system.h"
#include "scenarios/reader/reader.h"
#include "scenarios/run/run-report.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct RunCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string engine;  ///< empty: the one a system has, and for a camera the usual one
    std::optional<std::uint64_t> seed;
    std::string json;
    std::string pcap;
    std::string occupancy;
    std::string occupancy_of;
    std::string frames, frames_from, frames_until;
    bool module_links = false;
};

/// The place of a switch, by its name; the first if none is named.
int place_of(const std::string& name, const Scenario& scenario) {
    if (name == "server" && scenario.server.receiver) return Network::kServer;
    const Network network(scenario);
    std::string names;
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        const std::string& each = network.switches()[static_cast<std::size_t>(i)].name;
        if (name.empty() || each == name) return i;
        names += (names.empty() ? "" : ", ") + each;
    }
    throw InputError(
        "--occupancy-of: found \"" + name + "\", expected one of " + names +
        (scenario.server.receiver ? ", server" : ", or server where the scenario has keys of [server] about it"));
}

/// A system that is not a camera: it has no choice of engines and no switch memory to watch.
/// Refuses captures that could not be written, before the run.
void expect_captures(const std::string& prefix) {
    if (prefix.empty()) return;
    if (prefix == "-") throw InputError("--pcap: found \"-\", expected a prefix: each link has a capture of its own");
    OutputFile::expect_own(prefix + "-", ".pcap");
    OutputFile{prefix + "-uplink-1.pcap"};
}

void run_system(const RunCommandOptions& options, const System& system, const Scenario& scenario,
                const Simulators& simulators) {
    const std::string name = "system \"" + system.name + "\"";
    if (!options.pcap.empty() && system.engine == "exact") throw InputError("--pcap: there are no packets in " + name);
    if (!options.engine.empty() && options.engine != system.engine)
        throw InputError("--engine: found \"" + options.engine + "\", expected " + system.engine + " for " + name);
    if (!options.occupancy.empty()) throw InputError("--occupancy: there is no switch memory to watch in " + name);
    if (!options.frames.empty()) throw InputError("--frames: there are no frames of a camera in " + name);
    auto json = file_if_named(options.json);
    expect_captures(options.pcap);
    const SystemReport report = system.run(scenario, simulators, options.pcap);
    if (json) json->write(report.json() + "\n");
    if (options.json != "-") report.print(std::cout);
}

void run(const RunCommandOptions& options, const Simulators& simulators) {
    std::vector<AssumedValue> assumed;
    Scenario scenario = read_scenario(Scope::anything().with_end(), options.scenario, options.overrides, &assumed);
    if (options.seed) scenario.seed = *options.seed;
    if (const System* system = find_system(scenario.system)) return run_system(options, *system, scenario, simulators);
    const std::string engine = options.engine.empty() ? simulators.usual_engine : options.engine;
    if (!options.pcap.empty() && engine == "exact")
        throw InputError("--pcap: the exact engine has no packets to write, expected --engine ns3");
    const auto time_at = [](const std::string& option, const std::string& text, Time usual) {
        return text.empty() ? usual : read_at(option, [&] { return parse_time(text); });
    };
    const Time from = time_at("--frames-from", options.frames_from, Time{0}),
               until = time_at("--frames-until", options.frames_until, Time::max());
    auto json = file_if_named(options.json), occupancy = file_if_named(options.occupancy),
         frames = file_if_named(options.frames);
    expect_captures(options.pcap);
    if (!options.frames.empty() && engine != "exact")
        throw InputError("--frames: the exact engine follows them, expected --engine exact");
    const std::string comment =
        Provenance::comment() + comment_line("run: " + run_text(options.scenario, scenario.seed, options.overrides));
    if (occupancy) occupancy->stream() << comment << "time_us,frames,bytes\n";

    Observer observer;
    observer.occupancy_of = place_of(options.occupancy_of, scenario);
    Progress progress("run", "events", trigger_count(scenario.trigger).value_or(0));
    observer.progress = [&](std::int64_t events) { progress.done(events); };
    if (occupancy)
        observer.occupancy = [&](Time time, std::int64_t held, Bytes bytes) {
            occupancy->stream() << microseconds(time) << ',' << held << ',' << bytes.count << '\n';
            occupancy->spill();
        };

    observer.incomplete_kept = kIncompleteListed;

    const auto start = std::chrono::steady_clock::now();
    std::optional<FrameTable> table;
    if (frames) table.emplace(scenario, from, until);
    const Outcome outcome =
        table ? table->run(&observer) : simulators.engine(engine, options.pcap)->run(scenario, &observer);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const RunReport report{engine,           scenario,         outcome, wall, assumed, options.module_links,
                           options.scenario, options.overrides};
    if (json) json->stream() << json_text(to_json(report)) << '\n';
    if (frames) table->write(frames->stream() << comment);
    OutputFile::commit_all({frames ? &*frames : nullptr, occupancy ? &*occupancy : nullptr, json ? &*json : nullptr});
    if (options.json != "-" && options.occupancy != "-" && options.frames != "-") print(std::cout, report);
}

}  // namespace

void add_run_command(CLI::App& app, const Simulators& simulators) {
    auto options = std::make_shared<RunCommandOptions>();
    CommandTable(app, "run", "Simulate a scenario frame by frame and count what is lost, where and why",
                 "Example: watershed run scenarios/s60-figure4.toml --set trigger.events=9059 --json -")
        .add("SCENARIO", options->scenario, "Scenario file (TOML)", {kRequired})
        .overrides(options->overrides,
                   "KEY=VALUE: override a key of the scenario (repeatable); `watershed keys` lists all keys")
        .add("--engine", options->engine,
             "ns3: packets in the ns-3 simulator; exact: integer arithmetic, which gives the same answer faster [" +
                 simulators.usual_engine + "]",
             {among({"ns3", "exact"})})
        .add("--seed", options->seed, "Seed of all random numbers, instead of the scenario's",
             {from_to<std::int64_t>(0, 1'000'000'000'000'000'000)})
        .json(options->json)
        .add("--pcap", options->pcap,
             "Write what each uplink carries to PREFIX-uplink-N.pcap and, with flow control, each module's link to "
             "PREFIX-module-N.pcap (ns3 only)")
        .add("--occupancy", options->occupancy,
             "Write what the switch memory holds after each change to FILE (CSV: time_us,frames,bytes)")
        .add("--occupancy-of", options->occupancy_of,
             "Of several switches, the one that --occupancy follows, such as \"switch 3\" [the first]; \"server\": "
             "frames in its rings, bytes in its memory")
        .add(
            "--frames", options->frames,
            "Write what happens to each frame to FILE (CSV; exact only): when which link carries it, what the memories "
            "hold after each change, and where it is lost")
        .add("--frames-from", options->frames_from, "Time from which on --frames tells, such as \"12 us\" [0 s]")
        .add("--frames-until", options->frames_until, "Time until which --frames tells [the end]")
        .flag("--module-links", options->module_links, "Tell of the modules' links one by one, too")
        .run([options, simulators] { run(*options, simulators); });
}

}  // namespace watershed
