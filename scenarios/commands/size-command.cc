// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "model/guarantee/group-analysis.h"
#include "model/network/network-load.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/needed-memory.h"
#include "scenarios/design/risk.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/members.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

using Tiers = CertainLoss::Tiers;

constexpr const char* kUsualUplinks = "1,2,3,4,5,6";

std::string pool_of(const Scenario& scenario) {
    switch (scenario.network_switch.buffer.sharing->pools) {
        case SharingPolicy::Pools::PerInput: return "each input's memory";
        case SharingPolicy::Pools::PerOutput: return "each output's memory";
        case SharingPolicy::Pools::One: break;
    }
    return "the whole memory";
}

std::vector<Frequency> asked_rates(const SizeAsked& asked, const Scenario& scenario) {
    return asked.rates.empty() ? std::vector<Frequency>{scenario.trigger.rate}
                               : parse_frequency_list("--rate", asked.rates);
}

const char* table_of(const NeededMemory& point) { return point.tier == Tiers::Second ? "aggregation" : "switch"; }

/// Load of the modules' links at this rate.
double link_load(Scenario scenario, Frequency rate) {
    scenario.trigger.rate = rate;
    return link_load(scenario);
}

/// Risk of a memory that was simulated; null of others.
Json sampled_risk(const NeededMemory& point) {
    if (!point.sampled) return nullptr;
    Json risk = Json::object();
    add_risk_members(risk, Known{point.sampled->lower, point.sampled->estimate, point.sampled->upper, true});
    return risk;
}

/// The members of a point; what the scenario adds is `link_load`.
const Members<NeededMemory>& memory_members() {
    using Point = NeededMemory;
    const auto where_enough = [](const char* name, const char* unit, const char* meaning, auto value) {
        return Member<Point>{name, unit, meaning, kInJson | kInCsv,
                             [value](const Point& point) { return point.frames ? Json(value(point)) : Json(nullptr); }};
    };
    static const Members<Point> members{
        {"rate_khz", "kHz", "of triggers, before dead time", kInJson | kInCsv,
         [](const Point& point) { return Json(in_kilohertz(point.rate)); }},
        {"loss", "", "wanted chance", kInJson | kInCsv, [](const Point& point) { return Json(point.loss); }},
        {"uplinks", "", "of each switch of the first tier", kInJson | kInCsv,
         [](const Point& point) { return Json(point.uplinks); }},
        {"memory_of", "", "table of the scenario", kInJson | kInCsv,
         [](const Point& point) { return Json(table_of(point)); }},
        stored<Point>("load", "", "of the busiest uplink", &Point::load),
        {"link_load", "", "of the modules' links, which the scenario tells", kInJson,
         [](const Point&) { return Json(nullptr); }},
        where_enough("frames", "frames", "that suffice, certainly or in a sample; null where no memory does",
                     [](const Point& point) { return *point.frames; }),
        where_enough("frames_at_least", "frames", "fewer certainly do not; null where the risk is sampled",
                     [](const Point& point) { return point.sampled ? Json(nullptr) : Json(point.at_least); }),
        where_enough("bytes", "B", "of `frames`, cells included", [](const Point& point) { return point.bytes.count; }),
        {"sampled", "", "risk with `frames`, simulated; null where the memory is certain", kInJson, sampled_risk},
        {"sampled_log", "", "natural logarithms of that risk", kToProcesses,
         [](const Point& point) {
             return point.sampled ? Json{point.sampled->lower, point.sampled->estimate, point.sampled->upper}
                                  : Json(nullptr);
         },
         [](Point& point, const Json& json) {
             const auto log = [&](int i) { return json[i].is_null() ? -INFINITY : json[i].get<double>(); };
             if (!json.is_null()) point.sampled = Enclosure{log(0), log(1), log(2)};
         }},
        stored<Point>("lossless", "", "memory that certainly loses no frame, where `frames` are sampled",
                      &Point::lossless),
        stored<Point>("found", "frames", "that suffice", &Point::frames, kToProcesses),
        stored<Point>("at_least", "frames", "that may suffice", &Point::at_least, kToProcesses),
        stored<Point>(
            "count", "B", "of these frames", [](auto& point) -> auto& { return point.bytes.count; }, kToProcesses),
        stored<Point>(
            "key", "", "that leaves a bound alone", [](auto& point) -> auto& { return point.no_chain.key; },
            kToProcesses),
        stored<Point>(
            "why", "", "it does", [](auto& point) -> auto& { return point.no_chain.why; }, kToProcesses)};
    return members;
}

