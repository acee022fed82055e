// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-report.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "scenarios/design/explore-advice.h"
#include "scenarios/design/explore-ways.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* name_of(Explored::Standing standing) {
    switch (standing) {
        case Explored::Standing::Known: return "known";
        case Explored::Standing::Bounded: return "bounded";
        case Explored::Standing::Recalled: return "recalled";
        case Explored::Standing::Assumed: return "assumed";
        case Explored::Standing::Unknown: break;
    }
    return "unknown";
}

const char* name_of(Explored::Fit fit) {
    return fit == Explored::Fit::Yes ? "yes" : fit == Explored::Fit::No ? "no" : "unknown";
}

/// A cell of the CSV.
std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_array()) {
        std::string text;
        for (const auto& each : value) text += (text.empty() ? "" : "; ") + cell(each);
        return text;
    }
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

std::string number(const Json& value, const char* format, double scale = 1) {
    if (value.is_null()) return "-";
    char text[40];
    std::snprintf(text, sizeof text, format, value.get<double>() * scale);
    return text;
}

std::string shown_time(const Json& microseconds) {
    return microseconds.is_null() ? "-" : rounded_microseconds(microseconds.get<double>());
}

std::string shown_risk(const Json& way) {
    if (way["risk"].is_null()) return "unknown";
    if (way["log10_risk"].is_null()) return "never";
    if (way["risk"] == 0.0) return "1e" + number(way["log10_risk"], "%.0f");
    return number(way["risk"], "%.1e");
}

std::string shown_burst(const Json& way) {
    if (way["never_loses"] == true) return "no limit";
    if (!way["watershed_beyond"].is_null()) return "> " + way["watershed_beyond"].dump();
    return way["watershed_events"].is_null() ? "-" : way["watershed_events"].dump();
}

struct Column {
    std::string head;
    bool left;
    std::vector<std::string> cells;
};

std::string aligned(const std::vector<Column>& columns, const std::vector<std::string>& remarks) {
    std::string text;
    const auto line = [&](const auto& of) {
        for (const Column& column : columns) {
            std::size_t width = column.head.size();
            for (const std::string& each : column.cells) width = std::max(width, each.size());
            const std::string& shown = of(column);
            const std::string space(width - shown.size(), ' ');
            text += "  " + (column.left ? shown + space : space + shown);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    };
    line([](const Column& column) -> const std::string& { return column.head; });
    for (std::size_t i = 0; i < remarks.size(); ++i) {
        line([i](const Column& column) -> const std::string& { return column.cells[i]; });
        if (!remarks[i].empty()) text += "        " + remarks[i] + '\n';
    }
    return text;
}

/// For people, some lines.
std::string recommendation(const Json& result) {
    const ExploreAdvice advice = advice_on(result);
    std::string text = "Recommended: " + advice.buy + ".\n  " + advice.why + "\n  " + advice.so_good + "\n";
    for (const std::string& line : advice.rests) text += "  It rests on this: " + line + "\n";
    for (const Named& each : advice.named) text += "  " + each.for_what + ": " + each.text + ".\n";
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
    for (const auto& [why, list] : of_reason) text += "  " + list + ": " + why + '\n';
    return text.empty() ? text : "Switches with no feasible way, and why:\n" + in_ascii(text);
}

/// What sets a way behind the first one: the first in which it is worse of what ways are ranked by.
std::string behind_first(const Json& way, const Json& first, bool priced) {
    const auto switches = [](const Json& of) {
        return of["switches"].get<int>() + (of["aggregation"].is_null() ? 0 : 1);
    };
    const auto more = [](const std::string& what, const std::string& here, const std::string& there) {
        return what + ": " + here + " against " + there;
    };
    if (priced && way["price"] != first["price"])
        return more("costs more", readable(way["price"], 6), readable(first["price"], 6));
    if (!priced && switches(way) != switches(first))
        return more("needs more switches", std::to_string(switches(way)), std::to_string(switches(first)));
    if (way["interfaces"] != first["interfaces"])
        return more("needs more interfaces of the server", way["interfaces"].dump(), first["interfaces"].dump());
    if (switches(way) != switches(first))
        return more("needs more switches", std::to_string(switches(way)), std::to_string(switches(first)));
    const auto risk = [](const Json& of) {
        return of["log10_risk"].is_null() ? "0" : readable_chance_of_log10(of["log10_risk"], 2);
    };
    if (way["log10_risk"] != first["log10_risk"]) return more("may lose more", risk(way), risk(first));
    return "is as good as the first in all that ways are ranked by";
}

}  // namespace

