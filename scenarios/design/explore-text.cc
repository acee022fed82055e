// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "scenarios/design/design-search.h"
#include "scenarios/design/explore-check.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/ranking.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;
using Standing = Unstated::Standing;

/// "6 × Dell S60 (dell-s60) with 2 uplinks each (hash), Arista 7150S behind them, to 4 interfaces of the server"
std::string said(const RatedDesign& way, const ExploreResult& result) {
    const CandidateDesign& of = way.stacking;
    std::string text = std::to_string(of.switches) + " × " + switch_text(of.model, result) + " with " +
                       readable_count(of.uplinks, "uplink", "uplinks") + (of.switches == 1 ? "" : " each") +
                       (of.uplinks == 1 ? "" : " (" + of.selection + ")");
    if (!of.aggregation.empty()) text += ", " + switch_text(of.aggregation, result) + " behind them";
    return text + ", to " + readable_count(of.interfaces(), "interface", "interfaces") + " of the server";
}

/// Returns the upper limit of the risk in words, even if the estimate is close to it.
std::string risk_text(const RatedDesign& way) {
    const Known risk = way.risk();
    if (risk.is_zero()) return "no event is ever incomplete";
    return "the chance that an event is incomplete is " + risk.limit().words(readable_chance_of_log10, 2) +
           (risk.sampled ? " (95 %, simulated)" : "");
}

std::string price_text(const RatedDesign& way, const ExploreResult& result) {
    return way.price ? merit_text(RankingCriterion::Price, way, result.currency) : "unknown";
}

constexpr std::array<const char*, kMerits.size()> kBest{"the lowest price of all switches together is",
                                                        "the fewest switches are",
                                                        "the least power is",
                                                        "the fewest interfaces of the server are",
                                                        "the smallest risk is",
                                                        "the surest standing of the risk is",
                                                        "the largest capacity is",
                                                        "the longest lossless burst is"};

/// Returns the reason why the first design is ahead of all others: each criterion that separates designs, with the
/// number of designs that are as good up to this criterion.
std::string why_first(const std::vector<RatedDesign>& feasible, const ExploreResult& result) {
    if (feasible.size() == 1) return "No other way loses few enough.";
    const UsableCosts known = known_of_all(result.ways, result.loss);
    std::vector<Merits> left;
    for (const RatedDesign& way : feasible) left.push_back(merits_of(way, result.loss, known));
    const Merits first = left.front();
    std::string text;
    for (std::size_t i = 0; i < kMerits.size(); ++i) {
        const std::size_t before = left.size();
        left.erase(std::remove_if(left.begin(), left.end(), [&](const Merits& way) { return way[i] != first[i]; }),
                   left.end());
        if (left.size() == before) continue;  // a criterion with equal values decides nothing
        text += text.empty() ? "Of the " + std::to_string(before) + " ways that lose few enough, " : " Of these, ";
        const bool limits =
            kMerits[i] == RankingCriterion::Risk &&
            std::any_of(feasible.begin(), feasible.end(), [](const auto& way) { return !way.risk().is_close(); });
        text += limits ? "the lowest limit of the risk is " +
                             readable_chance_of_log10(feasible.front().risk().log10_upper(), 2, Rounded::Up)
                       : kBest[i] + (" " + merit_text(kMerits[i], feasible.front(), result.currency));
        text += left.size() == 1 ? ", and only this way has it." : "; " + std::to_string(left.size()) + " have that.";
    }
    if (left.size() > 1)
        text += (text.empty() ? "The " : " These ") + std::to_string(left.size()) +
                (text.empty() ? " ways that lose few enough are alike, and the first is taken."
                              : " are alike in all of this, and the first is taken.");
    if (std::any_of(feasible.begin(), feasible.end(),
                    [&](const RatedDesign& way) { return is_far_below(way, result.loss); }))
        text += " Risks below " + readable_chance(result.loss * kFarBelow, 3) +
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
    std::string text = dot == std::string::npos ? key : key.substr(dot + 1);
    if (const auto found = words.find(text); found != words.end()) return found->second;
    for (char& c : text)
        if (c == '_' || c == '.') c = ' ';
    return text;
}

