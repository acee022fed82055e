// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/n-plus-1-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/exact/n-plus-1.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

struct NPlus1CommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string frames = "64,256,1024,1518";
    std::string engine = "exact";
    std::int64_t limit = 100'000'000;
    std::string json;
};

/// A table for people, or JSON in a file or on standard output.
void write(const NPlus1CommandOptions& options, const nlohmann::ordered_json& json, const std::string& table) {
    if (!options.json.empty()) {
        OutputFile file(options.json);
        file.stream() << json.dump(2) << '\n';
        file.commit();
    }
    if (options.json != "-") std::cout << table;
}

void n_plus_1(const NPlus1CommandOptions& options, const EngineFactory& make_engine) {
    const std::vector<std::int64_t> sizes = parse_count_list("--frames", options.frames);
    std::vector<AssumedValue> assumed;
    Scenario scenario = read_line_rate_plus_burst(options.scenario, options.overrides, &assumed);
    const auto engine = make_engine(options.engine, {});
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    std::string table = comment(assumed) + "frame, B     lossless burst     drops when it is one longer\n";
    for (const std::int64_t size : sizes) {
        scenario.frame.payload = Bytes{size} - kHeadersAndFcs;
        const Bytes largest = scenario.frame.mtu - kIpUdpHeaders + kHeadersAndFcs;
        if (Bytes{size} < kMinimumFrame || Bytes{size} > largest)
            throw InputError("--frames: found " + std::to_string(size) + ", expected whole Ethernet frames of " +
                             std::to_string(kMinimumFrame.count) + " to " + std::to_string(largest.count) +
                             " B (frame.mtu)");
        const NPlusOne found = find_n_plus_one(*engine, scenario, options.limit);
        json.push_back({{"frame_bytes", size}, {"lossless", nullptr}, {"drops", nullptr}});
        char line[80];
        if (found.lossless) {
            json.back()["lossless"] = *found.lossless;
            json.back()["drops"] = found.drops;
            std::snprintf(line, sizeof line, "%8lld %18lld %18lld\n", static_cast<long long>(size),
                          static_cast<long long>(*found.lossless), static_cast<long long>(found.drops));
        } else {
            std::snprintf(line, sizeof line, "%8lld     none lossy up to %lld\n", static_cast<long long>(size),
                          static_cast<long long>(options.limit));
        }
        table += line;
    }
    write(options, json, table);
}

void threshold(const NPlus1CommandOptions& options) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_apparatus(options.scenario, options.overrides, &assumed);
    expect_one_switch(scenario, options.scenario);
    const std::int64_t cells = read_at(options.scenario, [&] { return drop_threshold_cells(scenario); });
    write(options, {{"program", Provenance::program()}, {"command", Provenance::command()}, {"threshold_cells", cells}},
          comment(assumed) + std::to_string(cells) + " cells in one congested queue when its first frame is dropped\n");
}

CLI::App* add_table_command(CLI::App& app, const std::string& name, const std::string& description,
                            const std::shared_ptr<NPlus1CommandOptions>& options) {
    CLI::App* command = app.add_subcommand(name, description);
    command->add_option("SCENARIO", options->scenario, "Scenario file (TOML)")->required();
    command->add_option("--set", options->overrides, "KEY=VALUE: override a key of the scenario (repeatable)")
        ->allow_extra_args(false);
    command->add_option("--json", options->json,
                        "Write the result as JSON to FILE; - is standard output, which then gets nothing else");
    return command;
}

}  // namespace

void add_n_plus_1_commands(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<NPlus1CommandOptions>();
    CLI::App* command = add_table_command(
        app, "n-plus-1",
        "Find the longest lossless burst beside a stream at line rate, and what a burst of one frame more loses",
        options);
    command->add_option("--frames", options->frames, "Sizes of whole Ethernet frames in bytes, FCS included, a list")
        ->capture_default_str();
    command->add_option("--engine", options->engine, "exact or ns3")
        ->check(CLI::IsMember({"ns3", "exact"}))
        ->capture_default_str();
    command->add_option("--limit", options->limit, "Longest burst tried")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    command->footer(
        "Example: watershed n-plus-1 scenarios/n-plus-1.toml --set switch.model=cisco-3750x --frames 64,256,1024,1518");
    command->callback([options, make_engine] { n_plus_1(*options, make_engine); });

    options = std::make_shared<NPlus1CommandOptions>();
    command = add_table_command(app, "threshold",
                                "Fill one queue with 64 B frames and find what it holds at the first drop", options);
    command->footer("Example: watershed threshold scenarios/threshold-tomahawk.toml --json -");
    command->callback([options] { threshold(*options); });
}

}  // namespace watershed
