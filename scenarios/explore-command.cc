// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/explore-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/camera-queue.h"
#include "scenarios/csv.h"
#include "scenarios/explore.h"
#include "scenarios/input-error.h"
#include "scenarios/list.h"
#include "scenarios/output-file.h"
#include "scenarios/progress.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"
#include "scenarios/workers.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    Wanted wanted;
    std::string separation = "20 us";
    std::string losses = "1e-9";
    std::string models;
    std::int64_t modules = 0;
    std::string counts;
    std::string uplinks = "1,2,3,4,5,6";
    std::string selections = "modulo,hash";
    std::string prices;
    int most_interfaces = 0;
    int top = 20;
    std::string output;
    std::string json;
    int verify = 0;
    int jobs = default_jobs();
};

struct Price {
    std::optional<double> price, power;
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');)
        if (!word.empty()) all.push_back(word);
    return all;
}

/// A table of what switches cost and draw: switch, price, power; cells may be empty.
std::map<std::string, Price> read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue) {
    std::map<std::string, Price> prices;
    if (file.empty()) return prices;
    const CsvTable table = CsvTable::read(file);
    const auto model = table.column("switch");
    const auto number = [&](const CsvTable::Row& row, const char* name) -> std::optional<double> {
        const auto column = table.find_column(name);
        if (!column || row.cells[*column].empty()) return std::nullopt;
        char* end = nullptr;
        const double value = std::strtod(row.cells[*column].c_str(), &end);
        if (*end != 0 || !(value >= 0) || !std::isfinite(value)) table.refuse(row, *column, "a number of at least 0, or nothing where it is unknown");
        return value;
    };
    for (const CsvTable::Row& row : table.rows()) {
        if (std::none_of(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.id == row.cells[model]; })) table.refuse(row, model, "a switch that `watershed switches` lists");
        prices[row.cells[model]] = {number(row, "price"), number(row, "power")};
    }
    return prices;
}

std::vector<CatalogueSwitch> chosen(const Options& options) {
    const std::string folder = std::filesystem::path(options.wanted.scenario).parent_path().string();
    std::vector<CatalogueSwitch> catalogue = read_catalogue(folder.empty() ? "." : folder);
    if (options.models.empty()) return catalogue;
    std::vector<CatalogueSwitch> list;
    for (const std::string& name : words(options.models)) {
        const auto entry = std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == name; });
        if (entry == catalogue.end()) throw InputError("--switches: found \"" + name + "\", expected switches that `watershed switches` lists, with commas");
        list.push_back(*entry);
    }
    return list;
}

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

const char* name_of(Explored::Fit fit) { return fit == Explored::Fit::Yes ? "yes" : fit == Explored::Fit::No ? "no" : "unknown"; }

Json to_json(const Explored& way) {
    Json json{{"rank", nullptr}, {"switch", way.stacking.model}, {"switches", way.stacking.switches}, {"modules_per_switch", way.stacking.modules_of_switch()}, {"uplinks", way.stacking.uplinks},
              {"selection", way.stacking.selection}, {"interfaces", way.stacking.interfaces()}, {"fits", name_of(way.fits)}, {"load", nullptr}, {"saturation_khz", nullptr}, {"margin", nullptr},
              {"watershed_events", nullptr}, {"never_loses", nullptr}, {"risk", nullptr}, {"risk_bounds", nullptr}, {"log10_risk", nullptr}, {"latency_us", nullptr}, {"recovery_us", nullptr}};
    if (way.rank > 0) json["rank"] = way.rank;
    if (way.fits != Explored::Fit::No) {
        json["load"] = way.load;
        json["saturation_khz"] = way.saturation_khz;
        json["margin"] = way.margin;
        if (std::isfinite(way.latency_us)) json["latency_us"] = way.latency_us;
    }
    if (way.watershed) {
        json["never_loses"] = !way.watershed->events_lossless && way.watershed->unknown_beyond == 0;
        if (way.watershed->events_lossless) json["watershed_events"] = *way.watershed->events_lossless;
    }
    if (way.log_risk) {
        json["risk"] = std::exp(way.log_risk->upper);
        json["risk_bounds"] = {std::exp(way.log_risk->lower), std::exp(way.log_risk->upper)};
        if (std::isfinite(way.log_risk->upper)) json["log10_risk"] = way.log_risk->upper / std::log(10);
    }
    json["recovery_us"] = optional(way.recovery_us);
    json["price"] = optional(way.price);
    json["power"] = optional(way.power);
    json["pareto"] = way.pareto;
    json["remark"] = way.remark;
    return json;
}