bool rests_on_memory(const RatedDesign& way) {
    return way.standing() == RatedDesign::Standing::Assumed || way.standing() == RatedDesign::Standing::Recalled;
}

}  // namespace

std::string rate_text(const ExploreResult& result) {
    return result.rate + (result.margin > 1 ? ", " + readable(result.margin, 6) + " times the scenario's rate," : "");
}

std::string triggers_text(const ExploreResult& result) {
    return result.triggers == "fixed"
               ? "triggers at a fixed rate"
               : (result.triggers == "bursts" ? "triggers, bursts on top of them," : "random triggers") +
                     (" with " + result.dead_time + " of dead time");
}

std::string guaranteed_trains(const ExploreResult& result) {
    if (result.triggers == "fixed") return " as long as triggers keep to the fixed rate";
    return ", in whatever sequence triggers come" +
           (result.dead_time == to_text(Time{0}) ? ""
                                                 : ", each at least " + result.dead_time + " after the one before");
}

std::string feasible_in_words(const ExploreResult& result) {
    const std::int64_t feasible = result.feasible(),
                       resting = std::count_if(result.ways.begin(), result.ways.end(), [](const RatedDesign&way) {
                           return way.rank > 0 && rests_on_memory(way);
                       });
    std::int64_t tried = 0;
    for (const SwitchSummary& each : result.switches) tried += each.ways;
    const std::string to_read_out =
                          " to read out " + readable_count(result.modules) + " modules at " + rate_text(result),
                      ways = readable_count(tried) + " ways" + to_read_out, only_way = "The only way" + to_read_out,
                      loss = result.loss == 0 ? " no event" + guaranteed_trains(result)
                                              : " at most " + readable_chance(result.loss, 3) + " of the events";
    if (feasible == 0)
        return (tried == 1 ? only_way + " is not" : "None of the " + ways + " is") + " known to fit and to lose" + loss;
    const std::string assumed = " assumed or recalled values of its switches";
    if (tried == 1) return only_way + " fits and loses" + loss + (resting == 0 ? "" : "; it rests on" + assumed);
    return readable_count(feasible) + " of " + ways + (feasible == 1 ? " fits and loses" : " fit and lose") + loss +
           (resting == 0 ? ""
                         : "; " + (resting == feasible ? "each" : readable_count(resting)) + " of them with" + assumed);
}

std::string switch_text(const std::string& model, const ExploreResult& result) {
    const auto name = result.names.find(model);
    return name == result.names.end() ? model : name->second + " (" + model + ")";
}

std::string selections_text(const RatedDesign& way, const std::vector<RatedDesign>& ways) {
    std::string text = way.stacking.selection;
    std::map<int, std::string> with_uplinks;
    for (const RatedDesign& other : ways) {
        if (way.rank == 0 || other.same_as != way.rank) continue;
        const int uplinks = other.stacking.uplinks;
        std::string& list = uplinks == way.stacking.uplinks ? text : with_uplinks[uplinks];
        list += (list.empty() ? "" : ", ") + other.stacking.selection;
    }
    for (const auto& [uplinks, list] : with_uplinks)
        text += "; also with " + readable_count(uplinks, "uplink", "uplinks") + " (" + list + ")";
    return text;
}

RatedDesign worst_of_row(const RatedDesign& way, const std::vector<RatedDesign>& ways) {
    RatedDesign worst = way;
    for (const RatedDesign& other : ways) {
        if (way.rank == 0 || other.same_as != way.rank) continue;
        if (other.risk().upper > worst.risk().upper) worst.log_risk = other.log_risk, worst.sampled = other.sampled;
        worst.dead_time_us = std::max(worst.dead_time_us, other.dead_time_us);
    }
    return worst;
}

