// SPDX-License-Identifier: GPL-2.0-only
// Pages of bounds, of rules and delays that make losses impossible, and of thresholds.
#include <algorithm>
#include <cmath>

#include "plots/figures/named-watersheds.h"
#include "plots/page/parts.h"
#include "plots/page/values.h"
#include "scenarios/design/compare.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// "2205/64 s, at most 34.46 s"
Words rational(const char* name, const char* unit) {
    return [=](const Json& of) -> std::string {
        if (of.at(name).is_null()) return "infinite";
        const std::string exact = of.at(name), in = ' ' + of.at(unit).get<std::string>();
        const auto slash = exact.find('/');
        if (slash == std::string::npos) return exact + in;
        const double about = std::strtod(exact.c_str(), nullptr) / std::strtod(exact.c_str() + slash + 1, nullptr);
        return exact + in + ", at most " + readable(std::pow(10, rounded_log10(std::log10(about), 6, Rounded::Up)), 6) +
               in;
    };
}

/// Each flow with the units of the file.
PagePart flows() {
    return [](const Json& result, const std::string& file) {
        Json rows = result.at("flows");
        for (Json& row : rows) row["time"] = result.at("time_unit"), row["data"] = result.at("data_unit");
        return each_of(
            "", "",
            {{"<flow", the("name")}, {"delay", rational("delay", "time")}, {"backlog", rational("backlog", "data")}})(
            rows, file);
    };
}

/// Queues, each above what its classes need.
PagePart queues() {
    return [](const Json& result, const std::string& file) {
        Json rows = Json::array();
        for (Json row : result.at("queues")) {
            const Json classes = row.value("classes", Json::array());
            rows.push_back(row);
            for (Json each : classes) {
                each["name"] = row.at("name").get<std::string>() + ", class " + each.at("class").dump();
                rows.push_back(each);
            }
        }
        return each_of("Queues", "",
                       {{"<queue", the("name")},
                        {"modules", the("modules")},
                        {"streams", the("streams")},
                        {"load", the("load")},
                        {"frames, at most", the("backlog_frames")},
                        {"bytes, at most", the("backlog_bytes", [](const Json& n) { return readable_count(n); })},
                        {"bytes of memory", the("memory_bytes", [](const Json& n) { return readable_count(n); })},
                        {"delay, at most", the("delay_s", at_least_so_long)}})(rows, file);
    };
}

/// Switches, with what the bound tells of each memory in the words of the text.
PagePart switches() {
    return [](const Json& result, const std::string& file) {
        Json rows = result.at("switches");
        const bool exact = result.value("exact", true), hash = result.contains("hash");
        for (Json& row : rows)
            row["words"] = at_path(row, "backlog_frames").is_null() ? "there is no bound"
                           : row.at("lossless") == true ? (hash ? "loses none with this hash" : "never loses one")
                           : exact                      ? "may lose some"
                                                        : "may lose some, for all that this bound tells";
        return each_of("Switches", "",
                       {{"<switch", the("name")},
                        {"<its memory", the("words")},
                        {"frames, at most", the("backlog_frames")},
                        {"bytes, at most", the("backlog_bytes", [](const Json& n) { return readable_count(n); })},
                        {"bytes of memory", the("memory_bytes", [](const Json& n) { return readable_count(n); })},
                        {"memory that is enough", the("needed_size")},
                        {"frames that the witness reaches", the("reached_frames")}})(rows, file);
    };
}

/// Its first triggers, or its file.
std::string witness(const Json& result) {
    const Json& triggers = result.at("witness");
    if (triggers.empty()) return "";
    if (triggers.is_string()) return "The witness is in " + triggers.get<std::string>() + ".";
    constexpr std::size_t kMost = 20;
    std::string text = "Triggers of the witness: ";
    for (std::size_t i = 0; i < triggers.size() && i < kMost; ++i)
        text += (i > 0 ? ", " : "") + readable_seconds(triggers.at(i).at("time_s"), 9);
    return text + (triggers.size() > kMost
                       ? " and so on, " + readable_count(static_cast<std::int64_t>(triggers.size())) + " in all."
                       : ".");
}

