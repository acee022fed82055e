// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/explore-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "model/camera-queue.h"
#include "model/frame.h"
#include "scenarios/csv.h"
#include "scenarios/explore-report.h"
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
    std::string aggregations;
    std::string interfaces;
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
        if (*end != 0 || !(value >= 0) || !std::isfinite(value))
            table.refuse(row, *column, "a number of at least 0, or nothing where it is unknown");
        return value;
    };
    for (const CsvTable::Row& row : table.rows()) {
        if (std::none_of(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.id == row.cells[model]; }))
            table.refuse(row, model, "a switch that `watershed switches` lists");
        prices[row.cells[model]] = {number(row, "price"), number(row, "power")};
    }
    return prices;
}

std::string folder_of(const Options& options) {
    const std::string folder = std::filesystem::path(options.wanted.scenario).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// @param names  with commas; empty or "all": the whole catalogue
std::vector<CatalogueSwitch> chosen(const Options& options, const std::string& option, const std::string& names) {
    std::vector<CatalogueSwitch> catalogue = read_catalogue(folder_of(options));
    if (names.empty() || names == "all") return catalogue;
    std::vector<CatalogueSwitch> list;
    for (const std::string& name : words(names)) {
        const auto entry = std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == name; });
        if (entry == catalogue.end())
            throw InputError(option + ": found \"" + name + "\", expected switches that `watershed switches` lists, with commas");
        list.push_back(*entry);
    }
    return list;
}

const CatalogueSwitch& entry_of(const std::vector<CatalogueSwitch>& catalogue, const std::string& model) {
    return *std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == model; });
}

/// What arithmetic says of the winners, repeated in ns-3: random triggers, and the longest lossless burst with the next longer one.
std::string verified(const Wanted& wanted, const Explored& way, const CatalogueSwitch& entry, const EngineFactory& make_engine) {
    const bool two_tiers = !way.stacking.aggregation.empty();
    Scenario scenario = two_tiers ? read_camera(wanted, way.stacking, entry) : read_switch(wanted, way.stacking, entry);
    const auto exact = make_engine("exact", {}), ns3 = make_engine("ns3", {});
    const auto frames_lost = [&](const std::string& what) {
        const Outcome outcome = ns3->run(scenario);
        if (!(exact->run(scenario) == outcome)) throw std::runtime_error(way.stacking.model + ": the engines differ over " + what);
        return outcome.frames_lost();
    };
    scenario.trigger.events = 2000;
    scenario.trigger.duration.reset();
    frames_lost("2000 random triggers");
    std::string text = "2000 random triggers";
    if (!way.watershed || !way.watershed->events_lossless || *way.watershed->events_lossless >= kLongestSimulated) return text;
    const std::int64_t lossless = *way.watershed->events_lossless;
    scenario.trigger = Trigger{};
    scenario.trigger.separation = wanted.separation;
    for (const std::int64_t more : {0, 1}) {
        if (lossless + more == 0 || (two_tiers && more == 1)) continue;  // with two tiers a longer burst may yet be lossless
        scenario.trigger.events = lossless + more;
        const std::string burst = "a burst of " + std::to_string(lossless + more);
        if ((frames_lost(burst) > 0) != (more == 1))
            throw std::runtime_error(way.stacking.model + ": ns-3 contradicts the watershed by " + burst);
        text += " and " + burst;
    }
    return text;
}

std::vector<Stacking> stackings(const Options& options, const std::vector<CatalogueSwitch>& catalogue, int modules) {
    constexpr int kUsual = 48;  // ports of a switch
    const int fewest = (modules + kUsual - 1) / kUsual;
    const auto counts =
        options.counts.empty() ? std::vector<std::int64_t>{fewest, fewest + 1, fewest + 2} : parse_count_list("--count", options.counts);
    const auto uplinks = parse_count_list("--uplinks", options.uplinks);
    const std::vector<std::string> selections = words(options.selections);
    for (const std::string& selection : selections)
        if (selection != "modulo" && selection != "hash" && selection != "round-robin")
            throw InputError("--selection: found \"" + selection + "\", expected modulo, hash or round-robin, with commas");
    std::vector<Stacking> all;
    for (const CatalogueSwitch& entry : catalogue)
        for (const std::int64_t count : counts)
            for (const std::int64_t links : uplinks) {
                if (count > modules || links > (modules + count - 1) / count) continue;
                for (const std::string& selection : selections)
                    if (links > 1 || selection == selections.front())
                        all.push_back(
                            {entry.id, modules, static_cast<int>(count), static_cast<int>(links), links == 1 ? "modulo" : selection});
            }
    if (all.empty()) throw InputError("--count, --uplinks: no combination is left");
    return all;
}

