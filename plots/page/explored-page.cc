// SPDX-License-Identifier: GPL-2.0-only
// Which switches to buy, and why.
#include <algorithm>
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
#include "scenarios/design/explore-advice.h"
#include "scenarios/design/explore-json.h"
#include "scenarios/design/explore-prices.h"
#include "scenarios/design/explore-reasons.h"
#include "scenarios/design/explore-ways.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kRows = 40;  // rows of the table

std::string count_of(const Json& value) { return value.is_null() ? "–" : readable_count(value.get<std::int64_t>()); }

std::string time_of(const Json& microseconds) {
    return microseconds.is_null() ? "–" : readable_seconds(1e-6 * microseconds.get<double>(), 3);
}

std::string risk_of(const Json& way) {
    if (way.at("risk").is_null()) return "unknown";
    if (way.at("log10_risk").is_null()) return "never";
    return (way.at("risk_kind") == "bound" ? "≤ " : "") +
           readable_chance_of_log10(way.at("log10_risk"), 2, Rounded::Up) +
           (way.at("risk_kind") == "sampled" ? ", sampled" : "");
}

std::string burst_of(const Json& way) {
    if (way.at("never_loses") == true) return "no limit";
    if (!way.at("watershed_beyond").is_null()) return "> " + count_of(way.at("watershed_beyond"));
    return count_of(way.at("watershed_events"));
}

/// "a fragment of 1.024 kB", "3 fragments of 1.4 kB and one of 300 B, with pauses of 10 µs".
std::string fragments_of(const Json& result) {
    const auto bytes = result.at("fragments_bytes").get<std::vector<double>>();
    std::string text;
    for (auto first = bytes.begin(); first != bytes.end();) {
        const auto end = std::find_if(first, bytes.end(), [&](double each) { return each != *first; });
        const std::string size = " of " + readable_bytes(*first);
        text += text.empty() ? "" : end == bytes.end() ? " and " : ", ";
        text += end - first == 1 ? (text.empty() ? "a fragment" : "one")
                                 : std::to_string(end - first) + (text.empty() ? " fragments" : "");
        text += size;
        first = end;
    }
    text += " of payload";
    if (const double gap = result.at("gap_us"); gap > 0)
        text += ", with pauses of " + readable_seconds(1e-6 * gap) + " between them,";
    return text;
}

std::string ways_table(const std::vector<Json>& ways, const Json& result) {
    const std::string currency = result.value("currency", "");
    Table table({"rank", "<switches", "<uplinks of each", "<second tier", "server ports", "load", "capacity",
                 "lossless burst", "risk", "<standing", "latency", "recovery",
                 "price" + (currency.empty() ? "" : ", " + currency), "power, W"});
    for (std::size_t i = 0; i < std::min(ways.size(), kRows); ++i) {
        const Json& way = ways[i];
        const auto number = [&](const char* name) {
            return way.at(name).is_null() ? std::string("–") : readable(way.at(name).get<double>(), 6);
        };
        const bool one = way.at("uplinks") == 1;
        table.add({count_of(way.at("rank")), way.at("switches").dump() + " × " + way.at("switch").get<std::string>(),
                   way.at("uplinks").dump() + (one ? "" : " (" + selections_text(way, result.at("ways")) + ")"),
                   way.at("aggregation").is_null() ? "–" : way.at("aggregation").get<std::string>(),
                   way.at("interfaces").dump(), readable(100 * way.at("load").get<double>(), 3) + " %",
                   readable(way.at("capacity").get<double>(), 3), burst_of(way), risk_of(way), way.at("risk_standing"),
                   time_of(way.at("latency_us")), time_of(way.at("recovery_us")), number("price"), number("power")},
                  way.at("pareto") == true);
    }
    return table.html();
}

/// All switches that were tried: how many ways of each, and why it is not the one recommended.
std::string switches_table(const Json& result) {
    Table table({"<switch", "<catalogue", "ways tried", "feasible", "first at rank",
                 "<why it is not the one recommended", "<ways left out, and why"});
    for (const Json& each : result.at("switches")) {
        Reasons reasons;
        for (const auto& [reason, count] : each.at("out").items()) reasons[reason] = count;
        table.add({each.at("name"), each.at("switch"), count_of(each.at("ways")), count_of(each.at("feasible")),
                   count_of(each.at("rank")), each.at("why"), counted(reasons)},
                  each.at("rank") == 1);
    }
    return table.html();
}

