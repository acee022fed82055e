// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/risk/camera-queue.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/explore-advice.h"
#include "scenarios/design/explore-json.h"
#include "scenarios/design/explore-prices.h"
#include "scenarios/design/explore-rank.h"
#include "scenarios/design/explore-reasons.h"
#include "scenarios/design/explore-table.h"
#include "scenarios/design/explore-verify.h"
#include "scenarios/design/explore-ways.h"
#include "scenarios/design/explore-what-if.h"
#include "scenarios/design/risk.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

std::string folder_of(const std::string& scenario) {
    const std::string folder = std::filesystem::path(scenario).parent_path().string();
    return folder.empty() ? "." : folder;
}

using Json = nlohmann::ordered_json;

struct ExploreCommandOptions {
    Wanted wanted;
    WaysAsked asked;
    std::string separation = "20 us";
    std::string losses = "1e-9";
    std::string prices;
    std::string budget, power;
    int top = 20;
    std::string output;
    std::string json;
    int verify = 0;
    double margin = 1;
    bool guarantee = false;
    std::string folder;
};

/// The ways that only a bound keeps from their place: those that would come first are simulated.
void sample_bounds(const ExploreCommandOptions& options, std::vector<Explored>& ways,
                   const std::vector<CatalogueSwitch>& all, const EngineFactory& make_engine, Json& notes) {
    const double loss = options.wanted.loss;
    std::vector<Explored*> open;
    for (Explored& way : ways)
        if (way.fits == Explored::Fit::Yes && way.carries() && way.beyond.empty() && way.log_risk &&
            !way.risk().is_close() && way.log_risk->upper > std::log(loss * kFarBelow))
            open.push_back(&way);
    const auto all_have = [&](std::optional<double> Explored::*of) {
        return std::all_of(open.begin(), open.end(), [&](const Explored* way) { return way->*of; });
    };
    const KnownOfAll known{all_have(&Explored::price), all_have(&Explored::power)};
    std::stable_sort(open.begin(), open.end(), [&](const Explored* a, const Explored* b) {
        return merits_of(*a, loss, known) < merits_of(*b, loss, known);
    });
    if (open.size() > static_cast<std::size_t>(options.verify)) open.resize(static_cast<std::size_t>(options.verify));
    Progress progress("explore", "bounds simulated", static_cast<std::int64_t>(open.size()));
    std::int64_t done = 0;
    for (Explored* way : open) {
        const auto [first, second] = entries_of(way->stacking, all);
        const std::string told = sample_risk(*way, loss, read_camera(options.wanted, way->stacking, first, second),
                                             make_engine, options.asked.jobs);
        notes.push_back(std::to_string(way->stacking.switches) + " x " + way->stacking.model +
                        (second ? " before " + second->id : "") +
                        " was simulated, since only a bound is known: " + told + ".");
        progress.done(++done);
    }
}

