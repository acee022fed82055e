// SPDX-License-Identifier: GPL-2.0-only
// The page of `explore`: the switches to buy, and why.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/figures/named-watersheds.h"
#include "plots/figures/topology-figure.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/parts.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore-text.h"
#include "scenarios/design/prices.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kRows = 40;  // rows of the table

std::string time_of(const std::optional<double>& microseconds) {
    return microseconds && std::isfinite(*microseconds) ? readable_seconds(1e-6 * *microseconds, 3) : "–";
}

std::string or_dash(const std::string& text) { return text.empty() ? "–" : text; }

/// "6 × dell-s60"
std::string name_of(const CandidateDesign& stacking) {
    return std::to_string(stacking.switches) + " × " + stacking.model;
}

std::string risk_in_cell(const Known& risk) {
    if (risk.is_zero()) return "never";
    return risk.is_close() ? readable_chance_of_log10(risk.log10_upper(), 2, Rounded::Up)
                           : risk.cell(readable_chance_of_log10, 2);
}

/// "a fragment of 1.024 kB", "3 fragments of 1.4 kB and one of 300 B, with pauses of 10 µs".
std::string fragments_of(const ExploreResult& result) {
    const std::vector<std::int64_t>& bytes = result.fragments_bytes;
    std::string text;
    for (auto first = bytes.begin(); first != bytes.end();) {
        const auto end = std::find_if(first, bytes.end(), [&](std::int64_t each) { return each != *first; });
        const std::string size = " of " + readable_bytes(static_cast<double>(*first));
        text += text.empty() ? "" : end == bytes.end() ? " and " : ", ";
        text += end - first == 1 ? (text.empty() ? "a fragment" : "one")
                                 : std::to_string(end - first) + (text.empty() ? " fragments" : "");
        text += size;
        first = end;
    }
    text += " of payload";
    if (result.gap_us > 0) text += ", with pauses of " + readable_seconds(1e-6 * result.gap_us) + " between them,";
    return text;
}

std::string ways_table(const std::vector<RatedDesign>& ways, const ExploreResult& result) {
    Table table({"rank", "<switches", "<uplinks of each", "<second tier", "server ports", "load", "capacity",
                 "lossless burst", "risk", "dead time", "<standing", "latency", "recovery",
                 "price" + (result.currency.empty() ? "" : ", " + result.currency), "power, W"});
    const auto number = [](const std::optional<double>& value) { return value ? readable(*value, 6) : "–"; };
    for (std::size_t i = 0; i < std::min(ways.size(), kRows); ++i) {
        const RatedDesign& way = ways[i];
        const RatedDesign worst = worst_of_row(way, result.ways);
        const CandidateDesign& of = way.stacking;
        table.add({readable_count(way.rank), name_of(of),
                   std::to_string(of.uplinks) + (of.uplinks == 1 ? "" : " (" + selections_text(way, result.ways) + ")"),
                   or_dash(of.aggregation), std::to_string(of.interfaces()), readable(100 * way.load, 3) + " %",
                   readable(way.capacity, 3), or_dash(boundary_text(way.watershed)), risk_in_cell(worst.risk()),
                   dead_time_text(worst), csv_cell(way, "risk_standing"), time_of(way.latency_us),
                   time_of(way.recovery_us), number(way.price), number(way.power)},
                  way.pareto);
    }
    return table.html();
}

/// All switches that were tried: how many ways of each, and why it is not the one recommended.
std::string switches_table(const ExploreResult& result) {
    Table table({"<switch", "<catalogue", "ways tried", "feasible", "first at rank",
                 "<why it is not the one recommended", "<ways left out, and why"});
    for (const SwitchSummary& each : result.switches)
        table.add({each.name, each.model, readable_count(each.ways), readable_count(each.feasible),
                   each.rank ? readable_count(*each.rank) : "–", each.why, counted(each.out)},
                  each.rank == 1);
    return table.html();
}

const std::string kThese = "these switches";

/// Returns the values of switches that no source states, those of one kind together: "latency unknown, 0 us taken: a,
/// b".
std::vector<std::string> rests_of(const std::vector<RatedDesign>& ways) {
    std::map<std::string, std::set<std::string>> by_kind;
    for (const RatedDesign& way : ways)
        for (const Unstated& each : way.unstated) {
            const std::string& model = each.value.model;
            by_kind[rests_text(each, each.standing == Unstated::Standing::Overridden ? model : kThese)].insert(model);
        }
    std::vector<std::string> lines;
    for (const auto& [words, models] : by_kind) {
        lines.push_back(words);
        const auto these = words.find(kThese);
        if (these == std::string::npos) continue;
        const std::string list = listed(models);
        if (models.size() == 1)
            lines.back().replace(these, kThese.size(), list);
        else
            lines.back() += " They are " + list + ".";
    }
    return lines;
}

