// SPDX-License-Identifier: GPL-2.0-only
// Worst cases of a network of servers.
#include "model/calculus/flow-bounds.h"
#include "scenarios/calculus/calculus-file.h"
#include "scenarios/commands/options.h"
#include "scenarios/run/run-report.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

Multiplexing multiplexing_of(const BoundAsked& asked, const CalculusFile& file) {
    if (asked.multiplexing == "fifo") return Multiplexing::Fifo;
    if (asked.multiplexing == "arbitrary") return Multiplexing::Arbitrary;
    if (!file.multiplexing)
        throw InputError(asked.network, "network.multiplexing",
                         "missing, expected \"FIFO\" or \"ARBITRARY\", or the option --multiplexing");
    return *file.multiplexing;
}

std::vector<FlowBound> bounds_of_network(const BoundAsked& asked, const CalculusFile& file, bool separate,
                                         Multiplexing multiplexing) {
    try {
        const FeedForward network(file.network);
        std::vector<FlowBound> bounds =
            separate ? separate_flow_analysis(network, multiplexing) : total_flow_analysis(network, multiplexing);
        for (FlowBound& bound : bounds) {
            if (bound.delay) *bound.delay /= file.seconds;
            bound.backlog /= file.bits;
        }
        return bounds;
    } catch (const NoBound& none) {
        throw InputError(asked.network, "servers." + none.server, none.what());
    }
}

/// "27/2", and beside it what that is about.
std::string about(const Rational& value) {
    return boost::multiprecision::denominator(value) == 1 ? "" : text_line("%.6g", value.convert_to<double>());
}

}  // namespace

Answer network_bound_answer(const BoundAsked& asked) {
    const CalculusFile file = read_calculus_file(asked.network);
    const Multiplexing multiplexing = multiplexing_of(asked, file);
    const bool fifo = multiplexing == Multiplexing::Fifo, separate = asked.analysis == "sfa";
    const std::vector<FlowBound> bounds = bounds_of_network(asked, file, separate, multiplexing);
    Answer answer;
    answer.json = {{"program", Provenance::program()},
                   {"command", Provenance::command()},
                   {"network", file.name},
                   {"analysis", separate ? "sfa" : "tfa"},
                   {"multiplexing", fifo ? "fifo" : "arbitrary"},
                   {"proven", !(separate && fifo)},
                   {"time_unit", file.time_unit},
                   {"data_unit", file.data_unit},
                   {"flows", Json::array()}};
    std::vector<std::vector<std::string>> table{
        {"flow", "delay, " + file.time_unit, "about", "backlog, " + file.data_unit, "about"}};
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const std::string& name = file.network.flows[i].name;
        const auto& [delay, backlog] = bounds[i];
        answer.json["flows"].push_back(
            {{"name", name}, {"delay", delay ? Json(delay->str()) : Json(nullptr)}, {"backlog", backlog.str()}});
        table.push_back(
            {name, delay ? delay->str() : "infinite", delay ? about(*delay) : "", backlog.str(), about(backlog)});
    }
    std::string& text = answer.text;
    text = "Bounds of " + file.name + " by " + (separate ? "separate" : "total") + " flow analysis (" +
           (separate ? "SFA" : "TFA") + "), servers in " + (fifo ? "FIFO" : "arbitrary") + " order:\n" +
           listed(aligned(table, {true, false, true, false, true}), "\n") + "\n" +
           (separate ? "The backlog is that of the flow itself, in all servers on its path.\n"
                     : "The backlog is the largest of all servers on the path, of all flows together.\n");
    if (std::any_of(bounds.begin(), bounds.end(), [](const FlowBound& bound) { return !bound.delay; }))
        text +=
            "A delay is infinite where flows bring all that a server serves and others may go first for "
            "ever: the backlog has a limit, the delay none that this analysis finds.\n";
    if (separate && fifo)
        text +=
            "No guarantee: other flows count as if the flow itself had not delayed them before, as the DNC "
            "tool counts. That is proven for arbitrary order alone; --analysis tfa is proven for both.\n";
    if (file.has_capacity)
        text += "The capacity of links is left out, which lowers a bound with input shaping alone.\n";
    answer.json["answer"] = answer_of(text);
    return answer;
}

}  // namespace watershed