/// Returns a sentence about the losses without a rule.
std::string without_rule(const Json& result) {
    const Json &why = at_path(result, "why_not"), &risk = at_path(result, "without");
    if (!why.is_null()) return "The chance of a loss without a rule is not known: " + why.get<std::string>() + ".";
    if (risk.is_null()) return "";
    return "The chance that an event is incomplete without a rule: " + risk_in_words(risk) + "; " +
           risk.at("remark").get<std::string>() + ".";
}

std::string settings(const Json& set) {
    std::string text;
    for (const auto& [key, value] : set.items())
        text += (text.empty() ? "" : ", ") + key + " = " + value.get<std::string>();
    return text;
}

std::string not_sought(const Json& result) {
    std::string text;
    for (const auto& [kind, why] : at_path(result, "not_sought").items())
        text += (text.empty() ? "" : " ") + ("Not sought: " + kind + ": ") + value_in_words("", why) + ".";
    return text;
}

/// A chance or, as the text does, the frames that a run lost.
std::string loss_of_row(const Json& row) {
    if (row.contains("risk")) return risk_in_words(row.at("risk"));
    if (!row.contains("frames")) return "–";
    const std::int64_t sent = row.at("frames").at("sent"), lost = row.at("frames").at("lost");
    return readable_count(lost) + " of " + readable_count(sent, "frame", "frames");
}

/// The longest burst of events as far apart as the scenario says, which the text tells, too.
std::string burst_of_row(const Json& row) { return row.contains("events_lossless") ? burst_text(row) : "–"; }

/// Table of the effect of each change: on a chance if triggers are random, else on a run.
PagePart changes() {
    return [](const Json& result, const std::string& file) {
        const bool random = result.at("rows").at(0).contains("risk");
        return each_of("", "rows",
                       {{"<what if", the("what_if")},
                        {"<setting", the("set", settings)},
                        {"load", the("load")},
                        {random ? "<chance that an event is incomplete" : "<frames lost", loss_of_row},
                        {"longest lossless burst", burst_of_row},
                        {"<verdict", the("verdict")},
                        {"<why", the("why")}})(result, file) +
               picture("sensitivity",
                       std::string("What each change does to the ") +
                           (random ? "chance that an event is incomplete" : "part of the events that are incomplete") +
                           ", the largest change at the top.",
                       draw_sensitivity, [](const Json&) { return true; })(result, file);
    };
}

/// The step that is enough with clocks or jitter, as the text tells it; older documents do not say whether it was
/// asked.
Words step_with(const std::string& what) {
    return [=](const Json& kind) -> std::string {
        const Json& step = at_path(kind, "step_with_" + what + "_s");
        if (!step.is_null()) return at_least_so_long(step.get<double>());
        return kind.value("asked_" + what, false) ? "none" : "–";
    };
}

bool has_watershed(const Json& result) {
    const Json watersheds = at_path(result, "watersheds");
    return std::any_of(watersheds.begin(), watersheds.end(), [](const Json& each) { return has_line(each["points"]); });
}

}  // namespace

