// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <set>

#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore-check.h"
#include "scenarios/design/explore-text.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/prices.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/toml-memory.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const CandidateDesign& stacking) {
    return std::to_string(stacking.switches) + " x " + stacking.model +
           (stacking.aggregation.empty() ? "" : " before " + stacking.aggregation);
}

/// The ways that only a bound keeps from their place: those that would come first are simulated.
void sample_bounds(const ExploreAsked& options, std::vector<RatedDesign>& ways, const std::vector<CatalogueSwitch>& all,
                   const EngineFactory& make_engine, std::vector<std::string>& notes) {
    const double loss = options.wanted.loss;
    std::vector<RatedDesign*> open;
    for (RatedDesign& way : ways)
        if (way.fits == RatedDesign::Fit::Yes && way.carries() && way.beyond.empty() && way.log_risk &&
            !way.risk().is_close() && way.log_risk->upper > std::log(loss * kFarBelow))
            open.push_back(&way);
    const auto all_have = [&](std::optional<double> RatedDesign::*of) {
        return std::all_of(open.begin(), open.end(), [&](const RatedDesign* way) { return way->*of; });
    };
    const UsableCosts known{all_have(&RatedDesign::price), all_have(&RatedDesign::power)};
    std::stable_sort(open.begin(), open.end(), [&](const RatedDesign* a, const RatedDesign* b) {
        return merits_of(*a, loss, known) < merits_of(*b, loss, known);
    });
    if (open.size() > static_cast<std::size_t>(options.verify)) open.resize(static_cast<std::size_t>(options.verify));
    Progress progress("explore", "bounds simulated", static_cast<std::int64_t>(open.size()));
    std::int64_t done = 0;
    for (RatedDesign* way : open) {
        const auto [first, second] = entries_of(way->stacking, all);
        const std::string told = sample_risk(*way, loss, read_camera(options.wanted, way->stacking, first, second),
                                             make_engine, options.asked.jobs);
        notes.push_back(name_of(way->stacking) + " was simulated, since only a bound is known: " + told + ".");
        progress.done(++done);
    }
}

/// Simulates the first ways whole, and lets those fall out that do not hold, until enough do.
void verify_first(const ExploreAsked& options, std::vector<RatedDesign>& ways, const std::vector<CatalogueSwitch>& all,
                  const EngineFactory& make_engine, std::vector<std::string>& notes) {
    Progress progress("explore", "ways simulated", options.verify);
    for (int verified = 0; verified < options.verify;) {
        RatedDesign& way = ways[static_cast<std::size_t>(verified)];
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
        notes.push_back(name_of(way.stacking) + " was simulated whole and dropped: " + verdict.text + ".");
        way.refuted = true;
        way.remark += (way.remark.empty() ? "" : "; ") + std::string("simulated whole: ") + verdict.text;
        rank(ways, options.wanted.loss);
    }
}

/// The second tier of the scenario holds: its model and its interfaces of the server, unless options say which to try.
/// @throws InputError for what explore cannot put behind a first tier
void take_second_tier(ExploreAsked& options) {
    const std::string& file = options.wanted.scenario;
    const std::optional<Switch> second = PlainCamera(options.wanted).second_tier;
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

/// The payload of each fragment of an event, in bytes.
std::vector<std::int64_t> payloads_of(const FrameFormat& frame) {
    std::vector<std::int64_t> bytes;
    for (int i = 0; i < frame.fragments.number; ++i)
        bytes.push_back(frame.fragments.payloads.empty() ? frame.payload.count
                                                         : frame.fragments.payloads[static_cast<std::size_t>(i)].count);
    return bytes;
}

/// @throws InputError for a camera that explore does not cover
void expect_covered(const Scenario& scenario, const std::string& file) {
    if (const UnsupportedKey ends = ending_trigger(scenario))
        throw InputError(file + ": " + ends.key + ": " + ends.why);
    if (!scenario.frame.payloads.empty())  // each fragment's drawn anew
        throw InputError(file + ": frame.payloads: found fragments of several sizes, expected one size");
    if (!scenario.trigger.rules.empty())
        throw InputError(file +
                         ": trigger.rules: found rules, expected dead time alone: how many triggers they let pass is "
                         "not known without a run");
    if (!scenario.nodes.empty())
        throw InputError(file + ": node." + scenario.nodes.front().name +
                         ": found a switch by name, expected [switch] and at most [aggregation]");
}

struct Spending {
    Prices prices;
    SpendingLimit budget, power;
};

Spending spending_of(const ExploreAsked& asked, const std::vector<CatalogueSwitch>& whole) {
    Spending spending{{}, limit_of("--budget", asked.budget, "20 kEUR"), limit_of("--power", asked.power, "2 kW")};
    if (!asked.power.empty() && spending.power.unit != "W")
        throw InputError("--power: found \"" + asked.power + "\", expected watts such as \"2 kW\"");
    if (asked.prices.empty() && !(asked.budget.empty() && asked.power.empty()))
        throw InputError("--budget, --power: expected --prices with them, a table of what switches cost and draw");
    if (!asked.prices.empty()) spending.prices = read_prices(asked.prices, whole);
    const std::string &currency = spending.prices.currency, &unit = spending.budget.unit;
    if (!currency.empty() && !unit.empty() && unit != currency)
        throw InputError("--budget: found \"" + asked.budget + "\", expected " + currency + ", the currency of " +
                         asked.prices);
    return spending;
}

}  // namespace

