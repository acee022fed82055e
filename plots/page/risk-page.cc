// SPDX-License-Identifier: GPL-2.0-only
// How often an event is lost, and how much memory makes that rare enough.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "plots/figures/figures.h"
#include "plots/page/html.h"
#include "plots/page/parts.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

bool is_known(const Json& part, const char* name) { return part.contains(name) && !part.at(name).is_null(); }

bool has_bounds(const Json& result) { return is_known(result, "bounds"); }

std::string range_of_chance(const Json& result) {
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
    if (is_limit(result)) return "at most " + readable_chance_of_log10(result.at("log10_at_most"), 4, Rounded::Up);
    return is_known(result, "log10_probability") ? readable_chance_of_log10(result.at("log10_probability"))
                                                 : readable_chance(result.at("probability"));
}

/// The answer, with how often that is.
std::string what_is_lost(const Json& result) {
    const double rate = result.at("trigger_rate_hz").get<double>();
    if (!is_known(result, "log10_probability") && result.at("probability") == 0.0)
        return has_bounds(result)
                   ? "No event is ever incomplete, whenever triggers come: " + method_in_words(result.at("method")) +
                         "."
                   : "No event of the sample was incomplete; with 95 % confidence the chance is at most " +
                         readable_chance_of_log10(std::log10(result.at("interval95").at(1).get<double>()), 4,
                                                  Rounded::Up) +
                         ".";
    if (is_limit(result))
        return "The chance that an event is incomplete is " + chance_of(result) + ", certainly. Of " + readable(rate) +
               " events a second that is at most one in " +
               readable_seconds_of_log10(-result.at("log10_at_most").get<double>() - std::log10(rate), 4,
                                         Rounded::Down) +
               ".";
    return "An event is incomplete with a chance of " + chance_of(result) + " (" + range_of_chance(result) + "). Of " +
           readable(rate) + " events a second that is one in " +
           (is_known(result, "log10_probability")
                ? readable_seconds_of_log10(-result.at("log10_probability").get<double>() - std::log10(rate))
                : readable_seconds(1 / (result.at("probability").get<double>() * rate))) +
           ", or " + readable(result.at("per_night").get<double>(), 3) + " in a night of " +
           readable_seconds(3600 * result.at("night_hours").get<double>()) + ".";
}

/// So many events, all of an hour or of a night.
double events_of(const Json& result, bool night) {
    return result.at("events_per_hour").get<double>() * (night ? result.at("night_hours").get<double>() : 1);
}

/// Those incomplete of these.
Words lost_in(bool night) {
    return [=](const Json& result) {
        if (!is_limit(result)) return readable(result.at(night ? "per_night" : "per_hour").get<double>());
        const double most = result.at("log10_at_most").get<double>() + std::log10(events_of(result, night));
        return "at most " + readable(std::pow(10, rounded_log10(most, 4, Rounded::Up)));
    };
}

Words lost_between(bool night) {
    return [=](const Json& result) {
        const Json& range = result.at(has_bounds(result) ? "bounds" : "interval95");
        const auto end = [&](std::size_t which, Rounded outwards) {
            const double lost = range.at(which).get<double>() * events_of(result, night);
            return readable(has_bounds(result) ? std::pow(10, rounded_log10(std::log10(lost), 3, outwards)) : lost, 3);
        };
        return end(0, Rounded::Down) + " to " + end(1, Rounded::Up);
    };
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
    return "Checked by a second method, " + method_in_words(check.at("method")) + ": " + chance_of(check) + " (" +
           range_of_chance(check) + ").";
}

Words nothing() {
    return [](const Json&) { return ""; };
}

