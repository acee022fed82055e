// SPDX-License-Identifier: GPL-2.0-only
// How often an event is lost, and how much memory makes that rare enough.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plots/figures/figures.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/values.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

bool is_known(const Json& part, const char* name) { return part.contains(name) && !part.at(name).is_null(); }

bool has_bounds(const Json& result) { return is_known(result, "bounds"); }

std::string between(const Json& result) {
    const bool certain = has_bounds(result);
    const Json& range = result.at(certain ? "bounds" : "interval95");
    const auto text = [&](std::size_t end, Rounded outwards) {
        return readable_chance_of_log10(std::log10(range.at(end).get<double>()), 4,
                                        certain ? outwards : Rounded::Nearest);
    };
    return text(0, Rounded::Down) + " to " + text(1, Rounded::Up) +
           (certain ? ", certainly" : ", with 95 % confidence");
}

std::string method_in_words(const std::string& method) {
    if (method == "chain") return "calculated, from the chain of the memory's states";
    if (method == "direct") return "sampled, by simulation of random triggers";
    if (method == "tilted") return "sampled, by simulation in which losses are made frequent (importance sampling)";
    return method;
}

/// Nothing but a limit of the chance is known.
bool is_limit(const Json& result) {
    return has_bounds(result) && result.at("bounds").at(0) == 0.0 && is_known(result, "log10_at_most") &&
           result.value("risk_kind", "") == "bound";
}

std::string chance_of(const Json& result) {
    return is_known(result, "log10_probability") ? readable_chance_of_log10(result.at("log10_probability"))
                                                 : readable_chance(result.at("probability"));
}

std::string assumed_lines(const Json& result) {
    std::vector<std::string> lines;
    for (const char* list : {"assumed", "overridden"})
        if (result.contains(list))
            for (const Json& each : result.at(list))
                lines.push_back(std::string(list) + ": " + value_in_words(list, each));
    return lines.empty() ? "" : smaller_heading("Values of switches that were assumed or overridden") + list_of(lines);
}

}  // namespace

std::string risk_page(const Json& result) {
    const double rate = result.at("trigger_rate_hz").get<double>();
    const bool never = !is_known(result, "log10_probability") && result.at("probability") == 0.0;
    const std::string chance = is_limit(result)
                                   ? "at most " + readable_chance_of_log10(result.at("log10_at_most"), 4, Rounded::Up)
                                   : chance_of(result);
    std::string text =
        never && has_bounds(result)
            ? "No event is ever incomplete, whenever triggers come: " + method_in_words(result.at("method")) + "."
        : never
            ? "No event of the sample was incomplete; with 95 % confidence the chance is at most " +
                  readable_chance_of_log10(std::log10(result.at("interval95").at(1).get<double>()), 4, Rounded::Up) +
                  "."
        : is_limit(result)
            ? "The chance that an event is incomplete is " + chance + ", certainly. Of " + readable(rate) +
                  " events a second that is at most one in " +
                  readable_seconds_of_log10(-result.at("log10_at_most").get<double>() - std::log10(rate), 4,
                                            Rounded::Down) +
                  "."
            : "An event is incomplete with a chance of " + chance + " (" + between(result) + "). Of " + readable(rate) +
                  " events a second that is one in " +
                  (is_known(result, "log10_probability")
                       ? readable_seconds_of_log10(-result.at("log10_probability").get<double>() - std::log10(rate))
                       : readable_seconds(1 / (result.at("probability").get<double>() * rate))) +
                  ", or " + readable(result.at("per_night").get<double>(), 3) + " in a night of " +
                  readable_seconds(3600 * result.at("night_hours").get<double>()) + ".";
    std::string html = heading("How often is an event lost?") + remark(about(result)) + answer(text);
    if (is_known(result, "overload")) html += paragraph("Overload: " + result.at("overload").get<std::string>() + ".");
    Table table({"<quantity", "<value", "<between"});
    table.add({"chance that an event is incomplete", chance, between(result)});
    const double low = result.at(has_bounds(result) ? "bounds" : "interval95").at(0).get<double>(),
                 high = result.at(has_bounds(result) ? "bounds" : "interval95").at(1).get<double>();
    const auto of_time = [&](const char* name, double events) {
        if (!is_limit(result)) return readable(result.at(name).get<double>());
        const double most = result.at("log10_at_most").get<double>() + std::log10(events);
        return "at most " + readable(std::pow(10, rounded_log10(most, 4, Rounded::Up)));
    };
    const auto per = [&](double events) {
        const auto end = [&](double share, Rounded outwards) {
            const double log10 = std::log10(share * events);
            return readable(has_bounds(result) ? std::pow(10, rounded_log10(log10, 3, outwards)) : share * events, 3);
        };
        return end(low, Rounded::Down) + " to " + end(high, Rounded::Up);
    };
    const double hour = result.at("events_per_hour").get<double>(),
                 night = hour * result.at("night_hours").get<double>();
    table.add({"incomplete events in an hour", of_time("per_hour", hour), per(hour)});
    table.add({"incomplete events in a night", of_time("per_night", night), per(night)});
    table.add({"events in an hour", readable(hour, 6), ""});
    table.add({"load of the busiest link", readable(100 * result.at("load").get<double>(), 4) + " %", ""});
    html += table.html() + paragraph("The chance is " + method_in_words(result.at("method")) + ": " +
                                     result.at("remark").get<std::string>() + ".");
    if (is_known(result, "shortfall")) html += paragraph("This is " + result.at("shortfall").get<std::string>() + ".");
    if (is_known(result, "check")) {
        const Json& check = result.at("check");
        html += paragraph("Checked by a second method, " + method_in_words(check.at("method")) + ": " +
                          chance_of(check) + " (" + between(check) + ").");
    }
    if (is_known(result, "not_checked"))
        html += paragraph("Not checked: " + result.at("not_checked").get<std::string>() + ".");
    return html + assumed_lines(result) +
           other_values(result, {"probability",     "bounds",          "interval95", "method",    "log10_probability",
                                 "remark",          "shortfall",       "per_hour",   "per_night", "night_hours",
                                 "events_per_hour", "trigger_rate_hz", "load",       "overload",  "check",
                                 "not_checked",     "assumed",         "overridden", "scenario",  "set"});
}

