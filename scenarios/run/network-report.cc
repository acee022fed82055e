// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/network-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/network/network.h"
#include "scenarios/run/server-report.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// The end of a link: a switch's input, or an interface of the server, from 1.
std::string end_of(const Network& network, const Network::Link& link) {
    if (link.to == Network::kServer) return "server, interface " + std::to_string(link.input + 1);
    return network.switches()[static_cast<std::size_t>(link.to)].name + ", input " + std::to_string(link.input + 1);
}

/// What the modules of a switch sent together.
Outcome::Link sum_of_modules(const Network::Switch& network_switch, const Outcome& outcome) {
    Outcome::Link sum;
    for (int i = 0; i < network_switch.modules; ++i) {
        const Outcome::Link& link = outcome.module_links[static_cast<std::size_t>(network_switch.modules_before + i)];
        sum.frames += link.frames;
        sum.wire += link.wire;
    }
    return sum;
}

nlohmann::ordered_json to_json(const Outcome::Link& link, BitRate rate, int links, Time simulated) {
    return {{"rate_bits_per_s", rate.count},
            {"frames", link.frames},
            {"wire_bytes", link.wire.count},
            {"utilisation", utilisation(link, rate, simulated) / links}};
}

}  // namespace

double utilisation(const Outcome::Link& link, BitRate rate, Time simulated) {
    const double bits = 8 * static_cast<double>(link.wire.count), seconds = in_seconds(simulated);
    return seconds > 0 ? bits / static_cast<double>(rate.count) / seconds : 0;
}

void add_network(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome, bool module_links) {
    const Network network(scenario);
    json["switches"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < network.switches().size(); ++i) {
        const Network::Switch& each = network.switches()[i];
        const Outcome::Switch& seen = outcome.switches[i];
        nlohmann::ordered_json entry{{"name", each.name},
                                     {"inputs", each.inputs()},
                                     {"modules", each.modules},
                                     {"frames_lost", seen.frames_lost},
                                     {"peak_frames", seen.peak_frames},
                                     {"peak_bytes", seen.peak_bytes.count},
                                     {"first_idle_event", nullptr}};
        if (seen.first_idle_event != 0) entry["first_idle_event"] = seen.first_idle_event;
        if (each.modules > 0) {  // of all of them together; the utilisation is their mean
            entry["first_module"] = each.modules_before + 1;
            entry["module_links"] =
                to_json(sum_of_modules(each, outcome), scenario.front_end.link_rate, each.modules, outcome.simulated);
        }
        json["switches"].push_back(std::move(entry));
    }
    json["links"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Network::Link& link = network.links()[i];
        nlohmann::ordered_json entry{
            {"from", network.switches()[static_cast<std::size_t>(link.from)].name},
            {"uplink", link.uplink + 1},
            {"to", link.to == Network::kServer ? "server" : network.switches()[static_cast<std::size_t>(link.to)].name},
            {"input", link.input + 1}};
        entry.update(to_json(outcome.uplinks[i], link.rate, 1, outcome.simulated));
        json["links"].push_back(std::move(entry));
    }
    if (!module_links) return;
    json["module_links"] = nlohmann::ordered_json::array();
    for (const Network::Switch& each : network.switches())
        for (int i = 0; i < each.modules; ++i) {
            const int module = each.modules_before + i + 1;
            nlohmann::ordered_json entry{{"module", module}, {"to", each.name}, {"input", i + 1}};
            entry.update(to_json(outcome.module_links[static_cast<std::size_t>(module - 1)],
                                 scenario.front_end.link_rate, 1, outcome.simulated));
            json["module_links"].push_back(std::move(entry));
        }
}

void print_network(std::ostream& out, const Scenario& scenario, const Outcome& outcome, bool module_links) {
    const Network network(scenario);
    std::size_t width = 14;
    for (const Network::Switch& each : network.switches()) width = std::max(width, each.name.size());
    const int name = static_cast<int>(width);
    out << text_line("\n  %-*s  %7s  %7s  %12s  %12s  %14s  %13s  %s\n", name, "switch", "modules", "inputs",
                     "frames lost", "peak, frames", "peak, bytes", "module links", "peak");
    for (std::size_t i = 0; i < network.switches().size(); ++i) {
        const Network::Switch& each = network.switches()[i];
        const Outcome::Switch& seen = outcome.switches[i];
        const double busy = each.modules == 0 ? 0
                                              : utilisation(sum_of_modules(each, outcome), scenario.front_end.link_rate,
                                                            outcome.simulated) /
                                                    each.modules;
        const std::string load = each.modules == 0 ? "" : text_line("busy %.1f %%", 100 * busy);
        out << text_line("  %-*s  %7d  %7d  %12lld  %12lld  %14lld  %13s  %s\n", name, each.name.c_str(), each.modules,
                         each.inputs(), integer(seen.frames_lost), integer(seen.peak_frames),
                         integer(seen.peak_bytes.count), load.c_str(),
                         seen.peak_frames > 0 ? recovery_text(seen.fullest, seen.drained).c_str() : "");
    }
    const auto row = [&](const std::string& from, const std::string& to, BitRate rate, const Outcome::Link& link) {
        out << text_line("  %-*s  %-*s  %10s  %14lld  busy %.1f %%\n", name + 12, from.c_str(), name + 12, to.c_str(),
                         to_text(rate).c_str(), integer(link.frames), 100 * utilisation(link, rate, outcome.simulated));
    };
    out << text_line("\n  %-*s  %-*s  %10s  %14s\n", name + 12, "link", name + 12, "to", "rate", "frames");
    if (module_links)
        for (const Network::Switch& each : network.switches())
            for (int i = 0; i < each.modules; ++i)
                row("module " + std::to_string(each.modules_before + i + 1),
                    each.name + ", input " + std::to_string(i + 1), scenario.front_end.link_rate,
                    outcome.module_links[static_cast<std::size_t>(each.modules_before + i)]);
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Network::Link& link = network.links()[i];
        row(network.name(link), end_of(network, link), link.rate, outcome.uplinks[i]);
    }
}

}  // namespace watershed
