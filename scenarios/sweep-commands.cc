// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep-commands.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "scenarios/input-error.h"
#include "scenarios/list.h"
#include "scenarios/output-file.h"
#include "scenarios/progress.h"
#include "scenarios/reader.h"
#include "scenarios/sweep.h"
#include "scenarios/units.h"
#include "scenarios/workers.h"

namespace watershed {
namespace {

/// What the three commands have in common.
struct Options {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string separations;
    std::string events;
    std::string modules = "1:48:48";
    std::string engine = "exact";
    int jobs = default_jobs();
    std::int64_t limit = 1'000'000;
    std::string output = "-";
};

void write_comment(std::ostream& out, const Options& options, const Scenario& scenario) {
    out << Provenance::comment() << "# engine: " << options.engine << ", seed: " << scenario.seed << "\n";
}

/// Works through the pieces with a progress bar.
std::vector<std::string> work(const Options& options, const std::string& what, const std::string& unit, std::size_t pieces,
                              const std::function<std::string(std::size_t)>& piece) {
    Progress progress(what, unit, static_cast<std::int64_t>(pieces));
    return do_in_processes(options.jobs, pieces, piece, [&](std::size_t done) { progress.done(static_cast<std::int64_t>(done)); });
}

void map(const Options& options, const EngineFactory& make_engine) {
    const Scenario scenario = read_apparatus(options.scenario, options.overrides);
    const std::vector<Time> separations = parse_time_list("--separation", options.separations);
    const std::vector<std::int64_t> events = parse_count_list("--events", options.events);
    OutputFile file(options.output);
    write_comment(file.stream(), options, scenario);
    file.stream() << "# one run of the longest burst per separation answers for the shorter ones wherever events keep their order\n";

    const auto columns = work(options, "map", "separations", separations.size(), [&](std::size_t i) {
        std::ostringstream rows;
        write_loss_map_rows(rows, map_column(*make_engine(options.engine, {}), scenario, separations[i], events));
        return rows.str();
    });
    write_loss_map_header(file.stream());
    for (const std::string& column : columns) file.stream() << column;
    file.commit();
    if (options.output != "-")
        std::cout << options.output << ": " << separations.size() * events.size() << " bursts, " << options.engine << " engine\n";
}

void boundary(const Options& options, const EngineFactory& make_engine) {
    const Scenario scenario = read_apparatus(options.scenario, options.overrides);
    const std::vector<Time> separations = parse_time_list("--separation", options.separations);
    OutputFile file(options.output);
    write_comment(file.stream(), options, scenario);

    const auto found = work(options, "boundary", "separations", separations.size(), [&](std::size_t i) {
        const Boundary b = find_boundary(*make_engine(options.engine, {}), scenario, separations[i], options.limit);
        return (b.events_lossless ? std::to_string(*b.events_lossless) : "-") + " " + std::to_string(b.unknown_beyond);
    });
    std::vector<BoundaryPoint> points;
    for (std::size_t i = 0; i < separations.size(); ++i) {
        std::istringstream in(found[i]);
        std::string lossless;
        std::int64_t unknown_beyond = 0;
        in >> lossless >> unknown_beyond;
        points.push_back({separations[i], lossless == "-" ? std::nullopt : std::optional<std::int64_t>(std::stoll(lossless))});
        if (unknown_beyond != 0)
            file.stream() << "# separation " << to_text(separations[i]) << ": no loss up to " << unknown_beyond << " events; longer bursts were not tried (--limit)\n";
    }
    write_boundary(file.stream(), points);
    file.commit();
    if (options.output != "-") std::cout << options.output << ": " << points.size() << " separations, " << options.engine << " engine\n";
}

/// Rates in kHz at which `modules` fragments of this many bytes fill the uplinks.
double limit_khz(const Scenario& scenario, std::int64_t modules, Bytes size) {
    return static_cast<double>(scenario.network_switch.uplink_rate.count) * scenario.network_switch.uplinks / (8.0 * static_cast<double>(size.count * modules)) / 1e3;
}

void saturation(const Options& options, const EngineFactory& make_engine) {
    const Scenario scenario = read_apparatus(options.scenario, options.overrides);
    const std::vector<std::int64_t> modules = parse_count_list("--modules", options.modules);
    if (*std::max_element(modules.begin(), modules.end()) > 65535) throw InputError("--modules: expected at most 65535 modules");
    OutputFile file(options.output);
    write_comment(file.stream(), options, scenario);
    file.stream() << "# saturation: complete events a second while every module sends without pause; limits: uplink rate over each size convention\n"
                  << "ports,saturation_khz,payload_limit_khz,payload_ip_udp_limit_khz,frame_limit_khz,wire_limit_khz\n";

    const auto rates = work(options, "saturation", "ports", modules.size(), [&](std::size_t i) {
        char text[40];
        std::snprintf(text, sizeof text, "%.6g", saturation_frequency(*make_engine(options.engine, {}), scenario, static_cast<int>(modules[i])) / 1e3);
        return std::string(text);
    });
    FrameSizes fragment{};
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) {
        fragment.payload += frame.payload;
        fragment.buffer += frame.buffer;
        fragment.wire += frame.wire;
    }
    const auto frames = static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        char text[160];
        std::snprintf(text, sizeof text, "%lld,%s,%.6g,%.6g,%.6g,%.6g\n", static_cast<long long>(modules[i]), rates[i].c_str(), limit_khz(scenario, modules[i], fragment.payload),
                      limit_khz(scenario, modules[i], fragment.payload + kIpUdpHeaders * frames), limit_khz(scenario, modules[i], fragment.buffer),
                      limit_khz(scenario, modules[i], fragment.wire));
        file.stream() << text;
    }
    file.commit();
    if (options.output != "-") std::cout << options.output << ": " << modules.size() << " numbers of ports, " << options.engine << " engine\n";
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, const std::shared_ptr<Options>& options) {
    CLI::App* command = app.add_subcommand(name, description);
    command->add_option("SCENARIO", options->scenario, "Scenario file (TOML)")->required();
    command->add_option("--set", options->overrides, "KEY=VALUE: a scenario key that wins over the file (repeatable)")->allow_extra_args(false);
    command->add_option("--engine", options->engine, "exact or ns3")->check(CLI::IsMember({"ns3", "exact"}))->capture_default_str();
    command->add_option("--jobs", options->jobs, "Processes to work in; the result is the same for any number")->check(CLI::Range(1, 1024))->capture_default_str();
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output")->capture_default_str();
    return command;
}

