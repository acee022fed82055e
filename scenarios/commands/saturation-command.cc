// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <iostream>
#include <numeric>

#include "model/network/network-load.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/ranks.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

struct SaturationCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string modules = "1:48:48";
    std::string engine = "exact";
    int jobs = default_jobs();
    std::string output = "-";
};

/// Rates in kHz at which fragments of this many bytes fill the fullest uplink.
double limit_khz(Scenario scenario, std::int64_t modules, Bytes size) {
    scenario.front_end.modules = static_cast<int>(modules);
    return saturation_rate(scenario, Network(scenario), size) / 1e3;
}

void saturation(const SaturationCommandOptions& options, const EngineFactory& make_engine) {
    Ranks ranks;
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_apparatus(options.scenario, options.overrides, &assumed);
    const std::vector<std::int64_t> modules = parse_count_list("--modules", options.modules);
    if (*std::max_element(modules.begin(), modules.end()) > 65535)
        throw InputError("--modules: expected at most 65535 modules");
    if (!scenario.nodes.empty())
        throw InputError("--modules: conflicts with [node.NAME], which say how many modules each switch has");
    if (*std::min_element(modules.begin(), modules.end()) < scenario.network_switch.count)
        throw InputError("--modules: found fewer modules than switch.count, expected at least " +
                         std::to_string(scenario.network_switch.count));
    OutputFile file(ranks.first() ? options.output : "-");  // the folder need not exist where the others are
    file.stream() << Provenance::comment() << "# engine: " << options.engine << ", seed: " << scenario.seed << "\n"
                  << comment(assumed)
                  << "# saturation: complete events a second while every module sends without pause; limits: uplink "
                     "rate over each size convention\n"
                  << "ports,saturation_khz,payload_limit_khz,payload_ip_udp_limit_khz,frame_limit_khz,wire_limit_khz\n";

    Progress progress("saturation", "ports", static_cast<std::int64_t>(modules.size()));
    std::int64_t done = 0;
    std::vector<std::size_t> pieces(modules.size());
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    std::vector<std::string> rates(modules.size());
    ranks.do_pieces(
        options.jobs, pieces,
        [&](std::size_t i) {
            return text_line(
                "%.6g",
                saturation_frequency(*make_engine(options.engine, {}), scenario, static_cast<int>(modules[i])) / 1e3);
        },
        [&](std::size_t i, const std::string& rate) {
            rates[i] = rate;
            progress.done(++done);
        });
    if (!ranks.first()) return;
    FrameSizes fragment{};
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) {
        fragment.payload += frame.payload;
        fragment.buffer += frame.buffer;
        fragment.wire += frame.wire;
    }
    const auto frames = static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        file.stream() << text_line(
            "%lld,%s,%.6g,%.6g,%.6g,%.6g\n", modules[i], rates[i], limit_khz(scenario, modules[i], fragment.payload),
            limit_khz(scenario, modules[i], fragment.payload + kIpUdpHeaders * frames),
            limit_khz(scenario, modules[i], fragment.buffer), limit_khz(scenario, modules[i], fragment.wire));
    }
    file.commit();
    if (options.output != "-")
        std::cout << options.output << ": " << modules.size() << " numbers of ports, " << options.engine << " engine\n";
}

}  // namespace

void add_saturation_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<SaturationCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "saturation", "Find the trigger rate that saturates the uplinks, for a varying number of loaded ports");
    add_scenario(command, options->scenario, options->overrides);
    add_engine(command, options->engine);
    add_jobs(command, options->jobs, kJobsOfRanksHelp);
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output")
        ->capture_default_str();
    command
        ->add_option("--modules", options->modules, "Numbers of loaded ports: values with commas or FIRST:LAST:COUNT")
        ->capture_default_str();
    command->footer(
        "Example: watershed saturation scenarios/saturation-figure3.toml --modules 1:48:48 -o saturation.csv");
    command->callback([options, make_engine] { saturation(*options, make_engine); });
}

}  // namespace watershed