std::string dead_time_text(const RatedDesign& way) {
    return way.dead_time_us && std::isfinite(*way.dead_time_us) ? at_least_so_long(1e-6 * *way.dead_time_us) : "–";
}

std::string rests_text(const Unstated& unstated, const std::string& model) {
    const auto& [key, value, own_model, overridden, by] = unstated.value;
    const std::string what = "The " + key_words(key) + " of " + model;
    switch (unstated.standing) {
        case Standing::WithoutSource:
            return (key.empty() ? "The " + value + " of " + model + " have" : what + ", " + value + ", has") +
                   " no source: anybody may have made this up.";
        case Standing::Recalled:
            return key.empty() ? "The " + value + " of " + model + " are recalled: no document states them."
                               : what + ", " + value + ", is recalled: no document states it.";
        case Standing::Assumed: return what + " is unknown; " + value + " was taken.";
        case Standing::Overridden: break;
    }
    return what + ", " + overridden + ", is replaced by the " + value + " of " + by + ".";
}

std::string question_to_maker(const Unstated& unstated) {
    const auto& [key, value, model, overridden, by] = unstated.value;
    if (unstated.standing == Standing::Overridden) return "";
    if (key.empty()) return "Does " + model + " have " + value + "?";
    if (unstated.standing == Standing::Assumed)
        return "What is the " + key_words(key) + " of " + model + "? " + value + " was taken (" + key + ").";
    return "Is the " + key_words(key) + " of " + model + " " + value + "? Which document states it (" + key + ")?";
}

ExploreAdvice advice_on(const ExploreResult& result) {
    const std::vector<RatedDesign> feasible(result.ways.begin(), result.ways.begin() + result.feasible());
    const RatedDesign& first = feasible.front();
    const double loss = result.loss;
    ExploreAdvice advice;
    advice.buy = said(first, result);
    advice.why = why_first(feasible, result);
    std::string risk = risk_text(first);
    risk.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(risk.front())));
    if (const Known apart = inverse(first.risk() * result.accepted_rate_hz); !first.risk().is_zero())
        risk += ", at this rate fewer than one in " + readable_seconds_of_log10(apart.log10_lower(), 3, Rounded::Down);
    advice.so_good = risk + (first.unstated.empty() ? "" : ", if what it rests on holds") +
                     (loss == 0 ? ": that is proven (watershed bound)"
                                : "; " + readable_chance_of_log10(std::log10(loss), 3) + " was wanted") +
                     ". The busiest link behind a switch carries " + readable(100 * first.load, 3) +
                     " % of what it can. All links could carry " + readable(first.capacity, 3) +
                     " times as many events.";
    for (const Unstated& each : in_order(first.unstated)) advice.rests.push_back(rests_text(each, each.value.model));
    const Json ranks = recommended(result);
    const auto name = [&](const std::string& what, const char* which, const auto& measure) {
        if (ranks.at(which).is_null()) return;
        const RatedDesign& way = result.ways[ranks.at(which).get<std::size_t>() - 1];
        advice.named.push_back(
            {what, way.rank == 1 ? "the one recommended, " + measure(way)
                                 : said(way, result) + " (rank " + std::to_string(way.rank) + "), " + measure(way)});
    };
    const bool all_priced =
        std::all_of(feasible.begin(), feasible.end(), [](const RatedDesign& way) { return way.price.has_value(); });
    name(all_priced ? "Cheapest" : "Cheapest of those whose price is known", "cheapest",
         [&](const RatedDesign& way) { return price_text(way, result); });
    const auto equal = std::count_if(feasible.begin(), feasible.end(),
                                     [&](const RatedDesign& way) { return is_far_below(way, loss); });
    if (!ranks.at("safest").is_null())
        name("Safest", "safest", risk_text);
    else if (equal < 2)
        advice.named.push_back({"Safest", "no difference is certain: of risks limits are known, which overlap"});
    else
        advice.named.push_back({"Safest", "no difference among " + readable_count(equal, "way", "ways") +
                                              ": their risks are below " + readable_chance(loss * kFarBelow, 3) +
                                              ", which counts as equal"});
    name("Fastest", "fastest", [](const RatedDesign& way) {
        return readable_seconds(1e-6 * way.latency_us, 4) +
               " from a trigger to the last frame at the server, in the mean";
    });
    name("First whose risk rests on nothing assumed or recalled", "sure", risk_text);
    return advice;
}

