// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/explored-page.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/figures/topology-figure.h"
#include "plots/page/html.h"
#include "scenarios/design/explore-report.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A folder for figures that goes away with this object.
class Scratch {
  public:
    Scratch() : folder_((fs::temp_directory_path() / "watershed-report-XXXXXX").string()) {
        if (!mkdtemp(folder_.data()))
            throw std::runtime_error("no folder for the figures can be made in " + fs::temp_directory_path().string());
    }
    ~Scratch() {
        std::error_code nothing_to_be_done;
        fs::remove_all(folder_, nothing_to_be_done);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string path(const std::string& name) const { return (fs::path(folder_) / name).string(); }

  private:
    std::string folder_;
};

std::string risk_of(const Json& way) {
    if (way["risk"].is_null()) return "unknown";
    if (way["log10_risk"].is_null()) return "never";
    if (way["risk"] == 0.0) return "10<sup>" + number(way["log10_risk"], "%.0f") + "</sup>";
    return number(way["risk"], "%.1e");
}

std::string burst_of(const Json& way) {
    if (way["never_loses"] == true) return "no limit";
    if (!way["watershed_beyond"].is_null()) return "&gt; " + way["watershed_beyond"].dump();
    return number(way["watershed_events"], "%.0f");
}

std::string text_of(const Json& value) {
    return value.is_null() ? "–" : value.is_string() ? escaped(value) : value.dump();
}

std::string time_of(const Json& microseconds) {
    if (microseconds.is_null()) return "–";
    std::string text = rounded_microseconds(microseconds.get<double>());
    if (const auto micro = text.find("us"); micro != std::string::npos) text.replace(micro, 1, "µ");
    return text;
}

constexpr std::size_t kMost = 40;  // rows of the table

std::string table_of(const std::vector<Json>& ways) {
    struct Column {
        const char* head;
        bool is_text;
        std::string (*cell)(const Json& way);
    };
    static const std::vector<Column> columns{
        {"rank", false, [](const Json& way) { return text_of(way["rank"]); }},
        {"switch", true, [](const Json& way) { return text_of(way["switch"]); }},
        {"switches", false, [](const Json& way) { return text_of(way["switches"]); }},
        {"uplinks each", false, [](const Json& way) { return text_of(way["uplinks"]); }},
        {"selection", true, [](const Json& way) { return text_of(way["selection"]); }},
        {"second tier", true, [](const Json& way) { return text_of(way["aggregation"]); }},
        {"server ports", false, [](const Json& way) { return text_of(way["interfaces"]); }},
        {"load", false, [](const Json& way) { return number(way["load"], "%.1f %%", 100); }},
        {"margin", false, [](const Json& way) { return number(way["margin"], "%.2f"); }},
        {"lossless burst", false, burst_of},
        {"risk, at most", false, risk_of},
        {"standing", true, [](const Json& way) { return text_of(way["risk_standing"]); }},
        {"latency", false, [](const Json& way) { return time_of(way["latency_us"]); }},
        {"recovery", false, [](const Json& way) { return time_of(way["recovery_us"]); }},
        {"price", false, [](const Json& way) { return number(way["price"], "%.6g"); }},
        {"power", false, [](const Json& way) { return number(way["power"], "%.6g"); }},
    };
    std::vector<Column> told;  // a column of dashes tells nothing
    for (const Column& column : columns)
        if (std::any_of(ways.begin(), ways.end(), [&](const Json& way) { return column.cell(way) != "–"; }))
            told.push_back(column);
    std::string html = "<div class=\"scroll\"><table>\n<tr>";
    for (const Column& column : told)
        html += std::string(column.is_text ? "<th class=\"text\">" : "<th>") + column.head + "</th>";
    html += "</tr>\n";
    for (std::size_t i = 0; i < std::min(ways.size(), kMost); ++i) {
        html += ways[i]["pareto"] == true ? "<tr class=\"front\">" : "<tr>";
        for (const Column& column : told)
            html += std::string(column.is_text ? "<td class=\"text\">" : "<td>") + column.cell(ways[i]) + "</td>";
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

/// Of the first way, or why there is none.
std::string topology(const Json& result, const Scratch& scratch) {
    const Json& way = result["ways"][0];
    const std::string scenario_file = result["scenario"];
    const Wanted wanted{scenario_file, result.value("set", std::vector<std::string>{})};
    try {
        const Stacking stacking = stacking_of(way, result["modules"]);
        const std::string folder = fs::path(scenario_file).parent_path().string();
        const auto entry = [&](const std::string& model) {
            return read_catalogue_switch(model, folder.empty() ? "." : folder);
        };
        const std::optional<CatalogueSwitch> second =
            stacking.aggregation.empty() ? std::nullopt : std::optional(entry(stacking.aggregation));
        const Scenario scenario = read_camera(wanted, stacking, entry(stacking.model), second ? &*second : nullptr);
        const std::string file = scratch.path("topology.svg");
        draw_topology(scenario, Network(scenario), std::nullopt, fs::path(scenario_file).filename().string(), "", file);
        return figure(svg_element(contents(file), file), "The way that is ranked first.");
    } catch (const InputError& error) {
        return "<p class=\"quiet\">The first way's topology is not drawn: " + escaped(error.what()) + "</p>\n";
    }
}

/// Of the ways that no other beats.
std::string watersheds(const Json& result, const Scratch& scratch) {
    std::vector<std::string> files, labels;
    std::set<std::string> drawn;
    for (const Json& each : result.value("front", Json::array())) {
        const Json& way = result["ways"][each["rank"].get<std::size_t>() - 1];
        // A second tier changes nothing in the first, whose watershed this is.
        const std::string label =
            way["switch"].get<std::string>() + ", " + way["switches"].dump() + " x " + way["uplinks"].dump();
        const auto last = std::find_if(each["watershed"].begin(), each["watershed"].end(),
                                       [](const Json& point) { return !point[1].is_null(); });
        if (last == each["watershed"].end() || !drawn.insert(label).second) continue;
        files.push_back(scratch.path("way-" + each["rank"].dump() + ".csv"));
        labels.push_back(label);
        std::ofstream out(files.back());
        out << "separation_us,events_lossless\n";
        for (const Json& point : each["watershed"])
            out << point[0].dump() << ',' << (point[1].is_null() ? "" : point[1].dump()) << '\n';
        if (!out.flush()) throw std::runtime_error(files.back() + ": cannot be written");
    }
    if (files.empty()) return "";
    const std::string file = scratch.path("watersheds.svg");
    WatershedLook look;
    look.log_events = true;
    draw_watershed({files, file, "", labels}, look);
    return figure(svg_element(contents(file), file),
                  "Watersheds of the first tier in the ways that no other beats in all respects: switches x uplinks of "
                  "each. A second "
                  "tier is not in it.");
}

}  // namespace

std::string explored_page(const Json& result, const std::string& file) {
    const auto& ways = result["ways"];
    const std::int64_t resting = resting_ways(ways);
    std::ostringstream html;
    html << "<h2>What was asked</h2>\n<p>Which switches read out " << result["modules"] << " modules at "
         << escaped(result["rate"]) << " with fragments of " << result["payload_bytes"] << " B, so that at most "
         << number(result["loss"], "%.3g") << " of the events are incomplete?</p>\n<h2>Ways that do</h2>\n<p>"
         << result["feasible"].get<std::int64_t>() - resting << " of " << ways.size()
         << " ways are known to fit and to lose few enough"
         << (resting > 0
                 ? ", " + std::to_string(resting) + " more do if the assumed and recalled values of their switches hold"
                 : "")
         << ". A bar at the left marks those that no other beats in all respects.</p>\n";
    std::vector<Json> feasible;
    for (const Json& way : ways)
        if (!way["rank"].is_null()) feasible.push_back(way);
    if (!feasible.empty()) html << table_of(feasible);
    if (feasible.size() > kMost)
        html << "<p class=\"quiet\">The first " << kMost << "; the others are in "
             << escaped(fs::path(file).filename().string()) << ".</p>\n";
    html << "<p class=\"quiet\">Lossless burst: events " << number(result["separation_us"], "%.6g")
         << " µs apart. Margin: the rate that fills an uplink over the wanted one. Latency: mean, without the "
            "switches' own. "
            "Recovery: until a full memory is empty again. Standing: known: calculated between bounds; bounded: "
            "certainly no more; assumed, recalled: as either, if values of the switches hold that "
            "nobody states.</p>\n";
    if (const auto reasons = reasons_of(ways); !reasons.empty())
        html << "<p>Of the others " << counted(reasons) << ".</p>\n";
    std::set<std::string> told;
    for (const char* list : {"assumed", "recalled"})
        for (const Json& way : feasible)
            for (const auto& line : way[list]) told.insert(line.get<std::string>());
    for (const std::string& line : told) html << "<p class=\"quiet\">" << escaped(line) << "</p>\n";
    for (const auto& note : result["notes"]) html << "<p>" << escaped(note) << "</p>\n";
    const Scratch scratch;
    if (!feasible.empty()) html << topology(result, scratch) << watersheds(result, scratch);
    if (std::any_of(ways.begin(), ways.end(), [](const Json& way) { return !way["risk"].is_null(); })) {
        const std::string pareto = scratch.path("pareto.svg");
        draw_pareto({{file}, pareto, "", {}});
        html << figure(svg_element(contents(pareto), pareto),
                       "Each way whose risk is known, and those that no other beats in all respects.");
    }
    return html.str();
}

}  // namespace watershed
