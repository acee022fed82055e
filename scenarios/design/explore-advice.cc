// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "scenarios/design/explore-json.h"
#include "scenarios/design/explore-rank.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// "6 × Dell S60 (dell-s60) with 2 uplinks each (hash), Arista 7150S behind them, to 4 interfaces of the server"
std::string said(const Json& way, const Json& result) {
    const auto uplinks = way.at("uplinks").get<int>(), interfaces = way.at("interfaces").get<int>();
    std::string text = way.at("switches").dump() + " × " + switch_text(way.at("switch"), result) + " with " +
                       readable_count(uplinks, "uplink", "uplinks") + (way.at("switches") == 1 ? "" : " each") +
                       (uplinks == 1 ? "" : " (" + way.at("selection").get<std::string>() + ")");
    if (!way.at("aggregation").is_null()) text += ", " + switch_text(way.at("aggregation"), result) + " behind them";
    return text + ", to " + std::to_string(interfaces) + (interfaces == 1 ? " interface" : " interfaces") +
           " of the server";
}

double log10_risk(const Json& way) { return risk_of_way(way).log10_upper(); }

/// What is certain of it: the limit, however close to it the chance is.
std::string risk_text(const Json& way) {
    const Known risk = risk_of_way(way);
    if (risk.is_zero()) return "no event is ever incomplete";
    return "the chance that an event is incomplete is " + risk.limit().words(readable_chance_of_log10, 2) +
           (risk.sampled ? " (95 %, simulated)" : "");
}

constexpr std::array<const char*, kMerits.size()> kBest{"the lowest price of all switches together is",
                                                        "the fewest switches are",
                                                        "the least power is",
                                                        "the fewest interfaces of the server are",
                                                        "the smallest risk is",
                                                        "the surest standing of the risk is",
                                                        "the largest capacity is",
                                                        "the longest lossless burst is"};

/// Why the first way is before all others: each merit that tells ways apart, with how many are as good up to there.
std::string why_first(const std::vector<Json>& feasible, const Json& result) {
    if (feasible.size() == 1) return "No other way loses few enough.";
    const double loss = result.at("loss");
    const KnownOfAll known = known_of_all(result.at("ways"));
    std::vector<Merits> left;
    bool far_below = false;
    for (const Json& way : feasible) {
        left.push_back(merits_of(way, loss, known));
        far_below = far_below || log10_risk(way) < risk_that_counts(log10_risk(way), loss);
    }
    const Merits first = left.front();
    std::string text;
    for (std::size_t i = 0; i < kMerits.size(); ++i) {
        const std::size_t before = left.size();
        left.erase(std::remove_if(left.begin(), left.end(), [&](const Merits& way) { return way[i] != first[i]; }),
                   left.end());
        if (left.size() == before) continue;  // what all have alike decides nothing
        text += text.empty() ? "Of the " + std::to_string(before) + " ways that lose few enough, " : " Of these, ";
        text += kBest[i] + (" " + merit_text(kMerits[i], feasible.front(), result.value("currency", "")));
        text += left.size() == 1 ? ", and only this way has it." : "; " + std::to_string(left.size()) + " have that.";
    }
    if (left.size() > 1)
        text += (text.empty() ? "The " : " These ") + std::to_string(left.size()) +
                (text.empty() ? " ways that lose few enough are alike, and the first is taken."
                              : " are alike in all of this, and the first is taken.");
    if (far_below)
        text += " Risks below " + readable_chance(loss * kFarBelow, 3) +
                " count as equal, because that is a thousandth of what is wanted.";
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

Json recommended(const Json& ways, double loss) {
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
        const double risk =
            risk_that_counts(way["log10_risk"].is_null() ? -HUGE_VAL : way["log10_risk"].get<double>(), loss);
        take("safest", risk, lowest_risk, way);
        if (!way["latency_us"].is_null()) take("fastest", way["latency_us"], lowest_latency, way);
    }
    return ranks;
}

std::int64_t resting_ways(const Json& ways) {
    return std::count_if(ways.begin(), ways.end(), [](const Json& way) {
        return !way["rank"].is_null() && (way["risk_standing"] == "assumed" || way["risk_standing"] == "recalled");
    });
}

std::string rate_text(const Json& result) {
    const double margin = result.value("margin", 1.0);
    return result.at("rate").get<std::string>() +
           (margin > 1 ? ", " + readable(margin, 6) + " times the scenario's rate," : "");
}

std::string feasible_in_words(const Json& result) {
    const auto feasible = result.at("feasible").get<std::int64_t>(), resting = resting_ways(result.at("ways"));
    std::int64_t tried = 0;
    for (const Json& each : result.at("switches")) tried += each.at("ways").get<std::int64_t>();
    const std::string to_read_out = " to read out " + readable_count(result.at("modules").get<std::int64_t>()) +
                                    " modules at " + rate_text(result),
                      ways = readable_count(tried) + " ways" + to_read_out, only_way = "The only way" + to_read_out,
                      loss = result.at("loss") == 0.0
                                 ? " no event, in whatever sequence triggers come, each at least " +
                                       result.at("dead_time").get<std::string>() + " after the one before"
                                 : " at most " + readable_chance(result.at("loss").get<double>(), 3) + " of the events";
    if (feasible == 0)
        return (tried == 1 ? only_way + " is not" : "None of the " + ways + " is") + " known to fit and to lose" + loss;
    const std::string assumed = " assumed or recalled values of its switches";
    if (tried == 1) return only_way + " fits and loses" + loss + (resting == 0 ? "" : "; it rests on" + assumed);
    return readable_count(feasible) + " of " + ways + (feasible == 1 ? " fits and loses" : " fit and lose") + loss +
           (resting == 0 ? ""
                         : "; " + (resting == feasible ? "each" : readable_count(resting)) + " of them with" + assumed);
}

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

