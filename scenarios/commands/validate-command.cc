// SPDX-License-Identifier: GPL-2.0-only
// Systems by which the program is validated.
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/options.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/progress.h"
#include "scenarios/validate/comparison-text.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

/// The camera first, then the other systems, then single switches.
std::vector<PublishedSystem> published_systems() {
    std::vector<PublishedSystem> all{{"nectarcam", validate_nectarcam}};
    for (const System& system : all_systems())
        if (system.validate) all.push_back({system.published, system.validate});
    all.push_back({"miercom", validate_miercom});
    all.push_back({"event-building", validate_event_building});
    all.push_back({"thresholds", validate_thresholds});
    all.push_back({"sonic", validate_sonic});
    all.push_back({"mmu-probe", validate_mmu_probe});
    all.push_back({"mlxsw", validate_mlxsw});
    return all;
}

struct ValidateOptions {
    std::string system;
    std::string json;
    std::string scenarios;
    bool quick = false;
    int jobs = default_jobs();
};

std::string scenario_folder(const std::string& given) {
    if (!given.empty()) {
        if (std::error_code ignored; std::filesystem::is_directory(given, ignored)) return given;
        throw InputError("--scenarios: found \"" + given + "\", expected a folder of scenarios");
    }
    for (const std::string& folder : scenario_folders())
        if (std::filesystem::is_directory(folder)) return folder;
    throw InputError("no folder of scenarios was found, expected one with --scenarios");
}

void validate(const ValidateOptions& options, const std::vector<PublishedSystem>& systems,
              const Simulators& simulators) {
    const Validation validation{simulators, scenario_folder(options.scenarios), options.quick, options.jobs};
    auto json = file_if_named(options.json);

    std::vector<Comparison> all;
    Progress progress("validate", "systems", static_cast<std::int64_t>(systems.size()));
    for (const PublishedSystem& system : systems) {
        if (options.system.empty() || options.system == system.name) {
            const std::vector<Comparison> comparisons = system.validate(validation);
            all.insert(all.end(), comparisons.begin(), comparisons.end());
        }
        progress.done(1);
    }
    if (json) json->write(json_text(to_json(all)) + "\n");
    if (options.json != "-") {
        std::cout << "Every scenario runs with its own seed, 1 where it states none.\n\n";
        print(std::cout, all);
    }
    if (const int differing = Tally(all).unexplained(); differing > 0)
        throw std::runtime_error(std::to_string(differing) + " of " + std::to_string(all.size()) +
                                 " numbers differ from what they are compared with, and no explanation names them");
}

}  // namespace

void add_validate_command(CLI::App& app, const Simulators& simulators, const std::vector<PublishedSystem>& further) {
    std::vector<PublishedSystem> systems = published_systems();
    systems.insert(systems.end(), further.begin(), further.end());
    std::vector<std::string> names;
    for (const PublishedSystem& system : systems) names.emplace_back(system.name);
    const auto options = std::make_shared<ValidateOptions>();
    CommandTable(
        app, "validate",
        "Simulate the published systems and compare their numbers with what is published, calibrated or calculated",
        "Each number has a basis: predicted (nothing of it went into the parameters), calibrated (it chose a "
        "parameter), configured (it repeats\n"
        "one), theory (a formula stands in the place of a publication) or arithmetic (nothing is simulated). Only"
        " predicted numbers can agree. An\n"
        "explanation names the number that it explains. Exit status 1: a number differs, and no explanation names"
        " it.\n"
        "Example: watershed validate nectarcam --json nectarcam.json")
        .add("SYSTEM", options->system, "One of the systems [all]", {among(names)})
        .json(options->json, "the comparisons as JSON to FILE")
        .add("--scenarios", options->scenarios, "Folder of the scenarios [the one that came with the program]")
        .flag("--quick", options->quick,
              "Only a fifth of the packets of nexpres, for a quick look; the tolerances are meant for all packets")
        .jobs(options->jobs, "Number of processes or threads; the result does not depend on it")
        .run([=] { validate(*options, systems, simulators); });
}

}  // namespace watershed