Json advice_json(const ExploreResult& result) {
    if (result.feasible() == 0) return nullptr;
    const ExploreAdvice advice = advice_on(result);
    Json named = Json::array();
    for (const Named& each : advice.named) named.push_back({{"for", each.for_what}, {"is", each.text}});
    return {{"buy", advice.buy},
            {"why", advice.why},
            {"so_good", advice.so_good},
            {"rests", advice.rests},
            {"named", named}};
}

namespace {

/// "3.2e-14", "1e-1439"
std::string short_number(double log10, int digits, Rounded rounded) {
    constexpr double kSmallest = -300;  // smallest decimal exponent that is safe for a double
    if (log10 < kSmallest)
        return text_line("1e%.0f", rounded == Rounded::Up ? std::ceil(log10) : std::nearbyint(log10));
    return text_line("%.*e", digits - 1, std::pow(10, rounded_log10(log10, digits, rounded)));
}

std::string shown_time(const std::optional<double>& microseconds) {
    return microseconds && std::isfinite(*microseconds) ? rounded_microseconds(*microseconds) : "-";
}

/// Returns the advice for people, in some lines.
std::string recommendation(const ExploreResult& result) {
    const ExploreAdvice advice = advice_on(result);
    std::string text = "Recommended: " + advice.buy + ".\n  " + advice.why + "\n  " + advice.so_good + "\n";
    for (const std::string& line : advice.rests) text += "  It rests on this: " + line + "\n";
    for (const Named& each : advice.named) text += "  " + each.for_what + ": " + each.text + ".\n";
    for (const Json& asked : result.what_if)
        text += "  What if, rank " + asked.at("rank").dump() + ": " + what_if_in_words(asked) + ".\n";
    return in_ascii(text);
}

/// Returns the reasons why switches have no feasible design; switches with one reason share a line.
std::string others_as_text(const ExploreResult& result) {
    std::map<std::string, std::vector<std::string>> of_reason;
    for (const SwitchSummary& each : result.switches)
        if (each.feasible == 0) of_reason[each.why].push_back(each.model);
    std::string text;
    for (const auto& [why, models] : of_reason)
        text += "  " + listed(models) + ": " +
                (models.size() > 1 && begins_with(why, "its ways") ? "their" + why.substr(3) : why) + '\n';
    return text.empty() ? text : "Switches with no feasible way, and why:\n" + in_ascii(text);
}

/// Returns the assumed and recalled values of the switches in the table; switches with one value share a line.
std::string what_is_unstated(const std::vector<RatedDesign>& shown) {
    std::vector<std::pair<std::string, std::set<std::string>>> lines;  // up to the switch, where that is the last word
    for (const bool recalled : {false, true})
        for (const RatedDesign& way : shown)
            for (const Unstated& each : in_order(way.unstated)) {
                if (way.fits != RatedDesign::Fit::Yes || !way.log_risk ||
                    (each.standing == Standing::Recalled) != recalled)
                    continue;
                const std::string line = to_text(each),
                                  of = each.standing == Standing::Overridden ? "" : each.value.model,
                                  value = line.substr(0, line.size() - of.size());
                auto at =
                    std::find_if(lines.begin(), lines.end(), [&](const auto& other) { return other.first == value; });
                if (at == lines.end()) at = lines.insert(at, {value, {}});
                at->second.insert(of);
            }
    return listed(
        lines, [](const auto& line) { return line.first + listed(line.second) + '\n'; }, "");
}

}  // namespace

