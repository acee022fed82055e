// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <iostream>
#include <new>

#include "calibrate/commands/commands.h"
#include "model/base/time-limit.h"
#include "plots/commands/commands.h"
#include "plots/figures/figures.h"
#include "scenarios/commands/commands.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#ifdef WATERSHED_NS3
#include "model/exact/exact-engine.h"
#include "model/ns3/ejfat/ejfat-simulation.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/ns3/fill/ns3-stopped-switch.h"
#include "model/ns3/ipbus/ipbus-simulation.h"
#include "model/ns3/roce/distribution-simulation.h"
#include "model/ns3/udpmon/udpmon-simulation.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/udpmon-run.h"
#endif

namespace {

using namespace watershed;

#ifdef WATERSHED_NS3
std::unique_ptr<Engine> make_engine(const std::string& name, const std::string& pcap_prefix) {
    if (name == "ns3") return std::make_unique<Ns3Engine>(pcap_prefix);
    return std::make_unique<ExactEngine>();
}

Simulators all_simulators() {
    Simulators simulators{"ns3", make_engine, {}};
    simulators.systems.of<UdpmonSimulator>() = simulate_udpmon;
    simulators.systems.of<EjfatSimulator>() = simulate_ejfat;
    simulators.systems.of<IpbusSimulator>() = simulate_ipbus;
    simulators.systems.of<DistributionSimulator>() = simulate_distribution;
    simulators.systems.of<StoppedSwitchFactory>() = stop_in_ns3;
    return simulators;
}
#else
Simulators all_simulators() { return exact_only(); }
#endif

/// One line, whatever a library's message looks like.
int fail(std::string message, int status) {
    while (!message.empty() && message.back() == '\n') message.pop_back();
    for (char& c : message)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    std::cerr << "error: " << message << std::endl;
    return status;
}

/// What was printed may have met a full disk, which must not look like success.
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

/// A question needs no colon behind it.
class Formatter : public CLI::Formatter {
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_subcommands(app, mode);
        for (std::string::size_type at = 0; (at = text.find("?:\n", at)) != std::string::npos;) text.erase(at + 1, 1);
        return text;
    }
};

/// The commands that `add` adds answer one question, under which the help lists them.
void answer(CLI::App& app, const char* question, const std::function<void()>& add) {
    const auto all = [&] { return app.get_subcommands([](CLI::App*) { return true; }); };
    const std::size_t before = all().size();
    add();
    const std::vector<CLI::App*> commands = all();
    for (std::size_t i = before; i < commands.size(); ++i) commands[i]->group(question);
}

void add_commands(CLI::App& app, const Simulators& simulators) {
    answer(app, "Will it lose events?", [&] {
        add_run_command(app, simulators);
        add_sweep_commands(app, simulators.engine);
        add_risk_command(app, simulators.engine);
        add_stagger_command(app, simulators.engine);
        add_throttle_command(app, simulators.engine);
        add_bound_command(app, simulators.engine);
        add_n_plus_1_command(app, simulators.engine);
        add_thresholds_command(app, simulators);
    });
    answer(app, "Which switch, and how many?", [&] {
        add_switches_command(app);
        add_switch_from_sonic_command(app);
        add_size_command(app);
        add_explore_command(app, simulators.engine);
        add_compare_command(app, simulators.engine, draw_designs_of);
        add_sensitivity_command(app, simulators.engine, draw_sensitivity_of);
        add_balance_command(app);
    });
    answer(app, "How deep is my buffer?", [&] {
        add_measure_command(app);
        add_fit_command(app);
        add_next_command(app);
        add_campaign_simulate_command(app);
    });
    answer(app, "Where were frames lost?", [&] {
        add_ingest_command(app);
        add_blame_command(app);
    });
    answer(app, "How do I show it?", [&] {
        add_plot_command(app);
        add_draw_command(app);
        add_report_command(app);
    });
    answer(app, "Does it agree with what is published?", [&] {
        add_validate_command(app, simulators, {{"kernel-queue", validate_kernel_queue}});
    });
    answer(app, "How do I write a scenario, and what else is there?", [&] {
        add_example_command(app);
        add_keys_command(app);
        add_manual_command(app);
    });
}

}  // namespace

int main(int argc, char** argv) {
    Provenance::set_command_line(argc, argv);
    CLI::App app{"watershed: will this Ethernet switch lose events, and how deep is its buffer really?"};
    app.name("watershed");
    app.formatter(std::make_shared<Formatter>());
    app.set_version_flag("--version", Provenance::program());
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 2 the input or the command line is wrong; 1 it failed for another reason.\n"
        "Example: watershed run scenarios/s60-figure4.toml");
    add_commands(app, all_simulators());

    constexpr int kFailed = 1, kWrongInput = 2;
    try {
        refuse_unknown_command(app, argc, argv);
        app.parse(argc, argv);
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
    } catch (const std::exception& error) {
        return fail(error.what(), kFailed);
    }
    return finish(0);
}