std::vector<Page> guarantee_pages() {
    return {
        {{"queues", "switches", "lossless", "bounded"},
         "What does no sequence of triggers exceed?",
         {its_answer(), queues(), switches(), sentence(witness)},
         {"queues", "switches", "witness"}},
        {{"flows", "analysis", "multiplexing"},
         "What does no arrival exceed that the flows' buckets admit?",
         {its_answer(), flows()},
         {"flows", "time_unit", "data_unit"}},
        {{"rules", "not_sought", "needless"},
         "Which rule of triggers makes every loss impossible?",
         {its_answer(), sentence([](const Json& result) {
              return result.contains("now")
                         ? "Now the triggers refused are " + share_in_words(result.at("now"), "refused") + "."
                         : "";
          }),
          each_of("", "rules",
                  {{"<rule", the("kind")},
                   {"<setting", the("set", settings)},
                   {"refuses, with dead time", [](const Json& rule) { return share_in_words(rule, "refused"); }},
                   {"refuses of what the dead time passes",
                    the("beyond_dead_time", [](const Json& part) { return share_in_words(part, "refused"); })},
                   {"<one step weaker", the("weaker/set", settings)},
                   {"loses at trigger", the("weaker/loses_at_trigger")},
                   {"<witness", the("weaker/witness")}},
                  "A rule one step weaker without a trigger at which it loses does so, if at all, after more triggers "
                  "than were tried."),
          sentence(not_sought), sentence(without_rule),
          picture("throttle",
                  "The part of random triggers that each rule refuses, by trigger rate, and the events that are "
                  "incomplete without one.",
                  draw_throttle, [](const Json& result) { return result.contains("curve"); })},
         {"rules", "not_sought", "now", "without", "why_not", "curve"}},
        {{"kinds", "step_s", "latency_added_s"},
         "Which delays of modules make it lose nothing?",
         {its_answer(),
          each_of("", "kinds",
                  {{"<kind", the("kind")},
                   {"step", the("step_s", at_least_so_long)},
                   {"latency added", the("latency_added_s", at_least_so_long)},
                   {"<loses nothing", the("lossless")},
                   {"<chance that an event is incomplete", the("risk", risk_in_words)},
                   {"<the smallest", the("smallest")},
                   {"<whatever the jitter", the("any_jitter")},
                   {"peak, frames", the("peak_frames")},
                   {"step with clocks of 20 ppm", step_with("clocks")},
                   {"step with jitter of 100 ns", step_with("jitter")},
                   {"groups", the("groups")},
                   {"gap with Ethernet's own 12 B", the("gap_of_makers_s", at_least_so_long)},
                   {"pace", the("rate_bps", [](const Json& rate) { return value_in_words("bits_per_s", rate); })},
                   {"tried up to", the("searched_to_s", at_least_so_long)},
                   {"<why not", the("why_not")}}),
          picture("stagger",
                  "The longest burst without loss against the separation of its events, without delays and with "
                  "those that add least latency.",
                  draw_stagger, has_watershed),
          each_of("In the scenario", "kinds", {{"<kind", the("kind")}, {"<setting", the("set", settings)}})},
         {"kind",
          "kinds",
          "searched_to_s",
          "step_s",
          "latency_added_s",
          "lossless",
          "smallest",
          "any_jitter",
          "peak_frames",
          "step_with_clocks_s",
          "step_with_jitter_s",
          "asked_clocks",
          "asked_jitter",
          "groups",
          "rate_bps",
          "gap_of_makers_s",
          "why_not",
          "watersheds",
          "most_modules",
          "most_modules_at_least",
          "most_modules_with_delays",
          "most_modules_with_delays_at_least",
          "risk"}},
        {{"rows", "holds", "margins"},
         "What if something is other than planned?",
         {its_answer(), changes()},
         {"rows", "breaks", "margins"}},
        {{"[]", "frame_bytes", "lossless", "drops"},
         "How long a burst of frames of each size does the switch absorb?",
         {each_of("", "",
                  {{"frame", the("frame_bytes")},
                   {"longest burst without loss, frames", the("lossless")},
                   {"lost when it is one frame longer", the("drops")}})}},
        {{"[]", "row", "simulated", "value"},
         "Do simulated thresholds agree with those that are stated?",
         {answer_in([](const Json& rows) {
              std::int64_t hits = 0;
              for (const Json& row : rows) hits += row.value("hit", false);
              return readable_count(hits) + " of " +
                     readable_count(static_cast<std::int64_t>(rows.size()), "threshold", "thresholds") +
                     " come out within their margins.";
          }),
          picture("thresholds", "Each threshold as it is simulated against what is stated: those on the line agree.",
                  draw_thresholds, [](const Json&) { return true; }),
          each_of("", "",
                  {{"row", the("row")},
                   {"<chip", the("asic")},
                   {"<quantity", the("quantity")},
                   {"stated", the("value")},
                   {"simulated", the("simulated")},
                   {"margin", the("margin")},
                   {"<unit", the("unit")},
                   {"<within it", the("hit")},
                   {"<all inputs known", the("sound")},
                   {"<missing", the("missing")},
                   {"<explanation", the("explanation")}})}},
        {{"threshold_cells"},
         "How long is a queue when its first frame is dropped?",
         {answer_in([](const Json& result) {
             return "One congested queue holds " + readable_count(result.at("threshold_cells"), "cell", "cells") +
                    " when its first frame is dropped.";
         })},
         {"threshold_cells"}}};
}

}  // namespace watershed
