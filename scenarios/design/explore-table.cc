// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "scenarios/design/explore-advice.h"
#include "scenarios/design/explore-json.h"
#include "scenarios/design/explore-reasons.h"
#include "scenarios/design/explore-ways.h"
#include "scenarios/design/explore-what-if.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// A cell of the CSV.
std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_array()) {
        return listed(value, cell, "; ");
    }
    if (value.is_string()) {
        std::string text = one_line(value);
        std::replace(text.begin(), text.end(), ',', ';');
        return text;
    }
    if (!value.is_number_float()) return value.dump();
    return text_line("%.6g", value.get<double>());
}

std::string number(const Json& value, const char* format, double scale = 1) {
    if (value.is_null()) return "-";
    return text_line(format, value.get<double>() * scale);
}

std::string shown_time(const Json& microseconds) {
    return microseconds.is_null() ? "-" : rounded_microseconds(microseconds.get<double>());
}

/// "3.2e-14", "1e-1439"
std::string short_number(double log10, int digits, Rounded rounded) {
    constexpr double kSmallest = -300;  // that a double can be multiplied
    if (log10 < kSmallest)
        return text_line("1e%.0f", rounded == Rounded::Up ? std::ceil(log10) : std::nearbyint(log10));
    return text_line("%.*e", digits - 1, std::pow(10, rounded_log10(log10, digits, rounded)));
}

std::string shown_risk(const Json& way) {
    const Known risk = risk_of_way(way);
    return risk.is_zero() ? "never" : in_ascii(risk.cell(short_number, 2));
}

std::string shown_burst(const Json& way) {
    if (way["never_loses"] == true) return "no limit";
    if (!way["watershed_beyond"].is_null()) return "> " + way["watershed_beyond"].dump();
    return way["watershed_events"].is_null() ? "-" : way["watershed_events"].dump();
}

/// For people, some lines.
std::string recommendation(const Json& result) {
    const ExploreAdvice advice = advice_on(result);
    std::string text = "Recommended: " + advice.buy + ".\n  " + advice.why + "\n  " + advice.so_good + "\n";
    for (const std::string& line : advice.rests) text += "  It rests on this: " + line + "\n";
    for (const Named& each : advice.named) text += "  " + each.for_what + ": " + each.text + ".\n";
    for (const Json& asked : result.value("what_if", Json::array()))
        text += "  What if, rank " + asked.at("rank").dump() + ": " + what_if_in_words(asked) + ".\n";
    return in_ascii(text);
}

/// Why switches are not among the feasible ways, those of one reason together.
std::string others_as_text(const Json& result) {
    std::map<std::string, std::string> of_reason;
    for (const Json& each : result["switches"])
        if (each["feasible"] == 0) {
            std::string& list = of_reason[each["why"]];
            list += (list.empty() ? "" : ", ") + each["switch"].get<std::string>();
        }
    std::string text;
    const std::string its = "its ways";
    for (const auto& [why, list] : of_reason) {
        const bool several = list.find(',') != std::string::npos && why.compare(0, its.size(), its) == 0;
        text += "  " + list + ": " + (several ? "their ways" + why.substr(its.size()) : why) + '\n';
    }
    return text.empty() ? text : "Switches with no feasible way, and why:\n" + in_ascii(text);
}

/// What is assumed and recalled of the switches in the table; those that share a value stand in one line.
std::string what_is_unstated(const std::vector<Json>& shown, const Json& unstated) {
    std::vector<std::pair<std::string, std::set<std::string>>> lines;  // up to the switch, where that is the last word
    for (const char* list : {"assumed", "recalled"})
        for (const Json& way : shown) {
            if (way["fits"] != "yes" || way["risk"].is_null()) continue;
            for (const std::string line : way[list]) {
                const Json& fields = unstated.at(line);
                const std::string of = fields.at("standing") == "overridden" ? "" : fields.at("model"),
                                  value = line.substr(0, line.size() - of.size());
                auto at =
                    std::find_if(lines.begin(), lines.end(), [&](const auto& other) { return other.first == value; });
                if (at == lines.end()) at = lines.insert(at, {value, {}});
                at->second.insert(of);
            }
        }
    std::string text;
    for (const auto& [value, switches] : lines) {
        text += value + listed(switches) + '\n';
    }
    return text;
}

}  // namespace

