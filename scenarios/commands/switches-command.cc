// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/switches-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

#include "scenarios/reader/assumed-value.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct SwitchesCommandOptions {
    std::string name;
    int ports = 0;
    std::string speed;
};

std::string shown(const std::optional<KeyValue>& value) { return value ? value_text(*value) : "unknown"; }

std::string shown(const CatalogueSwitch& entry, const std::string& key) {
    const auto* value = entry.find(key);
    return value ? shown(value->value) : "-";
}

std::string ports_of(const CatalogueSwitch& entry) {
    std::string text;
    for (const auto& ports : entry.ports) text += (text.empty() ? "" : " + ") + std::to_string(ports.count) + " x " + to_text(ports.speed);
    return text;
}

/// Enough ports of the speed, or of all speeds together where none is asked for.
bool wanted(const CatalogueSwitch& entry, const SwitchesCommandOptions& options) {
    std::optional<BitRate> speed;
    if (!options.speed.empty()) speed = parse_bit_rate(options.speed);
    int count = 0;
    for (const auto& ports : entry.ports)
        if (!speed || ports.speed == *speed) count += ports.count;
    return count >= std::max(options.ports, speed ? 1 : 0);
}

void print_table(const SwitchesCommandOptions& options) {
    try {
        if (!options.speed.empty()) parse_bit_rate(options.speed);
    } catch (const std::invalid_argument& error) {
        throw InputError(std::string("--speed: ") + error.what());
    }
    const auto row = [](const std::string& id, const std::string& ports, const std::string& size, const std::string& sharing, const std::string& cell,
                        const std::string& alpha, const std::string& latency) {
        std::cout << std::left << std::setw(21) << id << std::setw(46) << ports << std::setw(15) << size << std::setw(19) << sharing << std::setw(9) << cell
                  << std::setw(9) << alpha << latency << '\n';
    };
    row("switch", "ports", "memory", "sharing", "cell", "alpha", "latency");
    for (const CatalogueSwitch& entry : read_catalogue("."))
        if (wanted(entry, options))
            row(entry.id, ports_of(entry), shown(entry, "switch.buffer.size"), shown(entry, "switch.buffer.sharing"), shown(entry, "switch.buffer.cell"),
                shown(entry, "switch.buffer.alpha"), shown(entry, "switch.latency"));
}

void print_one(const std::string& name) {
    const CatalogueSwitch entry = read_catalogue_switch(name, ".");
    std::cout << entry.id << ": " << entry.name << "\n";
    if (!entry.note.empty()) std::cout << "  " << entry.note << "\n";
    const auto row = [](const std::string& key, const std::string& value, const std::string& standing, const std::string& source) {
        std::cout << "  " << std::left << std::setw(34) << key << std::setw(20) << value << std::setw(10) << standing << source << '\n';
    };
    for (const auto& ports : entry.ports) row("ports of " + to_text(ports.speed), std::to_string(ports.count), ports.standing, ports.source);
    const auto about = [](const CatalogueSwitch::Value& value) {
        if (value.value) return value.source;
        if (value.key == "switch.buffer.alpha") return std::string("unknown: a scenario with dynamic thresholds must give it");
        return must_be_known(value.key, {}) ? "unknown: a scenario must give it" : "unknown: a run assumes " + assumed_value(value.key) + " and says so";
    };
    for (const auto& value : entry.values) row(value.key, shown(value.value), value.standing, about(value));
    std::cout << "  " << entry.file << '\n';
}

}  // namespace

void add_switches_command(CLI::App& app) {
    app.add_option_function<std::string>("--switches", set_catalogue_folder, "Folder of switches that is searched first");
    auto options = std::make_shared<SwitchesCommandOptions>();
    CLI::App* command = app.add_subcommand("switches", "List the switches that a scenario can name, or show one with its sources");
    command->add_option("NAME", options->name, "Switch to show: every value with its standing (read, derived, recalled) and its source");
    command->add_option("--ports", options->ports, "Only switches with at least this many ports (of --speed, if given)")->check(CLI::Range(1, 65535));
    command->add_option("--speed", options->speed, "Only switches with ports of this speed, for example \"1 Gb/s\"");
    command->footer("Example: watershed switches --ports 44 --speed \"1 Gb/s\"");
    command->callback([options] { options->name.empty() ? print_table(*options) : print_one(options->name); });
}

}  // namespace watershed
