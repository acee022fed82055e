// SPDX-License-Identifier: GPL-2.0-only
// How often an event is lost, and how much memory makes that rare enough.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "plots/figures/figures.h"
#include "plots/page/html.h"
#include "plots/page/parts.h"
#include "scenarios/design/needed-memory.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/known.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

bool is_known(const Json& part, const char* name) { return part.contains(name) && !part.at(name).is_null(); }

Known chance_of(const Json& result) { return risk_of_members(result).as_probability(); }

std::string range_of_chance(const Known& known, NumberText number, int digits) {
    return number(known.log10_lower(), digits, Rounded::Down) + " to " +
           number(known.log10_upper(), digits, Rounded::Up);
}

/// The chance with its interval: certainly, or with 95 % confidence.
std::string with_range(const Known& chance) {
    const std::string words = chance.words(readable_chance_of_log10, 4);
    if (chance.sampled || chance.is_limit()) return words;
    if (!chance.is_close()) return words + ", certainly";
    return words + " (" + range_of_chance(chance, readable_chance_of_log10, 4) + ", certainly)";
}

std::string method_in_words(const std::string& method) {
    if (method == "proof") return "proven";
    if (method == "chain") return "calculated, from the chain of the memory's states";
    if (method == "repetition") return "exact, since all repeats";
    if (method == "bound") return "calculated, as a bound";
    if (method == "direct") return "sampled, by simulation";
    if (method == "tilted") return "sampled, by simulation in which losses are made frequent (importance sampling)";
    return method;
}

/// The chance, with how often that is.
std::string how_often(const Json& result) {
    const Known chance = chance_of(result);
    const double rate = result.at("trigger_rate_hz").get<double>(),
                 night = 3600 * result.at("night_hours").get<double>();
    if (chance.is_zero()) return "No event is incomplete, certainly: " + method_in_words(result.at("method")) + ".";
    if (chance.kind() == Known::Kind::Unknown) return "How often an event is incomplete is not known.";
    if (chance.sampled && chance.is_limit())
        return "No event of the sample was incomplete; with 95 % confidence the chance is at most " +
               readable_chance_of_log10(chance.log10_upper(), 4, Rounded::Up) + ".";
    const Known a_second = chance * rate;
    return "An event is incomplete with a chance of " + with_range(chance) + ". Of " + readable(rate) +
           " events a second " +
           (chance.sampled || chance.is_close() ? "that is one in " : "the time between two is ") +
           inverse(a_second).brief(readable_seconds_of_log10, 4) + ", or " +
           (a_second * night).brief(readable_of_log10, 4) + " in a night of " + readable_seconds(night) + ".";
}

/// Never only where that is proven whenever triggers come.
std::string what_is_lost(const Json& result) {
    if (!result.value("never", false)) return how_often(result);
    return chance_of(result).is_zero() ? "No event is ever incomplete: " + result.at("remark").get<std::string>() + "."
                                       : "No event is ever incomplete, as watershed bound proves. " + how_often(result);
}

/// The numbers of the answer, with their bounds.
std::string risk_numbers(const Json& result, const std::string&) {
    const Known chance = chance_of(result);
    const double hour = result.at("events_per_hour").get<double>();
    Table table({"<quantity", "<value", chance.sampled ? "<between, with 95 % confidence" : "<between, certainly"});
    if (chance.is_zero())
        table.add({"chance that an event is incomplete", "never", ""});
    else
        table.add({"chance that an event is incomplete", chance.brief(readable_chance_of_log10, 4),
                   range_of_chance(chance, readable_chance_of_log10, 4)});
    for (const auto& [time, events] :
         {std::pair("an hour", hour), std::pair("a night", hour * result.at("night_hours").get<double>())}) {
        const Known lost = chance * events;
        if (chance.is_zero()) continue;
        table.add({std::string("incomplete events in ") + time, lost.brief(readable_of_log10, 4),
                   range_of_chance(lost, readable_of_log10, 4)});
    }
    table.add({"events in an hour", readable(hour, 6), ""});
    table.add({"load of the busiest link", readable(100 * result.at("load").get<double>(), 4) + " %", ""});
    return table.html();
}

