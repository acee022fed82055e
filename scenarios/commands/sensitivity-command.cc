// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/risk/camera-queue.h"
#include "model/risk/certain-loss.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/sensitivity.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/trigger-check.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct SensitivityOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string engine = "exact";
    double loss = 1e-9;
    std::string figure, json;
    RiskEffort effort;
};

/// Where the chain does not know a scenario, the bound if that is enough, for it takes no time; else a sample.
Risk risk_of(const Scenario& scenario, const SensitivityOptions& options, Engine& engine) {
    if (Chains::of(scenario).cameras.empty())
        if (const CertainLoss certain = CertainLoss::of(scenario);
            certain.log && (certain.log->upper <= std::log(options.loss) || certain.load >= 1))
            return find_risk(scenario, "bound", options.effort, engine);
    return find_risk(scenario, "auto", options.effort, engine);
}

void sensitivity(const SensitivityOptions& options, const EngineFactory& make_engine, const DrawResult& draw) {
    const auto read = [&](std::vector<std::string> keys, std::vector<AssumedValue>* assumed) {
        keys.insert(keys.begin(), options.overrides.begin(), options.overrides.end());
        Scenario scenario = with_an_end(read_system(options.scenario, keys, assumed));
        if (!scenario.is_camera())
            throw InputError(options.scenario, "system", "found \"" + scenario.system + "\", expected a camera");
        return scenario;
    };
    std::vector<AssumedValue> assumed;
    const Scenario today = read({}, &assumed);
    auto json = file_if_named(options.json);
    OutputFile::expect_figure(options.figure);
    const auto engine = make_engine(options.engine, {});
    const Design design{[&](const std::vector<std::string>& keys) { return read(keys, nullptr); },
                        [&](const Scenario& scenario) { return risk_of(scenario, options, *engine); }, *engine,
                        options.loss};
    const std::string folder = std::filesystem::path(options.scenario).parent_path().string();
    Json result{{"program", Provenance::program()}, {"command", Provenance::command()}, {"scenario", options.scenario},
                {"set", options.overrides},         {"engine", options.engine},         {"seed", today.seed}};
    add_assumed(result, assumed);
    result.update(
        sensitivity_of(design, what_if_questions(today, assumed, read_catalogue(folder.empty() ? "." : folder))));
    const std::string text = "Sensitivity of " + options.scenario + ": what if something is other than planned?\n" +
                             comment(assumed) + sensitivity_as_table(result);
    result["answer"] = answer_of(text);
    if (!options.figure.empty()) draw(result, options.figure);
    if (json) json->write(result.dump(1) + "\n");
    if (options.json != "-") std::cout << text;
}

}  // namespace

void add_sensitivity_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    auto options = std::make_shared<SensitivityOptions>();
    options->effort.jobs = default_jobs();
    options->effort.work = 1e7;
    CLI::App* command = app.add_subcommand(
        "sensitivity", "Ask a design what if: more triggers, less memory, a switch or an uplink gone, another stream");
    add_scenario(command, options->scenario, options->overrides);
    command->add_option("--loss", options->loss, "Chance of an incomplete event that is wanted, of random triggers")
        ->check(CLI::Range(1e-300, 0.999))
        ->capture_default_str();
    add_engine(command, options->engine);
    add_jobs(command, options->effort.jobs);
    command->add_option("-o,--output", options->figure, "Figure of what each question changes, .svg, .pdf or .png");
    add_json(command, options->json, "the result as JSON to FILE, for watershed plot sensitivity");
    command->footer(
        "Random triggers are judged by the chance that an event is incomplete, as `risk` finds it, and beside "
        "streams by what a run's events tell of it (100,000 where the scenario states no end); all others by the "
        "frames that the scenario's run loses.\nEach row "
        "names the keys that were set (\"set\" in JSON), so that `run` "
        "or `risk` can be asked again with --set.\n"
        "Example: watershed sensitivity scenarios/risk-4mb.toml -o sensitivity.svg");
    command->callback([options, make_engine, draw] { sensitivity(*options, make_engine, draw); });
}

}  // namespace watershed
