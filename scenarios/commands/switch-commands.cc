// SPDX-License-Identifier: GPL-2.0-only
// Switches: those of the catalogue, of a SONiC configuration, and what one of them does alone.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

#include "model/exact/n-plus-1.h"
#include "model/network/balanced-ports.h"
#include "model/switch/uplinks.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/commands/options.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sonic/sonic-switch.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/list.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"
#include "scenarios/thresholds/threshold-table.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

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
    if (ends_with(word, ".toml")) return true;
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

/// "4 x 25 Gb/s, 4 x 10 Gb/s", "no others", or "" where nobody states into what a port can be split.
std::string breakout_text(const CatalogueSwitch& entry, BitRate speed) {
    const auto found = entry.breakouts.find(speed);
    if (found == entry.breakouts.end()) return "";
    if (found->second.empty()) return "no others";
    return listed(
        found->second, [](const auto& each) { return std::to_string(each.second) + " x " + to_text(each.first); },
        " or ");
}

Json to_json(const CatalogueSwitch& entry) {
    Json json{{"switch", entry.id}, {"name", entry.name}, {"note", entry.note}, {"ports", Json::array()}};
    for (const auto& ports : entry.ports)
        json["ports"].push_back({{"speed", to_text(ports.speed)},
                                 {"count", ports.count},
                                 {"breakout", breakout_text(entry, ports.speed)},
                                 {"standing", ports.standing},
                                 {"source", ports.source}});
    for (const auto& value : entry.values)
        json["values"][value.key] = {{"value", value.value ? Json(value_text(*value.value)) : Json()},
                                     {"standing", value.standing},
                                     {"source", value.source}};
    return json;
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
    for (const auto& ports : entry.ports) {
        const std::string breakout = breakout_text(entry, ports.speed);
        row("ports of " + to_text(ports.speed), std::to_string(ports.count), ports.standing,
            (breakout.empty() ? "" : "each can be " + breakout + "; ") + ports.source);
    }
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

struct SwitchFromSonicOptions {
    std::string config, asic, profile, response = to_text(kPauseResponse), output = "-", json;
};

void import_switch(const SwitchFromSonicOptions& options) {
    auto json_file = file_if_named(options.json);
    OutputFile file(options.output);
    const Bytes response = read_at("--response", [&] { return parse_bytes(options.response); });
    const ChipMemory* chip = options.asic.empty() ? nullptr : &chip_memory_named(options.asic);
    const SonicSwitch imported = switch_from_sonic(read_sonic_config(options.config), chip, options.profile, response);
    file.stream() << Provenance::comment() << toml_of(imported);
    if (json_file) {
        nlohmann::ordered_json json{{"program", Provenance::program()}, {"command", Provenance::command()}};
        json.update(json_of(imported));
        json_file->stream() << json_text(json) << '\n';
    }
    // JSON on standard output leaves no room for the switch.
    OutputFile::commit_all(
        {options.output != "-" || options.json != "-" ? &file : nullptr, json_file ? &*json_file : nullptr});
    if (options.output != "-" && options.json != "-") std::cout << options.output << ": " << report_of(imported);
}

struct ThresholdsCommandOptions {
    std::string input;
    std::vector<std::string> overrides;
    std::string engine = "exact";
};

Answer of_scenario(const ThresholdsCommandOptions& options) {
    if (options.engine != "exact")
        throw InputError("--engine: found \"" + options.engine +
                         "\" with a scenario, expected exact, or a table (CSV)");
    std::vector<AssumedValue> assumed;
    const Scenario scenario =
        read_scenario(Scope::own_bursts().at_one_switch(), options.input, options.overrides, &assumed);
    try {
        const std::int64_t cells = drop_threshold_cells(scenario);
        return {{{"program", Provenance::program()}, {"command", Provenance::command()}, {"threshold_cells", cells}},
                comment(assumed) + std::to_string(cells) +
                    " cells in one congested queue when its first frame is dropped\n"};
    } catch (const std::invalid_argument& error) {
        throw InputError(options.input + ": " + error.what());
    }
}

Answer of_table(const ThresholdsCommandOptions& options, const Simulators& simulators) {
    if (!options.overrides.empty())
        throw InputError("--set: found \"" + options.overrides.front() + "\" with a table, expected a scenario (TOML)");
    const std::vector<ThresholdRow> rows = read_threshold_rows(CsvTable::read(options.input));
    StoppedSwitchFactory stop = make_exact_tx_disabled_switch;
    if (options.engine == "ns3") {
        stop = simulators.find<StoppedSwitchFactory>();
        if (!stop) ask_for_ns3("engine ns3");
    }
    Progress progress("thresholds", "rows", static_cast<std::int64_t>(rows.size()));
    const std::vector<ThresholdResult> results = simulate(rows, stop, [&] { progress.done(1); });
    std::ostringstream text;
    print(text, results);
    return {to_json(results), text.str()};
}

std::string loads(const Scenario& scenario) {
    std::vector<int> modules(static_cast<std::size_t>(scenario.network_switch.uplinks));
    UplinkSelector selector(scenario.network_switch, scenario.front_end);
    for (int module = 1; module <= scenario.front_end.modules; ++module)
        ++modules[static_cast<std::size_t>(selector.next(module))];
    return listed(modules, [](int count) { return std::to_string(count); });
}

}  // namespace