/// Without a second tier each uplink has an interface of its own; said before the work begins.
void check_interfaces(const Options& options, const std::vector<Stacking>& all) {
    if (options.interfaces.empty() || !options.aggregations.empty()) return;
    const auto wanted = parse_count_list("--interfaces", options.interfaces);
    std::set<int> links;
    for (const Stacking& stacking : all) links.insert(stacking.links());
    for (const std::int64_t count : wanted)
        if (links.count(static_cast<int>(count)) > 0) return;
    throw InputError("--interfaces: found \"" + options.interfaces + "\", expected --aggregation with it: without a second tier a server needs an " +
                     "interface for each uplink, here " + std::to_string(*links.begin()) + " to " + std::to_string(*links.rbegin()));
}

/// What each piece comes to, worked out in as many processes as are wanted.
template <typename Explore>
std::vector<Explored> in_processes(int jobs, const std::string& unit, std::size_t pieces, const Explore& explore_piece) {
    std::vector<Explored> all(pieces);
    Progress progress("explore", unit, static_cast<std::int64_t>(pieces));
    std::int64_t done = 0;
    do_in_processes(
        jobs, pieces, [&](std::size_t i) { return packed(explore_piece(i)); },
        [&](std::size_t i, const std::string& text) {
            unpack(all[i], text);
            progress.done(++done);
        });
    return all;
}