Json recommended(const Json& ways) {
    if (ways.empty() || ways.front()["rank"].is_null()) return nullptr;
    Json ranks{{"first", ways.front()["rank"]}};
    for (const char* which : {"sure", "cheapest", "safest", "fastest"}) ranks[which] = nullptr;
    double lowest_price = INFINITY, lowest_risk = INFINITY, lowest_latency = INFINITY;
    const auto take = [&](const char* which, double value, double& lowest, const Json& way) {
        if (value < lowest) ranks[which] = way["rank"], lowest = value;
    };
    for (const Json& way : ways) {
        if (way["rank"].is_null()) continue;
        const auto standing = way["risk_standing"].get<std::string>();
        if (ranks["sure"].is_null() && (standing == "known" || standing == "bounded")) ranks["sure"] = way["rank"];
        if (!way["price"].is_null()) take("cheapest", way["price"], lowest_price, way);
        // Without a logarithm it never loses: below all numbers.
        if (!way["risk"].is_null())
            take("safest", way["log10_risk"].is_null() ? -INFINITY : way["log10_risk"].get<double>(), lowest_risk, way);
        if (!way["latency_us"].is_null()) take("fastest", way["latency_us"], lowest_latency, way);
    }
    return ranks;
}

std::string reason_of(const Explored& way, double loss) {
    const bool costs_too_much = !way.beyond.empty() && way.beyond.rfind("have no known", 0) != 0;
    if (way.fits == Explored::Fit::No) return "do not have the ports";
    if (way.link_load >= 1) return "have modules that send more than their links carry";
    if (way.load >= 1) return "cannot carry the rate";
    if (way.refuted) return "lost too many events when simulated";
    if (way.log_risk && way.log_risk->lower > std::log(loss)) return "lose too many events";
    if (costs_too_much) return way.beyond;
    if (way.fits == Explored::Fit::Unknown) return "may have the ports: that is unknown";
    if (!way.log_risk) return way.obstacle;
    if (way.log_risk->upper > std::log(loss))
        return "are not known to lose few enough: the bound that is known is too high";
    return way.beyond;
}

Json switches_of(const Json& ways, const std::map<std::string, std::map<std::string, std::int64_t>>& left_out_of,
                 const std::map<std::string, std::string>& names) {
    struct OfSwitch {
        std::int64_t ways = 0, feasible = 0;
        const Json *first = nullptr, *nearest = nullptr;
        std::map<std::string, std::int64_t> reasons;
    };
    std::map<std::string, OfSwitch> all;
    const bool priced = std::all_of(ways.begin(), ways.end(),
                                    [](const Json& way) { return way["rank"].is_null() || !way["price"].is_null(); });
    // How far a way is from feasible: ports, knowledge, risk; of those alike the first, which needs the least.
    const auto distance = [](const Json& way) {
        return std::tuple(way["fits"] == "no", way["fits"] == "unknown", way["risk"].is_null(),
                          way["log10_risk"].is_null() ? 0.0 : way["log10_risk"].get<double>());
    };
    for (const Json& way : ways) {
        OfSwitch& of = all[way["switch"]];
        ++of.ways;
        if (way["rank"].is_null()) {
            ++of.reasons[way["reason"]];
            if (!of.nearest || distance(way) < distance(*of.nearest)) of.nearest = &way;
        } else {
            ++of.feasible;
            if (!of.first) of.first = &way;
        }
    }
    for (const auto& [model, reasons] : left_out_of)
        for (const auto& [reason, count] : reasons) {
            all[model].ways += count;
            all[model].reasons[reason] += count;
        }
    Json list = Json::array();
    for (const auto& [model, of] : all) {
        std::string why;
        if (of.first) {
            why = of.first == &ways.front() ? "recommended" : behind_first(*of.first, ways.front(), priced);
        } else if (of.nearest) {
            const Json& nearest = *of.nearest;
            why = nearest["reason"];
            if (const std::string remark = nearest["remark"]; !remark.empty())
                why += " (" + nearest["switches"].dump() + " of them with " +
                       readable_count(nearest["uplinks"].get<int>(), "uplink", "uplinks") + " each: " + remark + ")";
        } else {
            why = std::max_element(of.reasons.begin(), of.reasons.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                  })->first;
        }
        list.push_back({{"switch", model},
                        {"name", names.count(model) ? names.at(model) : model},
                        {"ways", of.ways},
                        {"feasible", of.feasible},
                        {"rank", of.first ? (*of.first)["rank"] : Json(nullptr)},
                        {"out", of.reasons},
                        {"why", why}});
    }
    std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
        const auto key = [](const Json& each) { return each["rank"].is_null() ? INT_MAX : each["rank"].get<int>(); };
        return key(a) < key(b);
    });
    return list;
}

