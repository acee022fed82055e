// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/explore-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "model/risk/camera-queue.h"
#include "scenarios/design/explore-report.h"
#include "scenarios/design/explore-verify.h"
#include "scenarios/design/explore.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/scenario-text.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct ExploreCommandOptions {
    Wanted wanted;
    std::string separation = "20 us";
    std::string losses = "1e-9";
    std::string models;
    std::int64_t modules = 0;
    std::string counts;
    std::string uplinks = "1,2,3,4,5,6";
    std::string selections = "modulo,hash";
    std::string prices;
    std::string budget, power;
    std::string aggregations;
    std::string interfaces;
    int top = 20;
    std::string output;
    std::string json;
    int verify = 0;
    std::string folder;
    int jobs = default_jobs();
};

/// What may be spent or drawn: "20 kEUR" is 20000 in EUR.
struct Limit {
    double amount = INFINITY;
    std::string unit;
};

Limit limit_of(const std::string& option, const std::string& text, const std::string& example) {
    if (text.empty()) return {};
    char* end = nullptr;
    Limit limit{std::strtod(text.c_str(), &end), {}};
    if (end == text.c_str() || !(limit.amount >= 0) || !std::isfinite(limit.amount))
        throw InputError(option + ": found \"" + text + "\", expected a number with its unit such as \"" + example +
                         "\"");
    limit.unit = end;
    limit.unit.erase(0, std::min(limit.unit.find_first_not_of(' '), limit.unit.size()));
    for (const auto& [prefix, factor] : {std::pair('k', 1e3), std::pair('M', 1e6)})  // not that of "kr"
        if (limit.unit.size() > 1 && limit.unit[0] == prefix &&
            !std::islower(static_cast<unsigned char>(limit.unit[1]))) {
            limit.amount *= factor;
            limit.unit.erase(0, 1);
            break;
        }
    return limit;
}

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
        if (std::none_of(catalogue.begin(), catalogue.end(),
                         [&](const auto& entry) { return entry.id == row.cells[model]; }))
            table.refuse(row, model, "a switch that `watershed switches` lists");
        prices[row.cells[model]] = {number(row, "price"), number(row, "power")};
    }
    return prices;
}

std::string folder_of(const ExploreCommandOptions& options) {
    const std::string folder = std::filesystem::path(options.wanted.scenario).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// @param names  with commas; empty or "all": the whole catalogue
std::vector<CatalogueSwitch> chosen(const ExploreCommandOptions& options, const std::string& option,
                                    const std::string& names) {
    std::vector<CatalogueSwitch> catalogue = read_catalogue(folder_of(options));
    if (names.empty() || names == "all") return catalogue;
    std::vector<CatalogueSwitch> list;
    for (const std::string& name : words(names)) {
        const auto entry =
            std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == name; });
        if (entry == catalogue.end())
            throw InputError(option + ": found \"" + name +
                             "\", expected switches that `watershed switches` lists, with commas");
        list.push_back(*entry);
    }
    return list;
}

const CatalogueSwitch& entry_of(const std::vector<CatalogueSwitch>& catalogue, const std::string& model) {
    return *std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == model; });
}

/// All combinations of what is asked for; those that make no camera fall out.
std::vector<Stacking> stackings(const ExploreCommandOptions& options, const std::vector<CatalogueSwitch>& catalogue,
                                int modules) {
    constexpr int kUsual = 48;  // ports of a switch
    const int fewest = (modules + kUsual - 1) / kUsual;
    const auto counts = options.counts.empty() ? std::vector<std::int64_t>{fewest, fewest + 1, fewest + 2}
                                               : parse_count_list("--count", options.counts);
    const auto uplinks = parse_count_list("--uplinks", options.uplinks);
    const std::vector<std::string> selections = words(options.selections);
    for (const std::string& selection : selections)
        if (selection != "modulo" && selection != "hash" && selection != "round-robin")
            throw InputError("--selection: found \"" + selection +
                             "\", expected modulo, hash or round-robin, with commas");
    std::vector<Stacking> all;
    std::map<std::string, std::int64_t> reasons;
    for (const CatalogueSwitch& entry : catalogue)
        for (const std::int64_t count : counts)
            for (const std::int64_t links : uplinks) {
                if (count > modules) {
                    ++reasons["have more switches than the " + std::to_string(modules) + " modules"];
                    continue;
                }
                if (links > (modules + count - 1) / count) {
                    ++reasons["have more uplinks than a switch has modules"];
                    continue;
                }
                for (const std::string& selection : selections)
                    if (links > 1 || selection == selections.front())
                        all.push_back({entry.id, modules, static_cast<int>(count), static_cast<int>(links),
                                       links == 1 ? "modulo" : selection});
            }
    if (all.empty()) throw InputError("--count, --uplinks: no combination is left: " + counted(reasons));
    return all;
}