Answer n_plus_1_answer(const NPlus1Asked& asked, const EngineFactory& make_engine) {
    const std::vector<std::int64_t> sizes = parse_count_list("--frames", asked.frames);
    std::vector<AssumedValue> assumed;
    Scenario scenario = read_scenario(Scope::line_rate_plus_burst(), asked.scenario, asked.overrides, &assumed);
    const auto engine = make_engine(asked.engine, {});
    Answer answer{Json::array(), comment(assumed) + "frame, B     lossless burst     drops when it is one longer\n"};
    Progress progress("n-plus-1", "sizes", static_cast<std::int64_t>(sizes.size()));
    for (const std::int64_t size : sizes) {
        scenario.frame.payload = Bytes{size} - kHeadersAndFcs;
        const Bytes largest = scenario.frame.mtu - kIpUdpHeaders + kHeadersAndFcs;
        if (Bytes{size} < kMinimumFrame || Bytes{size} > largest)
            throw InputError("--frames: found " + std::to_string(size) + ", expected whole Ethernet frames of " +
                             std::to_string(kMinimumFrame.count) + " to " + std::to_string(largest.count) +
                             " B (frame.mtu)");
        const NPlusOne found = find_n_plus_one(*engine, scenario, asked.limit);
        answer.json.push_back({{"frame_bytes", size},
                               {"lossless", found.lossless ? Json(*found.lossless) : Json(nullptr)},
                               {"drops", found.lossless ? Json(found.drops) : Json(nullptr)}});
        answer.text += found.lossless ? text_line("%8lld %18lld %18lld\n", size, *found.lossless, found.drops)
                                      : text_line("%8lld     none lossy up to %lld\n", size, asked.limit);
        progress.done(static_cast<std::int64_t>(answer.json.size()));
    }
    return answer;
}

Answer balance_answer(const ScenarioAsked& asked) {
    Scenario scenario = read_scenario(Scope::own_bursts().at_one_switch(), asked.scenario, asked.overrides);
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    const std::string before = loads(scenario);
    scenario.front_end.source_ports =
        read_at(asked.scenario, [&] { return balanced_source_ports(scenario.network_switch, scenario.front_end); });
    const std::string ports = listed(scenario.front_end.source_ports, [](auto port) { return std::to_string(port); });
    Answer answer;
    answer.text = "modules on each uplink " + before + "; with these ports " + loads(scenario) + "\n";
    answer.csv = Provenance::comment() + "# modules on each uplink: " + before +
                 "; with these ports: " + loads(scenario) +
                 "\n[switch]\nuplink_selection = \"hash\"\n\n[front_end]\nsource_ports = [" + ports + "]\n";
    return answer;
}

void add_balance_command(CLI::App& app) {
    struct Options : ScenarioAsked {
        std::string output = "-";
    };
    const auto asked = std::make_shared<Options>();
    CommandTable(app, "balance", "Find UDP source ports with which the scenario's hash loads all uplinks evenly",
                 "Example: watershed balance scenarios/hash-uplinks.toml --set switch.uplinks=3")
        .scenario(*asked)
        .add("-o,--output", asked->output, "TOML file to write, with keys for a scenario; - is standard output",
             {kShown})
        .run([=] {
            Outputs outputs("", asked->output);
            Answer answer = balance_answer(*asked);
            answer.text = asked->output + ": " + answer.text;
            outputs.give(answer);
        });
}