Answer explore_answer(ExploreAsked asked, const EngineFactory& make_engine) {
    const TomlMemory memory;
    DesignRequirements& wanted = asked.wanted;
    Scenario scenario = PlainCamera(wanted).scenario;
    if (asked.asked.modules > 0 && !scenario.groups.empty())
        throw InputError("--modules: conflicts with group." + scenario.groups.front().name + ".modules of " +
                         wanted.scenario + ", expected --set with the modules of each group");
    if (asked.margin > 1 && has_own_triggers(scenario))
        throw InputError("--margin: conflicts with group.NAME.trigger of " + wanted.scenario +
                         ", expected --set with the rates");
    if (asked.margin > 1) {
        scenario.trigger.rate.count = std::llround(asked.margin * static_cast<double>(scenario.trigger.rate.count));
        wanted.overrides.push_back("trigger.rate=" + to_text(scenario.trigger.rate));
    }
    expect_covered(scenario, wanted.scenario);
    take_second_tier(asked);
    add_switch_files(asked.asked);
    wanted.separation = parse_time_list("--separation", asked.separation).front();
    wanted.loss = asked.guarantee ? 0 : parse_probability_list("--loss", asked.losses).front();
    ExploreResult result;
    result.modules = static_cast<int>(asked.asked.modules > 0 ? asked.asked.modules : scenario.front_end.modules);
    const std::vector<CatalogueSwitch> whole = read_catalogue(folder_of(wanted.scenario)),
                                       catalogue = switches_named("--switches", asked.asked.models, whole);
    const auto [prices, budget, power] = spending_of(asked, whole);
    const std::vector<CandidateDesign> all = candidate_designs(asked.asked, catalogue, result.modules);
    if (!asked.folder.empty())
        for (const char* beginning : {"/rank-", "/switches/"})
            OutputFile::expect_own(asked.folder + beginning, ".toml");

    std::vector<std::string> left_out;
    try {
        read_camera(wanted, all.front(), catalogue.front(), nullptr, &left_out);
    } catch (const InputError&) {
        // told of each switch
    }
    if (std::count(left_out.begin(), left_out.end(), "switch.buffer") > 0)
        result.notes.push_back("[switch.buffer] of the scenario is ignored: the catalogue's switches replace it.");

    const auto engine = make_engine("exact", {});
    DesignSearchResult found = find_ways(asked.asked, wanted, all, whole, *engine);
    std::vector<RatedDesign>& ways = result.ways = std::move(found.ways);
    add_prices(ways, prices, budget, power);
    sample_bounds(asked, ways, whole, make_engine, result.notes);
    rank(ways, wanted.loss);
    verify_first(asked, ways, whole, make_engine, result.notes);

    result.scenario = wanted.scenario;
    result.set = wanted.overrides;
    result.accepted_rate_hz = event_rates(scenario).all;
    result.rate = has_own_triggers(scenario)
                      ? to_text(Frequency{std::llround(1e6 * result.accepted_rate_hz)}) + " in all"
                      : to_text(scenario.trigger.rate);
    const auto has_bursts = [](const Group& group) { return group.trigger && group.trigger->burst.events > 0; };
    const bool bursts =
        scenario.trigger.burst.events > 0 || std::any_of(scenario.groups.begin(), scenario.groups.end(), has_bursts);
    result.triggers = bursts ? "bursts" : has_fixed_rates(scenario) ? "fixed" : "random";
    for (const Group& group : scenario.groups) result.groups.push_back(group.name);
    result.margin = asked.margin;
    result.fragments_bytes = payloads_of(scenario.frame);
    result.gap_us = in_microseconds(scenario.front_end.gap);
    result.dead_time = to_text(scenario.trigger.dead_time);
    result.separation_us = in_microseconds(wanted.separation);
    result.loss = wanted.loss;
    result.currency = prices.currency.empty() ? budget.unit : prices.currency;
    result.switch_files = catalogue_files();
    for (const RatedDesign& way : ways)
        for (const std::string& model : {way.stacking.model, way.stacking.aggregation})
            if (!model.empty())
                if (const std::string& name = entry_of(whole, model).name; result.names.count(model) == 0)
                    result.names[model] = name.empty() ? model : name;
    const std::int64_t feasible_ways = result.feasible();
    std::set<int> ranks;
    for (const Json& each : recommended(result))
        if (!each.is_null()) ranks.insert(each.get<int>());
    if (!scenario.groups.empty() || scenario.builders.count > 1)
        result.notes.push_back("No latency is told: of several kinds of modules, or builders, it takes a run.");
    if (!asked.guarantee) result.what_if = what_if_of(wanted, ways, ranks, whole, *engine, result.notes);
    if (feasible_ways > 0 && ways.front().price)
        for (const BillRow& row : bill_of(ways.front().stacking, prices))
            result.bill.push_back({{"what", row.what}, {"number", row.number}, {"each", row.each.price.value_or(0)}});
    result.switches = switches_of(result, found.left_out_of);
    constexpr std::size_t kDrawn = 6;  // watersheds that a figure can tell apart
    const PlainCamera camera(wanted);
    for (const RatedDesign& way : ways)
        if (way.pareto && way.watershed && result.front.size() < kDrawn) {
            const auto [first, second] = entries_of(way.stacking, whole);
            Scenario burst = read_camera(camera, way.stacking, first, second);
            burst.trigger = Trigger{};
            burst.trigger.events = 1;
            const WatershedCurve curve = watershed_curve(burst, *engine);
            result.front.push_back(
                {{"rank", way.rank}, {"watershed", curve.json()}, {"no_watershed", curve.why_none_json()}});
        }
    const auto unpriced =
        std::count_if(ways.begin(), ways.end(), [](const RatedDesign& way) { return way.rank > 0 && !way.price; });
    if (feasible_ways > 0 && unpriced > 0)
        result.notes.push_back(asked.prices.empty()
                                   ? "No prices were given (--prices), so the fewest switches come first."
                                   : "Prices of " + std::to_string(unpriced) +
                                         " feasible ways are missing, so the fewest switches come first. "
                                         "--switches and --aggregation name those to compare by price.");
    if (!asked.folder.empty()) write_scenarios(asked.folder, asked.top, wanted, ways, whole);
    Answer answer{
        {{"program", Provenance::program()}, {"command", Provenance::command()}},
        ways_as_table(result, asked.top),
        Provenance::comment() +
            "# risk: upper bound, close to it if risk_kind is exact; empty where something is unknown; where it is 0 "
            "beside a log10_risk it is below the doubles and log10_risk tells it\n" +
            ways_as_csv(ways),
        1};
    answer.json.update(to_json(result));
    return answer;
}

