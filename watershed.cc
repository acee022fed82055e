// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>
#include <new>

#include "calibrate/commands/commands.h"
#include "model/base/timestamp.h"
#include "plots/commands/commands.h"
#include "plots/figures/figures.h"
#include "scenarios/commands/commands.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/input-file.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace {

using namespace watershed;

Simulators all_simulators() {
#ifdef WATERSHED_NS3_LIBRARY
    return with_ns3_from({"watershed-ns3.so", WATERSHED_NS3_LIBRARY});
#else
    return exact_only();
#endif
}

/// One line, whatever a library's message looks like.
int fail(std::string message, int status) {
    while (!message.empty() && message.back() == '\n') message.pop_back();
    std::cerr << "error: " << one_line(message) << std::endl;
    return status;
}

/// Output may have met a full disk, which must not look like success.
int finish(int status) {
    std::cout.flush();
    return std::cout ? status : fail("standard output: cannot be written", 1);
}

/// The library would say that a command is required, whatever stands in its place.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    const std::string found = argv[1];
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands.push_back(command->get_name());
        if (commands.back() == found) return;
    }
    throw InputError("\"" + found + "\": unknown command, expected one of " + listed(commands) +
                     did_you_mean(found, commands));
}

/// Ranks of any other command would do the same work and write the same file.
void refuse_ranks(const std::string& command) {
    if (ranks_started() < 2 || command == "map" || command == "boundary" || command == "saturation") return;
    throw InputError(
        command + ": " + std::to_string(ranks_started()) +
        " ranks were started, which would all do the same; expected map, boundary or saturation, which share their "
        "work among ranks, or jobs with --part I/N");
}

/// A question needs no colon behind it.
class Formatter : public CLI::Formatter {
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_subcommands(app, mode);
        for (std::string::size_type at = 0; (at = text.find("?:\n", at)) != std::string::npos;) text.erase(at + 1, 1);
        return text;
    }
};

/// An empty argument would pass for an option that was not given.
void refuse_empty_arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool option = argument.size() > 3 && argument.compare(0, 2, "--") == 0 && argument.back() == '=' &&
                            argument.find('=') == argument.size() - 1;
        if (argument.empty() || option)
            throw InputError((option ? argument.substr(0, argument.size() - 1) : std::string(argv[i - 1])) +
                             ": found nothing, expected a value");
    }
}

/// Files are read more than once: what a pipe brings is kept. What has no end is no input; an option may write to it.
void prepare_inputs(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        keep_pipe(word);
        if (word.front() != '-' && argv[i - 1][0] != '-') expect_an_end(word);
    }
}

/// Whether a command that has --part is given it.
bool is_part(const CLI::App& app, int argc, char** argv) {
    if (argc < 3 || argv[1][0] == '-') return false;
    return app.get_subcommand(argv[1])->get_option_no_throw("--part") &&
           std::any_of(argv + 2, argv + argc,
                       [](const char* word) { return begins_with(std::string(word) + "=", "--part="); });
}

/// How one command is added, and the question that it answers, under which the help lists it.
struct Command {
    const char* question;
    const char* name;
    void (*add)(CLI::App& app, const Simulators& simulators);
};

constexpr auto kLoses = "Will it lose events?", kWhich = "Which switch, and how many?",
               kDepth = "How deep is my buffer?", kWhere = "Where were frames lost?", kShow = "How do I show it?",
               kAgrees = "Does it agree with what is published?",
               kWrite = "How do I write a scenario, and what else is there?";
constexpr auto kManual = "manual";

int run_program(int argc, char** argv);