/// Puts each first tier that is good enough alone before each second tier that is, and notes which second tiers are not.
void add_second_tiers(const Options& options, std::vector<Explored>& ways, const Scenario& scenario, Engine& engine, Json& notes) {
    const std::vector<CatalogueSwitch> catalogue = chosen(options, "--aggregation", options.aggregations);
    const int modules = ways.front().stacking.modules;
    const auto interfaces = parse_count_list("--interfaces", options.interfaces.empty() ? "1,2,3,4,5,6" : options.interfaces);
    std::vector<std::pair<const CatalogueSwitch*, int>> tiers;
    for (const CatalogueSwitch& entry : catalogue)
        for (const std::int64_t count : interfaces) tiers.emplace_back(&entry, static_cast<int>(count));
    const auto tier = [&](std::size_t i) { return explore_aggregation(options.wanted, modules, tiers[i].second, *tiers[i].first, engine); };
    std::vector<Explored> seconds = in_processes(options.jobs, "second tiers", tiers.size(), tier);

    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    const std::vector<Explored> firsts = ways;
    std::map<std::string, std::map<std::string, std::vector<int>>> left_out;  // by reason and model
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        const auto& [entry, count] = tiers[i];
        Explored& second = seconds[i];
        second.stacking = {entry->id, modules, 1, count, "modulo"};
        const auto leave_out = [&, number = count, id = entry->id](const std::string& why) { left_out[why][id].push_back(number); };
        if (second.load >= 1) {
            leave_out("cannot carry the rate");
        } else if (!second.log_risk) {
            leave_out(second.remark.substr(0, second.remark.find(" for switch.model")));
        } else if (second.log_risk->upper > std::log(options.wanted.loss)) {
            leave_out("lose too many events");
        } else {
            for (const Explored& first : firsts)
                if (feasible(first, options.wanted.loss) && first.stacking.selection == "modulo" && first.stacking.links() > count)
                    ways.push_back(through(first, second, *entry, scenario.network_switch.uplink_rate, fragment));
        }
    }
    for (const auto& [why, models] : left_out) {
        std::string list;
        for (const auto& [id, numbers] : models) {
            list += (list.empty() ? "" : "; ") + id + " with ";
            for (std::size_t i = 0; i < numbers.size(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
        }
        notes.push_back("Second tiers left out, by their interfaces: " + list + ". Why: " + why + ".");
    }
}

/// Ways with another number of server interfaces than one of those are of no use.
void keep_interfaces(const std::string& list, std::vector<Explored>& ways) {
    if (list.empty()) return;
    const auto wanted = parse_count_list("--interfaces", list);
    ways.erase(std::remove_if(
                   ways.begin(), ways.end(),
                   [&](const Explored& way) { return std::find(wanted.begin(), wanted.end(), way.stacking.interfaces()) == wanted.end(); }),
               ways.end());
    if (ways.empty()) throw InputError("--count, --uplinks, --interfaces: no combination is left");
}

void add_prices(std::vector<Explored>& ways, const std::map<std::string, Price>& prices) {
    const auto total = [&](const Stacking& stacking, std::optional<double> Price::*of) -> std::optional<double> {
        const auto of_model = [&](const std::string& model) { return prices.count(model) ? prices.at(model).*of : std::nullopt; };
        const auto first = of_model(stacking.model);
        const auto second = stacking.aggregation.empty() ? 0.0 : of_model(stacking.aggregation);
        if (!first || !second) return std::nullopt;
        return stacking.switches * *first + *second;
    };
    for (Explored& way : ways) {
        way.price = total(way.stacking, &Price::price);
        way.power = total(way.stacking, &Price::power);
    }
}

/// The watershed of a way's fullest switch, for a figure: from the closest events that its modules can send to those that it never loses.
Json watershed_of(const Wanted& wanted, const Explored& way, const CatalogueSwitch& entry, Engine& engine) {
    Scenario scenario = read_switch(wanted, way.stacking, entry);
    const Time closest{std::llround(1e12 * link_seconds(scenario))},
        asymptote = std::max(closest, Time{std::llround(1e12 * uplink_seconds(scenario))});
    scenario.trigger = Trigger{};
    scenario.trigger.events = 1;
    constexpr int kPoints = 24;
    Json points = Json::array();
    for (int i = 0; i <= kPoints; ++i) {
        // Closer together towards the asymptote, which is the last one.
        const double distance = std::pow(1 - i / static_cast<double>(kPoints), 2);
        const Time separation = asymptote - Time{std::llround(distance * static_cast<double>((asymptote - closest).count()))};
        const Boundary boundary = find_boundary(engine, scenario, separation, kLongestSimulated, kLongestSimulated);
        points.push_back(
            {static_cast<double>(separation.count()) * 1e-6, boundary.events_lossless ? Json(*boundary.events_lossless) : Json(nullptr)});
        if (!boundary.events_lossless) break;
    }
    return points;
}

void run_explore(Options options, const EngineFactory& make_engine) {
    const Scenario scenario = read_scenario(options.wanted.scenario, options.wanted.overrides);
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw InputError(options.wanted.scenario + ": trigger.pattern: expected \"poisson\"");
    if (!scenario.frame.payloads.empty()) throw InputError(options.wanted.scenario + ": frame.payloads: found fragments of several sizes, expected one size");
    options.wanted.separation = parse_time_list("--separation", options.separation).front();
    options.wanted.loss = parse_probability_list("--loss", options.losses).front();
    const auto modules = static_cast<int>(options.modules > 0 ? options.modules : scenario.front_end.modules);
    const std::vector<CatalogueSwitch> catalogue = chosen(options, "--switches", options.models);
    const auto prices = read_prices(options.prices, read_catalogue(folder_of(options)));
    const std::vector<Stacking> all = stackings(options, catalogue, modules);
    std::optional<OutputFile> file, json_file;
    if (!options.output.empty()) file.emplace(options.output);
    if (!options.json.empty()) json_file.emplace(options.json);

    Json notes = Json::array();
    std::vector<std::string> left_out;
    try {
        read_switch(options.wanted, all.front(), catalogue.front(), &left_out);
    } catch (const InputError&) {
        // told of each switch
    }
    for (const std::string& key : left_out)
        if (key == "switch.buffer" || key == "aggregation" || key == "node")
            notes.push_back("[" + key + "] of the scenario was left aside: the catalogue's switches take its place.");

    check_interfaces(options, all);
    const auto engine = make_engine("exact", {});
    std::vector<Explored> ways = in_processes(options.jobs, "ways", all.size(), [&](std::size_t i) {
        return explore(options.wanted, all[i], entry_of(catalogue, all[i].model), *engine);
    });
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i].stacking = all[i];
    if (!options.aggregations.empty()) add_second_tiers(options, ways, scenario, *engine, notes);
    keep_interfaces(options.interfaces, ways);
    add_prices(ways, prices);
    rank(ways, options.wanted.loss);

    const auto feasible_ways = std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0; });
    Json result{{"program", Provenance::program()},
                {"command", Provenance::command()},
                {"scenario", options.wanted.scenario},
                {"set", options.wanted.overrides},
                {"modules", modules},
                {"rate", to_text(scenario.trigger.rate)},
                {"accepted_rate_hz", accepted_rate(scenario.trigger)},
                {"payload_bytes", scenario.frame.payload.count},
                {"separation_us", static_cast<double>(options.wanted.separation.count()) * 1e-6},
                {"loss", options.wanted.loss},
                {"feasible", feasible_ways},
                {"notes", notes},
                {"front", Json::array()},
                {"ways", Json::array()}};
    for (const Explored& way : ways) result["ways"].push_back(to_json(way));
    constexpr std::size_t kDrawn = 6;  // watersheds that a figure can tell apart
    for (const Explored& way : ways)
        if (way.pareto && result["front"].size() < kDrawn)
            result["front"].push_back(
                {{"rank", way.rank}, {"watershed", watershed_of(options.wanted, way, entry_of(catalogue, way.stacking.model), *engine)}});
    const auto unpriced = std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0 && !way.price; });
    if (feasible_ways > 0 && unpriced > 0)
        result["notes"].push_back(options.prices.empty()
                                      ? "No prices were given (--prices); ranked by number of switches, then server interfaces, then risk."
                                      : "Prices are missing for " + std::to_string(unpriced) +
                                            " feasible ways; ranked by number of switches instead.");
    for (int i = 0; i < std::min<std::int64_t>(options.verify, feasible_ways); ++i) {
        const Explored& way = ways[static_cast<std::size_t>(i)];
        result["notes"].push_back("Rank " + std::to_string(i + 1) + " repeated in ns-3 without a difference: " +
                                  verified(options.wanted, way, entry_of(catalogue, way.stacking.model), make_engine) + ".");
    }
    if (file) {
        file->stream() << Provenance::comment() << "# risk: upper bound; empty where something is unknown\n" << ways_as_csv(result["ways"]);
        file->commit();
    }
    if (json_file) {
        json_file->stream() << result.dump(1) << '\n';
        json_file->commit();
    }
    if (options.output != "-" && options.json != "-") std::cout << ways_as_table(result, options.top);
}

}  // namespace