void add_explore_command(CLI::App& app, const EngineFactory& make_engine) {
    struct Options : ExploreAsked {
        ScenarioAsked scenario;
    };
    const auto o = std::make_shared<Options>();
    CommandTable command(
        app, "explore",
        "Try all switches of the catalogue in several numbers and with all uplinks, and rank the ways that lose few "
        "enough events",
        "Feasible ways are ranked by price if all have one, then by number of switches, power if it is known of all, "
        "server interfaces, risk, standing, capacity\n"
        "and watershed. Risks below a thousandth of --loss count as equal.\n"
        "Columns. server: its interfaces; load: that of the busiest link behind a switch, in the long run at the "
        "scenario's rate (a run of N triggers scatters by 1/sqrt(N)); capacity: the accepted triggers that\n"
        "fill the busiest of all links, in units of those that are accepted now; watershed: longest burst without "
        "loss at --separation; risk: the chance that an event is incomplete, after <= an upper bound, which may be "
        "far above it;\n"
        "dead time (--guarantee): the shortest with which no sequence of triggers loses a frame;\n"
        "standing: what the risk rests on. known: calculated between bounds; sampled: simulated; bounded: certainly "
        "no more, but perhaps far less, as with a second tier;\n"
        "recalled, assumed: like these, but with a value of the switch that nobody states or that is unknown and "
        "taken to be the usual one (they are\n"
        "listed); unknown: too little is known of the switch. latency: mean, from the trigger to the last frame at "
        "the server, without the switches' own;\n"
        "recovery: from a full memory to an empty one, at the scenario's rate; pareto: no other way is better in one "
        "respect and at least as\n"
        "good in all others. Few interfaces (--interfaces 4) need a second tier (--aggregation all).\n"
        "Examples: watershed explore scenarios/explore-nectarcam.toml --modules 265 --verify 3 -o explore.csv --json "
        "explore.json\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --interfaces 4 --aggregation all "
        "--loss 1e-9\n"
        "          watershed explore scenarios/explore-nectarcam.toml --modules 265 --guarantee --set "
        "trigger.dead_time=\"40 us\"");
    command.scenario(o->scenario, ", trigger.pattern \"poisson\" or \"periodic\"; its switch.model is replaced")
        .add("--modules", o->asked.modules, "Modules of the whole camera, spread over the switches [the scenario's]",
             {from_to(1, 65535)})
        .add("--switches", o->asked.models, "Switches to try, names or files that end in .toml, with commas [all]")
        .add("--count", o->asked.counts, "Numbers of switches, a list [from as few as 48 ports each allow to two more]")
        .add("--uplinks", o->asked.uplinks, "Numbers of uplinks of each switch, a list", {kShown})
        .add("--selection", o->asked.selections, "How uplinks are chosen, with commas: modulo, hash, round-robin",
             {kShown})
        .add("--aggregation", o->asked.aggregations,
             "Switches to try also as a second tier, names or files, with commas, or \"all\" [none]")
        .add("--interfaces", o->asked.interfaces,
             "Numbers of the server's interfaces, a list [as many as uplinks; 1 to 6 behind a second tier]")
        .add("--separation", o->separation,
             "Separation of the events in the burst whose longest lossless length is sought", {kShown})
        .add("--margin", o->margin,
             "Triggers that each way must bear, in units of the scenario's trigger.rate: 1.5 wants half as many again",
             {from_to(1.0, 1000.0), kShown})
        .add("--loss", o->losses, "Wanted chance that an event is incomplete", {kShown})
        .add("--prices", o->prices,
             "Price of the switches and power in watts (CSV: switch,price,power); a column price_EUR tells the "
             "currency, rows \"uplink\" and \"interface\" what a link behind a switch and an interface of the server "
             "add")
        .add("--budget", o->budget,
             "What all switches together may cost, in the currency of --prices, for example \"20 kEUR\"")
        .add("--power", o->power, "What they may draw, for example \"2 kW\"")
        .add("--top", o->top, "Number of rows of the printed table", {from_to(1, 1'000'000), kShown})
        .add("--verify", o->verify,
             "Simulate N ways of which only a bound of the risk is known, before they are ranked; then the first N "
             "whole, in ns-3 and long enough to tell their risk, and drop those that do not hold",
             {from_to(0, 1000), kShown})
        .flag("--guarantee", o->guarantee,
              "Only ways that lose no event in whatever sequence the dead time lets triggers come, or at their fixed "
              "rate, "
              "as watershed bound proves; of each, the shortest dead time with which that holds",
              {[](CLI::Option* option) { option->excludes("--loss")->excludes("--verify"); }})
        .add("--write", o->folder,
             "Folder for the scenarios of the ranked ways, at most as many as --top: rank-001.toml and so on, and for "
             "their switches")
        .jobs(o->asked.jobs)
        .parts()
        .csv("CSV file to write; - is standard output")
        .json("the result as JSON to FILE, for watershed report")
        .answer([=](auto&) {
            o->wanted.scenario = o->scenario.scenario;
            o->wanted.overrides = o->scenario.overrides;
            return explore_answer(*o, make_engine);
        });
}

}  // namespace watershed