constexpr Command kCommands[] = {
    {kLoses, "run", add_run_command},
    {kLoses, "map", [](CLI::App& app, const Simulators& s) { add_map_command(app, s.engine); }},
    {kLoses, "boundary", [](CLI::App& app, const Simulators& s) { add_boundary_command(app, s.engine); }},
    {kLoses, "export", [](CLI::App& app, const Simulators&) { add_export_command(app); }},
    {kLoses, "saturation", [](CLI::App& app, const Simulators& s) { add_saturation_command(app, s.engine); }},
    {kLoses, "risk", [](CLI::App& app, const Simulators& s) { add_risk_command(app, s.engine); }},
    {kLoses, "stagger",
     [](CLI::App& app, const Simulators& s) { add_stagger_command(app, s.engine, draw_stagger_of); }},
    {kLoses, "throttle",
     [](CLI::App& app, const Simulators& s) { add_throttle_command(app, s.engine, draw_throttle_of); }},
    {kLoses, "bound", [](CLI::App& app, const Simulators& s) { add_bound_command(app, s.engine); }},
    {kLoses, "n-plus-1", [](CLI::App& app, const Simulators& s) { add_n_plus_1_command(app, s.engine); }},
    {kLoses, "thresholds", add_thresholds_command},
    {kWhich, "switches", [](CLI::App& app, const Simulators&) { add_switches_command(app); }},
    {kWhich, "switch-from-sonic", [](CLI::App& app, const Simulators&) { add_switch_from_sonic_command(app); }},
    {kWhich, "size", [](CLI::App& app, const Simulators&) { add_size_command(app); }},
    {kWhich, "explore", [](CLI::App& app, const Simulators& s) { add_explore_command(app, s.engine); }},
    {kWhich, "compare",
     [](CLI::App& app, const Simulators& s) { add_compare_command(app, s.engine, draw_designs_of); }},
    {kWhich, "sensitivity",
     [](CLI::App& app, const Simulators& s) { add_sensitivity_command(app, s.engine, draw_sensitivity_of); }},
    {kWhich, "balance", [](CLI::App& app, const Simulators&) { add_balance_command(app); }},
    {kDepth, "measure", [](CLI::App& app, const Simulators&) { add_measure_command(app); }},
    {kDepth, "fit", [](CLI::App& app, const Simulators&) { add_fit_command(app); }},
    {kDepth, "next", [](CLI::App& app, const Simulators&) { add_next_command(app); }},
    {kDepth, "campaign-simulate", [](CLI::App& app, const Simulators&) { add_campaign_simulate_command(app); }},
    {kWhere, "ingest", [](CLI::App& app, const Simulators&) { add_ingest_command(app); }},
    {kWhere, "blame", [](CLI::App& app, const Simulators&) { add_blame_command(app); }},
    {kShow, "plot", [](CLI::App& app, const Simulators&) { add_plot_command(app); }},
    {kShow, "draw", [](CLI::App& app, const Simulators&) { add_draw_command(app); }},
    {kShow, "report", [](CLI::App& app, const Simulators&) { add_report_command(app); }},
    {kShow, "studio", [](CLI::App& app, const Simulators&) { add_studio_command(app, run_program); }},
    {kAgrees, "validate",
     [](CLI::App& app, const Simulators& s) {
         add_validate_command(app, s, {{"kernel-queue", validate_kernel_queue}});
     }},
    {kWrite, "example", [](CLI::App& app, const Simulators&) { add_example_command(app); }},
    {kWrite, "merge", [](CLI::App& app, const Simulators&) { add_merge_command(app, run_program); }},
    {kWrite, "keys", [](CLI::App& app, const Simulators&) { add_keys_command(app); }},
    {kWrite, kManual, [](CLI::App& app, const Simulators&) { add_manual_command(app); }}};

/// The command that is called; all of them for who asks what there is. Each takes a millisecond.
void add_commands(CLI::App& app, const std::string& first_word, const Simulators& simulators) {
    const bool one = first_word != kManual && std::any_of(std::begin(kCommands), std::end(kCommands),
                                                          [&](const Command& c) { return first_word == c.name; });
    for (const Command& command : kCommands) {
        if (one && first_word != command.name) continue;
        command.add(app, simulators);
        app.get_subcommand(command.name)->group(command.question);
    }
}

/// Runs the command that the words name. @return exit status
int run_program(int argc, char** argv) {
    Provenance::set_command_line(argc, argv);
    CLI::App app{"watershed: will this Ethernet switch lose events, and how deep is its buffer really?"};
    app.name("watershed");
    app.formatter(std::make_shared<Formatter>());
    app.set_version_flag("--version", Provenance::program());
    add_switches_option(app);
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 2 the input or the command line is wrong; 1 it failed for another reason.\n"
        "Example: watershed run scenarios/s60-figure4.toml");
    const std::string first_word = argc > 1 ? argv[1] : "";
    if (first_word != "--version") add_commands(app, first_word, all_simulators());

    constexpr int kFailed = 1, kWrongInput = 2;
    try {
        refuse_unknown_command(app, argc, argv);
        refuse_empty_arguments(argc, argv);
        prepare_inputs(argc, argv);
        if (argc > 1 && argv[1][0] != '-') refuse_ranks(argv[1]);
        if (is_part(app, argc, argv)) do_part(argc, argv, run_program);
        app.parse(argc, argv);
    } catch (const ProgramEnded& ended) {
        return finish(ended.status);
    } catch (const CLI::CallForHelp& help) {
        return finish(app.exit(help));
    } catch (const CLI::CallForAllHelp& help) {
        return finish(app.exit(help));
    } catch (const CLI::CallForVersion& version) {
        return finish(app.exit(version));
    } catch (const CLI::ParseError& error) {
        return fail(command_line_error(app, error, argc, argv), kWrongInput);
    } catch (const InputError& error) {
        return fail(error.what(), kWrongInput);
    } catch (const UnsupportedScenario& error) {
        return fail(error.what(), kWrongInput);
    } catch (const TimeExceeded& error) {
        return fail(error.what(), kWrongInput);
    } catch (const std::bad_alloc&) {
        return fail("out of memory: try fewer events, modules or jobs, or --engine exact", kFailed);
    } catch (const std::runtime_error& error) {
        return fail(error.what(), kFailed);
    } catch (const std::exception& error) {
        // A library's complaint names neither file nor key.
        const std::string what = dynamic_cast<const std::invalid_argument*>(&error) ? error.what() : "";
        return fail(what.empty() ? "this program has a fault: please report the command and its files" : what, kFailed);
    }
    return finish(0);
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv); }