/// All combinations, second tiers too.
std::vector<NeededMemory> all_points(const SizeAsked& asked, const Scenario& scenario,
                                     const std::vector<std::int64_t>& uplinks) {
    const std::vector<double> losses = parse_probability_list("--loss", asked.losses);
    const std::vector<Frequency> rates = asked_rates(asked, scenario);
    std::vector<NeededMemory> points;
    for (const std::int64_t count : uplinks)
        for (const double loss : losses)
            for (const Frequency rate : rates)
                for (const Tiers tier : {Tiers::First, Tiers::Second})
                    if (tier == Tiers::First || scenario.aggregation)
                        points.push_back({rate, loss, static_cast<int>(count), tier, 0, std::nullopt, 0, Bytes{0}});
    Progress progress("size", "memories", static_cast<std::int64_t>(points.size()));
    std::int64_t done = 0;
    do_in_processes(
        asked.jobs, points.size(),
        [&](std::size_t i) {
            const auto& [rate, loss, count, tier] =
                std::tie(points[i].rate, points[i].loss, points[i].uplinks, points[i].tier);
            return to_json(memory_members(), needed_memory(scenario, rate, loss, count, tier), kToProcesses).dump();
        },
        [&](std::size_t i, const std::string& text) {
            read(memory_members(), points[i], Json::parse(text), kToProcesses);
            progress.done(++done);
        });
    return points;
}

std::string words_of(const FewestUplinks& fewest) {
    if (!fewest.at_least) return "none of these numbers of uplinks is enough";
    if (!fewest.enough)
        return "no number of uplinks is certainly enough, fewer than " + std::to_string(*fewest.at_least) +
               " are certainly not";
    if (*fewest.at_least < *fewest.enough)
        return "fewest uplinks " + std::to_string(*fewest.at_least) + " to " + std::to_string(*fewest.enough);
    return "fewest uplinks " + std::to_string(*fewest.enough) + (fewest.sampled ? " (sampled)" : "");
}

/// No memory of a switch helps where the modules' links are given too much.
std::string overload_of_links(const Scenario& scenario, const std::vector<NeededMemory>& points) {
    std::optional<Frequency> lowest, highest;
    for (const NeededMemory& point : points) {
        if (link_load(scenario, point.rate) < 1) continue;
        lowest = std::min(point.rate, lowest.value_or(point.rate));
        highest = std::max(point.rate, highest.value_or(point.rate));
    }
    if (!lowest) return "";
    return "At " + to_text(*lowest) + " " + overload_text({"", link_load(scenario, *lowest), true}) +
           (*lowest < *highest ? "; at higher rates more so" : "") + "\n";
}

/// Memories that only a bound tells, and why.
std::vector<std::string> bounds_told(const std::vector<NeededMemory>& points) {
    std::vector<std::string> told;
    for (const NeededMemory& point : points) {
        if (point.sampled)
            told.push_back(
                std::string("sampled: ") + to_text(point.bytes) + " of [" + table_of(point) + "] with " +
                how_many(point.uplinks, "uplink") + " at " + to_text(point.rate) + " had in a simulation a chance of " +
                in_ascii(risk_of_members(sampled_risk(point)).words(readable_chance_of_log10, 2)) +
                ", and one step less did not keep to " + text_line("%.3g", point.loss) + "; nothing of this is proven" +
                (point.lossless.empty() ? "" : ". " + point.lossless + " certainly lose no frame (watershed bound)"));
        if (!point.no_chain) continue;
        const std::string text = std::string("only a bound tells the memory of [") + table_of(point) +
                                 "], and far less may suffice (" + point.no_chain.text() + ")";
        if (std::find(told.begin(), told.end(), text) == told.end()) told.push_back(text);
    }
    return told;
}

