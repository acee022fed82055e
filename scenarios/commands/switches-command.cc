// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/catalogue/catalogue.h"
#include "scenarios/catalogue/search.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct SwitchesCommandOptions {
    std::vector<std::string> words;
    int ports = 0;
    std::string speed;
    std::string json;
};

std::string shown(const std::optional<KeyValue>& value) { return value ? value_text(*value) : "unknown"; }

std::string shown(const CatalogueSwitch& entry, const std::string& key) {
    const auto* value = entry.find(key);
    return value ? shown(value->value) : "-";
}

std::string ports_of(const CatalogueSwitch& entry) {
    return listed(
        entry.ports, [](const auto& ports) { return std::to_string(ports.count) + " x " + to_text(ports.speed); },
        " + ");
}

/// Enough ports of the speed, or of all speeds together where none is asked for.
bool wanted(const CatalogueSwitch& entry, const SwitchesCommandOptions& options) {
    std::optional<BitRate> speed;
    if (!options.speed.empty()) speed = read_at("--speed", [&] { return parse_bit_rate(options.speed); });
    int count = 0;
    for (const auto& ports : entry.ports)
        if (!speed || ports.speed == *speed) count += ports.count;
    return count >= std::max(options.ports, speed ? 1 : 0);
}

/// A word that names a switch or a file shows that one.
bool names_one(const std::vector<std::string>& words) {
    if (words.size() != 1) return false;
    const std::string& word = words.front();
    const std::string ending = ".toml";
    if (word.size() > ending.size() && word.compare(word.size() - ending.size(), ending.size(), ending) == 0)
        return true;
    const std::vector<CatalogueSwitch> all = read_catalogue(".");
    return std::any_of(all.begin(), all.end(), [&](const CatalogueSwitch& entry) { return entry.id == word; });
}

/// Returns the sentence in place of an empty table: what was asked for, and the speeds there are.
std::string none_has(const SwitchesCommandOptions& options) {
    std::set<BitRate> speeds;
    for (const CatalogueSwitch& entry : switches_with(options.words, read_catalogue(".")))
        for (const auto& ports : entry.ports) speeds.insert(ports.speed);
    return "No switch has " + (options.ports > 0 ? std::to_string(options.ports) + " ports" : std::string("a port")) +
           (options.speed.empty() ? "" : " of " + options.speed) + "; there are ports of " +
           listed(speeds, [](BitRate speed) { return to_text(speed); }) + "\n";
}

std::vector<CatalogueSwitch> chosen(const SwitchesCommandOptions& options) {
    if (names_one(options.words)) {
        const CatalogueSwitch entry = read_catalogue_switch(options.words.front(), ".");
        Switch any;
        set_values(any, entry);  // refuses what no scenario could use
        return {entry};
    }
    const std::vector<CatalogueSwitch> all = read_catalogue("."), found = switches_with(options.words, all);
    if (found.empty())
        throw InputError("found \"" + listed(options.words, " ") +
                         "\", expected a name of a switch, or words that occur in what is known of one (searched: " +
                         listed(catalogue_folders(".")) + ")" + did_you_mean(listed(options.words, "-"), all));
    std::vector<CatalogueSwitch> entries;
    for (const CatalogueSwitch& entry : found)
        if (wanted(entry, options)) entries.push_back(entry);
    return entries;
}

nlohmann::ordered_json to_json(const CatalogueSwitch& entry) {
    nlohmann::ordered_json json{
        {"switch", entry.id}, {"name", entry.name}, {"note", entry.note}, {"ports", nlohmann::ordered_json::array()}};
    for (const auto& ports : entry.ports)
        json["ports"].push_back({{"speed", to_text(ports.speed)},
                                 {"count", ports.count},
                                 {"standing", ports.standing},
                                 {"source", ports.source}});
    for (const auto& value : entry.values)
        json["values"][value.key] = {
            {"value", value.value ? nlohmann::ordered_json(value_text(*value.value)) : nlohmann::ordered_json()},
            {"standing", value.standing},
            {"source", value.source}};
    return json;
}

