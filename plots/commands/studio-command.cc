// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "plots/commands/commands.h"
#include "plots/page/html.h"
#include "plots/studio/studio-server.h"
#include "scenarios/catalogue/examples.h"
#include "scenarios/catalogue/scenario-folders.h"

namespace watershed {
namespace {

struct StudioOptions {
    std::string scenario, map;
    int port = 0;
    bool no_browser = false;
};

/// Opens the page with the program that the desktop has for it; without one the printed address does.
void open_browser(const std::string& address) {
    std::string program = "xdg-open", argument = address;
    char* const words[] = {program.data(), argument.data(), nullptr};
    const pid_t process = fork();
    if (process != 0) return;
    if (std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr))
        execvp(program.c_str(), words);
    _exit(1);
}

void run_studio(const StudioOptions& options, Program program) {
    namespace fs = std::filesystem;
    const std::string file = options.scenario.empty()
                                 ? example_named("shallow-28-ports", examples(scenario_folders())).file
                                 : options.scenario;
    Studio studio;
    studio.port = options.port;
    studio.program = program;
    studio.scenario = contents(file);
    studio.scenario_name = fs::path(file).filename();
    if (!options.map.empty()) studio.map = contents(options.map), studio.map_name = fs::path(options.map).filename();
    serve(studio, [&](const std::string& address) {
        std::cout << address << std::endl;
        if (!options.no_browser) open_browser(address);
    });
}

}  // namespace

void add_studio_command(CLI::App& app, int (*program)(int argc, char** argv)) {
    auto options = std::make_shared<StudioOptions>();
    CLI::App* command = app.add_subcommand(
        "studio",
        "Serve a page on this machine on which a design moves as you drag it, and a measured map shows its fit");
    command->add_option("scenario", options->scenario, "Scenario file (TOML) to begin with")
        ->default_str("the example shallow-28-ports");
    command->add_option("--map", options->map, "Loss map (CSV) to begin with");
    command->add_option("--port", options->port, "Port of 127.0.0.1; 0: one that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    command->add_flag("--no-browser", options->no_browser, "Print the page's address, and open no browser");
    command->footer(
        R"(The page is for this machine alone, and only who has the token of the printed address can ask. It asks the commands of this program by
POST /api/v1/COMMAND, as anybody can, with the scenario's text and options by their long names:
  curl -H "Authorization: Bearer TOKEN" -d '{"scenario": "…", "set": ["front_end.modules=29"]}' http://127.0.0.1:PORT/api/v1/run
The answer is the command's JSON; map and boundary, which write tables, answer {"columns": […], "rows": [[…]], "notes": […]}.
A call gets 20 s of a processor, 60 s by the clock and 4 GB. It ends with Ctrl-C.
Example: watershed studio scenarios/shallow-28-ports.toml --map scenarios/data/kernel-queue-deep.csv)");
    command->callback([options, program] { run_studio(*options, program); });
}

}  // namespace watershed