void add_explore_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "explore", "Try all switches of the catalogue, in all numbers and with all uplinks, and rank those that lose few enough events");
    command
        ->add_option("SCENARIO", options->wanted.scenario,
                     "Scenario file (TOML), trigger.pattern \"poisson\"; its switch.model is replaced")
        ->required();
    command->add_option("--set", options->wanted.overrides, "KEY=VALUE: a scenario key that wins over the file (repeatable)")
        ->allow_extra_args(false);
    command->add_option("--modules", options->modules, "Modules of the whole camera, spread over the switches [the scenario's]")
        ->check(CLI::Range(1, 65535));
    command->add_option("--switches", options->models, "Switches to try, with commas [the whole catalogue]");
    command->add_option("--count", options->counts, "Numbers of switches, a list [from as few as 48 ports allow to two more]");
    command->add_option("--uplinks", options->uplinks, "Numbers of uplinks of each switch, a list")->capture_default_str();
    command->add_option("--selection", options->selections, "How uplinks are chosen, with commas: modulo, hash, round-robin")
        ->capture_default_str();
    command->add_option("--aggregation", options->aggregations, "Switches to try as a second tier as well, with commas, or \"all\" [none]");
    command->add_option("--interfaces", options->interfaces,
                        "Numbers of the server's interfaces, a list [as many as uplinks; 1 to 6 behind a second tier]");
    command->add_option("--separation", options->separation, "Of the events in the burst whose longest lossless length is sought")
        ->capture_default_str();
    command->add_option("--loss", options->losses, "Wanted chance that an event is incomplete")->capture_default_str();
    command->add_option("--prices", options->prices, "What switches cost and draw (CSV: switch,price,power), in any unit");
    command->add_option("--top", options->top, "Rows of the table that is printed")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    command->add_option("--verify", options->verify, "Repeat the first N in ns-3, and fail on any difference")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Processes to work in; the result is the same for any number")
        ->check(CLI::Range(1, 1024))
        ->default_str("all processors");
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output");
    command->add_option("--json", options->json,
                        "Write the result to FILE, for watershed report; - is standard output, and then nothing else goes there");
    command->footer(
        "Columns: server: interfaces; load: of the busiest uplink at the scenario's rate; margin: the rate that fills it, in units of that rate;\n"
        "watershed: longest burst without loss at --separation; risk: chance that an event is incomplete, at most;\n"
        "standing: of the risk: known: calculated between bounds; estimated: with a second tier, which is taken as if all modules were attached to it;\n"
        "unknown: too little is known of the switch; latency: mean, from the trigger to the last frame at the server, without the switches' own;\n"
        "recovery: from a full memory to an empty one, at the scenario's rate; pareto: no other way is better in one respect and as good in all\n"
        "others. Few interfaces (--interfaces 4) need a second tier (--aggregation all).\n"
        "Examples: watershed explore scenarios/explore-nectarcam.toml --modules 265 --verify 3 -o explore.csv --json explore.json\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --interfaces 4 --aggregation all --loss 1e-9");
    command->callback([options, make_engine] { run_explore(*options, make_engine); });
}

}  // namespace watershed