/// @throws InputError for those that the scenario cannot have
std::vector<std::int64_t> asked_uplinks(const SizeAsked& asked, const Scenario& scenario) {
    const bool named = !asked.uplinks.empty();
    std::vector<std::int64_t> uplinks;
    for (const std::int64_t count : parse_count_list("--uplinks", named ? asked.uplinks : kUsualUplinks)) {
        if (count > scenario.front_end.modules) {
            if (named)
                throw InputError("--uplinks: expected at most front_end.modules, " +
                                 std::to_string(scenario.front_end.modules));
            continue;
        }
        std::vector<std::string> overrides = asked.overrides;
        overrides.push_back("switch.uplinks=" + std::to_string(count));
        if (scenario.server.interfaces)  // as many links as there are
            overrides.push_back("server.interfaces=" + std::to_string(scenario.aggregation
                                                                          ? *scenario.server.interfaces
                                                                          : count * scenario.network_switch.count));
        try {
            read_scenario(Scope::camera().with_sequences().with_groups(), asked.scenario, overrides);
            uplinks.push_back(count);
        } catch (const InputError& error) {
            if (named) throw InputError("--uplinks: " + std::to_string(count) + ": " + error.what());
        }
    }
    if (uplinks.empty()) uplinks.push_back(scenario.network_switch.uplinks);
    return uplinks;
}

}  // namespace

