// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/calculus/flow-bounds.h"
#include "scenarios/calculus/calculus-file.h"
#include "scenarios/commands/options.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

struct BoundCommandOptions {
    std::string network;
    std::string analysis;
    std::string multiplexing;
    std::string json;
};

Multiplexing multiplexing_of(const BoundCommandOptions& options, const CalculusFile& file) {
    if (options.multiplexing == "fifo") return Multiplexing::Fifo;
    if (options.multiplexing == "arbitrary") return Multiplexing::Arbitrary;
    if (!file.multiplexing)
        throw InputError(options.network, "network.multiplexing",
                         "missing, expected \"FIFO\" or \"ARBITRARY\", or the option --multiplexing");
    return *file.multiplexing;
}

std::vector<FlowBound> bounds_of_network(const BoundCommandOptions& options, const CalculusFile& file, bool separate,
                                         Multiplexing multiplexing) {
    try {
        const FeedForward network(file.network);
        std::vector<FlowBound> bounds =
            separate ? separate_flow_analysis(network, multiplexing) : total_flow_analysis(network, multiplexing);
        for (FlowBound& bound : bounds) {
            bound.delay /= file.seconds;
            bound.backlog /= file.bits;
        }
        return bounds;
    } catch (const NoBound& none) {
        throw InputError(options.network, "servers." + none.server, none.what());
    }
}

/// "27/2", and beside it what that is about.
std::string about(const Rational& value) {
    return boost::multiprecision::denominator(value) == 1 ? "" : text_line("%.6g", value.convert_to<double>());
}

void bound_network(const BoundCommandOptions& options) {
    const CalculusFile file = read_calculus_file(options.network);
    const Multiplexing multiplexing = multiplexing_of(options, file);
    const bool fifo = multiplexing == Multiplexing::Fifo;
    const bool separate = options.analysis == "sfa";
    const std::vector<FlowBound> bounds = bounds_of_network(options, file, separate, multiplexing);

    nlohmann::ordered_json json{{"program", Provenance::program()},
                                {"command", Provenance::command()},
                                {"network", file.name},
                                {"analysis", separate ? "sfa" : "tfa"},
                                {"multiplexing", fifo ? "fifo" : "arbitrary"},
                                {"time_unit", file.time_unit},
                                {"data_unit", file.data_unit},
                                {"flows", nlohmann::ordered_json::array()}};
    std::vector<std::vector<std::string>> table{
        {"flow", "delay, " + file.time_unit, "about", "backlog, " + file.data_unit, "about"}};
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const std::string& name = file.network.flows[i].name;
        const auto& [delay, backlog] = bounds[i];
        json["flows"].push_back({{"name", name}, {"delay", delay.str()}, {"backlog", backlog.str()}});
        table.push_back({name, delay.str(), about(delay), backlog.str(), about(backlog)});
    }
    if (!options.json.empty()) OutputFile(options.json).write(json.dump(2) + "\n");
    if (options.json == "-") return;
    std::cout << "Bounds of " << file.name << " by " << (separate ? "separate" : "total") << " flow analysis ("
              << (separate ? "SFA" : "TFA") << "), servers in " << (fifo ? "FIFO" : "arbitrary") << " order:\n"
              << listed(aligned(table, {true, false, true, false, true}), "\n") << "\n"
              << (separate ? "The backlog is that of the flow itself, in all servers on its path.\n"
                           : "The backlog is the largest of all servers on the path, of all flows together.\n");
    if (separate && fifo)
        std::cout << "No guarantee: other flows count as if the flow itself had not delayed them before, as the DNC "
                     "tool counts. That is proven for arbitrary order alone; --analysis tfa is proven for both.\n";
    if (file.has_capacity)
        std::cout << "The capacity of links is left out, which lowers a bound with input shaping alone.\n";
}

}  // namespace

void add_bound_command(CLI::App& app) {
    const auto options = std::make_shared<BoundCommandOptions>();
    CLI::App* command =
        app.add_subcommand("bound", "Guarantee: the worst delay and backlog of each flow of a network of servers");
    command
        ->add_option("--network", options->network,
                     "Flows with token buckets over servers with rates and latencies, as Saihu writes them (JSON)")
        ->required();
    command->add_option("--analysis", options->analysis, "tfa (total flow) or sfa (separate flow)")
        ->check(CLI::IsMember({"tfa", "sfa"}))
        ->default_str("tfa");
    command
        ->add_option("--multiplexing", options->multiplexing,
                     "In which order a server serves its flows: fifo or arbitrary [what the file says]")
        ->check(CLI::IsMember({"fifo", "arbitrary"}));
    add_json(command, options->json);
    command->footer(
        "Example: watershed bound --network scenarios/data/network-calculus/TA_3S_1SC_3F_1AC_3P.json --analysis sfa");
    command->callback([options] { bound_network(*options); });
}

}  // namespace watershed