std::string price_text(const Json& way, const Json& result) {
    if (way.at("price").is_null()) return "unknown";
    const std::string currency = result.value("currency", "");
    return readable(way.at("price"), 6) + (currency.empty() ? "" : " " + currency);
}

std::string how_often(const Json& way, const Json& result) {
    if (way.at("log10_risk").is_null() || !result.contains("accepted_rate_hz")) return "";
    const Known apart = inverse(risk_of_way(way) * result.at("accepted_rate_hz").get<double>());
    return "one in " + readable_seconds_of_log10(apart.log10_lower(), 3, Rounded::Down);
}

std::string rests_text(const Json& unstated, const std::string& model) {
    const std::string key = unstated.at("key"), value = unstated.at("value"), standing = unstated.at("standing");
    if (standing == "without a source")
        return (key.empty() ? "The " + value + " of " + model + " have"
                            : "The " + key_words(key) + " of " + model + ", " + value + ", has") +
               " no source: anybody may have made this up.";
    if (key.empty()) return "The " + value + " of " + model + " are recalled: no document states them.";
    const std::string what = "The " + key_words(key) + " of " + model;
    if (standing == "assumed") return what + " is unknown; " + value + " was taken.";
    if (standing == "recalled") return what + ", " + value + ", is recalled: no document states it.";
    return what + ", " + unstated.at("value_of_model").get<std::string>() + ", is replaced by the " + value + " of " +
           unstated.at("by").get<std::string>() + ".";
}

std::string question_to_maker(const Json& unstated) {
    const std::string key = unstated.at("key"), value = unstated.at("value"), model = unstated.at("model"),
                      standing = unstated.at("standing");
    if (standing == "overridden") return "";
    if (key.empty()) return "Does " + model + " have " + value + "?";
    if (standing == "assumed")
        return "What is the " + key_words(key) + " of " + model + "? " + value + " was taken (" + key + ").";
    return "Is the " + key_words(key) + " of " + model + " " + value + "? Which document states it (" + key + ")?";
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
    advice.so_good =
        risk + (often.empty() ? "" : ", at this rate fewer than " + often) +
        (first["assumed"].empty() && first["recalled"].empty() ? "" : ", if what it rests on holds") +
        (result.at("loss") == 0.0
             ? ": that is proven (watershed bound)"
             : "; " + readable_chance_of_log10(std::log10(result.at("loss").get<double>()), 3) + " was wanted") +
        ". The busiest link behind a switch carries " + readable(100 * first.at("load").get<double>(), 3) +
        " % of what it can. All links could carry " + readable(first.at("capacity"), 3) + " times as many events.";
    for (const char* list : {"assumed", "recalled"})
        for (const std::string line : first[list]) {
            const Json& unstated = result.at("unstated").at(line);
            advice.rests.push_back(rests_text(unstated, unstated.at("model")));
        }
    const Json& ranks = result.at("recommended");
    const auto name = [&](const std::string& what, const char* which, const auto& measure) {
        if (ranks.at(which).is_null()) return;
        const Json& way = result.at("ways")[ranks.at(which).get<std::size_t>() - 1];
        advice.named.push_back(
            {what, ranks.at(which) == ranks.at("first")
                       ? "the one recommended, " + measure(way)
                       : said(way, result) + " (rank " + ranks.at(which).dump() + "), " + measure(way)});
    };
    const double loss = result.at("loss");
    const auto counts_as_equal = [&](const Json& way) {
        return log10_risk(way) < risk_that_counts(log10_risk(way), loss);
    };
    const bool all_priced =
        std::none_of(feasible.begin(), feasible.end(), [](const Json& way) { return way.at("price").is_null(); });
    name(all_priced ? "Cheapest" : "Cheapest of those whose price is known", "cheapest",
         [&](const Json& way) { return price_text(way, result); });
    if (const auto equal = std::count_if(feasible.begin(), feasible.end(), counts_as_equal); equal < 2)
        name("Safest", "safest", risk_text);
    else
        advice.named.push_back({"Safest", "no difference among " + readable_count(equal, "way", "ways") +
                                              ": their risks are below " + readable_chance(loss * kFarBelow, 3) +
                                              ", which counts as equal"});
    name("Fastest", "fastest", [](const Json& way) {
        return readable_seconds(1e-6 * way.at("latency_us").get<double>(), 4) +
               " from a trigger to the last frame at the server, in the mean";
    });
    name("First whose risk rests on nothing assumed or recalled", "sure", risk_text);
    return advice;
}

Json to_json(const ExploreAdvice& advice) {
    Json named = Json::array();
    for (const Named& each : advice.named) named.push_back({{"for", each.for_what}, {"is", each.text}});
    return {{"buy", advice.buy},
            {"why", advice.why},
            {"so_good", advice.so_good},
            {"rests", advice.rests},
            {"named", named}};
}

}  // namespace watershed