constexpr auto kSeparationHelp = "Separations: values with commas, FIRST:LAST:COUNT, or FIRST:LAST:COUNT:log";

}  // namespace

void add_sweep_commands(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<Options>();
    CLI::App* command = add_command(app, "map", "Simulate a burst for every separation and length, and write the loss map", options);
    command->add_option("--separation", options->separations, kSeparationHelp)->required();
    command->add_option("--events", options->events, "Burst lengths, a list in the same form")->required();
    command->footer("Example: watershed map scenarios/s60-figure4.toml --separation 8.72us:38us:40 --events 1:20000:40 -o map.csv");
    command->callback([options, make_engine] { map(*options, make_engine); });

    options = std::make_shared<Options>();
    command = add_command(app, "boundary", "Find the longest burst without loss at every separation: the watershed itself", options);
    command->add_option("--separation", options->separations, kSeparationHelp)->required();
    command->add_option("--limit", options->limit, "Length at which the search ends where random timing forbids a proof that nothing is lost")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    command->footer("Example: watershed boundary scenarios/s60-figure4.toml --separation 8.72us:38us:40 -o boundary.csv");
    command->callback([options, make_engine] { boundary(*options, make_engine); });

    options = std::make_shared<Options>();
    command = add_command(app, "saturation", "Find the trigger rate that saturates the uplinks, for a varying number of loaded ports", options);
    command->add_option("--modules", options->modules, "Numbers of loaded ports, a list")->capture_default_str();
    command->footer("Example: watershed saturation scenarios/saturation-figure3.toml --modules 1:48:48 -o saturation.csv");
    command->callback([options, make_engine] { saturation(*options, make_engine); });
}

}  // namespace watershed
