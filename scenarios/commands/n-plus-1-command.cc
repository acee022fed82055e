// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/exact/n-plus-1.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

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
        if (found.lossless) {
            json.back()["lossless"] = *found.lossless;
            json.back()["drops"] = found.drops;
            table += text_line("%8lld %18lld %18lld\n", size, *found.lossless, found.drops);
        } else {
            table += text_line("%8lld     none lossy up to %lld\n", size, options.limit);
        }
    }
    if (!options.json.empty()) OutputFile(options.json).write(json.dump(2) + "\n");
    if (options.json != "-") std::cout << table;
}

}  // namespace

void add_n_plus_1_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto options = std::make_shared<NPlus1CommandOptions>();
    CLI::App* command = app.add_subcommand(
        "n-plus-1",
        "Find the longest lossless burst beside a stream at line rate, and what a burst of one frame more loses");
    add_scenario(command, options->scenario, options->overrides);
    add_json(command, options->json);
    command->add_option("--frames", options->frames, "Sizes of whole Ethernet frames in bytes, FCS included, a list")
        ->capture_default_str();
    add_engine(command, options->engine);
    command->add_option("--limit", options->limit, "Longest burst tried")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    command->footer(
        "Example: watershed n-plus-1 scenarios/n-plus-1.toml --set switch.model=cisco-3750x --frames 64,256,1024,1518");
    command->callback([options, make_engine] { n_plus_1(*options, make_engine); });
}

}  // namespace watershed