const std::string kThese = "these switches";

/// What nobody states of switches, values of one kind together: "latency unknown, 0 us taken: a, b".
std::vector<std::string> rests_of(const std::vector<Json>& ways, const Json& unstated) {
    std::map<std::string, std::set<std::string>> by_kind;
    for (const char* list : {"assumed", "recalled"})
        for (const Json& way : ways)
            for (const std::string line : way.at(list)) {
                const Json& fields = unstated.at(line);
                const std::string model = fields.at("model");
                by_kind[rests_text(fields, fields.at("standing") == "overridden" ? model : kThese)].insert(model);
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

/// Of the first way, or why there is none.
std::string topology(const Json& result, const Scratch& scratch) {
    const Json& way = result.at("ways")[0];
    const std::string scenario_file = result.at("scenario");
    const Wanted wanted{scenario_file, result.value("set", std::vector<std::string>{})};
    try {
        for (const std::string file : result.value("switch_files", Json::array())) add_catalogue_file(file);
        const Stacking stacking = stacking_of(way, result.at("modules"));
        const std::string folder = fs::path(scenario_file).parent_path().string();
        const auto entry = [&](const std::string& model) {
            return read_catalogue_switch(model, folder.empty() ? "." : folder);
        };
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

/// Of the ways that no other beats.
std::string watersheds(const Json& result, const Scratch& scratch) {
    std::vector<NamedWatershed> found;
    std::set<std::string> drawn;
    std::string without;
    for (const Json& each : result.value("front", Json::array())) {
        const Json& way = result.at("ways")[each.at("rank").get<std::size_t>() - 1];
        const bool tiers = !way.at("aggregation").is_null();
        const std::string label =
            way.at("switch").get<std::string>() + ", " + way.at("switches").dump() + " x " + way.at("uplinks").dump() +
            (tiers ? ", " + way.at("aggregation").get<std::string>() + " to " + way.at("interfaces").dump() : "");
        if (const Json why = each.value("no_watershed", Json()); !why.is_null())
            without +=
                "The watershed of rank " + each.at("rank").dump() + " is not drawn: " + why.get<std::string>() + ". ";
        else if (drawn.insert(label).second)
            found.push_back({label, label, each.at("watershed")});
    }
    if (!without.empty()) without = remark(without);
    try {
        return without +
               scratch.drawn(
                   "watersheds",
                   "How long a burst the switches of the best ways bear, against the separation of its events: "
                   "switches x uplinks of each. Higher is better; a line ends where its uplinks keep up with any "
                   "burst.",
                   [&](const std::string& svg) {
                       draw_named_watersheds(found, {{}, svg, "", {}}, "watershed explore");
                   });
    } catch (const InputError&) {  // none of them loses anything
        return without;
    }
}

std::string advice(const Json& result, const Scratch& scratch) {
    const ExploreAdvice advice = advice_on(result);
    std::string html =
        answer("Buy " + advice.buy + ".") + paragraph("Why this one? " + advice.why) + paragraph(advice.so_good);
    if (!advice.rests.empty()) html += paragraph("This rests on:") + list_of(advice.rests);
    Table named({"<of all feasible ways", "<is"});
    for (const Named& each : advice.named) named.add({each.for_what, each.text});
    return html + named.html() + topology(result, scratch);
}

std::string first_part(const std::string& text) { return text.substr(0, text.find(';')); }

/// What becomes of the ways named above if something is other than planned, a column each.
std::string what_if(const Json& result) {
    const Json all = result.value("what_if", Json::array());
    if (all.empty()) return "";
    std::vector<std::string> heads{"<if"}, questions;
    std::vector<std::map<std::string, std::string>> answers;
    std::vector<std::string> margins;
    for (const Json& asked : all) {
        const Json& way = result.at("ways")[asked.at("rank").get<std::size_t>() - 1];
        heads.push_back("<rank " + asked.at("rank").dump() + ": " + way.at("switches").dump() + " × " +
                        way.at("switch").get<std::string>());
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
            cells.push_back(asked.at("margins").is_null() ? "–" : asked.at("margins").at(name).dump() + " %");
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

/// What the way recommended costs, item by item.
std::string bill(const Json& result) {
    const Json rows = result.value("bill", Json::array());
    if (rows.empty()) return "";
    const std::string currency = result.value("currency", ""), in = currency.empty() ? "" : ", " + currency;
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
        table.add({item(row.at("what")), count_of(row.at("number")), readable(row.at("each").get<double>(), 6),
                   readable(all, 6)});
    }
    table.add({"in all", "", "", readable(sum, 6)}, true);
    return smaller_heading("The bill of the way recommended") + table.html();
}

/// Values that nobody states, as questions.
std::string what_to_ask(const Json& result) {
    std::vector<std::string> questions;
    const Json& way = result.at("ways")[0];
    for (const char* list : {"assumed", "recalled"})
        for (const std::string line : way.at(list)) {
            const std::string question = question_to_maker(result.at("unstated").at(line));
            if (!question.empty() && std::find(questions.begin(), questions.end(), question) == questions.end())
                questions.push_back(question);
        }
    return questions.empty() ? "" : smaller_heading("What to ask the maker") + list_of(questions);
}

}  // namespace

std::string explored_page(const Json& result, const std::string& file) {
    const auto& ways = result.at("ways");
    const auto feasible_ways = result.at("feasible").get<std::int64_t>();
    const Scratch scratch;
    std::string html =
        heading("Which switches to buy?") +
        paragraph("Asked: which switches read out " + count_of(result.at("modules")) +
                  " modules, each of which sends " + fragments_of(result) + " for each event, at " + rate_text(result) +
                  " of random triggers with " + result.at("dead_time").get<std::string>() + " of dead time, so that " +
                  (result.at("loss") == 0.0 ? "no sequence of them loses an event"
                                            : "no more than " + readable_chance(result.at("loss").get<double>(), 3) +
                                                  " of the events are incomplete") +
                  "? (" + about(result) + ")");
    html += feasible_ways > 0 ? advice(result, scratch) : answer("None that was tried. The tables below say why.");

    for (const Json& note : result.at("notes")) html += paragraph(note);
    html += smaller_heading("The ways that lose few enough") +
            paragraph(feasible_in_words(result) +
                      ". Ways that hardly differ stand in one row. A bar at the left marks a way that no other beats: "
                      "none is better in cost, server ports, uplinks or risk and no worse in the others.");
    std::vector<Json> feasible, rows;
    for (const Json& way : ways)
        if (!way.at("rank").is_null()) {
            feasible.push_back(way);
            if (way.at("same_as").is_null()) rows.push_back(way);
        }
    if (!rows.empty()) html += ways_table(rows, result);
    if (rows.size() > kRows)
        html += remark("The first " + std::to_string(kRows) + " of " + count_of(rows.size()) +
                       " rows; the others are in " + fs::path(file).filename().string() + ".");
    html += remark(
        "Load: that of the busiest link behind a switch. Capacity: how many times as many events all "
        "links could carry. Lossless burst: events " +
        readable(result.at("separation_us").get<double>(), 6) +
        " µs apart. Latency: mean, without the switches' own. Recovery: from a full memory to an empty one. "
        "Risk: after ≤ an upper bound, which may be far above it. Standing: what it rests on. Known: calculated "
        "between bounds; bounded: certainly no more; sampled: simulated; "
        "assumed, recalled: one of these, provided that values which no document states are right.");
    if (feasible_ways > 0) html += bill(result) + what_if(result) + what_to_ask(result);
    html += smaller_heading("Why not another switch?") + switches_table(result);
    if (const auto reasons = reasons_of(result); !reasons.empty() && result.at("switches").size() > 1)
        html += paragraph("In all, of the ways that are not feasible " + counted(reasons) + ".");
    if (!feasible.empty()) html += watersheds(result, scratch);
    const bool some_risk =
        std::any_of(ways.begin(), ways.end(), [](const Json& way) { return !way.at("risk").is_null(); });
    html += picture("pareto",
                    "Each way whose risk is known: cost to the right; the lower, the smaller the risk. Diamonds are "
                    "those that no other beats; in the grey part all risks count as equal, so that only the place "
                    "from left to right matters.",
                    draw_pareto, [=](const Json&) { return some_risk; })(result, file);
    if (const auto rests = rests_of(feasible, result.at("unstated")); !rests.empty())
        html += smaller_heading("What nobody states of these switches") + list_of(rests);
    return html;
}

}  // namespace watershed