Json to_json(const Explored& way, double loss) {
    const Stacking& stacking = way.stacking;
    const bool possible = way.fits != Explored::Fit::No;
    Json json{{"rank", way.rank > 0 ? Json(way.rank) : Json(nullptr)},
              {"switch", stacking.model},
              {"switches", stacking.switches},
              {"modules_per_switch", stacking.modules_of_switch()},
              {"uplinks", stacking.uplinks},
              {"selection", stacking.selection},
              {"aggregation", stacking.aggregation.empty() ? Json(nullptr) : Json(stacking.aggregation)},
              {"interfaces", stacking.interfaces()},
              {"fits", name_of(way.fits)},
              {"load", possible ? Json(way.load) : Json(nullptr)},
              {"link_load", possible ? Json(way.link_load) : Json(nullptr)},
              {"saturation_khz", possible ? Json(way.saturation_khz) : Json(nullptr)},
              {"margin", possible ? Json(way.margin) : Json(nullptr)},
              {"watershed_events", nullptr},
              {"watershed_beyond", nullptr},
              {"never_loses", nullptr},
              {"risk", nullptr},
              {"risk_bounds", nullptr},
              {"log10_risk", nullptr},
              {"risk_standing", name_of(way.standing())},
              {"latency_us", possible ? finite(way.latency_us) : Json(nullptr)},
              {"recovery_us", optional(way.recovery_us)},
              {"price", optional(way.price)},
              {"power", optional(way.power)},
              {"pareto", way.pareto},
              {"same_as", way.same_as > 0 ? Json(way.same_as) : Json(nullptr)},
              {"reason", nullptr},
              {"remark", way.remark},
              {"assumed", way.assumed},
              {"recalled", way.recalled}};
    if (way.watershed) {
        json["never_loses"] = !way.watershed->events_lossless && way.watershed->unknown_beyond == 0;
        if (way.watershed->unknown_beyond != 0) json["watershed_beyond"] = way.watershed->unknown_beyond;
        if (way.watershed->events_lossless) json["watershed_events"] = *way.watershed->events_lossless;
    }
    if (way.log_risk) {
        json["risk"] = std::exp(way.log_risk->upper);
        json["risk_bounds"] = {std::exp(way.log_risk->lower), std::exp(way.log_risk->upper)};
        if (std::isfinite(way.log_risk->upper)) json["log10_risk"] = way.log_risk->upper / std::log(10);
    }
    if (way.rank == 0) json["reason"] = reason_of(way, loss);
    return json;
}

Stacking stacking_of(const Json& way, int modules) {
    Stacking stacking{way.at("switch"), modules, way.at("switches"), way.at("uplinks"), way.at("selection")};
    if (!way.at("aggregation").is_null()) {
        stacking.aggregation = way.at("aggregation");
        stacking.server_interfaces = way.at("interfaces");
    }
    return stacking;
}

std::int64_t resting_ways(const Json& ways) {
    return std::count_if(ways.begin(), ways.end(), [](const Json& way) {
        return !way["rank"].is_null() && (way["risk_standing"] == "assumed" || way["risk_standing"] == "recalled");
    });
}