std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) {
        std::string text = value;
        std::replace(text.begin(), text.end(), ',', ';');
        return text;
    }
    if (!value.is_number_float()) return value.dump();
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value.get<double>());
    return text;
}

std::string csv(const Json& ways) {
    std::string text = Provenance::comment() + "# risk: upper bound; empty where something is unknown\n";
    const char* separator = "";
    for (const auto& [name, value] : ways.front().items())
        if (name != "risk_bounds") {
            text += separator + name;
            separator = ",";
        }
    text += '\n';
    for (const Json& way : ways) {
        separator = "";
        for (const auto& [name, value] : way.items())
            if (name != "risk_bounds") {
                text += separator + cell(value);
                separator = ",";
            }
        text += '\n';
    }
    return text;
}

std::string shown_risk(const Json& way) {
    if (way["risk"].is_null()) return "unknown";
    const double risk = way["risk"];
    char text[40];
    if (risk == 0 && !way["log10_risk"].is_null())
        std::snprintf(text, sizeof text, "1e%.0f", std::floor(way["log10_risk"].get<double>()));
    else
        std::snprintf(text, sizeof text, risk == 0 ? "never" : "%.1e", risk);
    return text;
}

std::string table(const Options& options, const Json& result) {
    const Json& ways = result["ways"];
    std::ostringstream text;
    text << result["feasible"] << " of " << ways.size() << " ways to read out " << result["modules"] << " modules at " << result["rate"].get<std::string>() << " are known to fit and to lose at most "
         << options.losses << " of the events";
    if (result["feasible"] == 0) text << ".\nNo way is feasible; the first of the others, and why:";
    text << "\n rank  switch                count  uplinks  selection  server  load      margin  watershed   risk      latency   recovery   price  pareto\n";
    int shown = 0;
    for (const Json& way : ways) {
        if (++shown > options.top || (result["feasible"] > 0 && way["rank"].is_null())) break;
        char line[300];
        const auto number = [](const Json& value, const char* format, double scale = 1) {
            char buffer[40];
            if (value.is_null()) return std::string("-");
            std::snprintf(buffer, sizeof buffer, format, value.get<double>() * scale);
            return std::string(buffer);
        };
        const std::string burst = way["never_loses"] == true ? "no limit" : way["watershed_events"].is_null() ? "-" : std::to_string(way["watershed_events"].get<std::int64_t>());
        std::snprintf(line, sizeof line, " %4s  %-20s %6d  %7d  %-9s  %6d  %-8s  %6s  %9s   %-8s  %-8s  %-9s  %5s  %s\n", cell(way["rank"]).c_str(), way["switch"].get<std::string>().c_str(),
                      way["switches"].get<int>(), way["uplinks"].get<int>(), way["selection"].get<std::string>().c_str(), way["interfaces"].get<int>(), number(way["load"], "%.1f %%", 100).c_str(),
                      number(way["margin"], "%.2f").c_str(), burst.c_str(), shown_risk(way).c_str(), number(way["latency_us"], "%.1f us").c_str(), number(way["recovery_us"], "%.3g ms", 1e-3).c_str(),
                      number(way["price"], "%.6g").c_str(), way["pareto"] == true ? "*" : "");
        text << line;
        if (way["rank"].is_null() && !way["remark"].get<std::string>().empty()) text << "       " << way["remark"].get<std::string>() << '\n';
    }
    for (const auto& note : result["notes"]) text << note.get<std::string>() << '\n';
    return text.str();
}

/// What arithmetic says of the winners, repeated in ns-3: random triggers, and the longest lossless burst with the next longer one.
std::string verified(const Wanted& wanted, const Explored& way, const EngineFactory& make_engine) {
    Scenario scenario = read_scenario(wanted.scenario, overrides_of(wanted, way.stacking));
    const auto exact = make_engine("exact", {}), ns3 = make_engine("ns3", {});
    const auto compare = [&](const std::string& what) {
        if (!(exact->run(scenario) == ns3->run(scenario))) throw std::runtime_error(way.stacking.model + ": the engines differ over " + what);
    };
    scenario.trigger.events = 2000;
    scenario.trigger.duration.reset();
    compare("2000 random triggers");
    std::string text = "2000 random triggers";
    constexpr std::int64_t kLongest = 20'000;
    if (way.watershed && way.watershed->events_lossless && *way.watershed->events_lossless < kLongest) {
        scenario.trigger = Trigger{};
        scenario.trigger.separation = wanted.separation;
        for (const std::int64_t more : {0, 1}) {
            scenario.trigger.events = *way.watershed->events_lossless + more;
            if (*scenario.trigger.events == 0) continue;
            compare("a burst of " + std::to_string(*scenario.trigger.events));
            if ((ns3->run(scenario).frames_lost() > 0) != (more == 1)) throw std::runtime_error(way.stacking.model + ": ns-3 does not find the watershed at " + std::to_string(*way.watershed->events_lossless));
        }
        text += " and bursts of " + std::to_string(*way.watershed->events_lossless) + " and one more";
    }
    return text;
}