void write_json(const SwitchesCommandOptions& options) {
    nlohmann::ordered_json json{{"program", Provenance::program()},
                                {"command", Provenance::command()},
                                {"switches", nlohmann::ordered_json::array()}};
    for (const CatalogueSwitch& entry : chosen(options)) json["switches"].push_back(to_json(entry));
    OutputFile(options.json).write(json.dump(2) + "\n");
}

void print_table(const std::vector<CatalogueSwitch>& entries) {
    std::size_t longest = 0;
    for (const CatalogueSwitch& entry : entries) longest = std::max(longest, entry.id.size());
    const auto row = [&](const std::string& id, const std::string& ports, const std::string& size,
                         const std::string& sharing, const std::string& cell, const std::string& alpha,
                         const std::string& latency) {
        std::cout << std::left << std::setw(static_cast<int>(longest) + 2) << id << std::setw(46) << ports
                  << std::setw(15) << size << std::setw(19) << sharing << std::setw(9) << cell << std::setw(9) << alpha
                  << latency << '\n';
    };
    row("switch", "ports", "memory", "sharing", "cell", "alpha", "latency");
    for (const CatalogueSwitch& entry : entries)
        row(entry.id, ports_of(entry), shown(entry, "switch.buffer.size"), shown(entry, "switch.buffer.sharing"),
            shown(entry, "switch.buffer.cell"), shown(entry, "switch.buffer.alpha"), shown(entry, "switch.latency"));
}

void print_one(const CatalogueSwitch& entry) {
    std::cout << entry.id << ": " << entry.name << "\n";
    if (!entry.note.empty()) std::cout << "  " << entry.note << "\n";
    const auto row = [](const std::string& key, const std::string& value, const std::string& standing,
                        const std::string& source) {
        std::cout << "  " << std::left << std::setw(34) << key + ' ' << std::setw(20) << value + ' '
                  << std::setw(standing.size() < 10 ? 10 : 20) << standing << source << '\n';
    };
    for (const auto& ports : entry.ports)
        row("ports of " + to_text(ports.speed), std::to_string(ports.count), ports.standing, ports.source);
    Switch tiers;
    if (entry.find("switch.buffer.dram")) tiers.buffer.dram = MemorySize{};
    const auto about = [&](const CatalogueSwitch::Value& value) {
        if (value.value) return value.source;
        if (value.key == "switch.buffer.alpha")
            return std::string("unknown: a scenario with dynamic thresholds must give it");
        return must_be_known(value.key, tiers) ? "unknown: a scenario must give it"
                                               : "unknown: a run assumes " + assumed_value(value.key) + " and says so";
    };
    for (const auto& value : entry.values) row(value.key, shown(value.value), value.standing, about(value));
    std::cout << "  " << entry.file << '\n';
}

}  // namespace

void add_switches_option(CLI::App& app) {
    app.add_option_function<std::string>("--switches", set_catalogue_folder,
                                         "Folder of switches that is searched first");
}

void add_switches_command(CLI::App& app) {
    auto options = std::make_shared<SwitchesCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "switches", "List the switches that a scenario can name, search them, or show one with its sources");
    command->add_option(
        "NAME", options->words,
        "Switch to show: every value with its standing (read, derived, from configuration, recalled) and its source; "
        "or words to search for: makers, chips, sizes, sources");
    command->add_option("--ports", options->ports, "Only switches with at least this many ports (of --speed, if given)")
        ->check(CLI::Range(1, 65535));
    command->add_option("--speed", options->speed, "Only switches with ports of this speed, for example \"1 Gb/s\"");
    command->footer(
        "Examples: watershed switches --ports 44 --speed \"1 Gb/s\"\n          watershed switches tomahawk");
    add_json(command, options->json, "every value with its standing and its source as JSON to FILE");
    command->callback([options] {
        if (!options->json.empty()) write_json(*options);
        if (options->json == "-") return;
        const std::vector<CatalogueSwitch> entries = chosen(*options);
        if (entries.empty())
            std::cout << none_has(*options);
        else
            entries.size() == 1 && !options->words.empty() ? print_one(entries.front()) : print_table(entries);
    });
}

}  // namespace watershed