void add_n_plus_1_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto asked = std::make_shared<NPlus1Asked>();
    CommandTable(
        app, "n-plus-1",
        "Find the longest lossless burst beside a stream at line rate, and what a burst of one frame more loses",
        "Example: watershed n-plus-1 scenarios/n-plus-1.toml --set switch.model=cisco-3750x --frames "
        "64,256,1024,1518")
        .scenario(*asked)
        .json()
        .add("--frames", asked->frames, "Sizes of whole Ethernet frames in bytes, FCS included, a list", {kShown})
        .engine(asked->engine)
        .add("--limit", asked->limit, "Longest burst tried", {from_to<std::int64_t>(1, 1'000'000'000), kShown})
        .answer([=](auto&) { return n_plus_1_answer(*asked, make_engine); });
}

void add_thresholds_command(CLI::App& app, const Simulators& simulators) {
    const auto options = std::make_shared<ThresholdsCommandOptions>();
    CommandTable(
        app, "thresholds",
        "Build the switch of a scenario, or of each row of a table, and fill it until XOFF, XON or a drop",
        "Columns of a table: asic, quantity (pfc_xoff, pfc_xoff_npg, ladder_k, ingress_drop, egress_drop, "
        "pfc_xon, headroom_full or headroom_partial), k (groups\n"
        "filled before), pgs_num (groups that fill together), unit (cells, or packets such as \"64-B packets\"), "
        "pool_bytes or pool_cells or\n"
        "shared_cells, cell_bytes, xoff_pool_bytes, reserved_sum_cells, alpha, slices, reserved_cells, "
        "headroom_cells, xon_offset, leak_out, egr_mem,\n"
        "pgs_per_port, step_bytes, value, margin (of the value, in its unit; else 4 cells or 0.02 % of packets). "
        "Others are ignored, a row without the\n"
        "columns that its quantity needs names them. Rows count from 1. Packets take whole cells; where "
        "step_bytes is given, and for asic j2 (16 B),\n"
        "cell_bytes is what one packet takes, in such steps. sharing = nested-threshold takes port_alpha, and "
        "pgs_per_port groups for each port in turn;\n"
        "stepped-threshold takes step_free and step_limits, in cells with blanks between them; dynamic-threshold "
        "(also if empty) takes\n"
        "threshold_mantissa and threshold_extra_step (1) for egress_drop.\n"
        "Examples:\n"
        "  watershed thresholds scenarios/data/sonic-set-points.csv --json thresholds.json\n"
        "  watershed thresholds scenarios/data/chip-set-points.csv\n"
        "  watershed thresholds scenarios/threshold-tomahawk.toml --json -")
        .add("INPUT", options->input,
             "Table of configurations (CSV), or a scenario (TOML), one queue of which is filled with 64 B frames until "
             "the first drop",
             {kRequired})
        .overrides(options->overrides, "KEY=VALUE: override a key of the scenario (repeatable)")
        .engine(options->engine)
        .json()
        .answer([=](auto&) {
            return std::filesystem::path(options->input).extension() == ".toml" ? of_scenario(*options)
                                                                                : of_table(*options, simulators);
        });
}

void add_switch_from_sonic_command(CLI::App& app) {
    const auto options = std::make_shared<SwitchFromSonicOptions>();
    const std::string names = listed(chip_memories(), [](const ChipMemory& chip) { return chip.name; });
    CommandTable(
        app, "switch-from-sonic", "Turn the configuration of a SONiC switch into a switch file that scenarios can name",
        "A configuration that asks for more cells than the chip has is refused. Each value of the file has the "
        "table and the field that it comes from as its source.\n"
        "Example: watershed switch-from-sonic scenarios/data/sonic-s6000.json --asic trident2 -o s6000.toml")
        .add("CONFIG", options->config,
             "config_db.json of the switch, its sonic-db-dump, or what its `mmuconfig -l` prints, which lacks ports "
             "and queues",
             {kRequired})
        .add("--asic", options->asic,
             "Chip, for its cells, slices and the size of its memory: " + names +
                 "; without it these are unknown, and nothing tells whether the memory is enough")
        .add("--profile", options->profile,
             "Buffer profile of the camera's queues [that of most lossless priority groups; where there are none, that "
             "of most queues], and that of the other side through which the same frames go; \"NAME,NAME\" says both")
        .add("--response", options->response, "What a port sends until it obeys a pause; 60 quanta of 512 bits",
             {kShown})
        .add("-o,--output", options->output,
             "File of the switch to write, which switch.model of a scenario names; - is standard output", {kShown})
        .json(options->json)
        .run([=] { import_switch(*options); });
}

void add_switches_option(CLI::App& app) {
    app.add_option_function<std::string>("--switches", set_catalogue_folder,
                                         "Folder of switches that is searched first");
}

void add_switches_command(CLI::App& app) {
    const auto options = std::make_shared<SwitchesCommandOptions>();
    CommandTable(app, "switches",
                 "List the switches that a scenario can name, search them, or show one with its sources",
                 "Examples: watershed switches --ports 44 --speed \"1 Gb/s\"\n          watershed switches tomahawk")
        .add("NAME", options->words,
             "Switch to show: every value with its standing (read, derived, from configuration, recalled) and its "
             "source; or words to search for: makers, chips, sizes, sources")
        .add("--ports", options->ports, "Only switches with at least this many ports (of --speed, if given)",
             {from_to(1, 65535)})
        .add("--speed", options->speed, "Only switches with ports of this speed, for example \"1 Gb/s\"")
        .json(options->json, "every value with its standing and its source as JSON to FILE")
        .run([=] {
            Outputs outputs(options->json);
            const std::vector<CatalogueSwitch> entries = chosen(*options);
            Json json{
                {"program", Provenance::program()}, {"command", Provenance::command()}, {"switches", Json::array()}};
            for (const CatalogueSwitch& entry : entries) json["switches"].push_back(to_json(entry));
            outputs.give({json, ""});
            if (options->json == "-") return;
            if (entries.empty())
                std::cout << none_has(*options);
            else
                entries.size() == 1 && !options->words.empty() ? print_one(entries.front()) : print_table(entries);
        });
}

}  // namespace watershed
