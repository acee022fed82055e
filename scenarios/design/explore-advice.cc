// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-advice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// "6 × Dell S60 (dell-s60) with 2 uplinks each (hash), Arista 7150S behind them, to 4 interfaces of the server"
std::string said(const Json& way, const Json& result) {
    const auto uplinks = way.at("uplinks").get<int>(), interfaces = way.at("interfaces").get<int>();
    std::string text =
        way.at("switches").dump() + " × " + switch_text(way.at("switch"), result) + " with " + std::to_string(uplinks) +
        (uplinks == 1 ? " uplink each" : " uplinks each (" + way.at("selection").get<std::string>() + ")");
    if (!way.at("aggregation").is_null()) text += ", " + switch_text(way.at("aggregation"), result) + " behind them";
    return text + ", to " + std::to_string(interfaces) + (interfaces == 1 ? " interface" : " interfaces") +
           " of the server";
}

double log10_risk(const Json& way) {
    return way.at("log10_risk").is_null() ? -INFINITY : way.at("log10_risk").get<double>();
}

std::string risk_text(const Json& way) {
    return way.at("log10_risk").is_null() ? "no event is ever incomplete"
                                          : "the chance that an event is incomplete is at most " +
                                                readable_chance_of_log10(way.at("log10_risk"), 2);
}

int switches_in_all(const Json& way) {
    return way.at("switches").get<int>() + (way.at("aggregation").is_null() ? 0 : 1);
}

/// Why the first way is before all others: the order of rank(), each step with how many ways are as good up to there.
std::string why_first(const std::vector<Json>& feasible, const Json& result) {
    const Json& first = feasible.front();
    if (feasible.size() == 1) return "No other way loses few enough.";
    std::vector<Json> left = feasible;
    const auto keep_equal = [&](const auto& of) {
        left.erase(std::remove_if(left.begin(), left.end(), [&](const Json& way) { return of(way) != of(first); }),
                   left.end());
    };
    // What all of them have alike decides nothing.
    bool begun = false;
    const auto step = [&](const std::string& none, const auto& of) {
        const std::size_t before = left.size();
        keep_equal(of);
        if (left.size() == before) return std::string();
        const std::string of_how_many =
            begun ? " Of these, " : "Of the " + std::to_string(before) + " ways that lose few enough, ";
        begun = true;
        return of_how_many + none +
               (left.size() == 1 ? ", and only this one has it." : "; " + std::to_string(left.size()) + " have that.");
    };
    std::string text = is_priced(result)
                           ? step("the lowest price is " + price_text(first, result),
                                  [](const Json& way) { return way.at("price").get<double>(); })
                           : step("the fewest switches are " + std::to_string(switches_in_all(first)), switches_in_all);
    text += step("the fewest interfaces of the server are " + first.at("interfaces").dump(),
                 [](const Json& way) { return way.at("interfaces").get<int>(); });
    if (is_priced(result))
        text += step("the fewest switches are " + std::to_string(switches_in_all(first)), switches_in_all);
    text += step("the smallest risk is " +
                     (first.at("log10_risk").is_null() ? "none" : readable_chance_of_log10(first.at("log10_risk"), 2)),
                 log10_risk);
    if (left.size() > 1)
        text += (begun ? " These " : "The ") + std::to_string(left.size()) +
                (begun ? " are alike in all of this, and the first is taken."
                       : " ways that lose few enough are alike, and the first is taken.");
    return text;
}

std::string key_words(const std::string& key) {
    static const std::map<std::string, std::string> words{{"buffer.cell", "cell size of the memory"},
                                                          {"buffer.cell_header", "overhead of a memory cell"},
                                                          {"buffer.size", "size of the memory"},
                                                          {"buffer.sharing", "way in which the memory is shared"},
                                                          {"buffer.alpha", "threshold factor alpha of the memory"},
                                                          {"buffer.descriptors", "number of descriptors"},
                                                          {"latency", "latency"},
                                                          {"ports", "number of ports"}};
    const auto dot = key.find('.');
    const auto found = words.find(dot == std::string::npos ? key : key.substr(dot + 1));
    if (found != words.end()) return found->second;
    std::string text = dot == std::string::npos ? key : key.substr(dot + 1);
    for (char& c : text)
        if (c == '_' || c == '.') c = ' ';
    return text;
}

}  // namespace

std::string switch_text(const std::string& model, const Json& result) {
    const Json names = result.value("names", Json::object());
    return names.contains(model) ? names[model].get<std::string>() + " (" + model + ")" : model;
}