std::string size_page(const Json& result) {
    const std::string memory = result.at("memory");
    std::set<double> rates, losses;
    std::set<int> uplinks;
    for (const Json& point : result.at("points")) {
        rates.insert(point.at("rate_khz").get<double>());
        losses.insert(point.at("loss").get<double>());
        uplinks.insert(point.at("uplinks").get<int>());
    }
    const auto sentence = [&](const Json& point) {
        const std::string with = readable_count(point.at("uplinks").get<int>(), "uplink", "uplinks");
        if (point.at("frames").is_null()) return "with " + with + " no memory is enough";
        return "with " + with + " " + readable_count(point.at("frames").get<std::int64_t>(), "frame", "frames") + ", " +
               readable_bytes(point.at("bytes").get<double>());
    };
    // For the hardest of what was asked: the highest rate and the smallest chance.
    std::string text = "So that no more than " + readable_chance(*losses.begin(), 3) +
                       " of the events are incomplete at " + readable(*rates.rbegin()) + " kHz, " + memory +
                       " must hold ";
    bool some = false;
    for (const Json& point : result.at("points"))
        if (point.at("rate_khz") == *rates.rbegin() && point.at("loss") == *losses.begin()) {
            text += (some ? "; " : "") + sentence(point);
            some = true;
        }
    text += ".";
    if (is_known(result, "fewest_uplinks"))
        text += " The memory that the scenario has is enough with " +
                readable_count(result.at("fewest_uplinks").get<int>(), "uplink", "uplinks") + ".";
    else
        text += " The memory that the scenario has is not enough with any number of uplinks that was tried.";
    Table table({"triggers, kHz", "incomplete, at most", "uplinks", "load of an uplink", "frames that suffice",
                 "frames that are too few", "memory"});
    for (const Json& point : result.at("points")) {
        const auto count = [&](const char* name, std::int64_t less) {
            return point.at(name).is_null() ? std::string("none is enough")
                                            : readable_count(point.at(name).get<std::int64_t>() - less);
        };
        table.add({readable(point.at("rate_khz").get<double>()), readable_chance(point.at("loss").get<double>()),
                   point.at("uplinks").dump(), readable(100 * point.at("load").get<double>(), 4) + " %",
                   count("frames", 0), point.at("frames_at_least").is_null() ? "–" : count("frames_at_least", 1),
                   point.at("bytes").is_null() ? "–" : readable_bytes(point.at("bytes").get<double>())});
    }
    std::string html =
        heading("How large must the memory be?") + remark(about(result)) + answer(text) + table.html() +
        remark(
            "So many frames certainly suffice, and so few certainly do not; where these are neighbours the answer is "
            "exact.");
    const Scratch scratch;
    if (rates.size() > 1) {
        const std::string csv = scratch.path("sizes.csv");
        std::ofstream out(csv);
        out << comment_line("memory: " + memory) << "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n";
        for (const Json& point : result.at("points")) {
            const char* separator = "";
            for (const char* name : {"rate_khz", "loss", "uplinks", "load", "frames", "bytes", "frames_at_least"}) {
                out << separator << (point.at(name).is_null() ? "" : point.at(name).dump());
                separator = ",";
            }
            out << '\n';
        }
        out.close();
        html +=
            scratch.drawn("size",
                          "The memory needed against the trigger rate. A curve that bends upwards nears the rate that "
                          "its uplinks carry, where no memory is enough.",
                          [&](const std::string& svg) {
                              draw_size({{csv}, svg, "", {}, "watershed size"});
                          });
    }
    return html + assumed_lines(result) +
           other_values(result, {"loss", "memory", "frames", "frames_at_least", "bytes", "fewest_uplinks", "points",
                                 "assumed", "overridden", "scenario", "set"});
}

}  // namespace watershed