/// "Overload: switch is given more than …"
Words remark_on(const char* member, const std::string& before) {
    return [=](const Json& result) {
        return is_known(result, member) ? before + result.at(member).get<std::string>() + "." : "";
    };
}

std::string second_method(const Json& result) {
    if (!is_known(result, "check")) return "";
    const Json& check = result.at("check");
    return "Checked by a second method, " + method_in_words(check.at("method")) + ": " + with_range(chance_of(check)) +
           ".";
}

/// All digits: a memory that suffices must not be rounded down.
std::string whole_bytes(const Json& bytes) { return readable_bytes(bytes.get<double>(), 12); }

constexpr const char* kSecondTier = "aggregation";

/// The table of the scenario whose memory it is.
std::string memory_of(const Json& point) { return point.value("memory_of", "switch"); }

bool has_memory_of(const Json& result, const std::string& table) {
    const Json& points = result.at("points");
    return std::any_of(points.begin(), points.end(), [&](const Json& point) { return memory_of(point) == table; });
}

/// For the hardest of what was asked: the highest rate and the smallest chance.
std::string memory_needed(const Json& result) {
    double rate = 0, loss = 1;
    for (const Json& point : result.at("points")) {
        rate = std::max(rate, point.at("rate_khz").get<double>());
        loss = std::min(loss, point.at("loss").get<double>());
    }
    std::string text = "So that no more than " + readable_chance(loss, 3) + " of the events are incomplete at " +
                       readable(rate) + " kHz: ";
    const char* separator = "";
    for (const Json& point : result.at("points")) {
        if (point.at("rate_khz") != rate || point.at("loss") != loss) continue;
        const std::string of = has_memory_of(result, kSecondTier) ? " of [" + memory_of(point) + "]" : "",
                          memory = result.at("memory").get<std::string>() + of;
        text += separator + ("with " + readable_count(point.at("uplinks").get<int>(), "uplink", "uplinks")) + " ";
        separator = "; ";
        if (point.at("frames").is_null()) {
            text += "no memory" + of + " is enough";
            continue;
        }
        const bool sampled = point.at("frames_at_least").is_null();
        const std::int64_t frames = point.at("frames"),
                           at_least = sampled ? 1 : point.at("frames_at_least").get<std::int64_t>();
        const std::string room = readable_count(frames, "frame", "frames") + ", " + whole_bytes(point.at("bytes"));
        text += memory + (sampled              ? " was enough in a simulation if it holds " + room
                          : frames == at_least ? " must hold " + room
                          : at_least > 1       ? " is enough if it holds " + room + ", and not enough with less than " +
                                               readable_count(at_least, "frame", "frames")
                                         : " is enough if it holds " + room + ", and far less may suffice");
    }
    return text + ".";
}

/// Sentences of the text on the bounds and on the scenario's own memory.
PagePart verdicts() {
    return [](const Json& result, const std::string&) {
        std::string html;
        for (std::string line : at_path(result, "answer")) {
            line.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(line.front())));
            html += paragraph(line + ".");
        }
        return html;
    };
}

/// The points of one tier as the table that the command writes.
void draw_points(const FigureRequest& request, const std::string& table) {
    const Scratch scratch;
    const std::string csv = scratch.path("sizes.csv");
    const auto result = read_json<Json>(request.inputs.front());
    std::ofstream out(csv);
    out << comment_line("memory: " + result.at("memory").get<std::string>())
        << "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n";
    for (const Json& point : result.at("points")) {
        if (memory_of(point) != table) continue;
        const char* separator = "";
        for (const char* name : {"rate_khz", "loss", "uplinks", "load", "frames", "bytes", "frames_at_least"}) {
            out << separator << (point.at(name).is_null() ? "" : point.at(name).dump());
            separator = ",";
        }
        out << '\n';
    }
    out.close();
    draw_size({{csv}, request.output, "", {}, "watershed size"});
}