std::vector<Stacking> stackings(const Options& options, const std::vector<CatalogueSwitch>& catalogue, int modules) {
    constexpr int kUsual = 48;   // ports of a switch
    const int fewest = (modules + kUsual - 1) / kUsual;
    const auto counts = options.counts.empty() ? std::vector<std::int64_t>{fewest, fewest + 1, fewest + 2} : parse_count_list("--count", options.counts);
    const auto uplinks = parse_count_list("--uplinks", options.uplinks);
    for (const std::string& selection : words(options.selections))
        if (selection != "modulo" && selection != "hash" && selection != "round-robin") throw InputError("--selection: found \"" + selection + "\", expected modulo, hash or round-robin, with commas");
    std::vector<Stacking> all;
    for (const CatalogueSwitch& entry : catalogue)
        for (const std::int64_t count : counts)
            for (const std::int64_t links : uplinks) {
                if (count > modules || links > (modules + count - 1) / count) continue;
                if (options.most_interfaces > 0 && count * links > options.most_interfaces) continue;
                for (const std::string& selection : words(options.selections))
                    if (links > 1 || selection == words(options.selections).front()) all.push_back({entry.id, modules, static_cast<int>(count), static_cast<int>(links), links == 1 ? "modulo" : selection});
            }
    if (all.empty()) throw InputError("--count, --uplinks, --interfaces: no combination is left");
    return all;
}

/// Explored in another process: bit for bit.
std::string packed(const Explored& way) {
    const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    Json json{{"fits", static_cast<int>(way.fits)}, {"remark", way.remark}, {"load", way.load}, {"saturation", way.saturation_khz}, {"margin", way.margin}, {"latency", number(std::isfinite(way.latency_us) ? std::optional(way.latency_us) : std::nullopt)},
              {"recovery", number(way.recovery_us)}, {"risk", nullptr}, {"watershed", nullptr}};
    if (way.log_risk) {
        json["risk"] = Json::array();
        for (const double log : {way.log_risk->lower, way.log_risk->estimate, way.log_risk->upper}) json["risk"].push_back(number(std::isfinite(log) ? std::optional(log) : std::nullopt));
    }
    if (way.watershed) json["watershed"] = {way.watershed->events_lossless.value_or(-1), way.watershed->unknown_beyond};
    return json.dump();
}

void unpack(Explored& way, const std::string& text) {
    const Json json = Json::parse(text);
    const auto number = [](const Json& value, double otherwise) { return value.is_null() ? otherwise : value.get<double>(); };
    way.fits = static_cast<Explored::Fit>(json["fits"].get<int>());
    way.remark = json["remark"];
    way.load = json["load"];
    way.saturation_khz = json["saturation"];
    way.margin = json["margin"];
    way.latency_us = number(json["latency"], INFINITY);
    if (!json["recovery"].is_null()) way.recovery_us = json["recovery"].get<double>();
    if (!json["risk"].is_null()) way.log_risk = Bracket{number(json["risk"][0], -INFINITY), number(json["risk"][1], -INFINITY), number(json["risk"][2], -INFINITY)};
    if (!json["watershed"].is_null()) {
        way.watershed = Boundary{std::nullopt, json["watershed"][1].get<std::int64_t>()};
        if (const auto events = json["watershed"][0].get<std::int64_t>(); events >= 0) way.watershed->events_lossless = events;
    }
}