/// Simulates the first ways whole, and lets those fall out that do not hold, until enough do.
void verify_first(const ExploreCommandOptions& options, std::vector<Explored>& ways,
                  const std::vector<CatalogueSwitch>& all, const EngineFactory& make_engine, Json& notes) {
    Progress progress("explore", "ways simulated", options.verify);
    for (int verified = 0; verified < options.verify;) {
        Explored& way = ways[static_cast<std::size_t>(verified)];
        if (way.rank == 0) break;
        const auto [first, second] = entries_of(way.stacking, all);
        const Verification verdict =
            verify(options.wanted, way, read_camera(options.wanted, way.stacking, first, second), make_engine,
                   options.asked.jobs);
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

/// The second tier of the scenario holds: its model and its interfaces of the server, unless options say which to try.
/// @throws InputError for what explore cannot put behind a first tier
void take_second_tier(ExploreCommandOptions& options) {
    const std::string& file = options.wanted.scenario;
    const std::optional<Switch> second = second_tier_of(options.wanted);
    if (!second) return;
    if (second->count != 1)
        throw InputError(file + ": aggregation.count: found " + std::to_string(second->count) +
                         ", expected 1: one switch gathers all uplinks");
    std::string& models = options.asked.aggregations;
    if (!models.empty() && models != second_model_of(options.wanted) && read_toml(file).at_path("aggregation.ports"))
        throw InputError(file +
                         ": aggregation.ports: conflicts with --aggregation, expected none: these are the ports "
                         "of the scenario's own second tier");
    if (models.empty()) models = second_model_of(options.wanted);
    if (models.empty())
        throw InputError(file +
                         ": aggregation.model: missing, expected a switch of the catalogue, or --aggregation "
                         "with those to try as the second tier");
    if (options.asked.interfaces.empty() && states(options.wanted, "aggregation.uplinks"))
        options.asked.interfaces = std::to_string(second->uplinks);
}

/// Names of all switches in the ways, by the catalogue's.
std::map<std::string, std::string> names_of(const std::vector<Explored>& ways,
                                            const std::vector<CatalogueSwitch>& catalogue) {
    std::map<std::string, std::string> names;
    for (const Explored& way : ways)
        for (const std::string& model : {way.stacking.model, way.stacking.aggregation})
            if (!model.empty() && names.count(model) == 0) {
                const std::string& name = entry_of(catalogue, model).name;
                names[model] = name.empty() ? model : name;
            }
    return names;
}

/// The payload of each fragment of an event, in bytes.
std::vector<std::int64_t> payloads_of(const FrameFormat& frame) {
    std::vector<std::int64_t> bytes;
    for (int i = 0; i < frame.fragments.number; ++i)
        bytes.push_back(frame.fragments.payloads.empty() ? frame.payload.count
                                                         : frame.fragments.payloads[static_cast<std::size_t>(i)].count);
    return bytes;
}

void run_explore(ExploreCommandOptions options, const EngineFactory& make_engine) {
    Scenario scenario = read_without_switch(options.wanted);
    if (options.margin > 1) {
        scenario.trigger.rate.count = std::llround(options.margin * static_cast<double>(scenario.trigger.rate.count));
        options.wanted.overrides.push_back("trigger.rate=" + to_text(scenario.trigger.rate));
    }
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw InputError(options.wanted.scenario + ": trigger.pattern: expected \"poisson\"");
    if (!scenario.frame.payloads.empty())  // each fragment's drawn anew
        throw InputError(options.wanted.scenario +
                         ": frame.payloads: found fragments of several sizes, expected one size");
    if (!scenario.trigger.rules.empty())
        throw InputError(
            options.wanted.scenario +
            ": trigger.rules: found rules, expected dead time alone: how many triggers they let pass is not "
            "known without a run");
    if (!scenario.nodes.empty())
        throw InputError(options.wanted.scenario + ": node." + scenario.nodes.front().name +
                         ": found a switch by name, expected [switch] and at most [aggregation]");
    take_second_tier(options);
    add_switch_files(options.asked);
    options.wanted.separation = parse_time_list("--separation", options.separation).front();
    options.wanted.loss = options.guarantee ? 0 : parse_probability_list("--loss", options.losses).front();
    const auto modules =
        static_cast<int>(options.asked.modules > 0 ? options.asked.modules : scenario.front_end.modules);
    const std::vector<CatalogueSwitch> whole = read_catalogue(folder_of(options.wanted.scenario)),
                                       catalogue = switches_named("--switches", options.asked.models, whole);
    const SpendingLimit budget = limit_of("--budget", options.budget, "20 kEUR"),
                        power = limit_of("--power", options.power, "2 kW");
    if (!options.power.empty() && power.unit != "W")
        throw InputError("--power: found \"" + options.power + "\", expected watts such as \"2 kW\"");
    if (options.prices.empty() && !(options.budget.empty() && options.power.empty()))
        throw InputError("--budget, --power: expected --prices with them, a table of what switches cost and draw");
    const Prices prices = options.prices.empty() ? Prices{} : read_prices(options.prices, whole);
    if (!prices.currency.empty() && !budget.unit.empty() && budget.unit != prices.currency)
        throw InputError("--budget: found \"" + options.budget + "\", expected " + prices.currency +
                         ", the currency of " + options.prices);
    const std::vector<Stacking> all = stackings(options.asked, catalogue, modules);
    auto file = file_if_named(options.output), json_file = file_if_named(options.json);
    if (!options.folder.empty())
        for (const char* beginning : {"/rank-", "/switches/"})
            OutputFile::expect_own(options.folder + beginning, ".toml");

    Json notes = Json::array();
    std::vector<std::string> left_out;
    try {
        read_camera(options.wanted, all.front(), catalogue.front(), nullptr, &left_out);
    } catch (const InputError&) {
        // told of each switch
    }
    for (const std::string& key : left_out)
        if (key == "switch.buffer")
            notes.push_back("[switch.buffer] of the scenario is ignored: the catalogue's switches replace it.");

    const auto engine = make_engine("exact", {});
    WaysFound found = find_ways(options.asked, options.wanted, all, whole, *engine);
    std::vector<Explored>& ways = found.ways;
    add_prices(ways, prices, budget, power);
    sample_bounds(options, ways, whole, make_engine, notes);
    rank(ways, options.wanted.loss);
    verify_first(options, ways, whole, make_engine, notes);

    const auto feasible_ways =
        std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0; });
    Json result{{"program", Provenance::program()},
                {"command", Provenance::command()},
                {"scenario", options.wanted.scenario},
                {"set", options.wanted.overrides},
                {"modules", modules},
                {"rate", to_text(scenario.trigger.rate)},
                {"margin", options.margin},
                {"accepted_rate_hz", accepted_rate(scenario.trigger)},
                {"fragments_bytes", payloads_of(scenario.frame)},
                {"gap_us", scaled_microseconds(scenario.front_end.gap)},
                {"dead_time", to_text(scenario.trigger.dead_time)},
                {"separation_us", scaled_microseconds(options.wanted.separation)},
                {"loss", options.wanted.loss},
                {"equal_below", options.wanted.loss * kFarBelow},
                {"currency", prices.currency.empty() ? budget.unit : prices.currency},
                {"feasible", feasible_ways},
                {"notes", notes},
                {"front", Json::array()},
                {"ways", Json::array()}};
    for (const Explored& way : ways) result["ways"].push_back(to_json(way, options.wanted.loss));
    result["unstated"] = unstated_of(ways);
    result["recommended"] = recommended(result["ways"], options.wanted.loss);
    result["names"] = names_of(ways, whole);
    result["switch_files"] = catalogue_files();
    std::set<int> ranks;
    if (feasible_ways > 0)
        for (const auto& [what, of_it] : result["recommended"].items())
            if (!of_it.is_null()) ranks.insert(of_it.get<int>());
    result["what_if"] = Json::array();
    if (!options.guarantee) result["what_if"] = what_if_of(options.wanted, ways, ranks, whole, *engine);
    result["bill"] = Json::array();
    if (feasible_ways > 0 && ways.front().price)
        for (const BillRow& row : bill_of(ways.front().stacking, prices))
            result["bill"].push_back(
                {{"what", row.what}, {"number", row.number}, {"each", row.each.price.value_or(0)}});
    result["advice"] = feasible_ways > 0 ? to_json(advice_on(result)) : Json(nullptr);
    result["switches"] = switches_of(result, found.left_out_of);
    constexpr std::size_t kDrawn = 6;  // watersheds that a figure can tell apart
    for (const Explored& way : ways)
        if (way.pareto && result["front"].size() < kDrawn) {
            const auto [first, second] = entries_of(way.stacking, whole);
            const WatershedCurve curve = watershed_of(options.wanted, way.stacking, first, second, *engine);
            result["front"].push_back(
                {{"rank", way.rank},
                 {"watershed", points_of(curve)},
                 {"no_watershed", curve.why_none.empty() ? Json(nullptr) : Json(curve.why_none)}});
        }
    const auto unpriced =
        std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.rank > 0 && !way.price; });
    if (feasible_ways > 0 && unpriced > 0)
        result["notes"].push_back(options.prices.empty()
                                      ? "No prices were given (--prices), so the fewest switches come first."
                                      : "Prices of " + std::to_string(unpriced) +
                                            " feasible ways are missing, so the fewest switches come first. "
                                            "--switches and --aggregation name those to compare by price.");
    if (!options.folder.empty()) write_scenarios(options.folder, options.top, options.wanted, ways, whole);
    if (file)
        file->write(Provenance::comment() +
                    "# risk: upper bound, close to it if risk_kind is exact; empty where something is unknown\n" +
                    ways_as_csv(result["ways"]));
    if (json_file) json_file->write(result.dump(1) + "\n");
    if (options.output != "-" && options.json != "-") std::cout << ways_as_table(result, options.top);
}

}  // namespace