bool has_several_rates(const Json& result) {
    for (const Json& point : result.at("points"))
        if (point.at("rate_khz") != result.at("points")[0].at("rate_khz")) return true;
    return false;
}

PagePart curves_of(const std::string& table) {
    return picture(
        "size",
        "The memory of [" + table +
            "] that is enough against the trigger rate. A curve that bends upwards nears the "
            "rate that its uplinks carry, where no memory is enough.",
        [=](const FigureRequest& request) { draw_points(request, table); },
        [=](const Json& result) { return has_several_rates(result) && has_memory_of(result, table); });
}

Words count_or(const char* member, std::int64_t less, const std::string& otherwise) {
    return [=](const Json& point) {
        const bool none = point.at(member).is_null() || point.at(member).get<std::int64_t>() == less;
        return none ? otherwise : readable_count(point.at(member).get<std::int64_t>() - less);
    };
}

}  // namespace

std::vector<Page> risk_pages() {
    return {
        {{"probability", "method", "events_per_hour"},
         "How often is an event lost?",
         {answer_in(what_is_lost), sentence(remark_on("hash", "If the switch's hash is that of the scenario: ")),
          sentence(remark_on("overload", "Overload: ")), risk_numbers, sentence([](const Json& result) {
              return "The chance is " + method_in_words(result.at("method")) + ": " +
                     result.at("remark").get<std::string>() + ".";
          }),
          sentence(remark_on("shortfall", "This is ")), sentence(second_method),
          each_of("Groups of modules", "groups",
                  {{"<group", the("name", [](const Json& name) { return name.get<std::string>(); })},
                   {"modules", the("modules")},
                   {"events a second", the("rate_hz", [](const Json& rate) { return readable(rate); })},
                   {"load of a module's link",
                    the("link_load", [](const Json& load) { return readable(100 * load.get<double>(), 4) + " %"; })}}),
          sentence(remark_on("not_checked", "Not checked: "))},
         {"probability",    "bounds",        "interval95",      "method",          "risk_kind", "log10_probability",
          "log10_at_least", "log10_at_most", "never",           "remark",          "shortfall", "per_hour",
          "per_night",      "night_hours",   "events_per_hour", "trigger_rate_hz", "load",      "hash",
          "overload",       "check",         "not_checked",     "groups"}},
        {{"memory", "points", "fewest_uplinks"},
         "How large must the memory be?",
         {answer_in(memory_needed), verdicts(),
          each_of(
              "", "points",
              {{"triggers, kHz", the("rate_khz", [](const Json& rate) { return readable(rate); })},
               {"incomplete, at most", the("loss", [](const Json& loss) { return readable_chance(loss); })},
               {"uplinks", the("uplinks")},
               {"<memory of", the("memory_of", [](const Json& table) { return "[" + table.get<std::string>() + "]"; })},
               {"load of an uplink",
                the("load", [](const Json& load) { return readable(100 * load.get<double>(), 4) + " %"; })},
               {"frames that suffice", count_or("frames", 0, "none is enough")},
               {"frames that are too few", count_or("frames_at_least", 1, "–")},
               {"memory", the("bytes", whole_bytes)},
               {"<chance in a simulation", [](const Json& point) { return risk_in_words(at_path(point, "sampled")); }},
               {"<certainly loses nothing", [](const Json& point) { return point.value("lossless", ""); }}},
              "So many frames certainly suffice, and so few certainly do not; where these are neighbours the "
              "answer is exact. Where a chance is sampled nothing is certain: the memory is the smallest that "
              "kept to the wanted chance in a simulation."),
          curves_of("switch"), curves_of(kSecondTier)},
         {"loss", "memory", "frames", "frames_at_least", "bytes", "fewest_uplinks", "fewest_uplinks_at_least",
          "fewest_uplinks_sampled", "bounds", "points"}}};
}

}  // namespace watershed