std::map<std::string, std::int64_t> reasons_of(const Json& ways) {
    std::map<std::string, std::int64_t> reasons;
    for (const Json& way : ways)
        if (!way["reason"].is_null()) ++reasons[way["reason"].get<std::string>()];
    return reasons;
}

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
    const std::int64_t resting = resting_ways(ways);
    std::string text = std::to_string(result["feasible"].get<std::int64_t>() - resting) + " of " +
                       std::to_string(ways.size()) + " ways to read out " + result["modules"].dump() + " modules at " +
                       result["rate"].get<std::string>() + " are known to fit and to lose at most " +
                       cell(result["loss"]) + " of the events";
    if (resting > 0)
        text += ", " + std::to_string(resting) + " more do if the assumed and recalled values of their switches hold";
    if (const auto reasons = reasons_of(ways); !reasons.empty()) text += ".\nOf the others " + counted(reasons);
    if (!some) text += ".\nNo way is feasible. The first of the others, and why:";
    text += '\n';
    if (some) text += recommendation(result);

    std::vector<Json> shown;
    for (const Json& way : ways)
        if (static_cast<int>(shown.size()) < rows && !(some && way["rank"].is_null()) && way["same_as"].is_null())
            shown.push_back(way);
    std::vector<Column> columns;
    const auto add = [&](const std::string& head, bool left, const auto& of) {
        columns.push_back({head, left, {}});
        for (const Json& way : shown) columns.back().cells.push_back(of(way));
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
    add("margin", false, number_of("margin", "%.2f"));
    add("watershed", false, shown_burst);
    add("risk", true, shown_risk);
    add("standing", true, text_of("risk_standing"));
    add("latency", false, time_of("latency_us"));
    add("recovery", false, time_of("recovery_us"));
    if (std::any_of(shown.begin(), shown.end(), [](const Json& way) { return !way["price"].is_null(); }))
        add(result["currency"] == "" ? "price" : "price, " + result["currency"].get<std::string>(), false,
            text_of("price"));
    add("pareto", true, [](const Json& way) { return std::string(way["pareto"] == true ? "*" : ""); });
    std::vector<std::string> remarks;
    for (const Json& way : shown) remarks.push_back(way["rank"].is_null() ? way["remark"].get<std::string>() : "");
    text += aligned(columns, remarks);
    std::set<std::string> told;  // of the switches in the table
    for (const char* list : {"assumed", "recalled"})
        for (const Json& way : shown)
            if (way["fits"] == "yes" && !way["risk"].is_null())
                for (const auto& line : way[list])
                    if (told.insert(line).second) text += line.get<std::string>() + '\n';
    if (some) text += others_as_text(result);
    for (const auto& note : result["notes"]) text += note.get<std::string>() + '\n';
    return text;
}

std::string packed(const Explored& way) {
    Json json{{"model", way.stacking.model},
              {"switches", way.stacking.switches},
              {"uplinks", way.stacking.uplinks},
              {"selection", way.stacking.selection},
              {"modules", way.stacking.modules},
              {"aggregation", way.stacking.aggregation},
              {"interfaces", way.stacking.server_interfaces},
              {"bounded", way.bounded},
              {"guessed", way.guessed},
              {"assumed", way.assumed},
              {"recalled", way.recalled},
              {"link_load", way.link_load},
              {"fits", static_cast<int>(way.fits)},
              {"remark", way.remark},
              {"obstacle", way.obstacle},
              {"load", way.load},
              {"saturation", way.saturation_khz},
              {"margin", way.margin},
              {"latency", finite(way.latency_us)},
              {"recovery", optional(way.recovery_us)},
              {"risk", nullptr},
              {"watershed", nullptr}};
    if (way.log_risk)
        json["risk"] = {finite(way.log_risk->lower), finite(way.log_risk->estimate), finite(way.log_risk->upper)};
    if (way.watershed) json["watershed"] = {way.watershed->events_lossless.value_or(-1), way.watershed->unknown_beyond};
    return json.dump();
}

void unpack(Explored& way, const std::string& text) {
    const Json json = Json::parse(text);
    const auto value = [](const Json& json_value, double otherwise) {
        return json_value.is_null() ? otherwise : json_value.get<double>();
    };
    way.stacking = {json["model"],     json["modules"],     json["switches"],  json["uplinks"],
                    json["selection"], json["aggregation"], json["interfaces"]};
    way.bounded = json["bounded"];
    way.guessed = json["guessed"];
    way.assumed = json["assumed"].get<std::vector<std::string>>();
    way.recalled = json["recalled"].get<std::vector<std::string>>();
    way.link_load = json["link_load"];
    way.fits = static_cast<Explored::Fit>(json["fits"].get<int>());
    way.remark = json["remark"];
    way.obstacle = json["obstacle"];
    way.load = json["load"];
    way.saturation_khz = json["saturation"];
    way.margin = json["margin"];
    way.latency_us = value(json["latency"], INFINITY);
    if (!json["recovery"].is_null()) way.recovery_us = json["recovery"].get<double>();
    if (const Json& risk = json["risk"]; !risk.is_null())
        way.log_risk = Bracket{value(risk[0], -INFINITY), value(risk[1], -INFINITY), value(risk[2], -INFINITY)};
    if (const Json& watershed = json["watershed"]; !watershed.is_null()) {
        way.watershed = Boundary{std::nullopt, watershed[1].get<std::int64_t>()};
        if (const auto events = watershed[0].get<std::int64_t>(); events >= 0) way.watershed->events_lossless = events;
    }
}

}  // namespace watershed