std::string ways_as_csv(const Json& ways) {
    std::string text;
    const auto line = [&](const Json& way, const auto& of) {
        std::string separator;
        for (const auto& [name, value] : way.items())
            if (name != "risk_bounds") {
                text += separator + of(name, value);
                separator = ",";
            }
        text += '\n';
    };
    line(ways.front(), [](const std::string& name, const Json&) { return name; });
    for (const Json& way : ways) line(way, [](const std::string&, const Json& value) { return cell(value); });
    return text;
}

std::string ways_as_table(const Json& result, int rows) {
    const Json& ways = result["ways"];
    const bool some = result["feasible"] > 0;
    std::string text = in_ascii(feasible_in_words(result)) + ".\n";
    if (const auto reasons = reasons_of(result); !reasons.empty()) text += "Of the others " + counted(reasons) + ".\n";
    text += some ? recommendation(result) : "No way is feasible. The first of the others, and why:\n";

    std::vector<Json> shown;
    for (const Json& way : ways)
        if (static_cast<int>(shown.size()) < rows && !(some && way["rank"].is_null()) && way["same_as"].is_null())
            shown.push_back(way);
    std::vector<std::vector<std::string>> lines(shown.size() + 1);
    std::vector<bool> to_the_left;
    const auto add = [&](const std::string& head, bool left, const auto& of) {
        to_the_left.push_back(left);
        lines[0].push_back(head);
        for (std::size_t i = 0; i < shown.size(); ++i) lines[i + 1].push_back(of(shown[i]));
    };
    const auto time_of = [](const char* name) { return [name](const Json& way) { return shown_time(way[name]); }; };
    const auto text_of = [](const char* name) { return [name](const Json& way) { return cell(way[name]); }; };
    const auto number_of = [](const char* name, const char* format, double scale = 1) {
        return [=](const Json& way) { return number(way[name], format, scale); };
    };
    add("rank", false, text_of("rank"));
    add("switch", true, text_of("switch"));
    add("count", false, text_of("switches"));
    add("uplinks", false, text_of("uplinks"));
    add("selection", true, [&](const Json& way) { return selections_text(way, ways); });
    if (std::any_of(shown.begin(), shown.end(), [](const Json& way) { return !way["aggregation"].is_null(); }))
        add("second tier", true, text_of("aggregation"));
    add("server", false, text_of("interfaces"));
    add("load", false, number_of("load", "%.1f %%", 100));
    add("capacity", false, number_of("capacity", "%.2f"));
    add("watershed", false, shown_burst);
    add("risk", true, shown_risk);
    if (std::any_of(ways.begin(), ways.end(), [](const Json& way) { return !way["lossless_dead_time_us"].is_null(); }))
        add("dead time", false, time_of("lossless_dead_time_us"));
    add("standing", true, text_of("risk_standing"));
    add("latency", false, time_of("latency_us"));
    add("recovery", false, time_of("recovery_us"));
    if (std::any_of(shown.begin(), shown.end(), [](const Json& way) { return !way["price"].is_null(); }))
        add(result["currency"] == "" ? "price" : "price, " + result["currency"].get<std::string>(), false,
            text_of("price"));
    add("pareto", true, [](const Json& way) { return std::string(way["pareto"] == true ? "*" : ""); });
    const auto rows_of_table = aligned(lines, to_the_left);
    for (std::size_t i = 0; i < rows_of_table.size(); ++i) {
        text += "  " + rows_of_table[i] + '\n';
        if (i == 0 || !shown[i - 1]["rank"].is_null()) continue;
        const std::string remark = shown[i - 1]["remark"], reason = shown[i - 1].value("reason", std::string());
        text += "        " + (remark.empty() ? "such ways " + reason : remark) + '\n';
    }
    text += what_is_unstated(shown, result.at("unstated"));
    if (some) text += others_as_text(result);
    for (const auto& note : result["notes"]) text += note.get<std::string>() + '\n';
    return text;
}

}  // namespace watershed