/// Without a second tier each uplink has an interface of its own; said before the work begins.
void check_interfaces(const ExploreCommandOptions& options, const std::vector<Stacking>& all) {
    if (options.interfaces.empty() || !options.aggregations.empty()) return;
    const auto wanted = parse_count_list("--interfaces", options.interfaces);
    std::set<int> links;
    for (const Stacking& stacking : all) links.insert(stacking.links());
    for (const std::int64_t count : wanted)
        if (links.count(static_cast<int>(count)) > 0) return;
    throw InputError("--interfaces: found \"" + options.interfaces +
                     "\", expected --aggregation with it: without a second tier a server needs an " +
                     "interface for each uplink, here " + std::to_string(*links.begin()) + " to " +
                     std::to_string(*links.rbegin()));
}

/// What each piece comes to, worked out in as many processes as are wanted.
template <typename Explore>
std::vector<Explored> in_processes(int jobs, const std::string& unit, std::size_t pieces,
                                   const Explore& explore_piece) {
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

/// Ways that fell out, by reason.
using Reasons = std::map<std::string, std::int64_t>;

/// Puts each first tier that is good enough alone, and whose modules keep to their uplinks, before each second tier.
void add_second_tiers(const ExploreCommandOptions& options, std::vector<Explored>& ways,
                      const std::vector<CatalogueSwitch>& catalogue, Reasons& left_out) {
    const std::vector<CatalogueSwitch> seconds = chosen(options, "--aggregation", options.aggregations);
    const auto interfaces =
        parse_count_list("--interfaces", options.interfaces.empty() ? "1,2,3,4,5,6" : options.interfaces);
    struct Pair {
        std::size_t first;
        const CatalogueSwitch* second;
        int interfaces;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const Explored& first = ways[i];
        if (first.stacking.selection == "round-robin") continue;
        if (!feasible(first, options.wanted.loss)) {
            left_out["second tiers: their first tier is not feasible alone"] +=
                static_cast<std::int64_t>(seconds.size() * interfaces.size());
            continue;
        }
        for (const CatalogueSwitch& second : seconds)
            for (const std::int64_t count : interfaces) {
                if (first.stacking.links() > count)
                    pairs.push_back({i, &second, static_cast<int>(count)});
                else
                    ++left_out["second tiers: as many server interfaces as links lead to them"];
            }
    }
    const std::vector<Explored> behind = in_processes(options.jobs, "second tiers", pairs.size(), [&](std::size_t i) {
        const Explored& first = ways[pairs[i].first];
        return explore_behind(options.wanted, first, pairs[i].interfaces, entry_of(catalogue, first.stacking.model),
                              *pairs[i].second);
    });
    // Where some do, the others are of no use: there are many.
    const bool some = std::any_of(behind.begin(), behind.end(),
                                  [&](const Explored& way) { return feasible(way, options.wanted.loss); });
    constexpr std::size_t kMost = 1000;
    std::size_t others = 0;
    for (const Explored& way : behind) {
        if (feasible(way, options.wanted.loss) || (!some && others++ < kMost))
            ways.push_back(way);
        else
            ++left_out[std::string("second tiers: ") + reason_of(way)];
    }
}

/// Ways with another number of server interfaces than one of those are of no use.
void keep_interfaces(const std::string& list, std::vector<Explored>& ways, Reasons& left_out) {
    if (list.empty()) return;
    const auto wanted = parse_count_list("--interfaces", list);
    const auto others = std::remove_if(ways.begin(), ways.end(), [&](const Explored& way) {
        return std::find(wanted.begin(), wanted.end(), way.stacking.interfaces()) == wanted.end();
    });
    if (others != ways.end()) left_out["have another number of server interfaces"] += ways.end() - others;
    ways.erase(others, ways.end());
    if (ways.empty())
        throw InputError("--count, --uplinks, --interfaces: no combination is left: " + counted(left_out));
}

void add_prices(std::vector<Explored>& ways, const std::map<std::string, Price>& prices) {
    const auto total = [&](const Stacking& stacking, std::optional<double> Price::*of) -> std::optional<double> {
        const auto of_model = [&](const std::string& model) {
            return prices.count(model) ? prices.at(model).*of : std::nullopt;
        };
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

/// The two switches of a way.
struct Entries {
    const CatalogueSwitch& first;
    const CatalogueSwitch* second;
};

Entries entries_of(const Stacking& stacking, const std::vector<CatalogueSwitch>& all) {
    return {entry_of(all, stacking.model),
            stacking.aggregation.empty() ? nullptr : &entry_of(all, stacking.aggregation)};
}

/// Simulates the first ways whole, and lets those fall out that do not hold, until enough do.
void verify_first(const ExploreCommandOptions& options, std::vector<Explored>& ways,
                  const std::vector<CatalogueSwitch>& all, const EngineFactory& make_engine, Json& notes) {
    Progress progress("explore", "ways simulated", options.verify);
    for (int verified = 0; verified < options.verify;) {
        Explored& way = ways[static_cast<std::size_t>(verified)];
        if (way.rank == 0) break;
        const auto [first, second] = entries_of(way.stacking, all);
        const Verification verdict = verify(
            options.wanted, way, read_camera(options.wanted, way.stacking, first, second), make_engine, options.jobs);
        if (verdict.holds) {
            notes.push_back("Rank " + std::to_string(way.rank) + " was simulated whole and holds: " + verdict.text +
                            ".");
            progress.done(++verified);
            continue;
        }
        notes.push_back(std::to_string(way.stacking.switches) + " x " + way.stacking.model +
                        (second ? " before " + second->id : "") + " was simulated whole and dropped: " + verdict.text +
                        ".");
        way.refuted = true;
        way.remark += (way.remark.empty() ? "" : "; ") + std::string("simulated whole: ") + verdict.text;
        rank(ways, options.wanted.loss);
    }
}

/// The feasible ways as scenarios, one file each, and their switches beside them: where a scenario looks for these
/// before the program's own.
void write_scenarios(const ExploreCommandOptions& options, const std::vector<Explored>& ways,
                     const std::vector<CatalogueSwitch>& all) {
    namespace fs = std::filesystem;
    const fs::path folder(options.folder), switches = folder / "switches";
    std::error_code error;
    fs::create_directories(switches, error);
    std::set<std::string> written;
    const auto write_switch = [&](const CatalogueSwitch& entry) {
        if (!written.insert(entry.id).second) return;
        std::ostringstream text;
        if (!(text << std::ifstream(entry.file).rdbuf()))
            throw InputError(entry.file + ": cannot be read any more, expected the switch that was explored");
        OutputFile file((switches / (entry.id + ".toml")).string());
        file.stream() << text.str();
        file.commit();
    };
    for (const Explored& way : ways) {
        if (way.rank == 0 || way.rank > options.top) break;
        const auto [first, second] = entries_of(way.stacking, all);
        const WayKeys keys = keys_of(options.wanted, way.stacking, first, second);
        write_switch(first);
        if (second) write_switch(*second);
        char name[40];
        std::snprintf(name, sizeof name, "rank-%03d.toml", way.rank);
        OutputFile file((folder / name).string());
        file.stream() << Provenance::comment() << scenario_text(options.wanted.scenario, keys.left_out, keys.overrides);
        file.commit();
    }
}

void run_explore(ExploreCommandOptions options, const EngineFactory& make_engine) {
    const Scenario scenario = read_scenario(options.wanted.scenario, options.wanted.overrides);
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw InputError(options.wanted.scenario + ": trigger.pattern: expected \"poisson\"");
    if (!scenario.frame.payloads.empty())
        throw InputError(options.wanted.scenario +
                         ": frame.payloads: found fragments of several sizes, expected one size");
    options.wanted.separation = parse_time_list("--separation", options.separation).front();
    options.wanted.loss = parse_probability_list("--loss", options.losses).front();
    const auto modules = static_cast<int>(options.modules > 0 ? options.modules : scenario.front_end.modules);
    const std::vector<CatalogueSwitch> catalogue = chosen(options, "--switches", options.models);
    const Limit budget = limit_of("--budget", options.budget, "20 kEUR"),
                power = limit_of("--power", options.power, "2 kW");
    if (!options.power.empty() && power.unit != "W")
        throw InputError("--power: found \"" + options.power + "\", expected watts such as \"2 kW\"");
    if (options.prices.empty() && !(options.budget.empty() && options.power.empty()))
        throw InputError("--budget, --power: expected --prices with them, a table of what switches cost and draw");
    const auto prices = read_prices(options.prices, read_catalogue(folder_of(options)));
    const std::vector<Stacking> all = stackings(options, catalogue, modules);
    std::optional<OutputFile> file, json_file;
    if (!options.output.empty()) file.emplace(options.output);
    if (!options.json.empty()) json_file.emplace(options.json);

    Json notes = Json::array();
    std::vector<std::string> left_out;
    try {
        read_camera(options.wanted, all.front(), catalogue.front(), nullptr, &left_out);
    } catch (const InputError&) {
        // told of each switch
    }
    for (const std::string& key : left_out)
        if (key == "switch.buffer" || key == "aggregation" || key == "node")
            notes.push_back("[" + key + "] of the scenario is ignored: the catalogue's switches replace it.");

    check_interfaces(options, all);
    const auto engine = make_engine("exact", {});
    std::vector<Explored> ways = in_processes(options.jobs, "ways", all.size(), [&](std::size_t i) {
        return explore(options.wanted, all[i], entry_of(catalogue, all[i].model), *engine);
    });
    Reasons fell_out;
    if (!options.aggregations.empty()) add_second_tiers(options, ways, catalogue, fell_out);
    keep_interfaces(options.interfaces, ways, fell_out);
    if (!fell_out.empty()) notes.push_back("Left out: " + counted(fell_out) + ".");
    add_prices(ways, prices);
    for (Explored& way : ways) {
        if (!options.budget.empty() && !(way.price && *way.price <= budget.amount))
            way.beyond = way.price ? "cost more than " + options.budget : "have no known price";
        else if (!options.power.empty() && !(way.power && *way.power <= power.amount))
            way.beyond = way.power ? "draw more than " + options.power : "have no known power";
    }
    rank(ways, options.wanted.loss);
    const std::vector<CatalogueSwitch> whole = read_catalogue(folder_of(options));
    verify_first(options, ways, whole, make_engine, notes);

    const auto feasible_ways =
        std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0; });
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
                {"currency", budget.unit},
                {"feasible", feasible_ways},
                {"notes", notes},
                {"front", Json::array()},
                {"ways", Json::array()}};
    for (const Explored& way : ways) result["ways"].push_back(to_json(way));
    result["recommended"] = recommended(result["ways"]);
    constexpr std::size_t kDrawn = 6;  // watersheds that a figure can tell apart
    for (const Explored& way : ways)
        if (way.pareto && result["front"].size() < kDrawn) {
            Json points = Json::array();
            for (const auto& [separation, events] :
                 watershed_of(options.wanted, way.stacking, entry_of(catalogue, way.stacking.model), *engine))
                points.push_back({separation, events ? Json(*events) : Json(nullptr)});
            result["front"].push_back({{"rank", way.rank}, {"watershed", points}});
        }
    const auto unpriced =
        std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0 && !way.price; });
    if (feasible_ways > 0 && unpriced > 0)
        result["notes"].push_back(
            options.prices.empty()
                ? "No prices were given (--prices); ranked by number of switches, then server interfaces, then risk."
                : "Prices are missing for " + std::to_string(unpriced) +
                      " feasible ways; ranked by number of switches instead.");
    if (!options.folder.empty()) write_scenarios(options, ways, whole);
    if (file) {
        file->stream() << Provenance::comment() << "# risk: upper bound; empty where something is unknown\n"
                       << ways_as_csv(result["ways"]);
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
    auto options = std::make_shared<ExploreCommandOptions>();
    CLI::App* command = app.add_subcommand("explore",
                                           "Try all switches of the catalogue in several numbers and with all uplinks, "
                                           "and rank the ways that lose few enough events");
    command
        ->add_option("SCENARIO", options->wanted.scenario,
                     "Scenario file (TOML), trigger.pattern \"poisson\"; its switch.model is replaced")
        ->required();
    command->add_option("--set", options->wanted.overrides, "KEY=VALUE: override a key of the scenario (repeatable)")
        ->allow_extra_args(false);
    command
        ->add_option("--modules", options->modules,
                     "Modules of the whole camera, spread over the switches [the scenario's]")
        ->check(CLI::Range(1, 65535));
    command->add_option("--switches", options->models, "Switches to try, with commas [the whole catalogue]");
    command->add_option("--count", options->counts,
                        "Numbers of switches, a list [from as few as 48 ports each allow to two more]");
    command->add_option("--uplinks", options->uplinks, "Numbers of uplinks of each switch, a list")
        ->capture_default_str();
    command
        ->add_option("--selection", options->selections,
                     "How uplinks are chosen, with commas: modulo, hash, round-robin")
        ->capture_default_str();
    command->add_option("--aggregation", options->aggregations,
                        "Switches to try also as a second tier, with commas, or \"all\" [none]");
    command->add_option("--interfaces", options->interfaces,
                        "Numbers of the server's interfaces, a list [as many as uplinks; 1 to 6 behind a second tier]");
    command
        ->add_option("--separation", options->separation,
                     "Separation of the events in the burst whose longest lossless length is sought")
        ->capture_default_str();
    command->add_option("--loss", options->losses, "Wanted chance that an event is incomplete")->capture_default_str();
    command->add_option("--prices", options->prices,
                        "Price of the switches, in any currency, and power in watts (CSV: switch,price,power)");
    command->add_option("--budget", options->budget,
                        "What all switches together may cost, in the currency of --prices, for example \"20 kEUR\"");
    command->add_option("--power", options->power, "What they may draw, for example \"2 kW\"");
    command->add_option("--top", options->top, "Number of rows of the printed table")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--verify", options->verify,
                     "Simulate the first N ways whole, in ns-3 and long enough to tell their risk, and drop those that "
                     "do not hold")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command->add_option("--write", options->folder,
                        "Folder for the scenarios of the ranked ways, at most as many as --top: rank-001.toml and so "
                        "on, and for their switches");
    command->add_option("--jobs", options->jobs, "Number of processes; the result does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->default_str("all processors");
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output");
    command->add_option(
        "--json", options->json,
        "Write the result as JSON to FILE, for watershed report; - is standard output, which then gets nothing else");
    command->footer(
        "Columns. server: its interfaces; load: that of the busiest link behind a switch, at the scenario's rate; "
        "margin: the rate that fills the busiest of all\n"
        "links, in units of that rate; watershed: longest burst without loss at --separation; risk: the chance that an "
        "event is incomplete is at most this;\n"
        "standing: what the risk rests on. known: calculated between bounds; bounded: certainly no more, but perhaps "
        "far less, as with a second tier;\n"
        "recalled, assumed: like either, but with a value of the switch that nobody states or that is unknown and "
        "taken to be the usual one (they are\n"
        "listed); unknown: too little is known of the switch. latency: mean, from the trigger to the last frame at the "
        "server, without the switches' own;\n"
        "recovery: from a full memory to an empty one, at the scenario's rate; pareto: no other way is better in one "
        "respect and at least as\n"
        "good in all others. Few interfaces (--interfaces 4) need a second tier (--aggregation all).\n"
        "Examples: watershed explore scenarios/explore-nectarcam.toml --modules 265 --verify 3 -o explore.csv --json "
        "explore.json\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --interfaces 4 --aggregation all "
        "--loss 1e-9");
    command->callback([options, make_engine] { run_explore(*options, make_engine); });
}

}  // namespace watershed