void add_explore_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<ExploreCommandOptions>();
    CLI::App* command = app.add_subcommand("explore",
                                           "Try all switches of the catalogue in several numbers and with all uplinks, "
                                           "and rank the ways that lose few enough events");
    add_scenario(command, options->wanted.scenario, options->wanted.overrides,
                 ", trigger.pattern \"poisson\"; its switch.model is replaced");
    command
        ->add_option("--modules", options->asked.modules,
                     "Modules of the whole camera, spread over the switches [the scenario's]")
        ->check(CLI::Range(1, 65535));
    command->add_option("--switches", options->asked.models,
                        "Switches to try, names or files that end in .toml, with commas [all]");
    command->add_option("--count", options->asked.counts,
                        "Numbers of switches, a list [from as few as 48 ports each allow to two more]");
    command->add_option("--uplinks", options->asked.uplinks, "Numbers of uplinks of each switch, a list")
        ->capture_default_str();
    command
        ->add_option("--selection", options->asked.selections,
                     "How uplinks are chosen, with commas: modulo, hash, round-robin")
        ->capture_default_str();
    command->add_option("--aggregation", options->asked.aggregations,
                        "Switches to try also as a second tier, names or files, with commas, or \"all\" [none]");
    command->add_option("--interfaces", options->asked.interfaces,
                        "Numbers of the server's interfaces, a list [as many as uplinks; 1 to 6 behind a second tier]");
    command
        ->add_option("--separation", options->separation,
                     "Separation of the events in the burst whose longest lossless length is sought")
        ->capture_default_str();
    command
        ->add_option(
            "--margin", options->margin,
            "Triggers that each way must bear, in units of the scenario's trigger.rate: 1.5 wants half as many again")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    auto* const loss = command->add_option("--loss", options->losses, "Wanted chance that an event is incomplete")
                           ->capture_default_str();
    command->add_option(
        "--prices", options->prices,
        "Price of the switches and power in watts (CSV: switch,price,power); a column price_EUR tells the currency, "
        "rows \"uplink\" and \"interface\" what a link behind a switch and an interface of the server add");
    command->add_option("--budget", options->budget,
                        "What all switches together may cost, in the currency of --prices, for example \"20 kEUR\"");
    command->add_option("--power", options->power, "What they may draw, for example \"2 kW\"");
    command->add_option("--top", options->top, "Number of rows of the printed table")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--verify", options->verify,
                     "Simulate N ways of which only a bound of the risk is known, before they are ranked; then the "
                     "first N whole, in ns-3 and long enough to tell their risk, and drop those that "
                     "do not hold")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command
        ->add_flag("--guarantee", options->guarantee,
                   "Only ways that lose no event in whatever sequence the dead time lets triggers come, as watershed "
                   "bound proves; of each, the shortest dead time with which that holds")
        ->excludes(loss)
        ->excludes("--verify");
    command->add_option("--write", options->folder,
                        "Folder for the scenarios of the ranked ways, at most as many as --top: rank-001.toml and so "
                        "on, and for their switches");
    add_jobs(command, options->asked.jobs);
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output");
    add_json(command, options->json, "the result as JSON to FILE, for watershed report");
    command->footer(
        "Feasible ways are ranked by price if all have one, then by number of switches, power if it is known of all, "
        "server interfaces, risk, standing, capacity\n"
        "and watershed. Risks below a thousandth of --loss count as equal.\n"
        "Columns. server: its interfaces; load: that of the busiest link behind a switch, in the long run at the "
        "scenario's rate (a run of N triggers scatters by 1/sqrt(N)); "
        "capacity: the accepted triggers that\n"
        "fill the busiest of all links, in units of those that are accepted now; watershed: longest burst without loss "
        "at --separation; risk: the chance that an "
        "event is incomplete, after <= an upper bound, which may be far above it;\n"
        "dead time (--guarantee): the shortest with which no sequence of triggers loses a frame;\n"
        "standing: what the risk rests on. known: calculated between bounds; sampled: simulated; bounded: certainly no "
        "more, but perhaps "
        "far less, as with a second tier;\n"
        "recalled, assumed: like these, but with a value of the switch that nobody states or that is unknown and "
        "taken to be the usual one (they are\n"
        "listed); unknown: too little is known of the switch. latency: mean, from the trigger to the last frame at the "
        "server, without the switches' own;\n"
        "recovery: from a full memory to an empty one, at the scenario's rate; pareto: no other way is better in one "
        "respect and at least as\n"
        "good in all others. Few interfaces (--interfaces 4) need a second tier (--aggregation all).\n"
        "Examples: watershed explore scenarios/explore-nectarcam.toml --modules 265 --verify 3 -o explore.csv --json "
        "explore.json\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --interfaces 4 --aggregation all "
        "--loss 1e-9\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --guarantee --set "
        "trigger.dead_time=\"40 us\"");
    command->callback([options, make_engine] { run_explore(*options, make_engine); });
}

}  // namespace watershed