Answer size_answer(const SizeAsked& asked) {
    const double loss = parse_probability_list("--loss", asked.losses).front();
    std::vector<AssumedValue> assumed;
    Scenario scenario =
        read_scenario(Scope::camera().with_sequences().with_groups(), asked.scenario, asked.overrides, &assumed);
    if (!asked.rates.empty() && has_own_triggers(scenario))
        throw InputError("--rate: conflicts with group.NAME.trigger of " + asked.scenario +
                         ", expected --set with the rates");
    if (const auto rates = asked_rates(asked, scenario); rates.size() == 1) scenario.trigger.rate = rates.front();
    if (!scenario.groups.empty() && std::all_of(scenario.groups.begin(), scenario.groups.end(),
                                                [](const Group& group) { return group.trigger.has_value(); }))
        scenario.trigger.rate =
            Frequency{std::llround(1e6 * event_rates(scenario).all)};  // rate of all triggers; nobody answers them
    if (const UnsupportedKey ends = ending_trigger(scenario))
        throw InputError(asked.scenario + ": " + ends.key + ": " + ends.why);
    const std::vector<std::int64_t> uplinks = asked_uplinks(asked, scenario);
    scenario.server.interfaces.reset();  // they follow the uplinks
    Progress progress("size", "steps", 2);
    const FewestUplinks fewest = fewest_uplinks(scenario, loss, uplinks);
    progress.done(1);
    const std::vector<NeededMemory> points = all_points(asked, scenario, uplinks);
    const bool tiers = scenario.aggregation.has_value();

    Answer answer;
    Json& json = answer.json;
    json = {{"loss", loss},
            {"memory", pool_of(scenario)},
            {"frames", nullptr},
            {"frames_at_least", nullptr},
            {"bytes", nullptr},
            {"fewest_uplinks_at_least", fewest.sampled ? Json(nullptr) : json_of(fewest.at_least)},
            {"fewest_uplinks", json_of(fewest.enough)},
            {"fewest_uplinks_sampled", fewest.sampled},
            {"bounds", bounds_told(points)},
            {"points", Json::array()}};
    answer.csv = Provenance::comment() + comment(assumed) + "# memory: " + pool_of(scenario) +
                 ", for a chance of at most `loss` that an event is incomplete; empty where none is enough\n" +
                 "# frames: certainly suffice; fewer than frames_at_least certainly do not; where that is empty "
                 "they sufficed in a simulation, and nothing is certain\n" +
                 "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least" + (tiers ? ",memory_of\n" : "\n");
    std::string& text = answer.text;
    text = "Size of " + asked.scenario + ": " + pool_of(scenario) +
           " that keeps the chance of an incomplete event as small as wanted\n" +
           text_line("  %10s  %10s  %8s  %10s  %12s  %14s  %12s", "rate, kHz", "chance", "uplinks", "load", "frames",
                     "bytes", "at least") +
           (tiers ? "  memory of\n" : "\n");
    bool open = false, certain = false;
    for (const NeededMemory& point : points) {
        const double links = link_load(scenario, point.rate);
        Json& one = json["points"].emplace_back(to_json(memory_members(), point));
        one["link_load"] = links;
        if (point.rate == scenario.trigger.rate && point.loss == loss &&
            point.uplinks == scenario.network_switch.uplinks && point.tier == Tiers::First)
            for (const char* name : {"frames", "frames_at_least", "bytes"}) json[name] = one[name];
        answer.csv += text_line("%.9g,%.6g,%d,%.6g,", in_kilohertz(point.rate), point.loss, point.uplinks, point.load) +
                      (point.frames ? text_line("%lld,%lld,%s", *point.frames, point.bytes.count,
                                                point.sampled ? "" : std::to_string(point.at_least))
                                    : ",,") +
                      (tiers ? "," + std::string(table_of(point)) + "\n" : "\n");
        text += text_line("  %10.6g  %10.3g  %8d  %8.2f %%", in_kilohertz(point.rate), point.loss, point.uplinks,
                          100 * point.load) +
                (point.frames ? text_line("  %12lld  %14lld  %12s", *point.frames, point.bytes.count,
                                          point.sampled ? "sampled" : std::to_string(point.at_least))
                              : text_line("  %42s", links < 1 ? "no memory is enough" : "links overloaded")) +
                (tiers ? "  [" + std::string(table_of(point)) + "]\n" : "\n");
        open = open || (point.frames && !point.sampled && point.at_least < *point.frames);
        certain = certain || (point.frames && !point.sampled);
    }
    tell_assumed(answer, assumed);
    json["program"] = Provenance::program();
    json["command"] = Provenance::command();

    std::string told = tiers ? "each tier may lose half of the chance\n" : "";
    for (const std::string& each : bounds_told(points)) told += each + "\n";
    const bool unlike = has_unlike_frames(scenario);
    text += told;
    if (certain || points.empty())
        text += (unlike ? std::string("bytes") : "frames") +
                (open ? " certainly suffice, fewer than `at least` certainly do not: the smallest memory lies between\n"
                      : " certainly suffice, and one fewer certainly does not\n");
    std::string verdict =
        unlike ? "a frame is the largest of an event here, and smaller ones take as much of a memory that is counted "
                 "in frames: set the size in bytes\n"
               : "";
    verdict += overload_of_links(scenario, points) + "With " + to_text(scenario.network_switch.buffer.size) + " at " +
               to_text(scenario.trigger.rate) + ": " + words_of(fewest) + " for ";
    text += verdict + text_line("%.3g\n", loss);
    json["answer"] = answer_of(told + verdict + readable_chance(loss, 3));
    return answer;
}

void add_size_command(CLI::App& app) {
    const auto asked = std::make_shared<SizeAsked>();
    CommandTable(
        app, "size", "Find the smallest memory, and the fewest uplinks, for a wanted chance of loss",
        "Certain for random triggers where bounds know the scenario, and where all repeats, as at a fixed rate; "
        "sampled for all others.\n"
        "Example: watershed size scenarios/risk-cheap-switch.toml --loss 1e-6,1e-9,1e-12 --rate 1kHz:26kHz:51 "
        "--uplinks 1,2 -o size.csv")
        .scenario(*asked, ", trigger.pattern \"poisson\" or \"periodic\"")
        .add("--loss", asked->losses, "Wanted chances that an event is incomplete, with commas", {kShown})
        .add("--rate", asked->rates,
             "Trigger rates: values with commas, FIRST:LAST:COUNT, or FIRST:LAST:COUNT:log [the scenario's]")
        .add("--uplinks", asked->uplinks,
             "Numbers of uplinks, a list [" + std::string(kUsualUplinks) + ", as far as the switch has ports for them]")
        .jobs(asked->jobs)
        .parts()
        .csv("CSV file to write, for watershed plot size; - is standard output")
        .json()
        .answer([=](auto&) { return size_answer(*asked); });
}

}  // namespace watershed