void run_explore(Options options, const EngineFactory& make_engine) {
    const Scenario scenario = read_scenario(options.wanted.scenario, options.wanted.overrides);
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson) throw InputError(options.wanted.scenario + ": trigger.pattern: expected \"poisson\"");
    options.wanted.separation = parse_time_list("--separation", options.separation).front();
    options.wanted.loss = parse_probability_list("--loss", options.losses).front();
    const auto modules = static_cast<int>(options.modules > 0 ? options.modules : scenario.front_end.modules);
    const std::vector<CatalogueSwitch> catalogue = chosen(options);
    const auto prices = read_prices(options.prices, catalogue);
    const std::vector<Stacking> all = stackings(options, catalogue, modules);
    std::optional<OutputFile> file, json_file;
    if (!options.output.empty()) file.emplace(options.output);
    if (!options.json.empty()) json_file.emplace(options.json);

    const auto engine = make_engine("exact", {});
    std::vector<Explored> ways(all.size());
    Progress progress("explore", "ways", static_cast<std::int64_t>(all.size()));
    std::int64_t done = 0;
    do_in_processes(options.jobs, all.size(), [&](std::size_t i) {
        const auto entry = std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == all[i].model; });
        return packed(explore(options.wanted, all[i], *entry, *engine));
    }, [&](std::size_t i, const std::string& text) {
        ways[i].stacking = all[i];
        unpack(ways[i], text);
        if (const auto price = prices.find(all[i].model); price != prices.end()) {
            if (price->second.price) ways[i].price = *price->second.price * all[i].switches;
            if (price->second.power) ways[i].power = *price->second.power * all[i].switches;
        }
        progress.done(++done);
    });
    rank(ways, options.wanted.loss);

    const auto feasible_ways = std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0; });
    Json result{{"program", Provenance::program()}, {"command", Provenance::command()}, {"scenario", options.wanted.scenario}, {"modules", modules}, {"rate", to_text(scenario.trigger.rate)},
                {"accepted_rate_hz", accepted_rate(scenario.trigger)}, {"payload_bytes", scenario.frame.payload.count}, {"separation_us", static_cast<double>(options.wanted.separation.count()) * 1e-6}, {"loss", options.wanted.loss},
                {"feasible", feasible_ways}, {"notes", Json::array()}, {"ways", Json::array()}};
    for (const Explored& way : ways) result["ways"].push_back(to_json(way));
    const auto unpriced = std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0 && !way.price; });
    if (feasible_ways > 0 && unpriced > 0)
        result["notes"].push_back(options.prices.empty() ? "No prices were given (--prices); ranked by number of switches, then server interfaces, then risk."
                                                         : "Prices are missing for " + std::to_string(unpriced) + " feasible ways; ranked by number of switches instead.");
    for (int i = 0; i < std::min<std::int64_t>(options.verify, feasible_ways); ++i) {
        const Explored& way = ways[static_cast<std::size_t>(i)];
        result["notes"].push_back("Rank " + std::to_string(i + 1) + " repeated in ns-3 without a difference: " + verified(options.wanted, way, make_engine) + ".");
    }
    if (file) {
        file->stream() << csv(result["ways"]);
        file->commit();
    }
    if (json_file) {
        json_file->stream() << result.dump(1) << '\n';
        json_file->commit();
    }
    if (options.output != "-" && options.json != "-") std::cout << table(options, result);
}

}  // namespace

void add_explore_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("explore", "Try all switches of the catalogue, in all numbers and with all uplinks, and rank those that lose few enough events");
    command->add_option("SCENARIO", options->wanted.scenario, "Scenario file (TOML), trigger.pattern \"poisson\"; its switch.model is replaced")->required();
    command->add_option("--set", options->wanted.overrides, "KEY=VALUE: a scenario key that wins over the file (repeatable)")->allow_extra_args(false);
    command->add_option("--modules", options->modules, "Modules of the whole camera, spread over the switches [the scenario's]")->check(CLI::Range(1, 65535));
    command->add_option("--switches", options->models, "Switches to try, with commas [the whole catalogue]");
    command->add_option("--count", options->counts, "Numbers of switches, a list [from as few as 48 ports allow to two more]");
    command->add_option("--uplinks", options->uplinks, "Numbers of uplinks of each switch, a list")->capture_default_str();
    command->add_option("--selection", options->selections, "How uplinks are chosen, with commas: modulo, hash, round-robin")->capture_default_str();
    command->add_option("--interfaces", options->most_interfaces, "Most interfaces of the server, one for each uplink [no limit]")->check(CLI::Range(1, 65535));
    command->add_option("--separation", options->separation, "Of the events in the burst whose longest lossless length is sought")->capture_default_str();
    command->add_option("--loss", options->losses, "Wanted chance that an event is incomplete")->capture_default_str();
    command->add_option("--prices", options->prices, "What switches cost and draw (CSV: switch,price,power), in any unit");
    command->add_option("--top", options->top, "Rows of the table that is printed")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    command->add_option("--verify", options->verify, "Repeat the first N in ns-3, and fail on any difference")->check(CLI::Range(0, 1000))->capture_default_str();
    command->add_option("--jobs", options->jobs, "Processes to work in; the result is the same for any number")->check(CLI::Range(1, 1024))->capture_default_str();
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output");
    command->add_option("--json", options->json, "Write the result to FILE, for watershed report; - is standard output, and then nothing else goes there");
    command->footer("Example: watershed explore scenarios/explore-nectarcam.toml --modules 265 --verify 3 -o explore.csv --json explore.json");
    command->callback([options, make_engine] { run_explore(*options, make_engine); });
}

}  // namespace watershed