/// Describes the first design, or says why there is none.
std::string topology(const ExploreResult& result, const Scratch& scratch) {
    const std::string& scenario_file = result.scenario;
    const DesignRequirements wanted{scenario_file, result.set};
    try {
        for (const std::string& file : result.switch_files) add_catalogue_file(file);
        const CandidateDesign& stacking = result.ways.front().stacking;
        const std::string folder = fs::path(scenario_file).parent_path().string();
        const auto entry = [&](const std::string& model) { return read_catalogue_switch(model, folder); };
        const std::optional<CatalogueSwitch> second =
            stacking.aggregation.empty() ? std::nullopt : std::optional(entry(stacking.aggregation));
        const Scenario scenario = read_camera(wanted, stacking, entry(stacking.model), second ? &*second : nullptr);
        return scratch.drawn(
            "topology",
            "The way recommended, from the modules at the left to the server at the right: how many links of "
            "which rate lead where.",
            [&](const std::string& svg) {
                draw_topology(scenario, Network(scenario), std::nullopt, fs::path(scenario_file).filename().string(),
                              "", svg);
            });
    } catch (const InputError& error) {
        return remark("The topology of the way recommended is not drawn: " + std::string(error.what()));
    }
}

/// Describes the designs that no other beats.
std::string watersheds(const ExploreResult& result, const Scratch& scratch) {
    std::vector<NamedWatershed> found;
    std::set<std::string> drawn;
    std::string without;
    for (const Json& each : result.front) {
        const CandidateDesign& of = result.ways[each.at("rank").get<std::size_t>() - 1].stacking;
        const std::string label =
            of.model + ", " + std::to_string(of.switches) + " x " + std::to_string(of.uplinks) +
            (of.aggregation.empty() ? "" : ", " + of.aggregation + " to " + std::to_string(of.server_interfaces));
        if (const Json why = each.value("no_watershed", Json()); !why.is_null())
            without +=
                "The watershed of rank " + each.at("rank").dump() + " is not drawn: " + why.get<std::string>() + ". ";
        else if (drawn.insert(label).second)
            found.push_back({label, label, each.at("watershed")});
    }
    if (!without.empty()) without = remark(without);
    if (std::none_of(found.begin(), found.end(), [](const NamedWatershed& each) { return has_line(each.points); }))
        return without;
    return without +
           scratch.drawn("watersheds",
                         "How long a burst the switches of the best ways bear, against the separation of its events: "
                         "switches x uplinks of each. Higher is better; a line ends where its uplinks keep up with any "
                         "burst.",
                         [&](const std::string& svg) {
                             draw_named_watersheds(found, {{}, svg, "", {}}, "watershed explore");
                         });
}

std::string advice(const ExploreResult& result, const Scratch& scratch) {
    const ExploreAdvice advice = advice_on(result);
    std::string html =
        answer("Buy " + advice.buy + ".") + paragraph("Why this one? " + advice.why) + paragraph(advice.so_good);
    if (!advice.rests.empty()) html += paragraph("This rests on:") + list_of(advice.rests);
    Table named({"<of all feasible ways", "<is"});
    for (const Named& each : advice.named) named.add({each.for_what, each.text});
    return html + named.html() + topology(result, scratch);
}

std::string first_part(const std::string& text) { return text.substr(0, text.find(';')); }

/// Returns the table of what each design named above becomes if something is other than planned, a column each.
std::string what_if(const ExploreResult& result) {
    const Json& all = result.what_if;
    if (all.empty()) return "";
    std::vector<std::string> heads{"<if"}, questions;
    std::vector<std::map<std::string, std::string>> answers;
    std::vector<std::string> margins;
    for (const Json& asked : all) {
        heads.push_back("<rank " + asked.at("rank").dump() + ": " +
                        name_of(result.ways.at(asked.at("rank").get<std::size_t>() - 1).stacking));
        auto& of_way = answers.emplace_back();
        for (const Json& row : asked.at("rows")) {
            const std::string question = row.at("what_if"), verdict = row.at("verdict");
            if (std::find(questions.begin(), questions.end(), question) == questions.end())
                questions.push_back(question);
            of_way[question] = verdict + (row.contains("risk")  ? ", " + risk_in_words(row.at("risk"))
                                          : row.contains("why") ? ": " + first_part(row.at("why"))
                                                                : "");
        }
    }
    Table table(heads);
    for (const std::string& question : questions) {
        std::vector<std::string> cells{question};
        for (const auto& of_way : answers) cells.push_back(of_way.count(question) ? of_way.at(question) : "–");
        table.add(cells);
    }
    const auto row_of = [&](const std::string& head, const char* name) {
        std::vector<std::string> cells{head};
        for (const Json& asked : all)
            cells.push_back(
                asked.at("margins").is_null()
                    ? "–"
                    : (asked.at("margins").value(name + std::string("_at_least"), false) ? "more than " : "") +
                          asked.at("margins").at(name).dump() + " %");
        table.add(cells);
    };
    row_of("trigger rate that it bears, of that asked", "rate_percent");
    row_of("memory that suffices, of its own", "memory_percent");
    return smaller_heading("What if?") +
           paragraph(
               "Holds: certainly no more events are lost than wanted. Breaks: certainly more. Open: neither is "
               "certain. Refused: it cannot be built so.") +
           table.html();
}