/// For the hardest of what was asked: the highest rate and the smallest chance.
std::string memory_needed(const Json& result) {
    double rate = 0, loss = 1;
    for (const Json& point : result.at("points")) {
        rate = std::max(rate, point.at("rate_khz").get<double>());
        loss = std::min(loss, point.at("loss").get<double>());
    }
    std::string text = "So that no more than " + readable_chance(loss, 3) + " of the events are incomplete at " +
                       readable(rate) + " kHz, " + result.at("memory").get<std::string>() + " must hold ";
    const char* separator = "";
    for (const Json& point : result.at("points")) {
        if (point.at("rate_khz") != rate || point.at("loss") != loss) continue;
        text += separator + ("with " + readable_count(point.at("uplinks").get<int>(), "uplink", "uplinks")) +
                (point.at("frames").is_null()
                     ? " no memory is enough"
                     : ' ' + readable_count(point.at("frames").get<std::int64_t>(), "frame", "frames") + ", " +
                           readable_bytes(point.at("bytes").get<double>()));
        separator = "; ";
    }
    return text + ". The memory that the scenario has is " +
           (is_known(result, "fewest_uplinks")
                ? "enough with " + readable_count(result.at("fewest_uplinks").get<int>(), "uplink", "uplinks")
                : "not enough with any number of uplinks that was tried") +
           ".";
}

/// The points as the table that the command writes.
void draw_points(const FigureRequest& request) {
    const Scratch scratch;
    const std::string csv = scratch.path("sizes.csv");
    const auto result = read_json<Json>(request.inputs.front());
    std::ofstream out(csv);
    out << comment_line("memory: " + result.at("memory").get<std::string>())
        << "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n";
    for (const Json& point : result.at("points")) {
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

Words count_or(const char* member, std::int64_t less, const std::string& otherwise) {
    return [=](const Json& point) {
        return point.at(member).is_null() ? otherwise : readable_count(point.at(member).get<std::int64_t>() - less);
    };
}

}  // namespace

std::vector<Page> risk_pages() {
    return {{{"probability", "method", "events_per_hour"},
             "How often is an event lost?",
             {answer_in(what_is_lost), sentence(remark_on("overload", "Overload: ")),
              facts({"<quantity", "<value", "<between"},
                    {{"chance that an event is incomplete", {Words(chance_of), Words(range_of_chance)}},
                     {"incomplete events in an hour", {lost_in(false), lost_between(false)}},
                     {"incomplete events in a night", {lost_in(true), lost_between(true)}},
                     {"events in an hour",
                      {[](const Json& result) { return readable(events_of(result, false), 6); }, nothing()}},
                     {"load of the busiest link",
                      {[](const Json& result) { return readable(100 * result.at("load").get<double>(), 4) + " %"; },
                       nothing()}}}),
              sentence([](const Json& result) {
                  return "The chance is " + method_in_words(result.at("method")) + ": " +
                         result.at("remark").get<std::string>() + ".";
              }),
              sentence(remark_on("shortfall", "This is ")), sentence(second_method),
              sentence(remark_on("not_checked", "Not checked: "))},
             {"probability", "bounds", "interval95", "method", "log10_probability", "remark", "shortfall", "per_hour",
              "per_night", "night_hours", "events_per_hour", "trigger_rate_hz", "load", "overload", "check",
              "not_checked"}},
            {{"memory", "points", "fewest_uplinks"},
             "How large must the memory be?",
             {answer_in(memory_needed),
              each_of("", "points",
                      {{"triggers, kHz", the("rate_khz", [](const Json& rate) { return readable(rate); })},
                       {"incomplete, at most", the("loss", [](const Json& loss) { return readable_chance(loss); })},
                       {"uplinks", the("uplinks")},
                       {"load of an uplink",
                        the("load", [](const Json& load) { return readable(100 * load.get<double>(), 4) + " %"; })},
                       {"frames that suffice", count_or("frames", 0, "none is enough")},
                       {"frames that are too few", count_or("frames_at_least", 1, "–")},
                       {"memory", the("bytes")}},
                      "So many frames certainly suffice, and so few certainly do not; where these are neighbours the "
                      "answer is exact."),
              picture("size",
                      "The memory needed against the trigger rate. A curve that bends upwards nears the rate that its "
                      "uplinks carry, where no memory is enough.",
                      draw_points, has_several_rates)},
             {"loss", "memory", "frames", "frames_at_least", "bytes", "fewest_uplinks", "points"}}};
}

}  // namespace watershed