std::string selections_text(const Json& way, const Json& ways) {
    std::string text = way.at("selection");
    std::map<int, std::string> with_uplinks;
    for (const Json& other : ways) {
        if (way.at("rank").is_null() || other.at("same_as") != way.at("rank")) continue;
        const auto uplinks = other.at("uplinks").get<int>();
        std::string& list = uplinks == way.at("uplinks").get<int>() ? text : with_uplinks[uplinks];
        list += (list.empty() ? "" : ", ") + other.at("selection").get<std::string>();
    }
    for (const auto& [uplinks, list] : with_uplinks)
        text += "; also with " + readable_count(uplinks, "uplink", "uplinks") + " (" + list + ")";
    return text;
}

bool is_priced(const Json& result) {
    return result.at("feasible") > 0 &&
           std::all_of(result.at("ways").begin(), result.at("ways").end(),
                       [](const Json& way) { return way.at("rank").is_null() || !way.at("price").is_null(); });
}

std::string price_text(const Json& way, const Json& result) {
    if (way.at("price").is_null()) return "unknown";
    const std::string currency = result.value("currency", "");
    return readable(way.at("price"), 6) + (currency.empty() ? "" : " " + currency);
}

std::string how_often(const Json& way, const Json& result) {
    if (way.at("log10_risk").is_null() || !result.contains("accepted_rate_hz")) return "";
    return "one in " +
           readable_seconds_of_log10(-log10_risk(way) - std::log10(result.at("accepted_rate_hz").get<double>()), 3);
}

std::string rests_text(const std::string& line) {
    std::smatch part;
    if (std::regex_match(line, part, std::regex("assumed: (\\S+) = (.*), unknown for (.*)")))
        return "The " + key_words(part[1]) + " of " + part[3].str() + " is unknown; " + part[2].str() + " was taken.";
    if (std::regex_match(line, part, std::regex("recalled: (switch|aggregation)(\\.\\S+) = (.*) of (\\S+)")))
        return "The " + key_words(part[1].str() + part[2].str()) + " of " + part[4].str() + ", " + part[3].str() +
               ", is recalled: no document states it.";
    if (std::regex_match(line, part, std::regex("recalled: (.*) of (\\S+)")))
        return "That " + part[2].str() + " has " + part[1].str() + " is recalled: no document states it.";
    if (std::regex_match(line, part, std::regex("overridden: (\\S+) = (.*) of (.*), by (.*) of (.*)")))
        return "The " + key_words(part[1]) + " of " + part[3].str() + ", " + part[2].str() + ", is replaced by the " +
               part[4].str() + " of " + part[5].str() + ".";
    return line;
}

ExploreAdvice advice_on(const Json& result) {
    std::vector<Json> feasible;
    for (const Json& way : result.at("ways"))
        if (!way.at("rank").is_null()) feasible.push_back(way);
    const Json& first = feasible.front();
    ExploreAdvice advice;
    advice.buy = said(first, result);
    advice.why = why_first(feasible, result);
    std::string risk = risk_text(first);
    risk.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(risk.front())));
    const std::string often = how_often(first, result);
    advice.so_good = risk + (often.empty() ? "" : ", at this rate fewer than " + often) + "; " +
                     readable_chance_of_log10(std::log10(result.at("loss").get<double>()), 3) +
                     " was wanted. The busiest link behind a switch carries " +
                     readable(100 * first.at("load").get<double>(), 3) + " % of what it can, and triggers could come " +
                     readable(first.at("margin"), 3) + " times as often before a link is full.";
    for (const char* list : {"assumed", "recalled"})
        for (const Json& line : first[list]) advice.rests.push_back(rests_text(line));
    const Json& ranks = result.at("recommended");
    const auto name = [&](const std::string& what, const char* which, const auto& measure) {
        if (ranks.at(which).is_null()) return;
        const Json& way = result.at("ways")[ranks.at(which).get<std::size_t>() - 1];
        advice.named.push_back(
            {what, ranks.at(which) == ranks.at("first")
                       ? "the one recommended, " + measure(way)
                       : said(way, result) + " (rank " + ranks.at(which).dump() + "), " + measure(way)});
    };
    name("Cheapest", "cheapest", [&](const Json& way) { return price_text(way, result); });
    name("Safest", "safest", risk_text);
    name("Fastest", "fastest", [](const Json& way) {
        return readable_seconds(1e-6 * way.at("latency_us").get<double>(), 4) +
               " from a trigger to the last frame at the server, in the mean";
    });
    name("First whose risk rests on nothing assumed or recalled", "sure", risk_text);
    return advice;
}

}  // namespace watershed