std::string ways_as_table(const ExploreResult& result, int rows) {
    const std::vector<RatedDesign>& ways = result.ways;
    const bool some = result.feasible() > 0;
    std::string text = in_ascii(feasible_in_words(result)) + ".\n";
    if (const Reasons reasons = result.reasons(); !reasons.empty()) text += "Of the others " + counted(reasons) + ".\n";
    text += some ? recommendation(result) : "No way is feasible. The first of the others, and why:\n";

    std::vector<RatedDesign> shown;
    for (const RatedDesign& way : ways)
        if (int(shown.size()) < rows && !(some && way.rank == 0) && way.same_as == 0) shown.push_back(way);
    std::vector<std::vector<std::string>> lines(shown.size() + 1);
    std::vector<bool> to_the_left;
    const auto add = [&](const std::string& head, bool left, const auto& of) {
        to_the_left.push_back(left);
        lines[0].push_back(head);
        for (std::size_t i = 0; i < shown.size(); ++i) lines[i + 1].push_back(of(shown[i]));
    };
    const auto any = [](const std::vector<RatedDesign>& of, const auto& has) {
        return std::any_of(of.begin(), of.end(), has);
    };
    const auto number = [](const RatedDesign& way, const char* format, double value) {
        return way.fits == RatedDesign::Fit::No ? "-" : text_line(format, value);
    };
    const auto cell_of = [](const char* name) {
        return [name](const RatedDesign& way) { return csv_cell(way, name); };
    };
    add("rank", false, cell_of("rank"));
    add("switch", true, cell_of("switch"));
    add("count", false, cell_of("switches"));
    add("uplinks", false, cell_of("uplinks"));
    add("selection", true, [&](const RatedDesign& way) { return selections_text(way, ways); });
    if (any(shown, [](const RatedDesign& way) { return !way.stacking.aggregation.empty(); }))
        add("second tier", true, cell_of("aggregation"));
    add("server", false, cell_of("interfaces"));
    add("load", false, [&](const RatedDesign& way) { return number(way, "%.1f %%", 100 * way.load); });
    add("capacity", false, [&](const RatedDesign& way) { return number(way, "%.2f", way.capacity); });
    add("watershed", false,
        [](const RatedDesign& way) { return way.watershed ? in_ascii(boundary_text(way.watershed)) : "-"; });
    add("risk", true, [&](const RatedDesign& way) {
        const Known risk = worst_of_row(way, ways).risk();
        return risk.is_zero() ? "never" : in_ascii(risk.cell(short_number, 2));
    });
    if (any(ways, [](const RatedDesign& way) { return way.dead_time_us.has_value(); }))
        add("dead time", false,
            [&](const RatedDesign& way) { return in_ascii(dead_time_text(worst_of_row(way, ways))); });
    add("standing", true, cell_of("risk_standing"));
    add("latency", false,
        [](const RatedDesign& way) { return way.fits == RatedDesign::Fit::No ? "-" : shown_time(way.latency_us); });
    add("recovery", false, [](const RatedDesign& way) { return shown_time(way.recovery_us); });
    if (any(shown, [](const RatedDesign& way) { return way.price.has_value(); }))
        add(result.currency.empty() ? "price" : "price, " + result.currency, false, cell_of("price"));
    add("pareto", true, [](const RatedDesign& way) { return std::string(way.pareto ? "*" : ""); });
    const auto rows_of_table = aligned(lines, to_the_left);
    for (std::size_t i = 0; i < rows_of_table.size(); ++i) {
        text += "  " + rows_of_table[i] + '\n';
        if (i == 0 || shown[i - 1].rank > 0) continue;
        const RatedDesign& way = shown[i - 1];
        text += "        " + (way.remark.empty() ? "such ways " + way.reason : way.remark) + '\n';
    }
    text += what_is_unstated(shown);
    if (some) text += others_as_text(result);
    for (const std::string& note : result.notes) text += note + '\n';
    return text;
}

}  // namespace watershed