/// Returns the price of the recommended design, item by item.
std::string bill(const ExploreResult& result) {
    const Json& rows = result.bill;
    if (rows.empty()) return "";
    const std::string in = result.currency.empty() ? "" : ", " + result.currency;
    const auto item = [&](const std::string& what) {
        return what == kUplinkPriced      ? "links behind switches"
               : what == kInterfacePriced ? "interfaces of the server"
                                          : switch_text(what, result);
    };
    Table table({"<item", "number", "each" + in, "together" + in});
    double sum = 0;
    for (const Json& row : rows) {
        const double all = row.at("number").get<double>() * row.at("each").get<double>();
        sum += all;
        table.add({item(row.at("what")), readable_count(row.at("number").get<std::int64_t>()),
                   readable(row.at("each").get<double>(), 6), readable(all, 6)});
    }
    table.add({"in all", "", "", readable(sum, 6)}, true);
    return smaller_heading("The bill of the way recommended") + table.html();
}

/// Values that nobody states, as questions.
std::string what_to_ask(const ExploreResult& result) {
    std::vector<std::string> questions;
    for (const Unstated& each : in_order(result.ways.front().unstated)) {
        const std::string question = question_to_maker(each);
        if (!question.empty() && std::find(questions.begin(), questions.end(), question) == questions.end())
            questions.push_back(question);
    }
    return questions.empty() ? "" : smaller_heading("What to ask the maker") + list_of(questions);
}

}  // namespace

std::string explored_page(const Json& document, const std::string& file) {
    const ExploreResult result = explore_result_of(document, file);
    const std::vector<RatedDesign>& ways = result.ways;
    const std::int64_t feasible_ways = result.feasible();
    const Scratch scratch;
    std::string html =
        heading("Which switches to buy?") +
        paragraph("Asked: which switches read out " + readable_count(result.modules) +
                  (result.groups.empty() ? " modules, each of which sends " + fragments_of(result) + " for each event"
                                         : " modules of the groups " + listed(result.groups)) +
                  ", at " + rate_text(result) + " of " + triggers_text(result) + ", so that " +
                  (result.loss == 0
                       ? "no event is lost" + guaranteed_trains(result)
                       : "no more than " + readable_chance(result.loss, 3) + " of the events are incomplete") +
                  "? (" + about(document) + ")");
    html += feasible_ways > 0 ? advice(result, scratch) : answer("None that was tried. The tables below say why.");

    for (const std::string& note : result.notes) html += paragraph(note);
    html += smaller_heading("The ways that lose few enough") +
            paragraph(feasible_in_words(result) +
                      ". Ways that hardly differ stand in one row. A bar at the left marks a way that no other beats: "
                      "none is better in cost, server ports, uplinks or risk and no worse in the others.");
    std::vector<RatedDesign> feasible, rows;
    for (const RatedDesign& way : ways)
        if (way.rank > 0) {
            feasible.push_back(way);
            if (way.same_as == 0) rows.push_back(way);
        }
    if (!rows.empty()) html += ways_table(rows, result);
    if (rows.size() > kRows)
        html += remark("The first " + std::to_string(kRows) + " of " +
                       readable_count(static_cast<std::int64_t>(rows.size())) + " rows; the others are in " +
                       fs::path(file).filename().string() + ".");
    html += remark(
        "Load: that of the busiest link behind a switch. Capacity: how many times as many events all "
        "links could carry. Lossless burst: events " +
        readable(result.separation_us, 6) +
        " µs apart. Latency: mean, without the switches' own. Recovery: from a full memory to an empty one. "
        "Risk: after ≤ an upper bound, which may be far above it. Dead time: the shortest with which no sequence of "
        "triggers loses a frame. Standing: what it rests on. Known: calculated "
        "between bounds; bounded: certainly no more; sampled: simulated; "
        "assumed, recalled: one of these, provided that values which no document states are right.");
    if (feasible_ways > 0) html += bill(result) + what_if(result) + what_to_ask(result);
    html += smaller_heading("Why not another switch?") + switches_table(result);
    if (const Reasons reasons = result.reasons(); !reasons.empty() && result.switches.size() > 1)
        html += paragraph("In all, of the ways that are not feasible " + counted(reasons) + ".");
    if (!feasible.empty()) html += watersheds(result, scratch);
    const bool some_risk =
        std::any_of(ways.begin(), ways.end(), [](const RatedDesign& way) { return way.log_risk.has_value(); });
    html += picture("pareto",
                    "Each way whose risk is known: cost to the right; the lower, the smaller the risk. Diamonds are "
                    "those that no other beats; in the grey part all risks count as equal, so that only the place "
                    "from left to right matters.",
                    draw_pareto, [=](const Json&) { return some_risk; })(document, file);
    if (const auto rests = rests_of(feasible); !rests.empty())
        html += smaller_heading("What nobody states of these switches") + list_of(rests);
    return html;
}

}  // namespace watershed
