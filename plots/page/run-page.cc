// SPDX-License-Identifier: GPL-2.0-only
// The page of a run: losses by place and reason, memories, latencies.
#include <algorithm>

#include "plots/page/parts.h"
#include "plots/page/values.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t whole(const Json& value) { return value.get<std::int64_t>(); }

std::string frames(std::int64_t count) { return readable_count(count, "frame", "frames"); }

/// "the switch, because its memory was full (tail drop)"
std::string causes(const Json& losses) {
    std::string text;
    for (const Json& each : losses)
        text += (text.empty() ? "" : "; ") + frames(whole(each.at("frames"))) + " at the " +
                each.at("where").get<std::string>() + ", because " + loss_in_words(each.at("reason"));
    return text;
}

std::string lost_modules(const Json& lost_by_module) {
    std::vector<std::int64_t> modules;
    std::int64_t most = 0, most_of = 0;
    for (std::size_t i = 0; i < lost_by_module.size(); ++i) {
        const std::int64_t lost = whole(lost_by_module[i]);
        if (lost == 0) continue;
        modules.push_back(static_cast<std::int64_t>(i) + 1);
        if (lost > most) most = lost, most_of = modules.back();
    }
    if (modules.empty()) return "";
    return readable_count(static_cast<std::int64_t>(modules.size())) + " of " +
           readable_count(static_cast<std::int64_t>(lost_by_module.size()), "module", "modules") +
           " lost frames: " + numbers_in_words(modules) + ". Module " + std::to_string(most_of) +
           " lost the most: " + frames(most) + ".";
}

/// Whether the order of arrival at one instant decided who lost, and how unlike they lost.
std::string who_lost(const Json& result) {
    std::string text;
    if (const std::int64_t ties = result.value("decided_by_ties", std::int64_t{0}); ties > 0)
        text += "Ties decided " + readable_count(ties, "loss", "losses") +
                ": another input's frame came at the same instant, or in step with it, and first.";
    if (!result.contains("fairness")) return text;
    for (const auto& [senders, index] : result.at("fairness").items())
        if (!index.is_null())
            text += (text.empty() ? "" : " ") + ("Jain's fairness index of the " + senders) + "' losses is " +
                    readable(index.get<double>(), 3) + ": 1 if all lose alike, 1/n if one of n loses all.";
    return text;
}

std::string incomplete(const Json& result) {
    if (!result.contains("incomplete_events") || result.at("incomplete_events").empty()) return "";
    std::vector<std::int64_t> events;
    for (const Json& each : result.at("incomplete_events")) events.push_back(whole(each.at("event")));
    return "Incomplete events: " + numbers_in_words(events) + ".";
}

std::string part_of(std::int64_t some, std::int64_t all, int digits) {
    return readable(100.0 * static_cast<double>(some) / static_cast<double>(std::max<std::int64_t>(all, 1)), digits) +
           " %";
}

std::string what_happened(const Json& result) {
    const Json &events = result.at("events"), &sent = result.at("frames");
    const std::int64_t all = whole(events.at("sent")), complete = whole(events.at("complete")),
                       lost = whole(sent.at("lost"));
    std::string text = lost == 0 && complete == all
                           ? "Nothing was lost: all " + readable_count(all, "event", "events") +
                                 " arrived complete, in " + frames(whole(sent.at("received"))) + "."
                           : readable_count(complete) + " of " + readable_count(all, "event", "events") +
                                 " arrived complete (" + part_of(complete, all, 4) + "). " + readable_count(lost) +
                                 " of " + frames(whole(sent.at("sent"))) + " were lost (" +
                                 part_of(lost, whole(sent.at("sent")), 3) + "): " + causes(result.at("losses")) + ".";
    if (const Json& first = result.at("first_loss"); !first.is_null())
        text += " The first loss is a frame of module " + first.at("module").dump() + " and event " +
                readable_count(whole(first.at("event"))) + ", at " + readable_seconds(first.at("time_s")) + ".";
    return text;
}

std::string memory(const Json& result) {
    const Json& buffer = result.at("buffer");
    std::string text = "The fullest moment of a switch's memory: " + frames(whole(buffer.at("peak_frames"))) + ", " +
                       readable_bytes(buffer.at("peak_bytes").get<double>()) + ".";
    double busiest = 0;
    for (const Json& link : result.at("uplinks")) busiest = std::max(busiest, link.at("utilisation").get<double>());
    if (busiest > 0) text += " The busiest uplink sent " + readable(100 * busiest, 3) + " % of the time.";
    return text;
}

std::string latency(const Json& latency) {
    return "From its trigger to its last fragment an event takes " +
           readable_seconds(1e-6 * latency.at("median_us").get<double>()) + " (median), at least " +
           readable_seconds(1e-6 * latency.at("min_us").get<double>()) + ", on average " +
           readable_seconds(1e-6 * latency.at("mean_us").get<double>()) + ", at most " +
           readable_seconds(1e-6 * latency.at("max_us").get<double>()) + "; 99 % take no more than " +
           readable_seconds(1e-6 * latency.at("p99_us").get<double>()) + ".";
}

bool has_lost(const Json& result) {
    const Json& lost = result.at("lost_by_module");
    return lost.size() > 1 && !lost_modules(lost).empty();
}

/// The member of memories and queues without what the parts above have told.
PagePart recovery() {
    return [](const Json& result, const std::string&) {
        Json rest = result.at("recovery");
        rest.erase("places");
        return other_values({{"recovery", rest}});
    };
}

}  // namespace

std::vector<Page> run_pages() {
    return {
        {{"frames", "events", "buffer", "losses", "recovery", "lost_by_module"},
         "What does the camera lose?",
         {answer_in(what_happened), sentence(memory), sentence([](const Json& result) {
              const std::string modules = lost_modules(result.at("lost_by_module"));
              return modules.empty() ? "" : modules + " " + incomplete(result);
          }),
          picture("loss-per-module",
                  "Frames lost by each module. Where all bars are alike the loss is shared evenly; where they are not, "
                  "the order in which frames arrive decides who loses.",
                  draw_loss_per_module, has_lost),
          sentence(who_lost),
          each_of("Memories and queues", "recovery/places",
                  {{"<place", the("place")},
                   {"<of it", the("of")},
                   {"most in it",
                    [](const Json& each) {
                        return readable(each.at("peak").get<double>(), 9) + " " + each.at("unit").get<std::string>();
                    }},
                   {"at", the("fullest_s")},
                   {"empty again after",
                    [](const Json& each) {
                        return each.at("recovery_s").is_null() ? "not during the run"
                                                               : readable_seconds(each.at("recovery_s"));
                    }}}),
          sentence([](const Json& result) {
              return at_path(result, "latency").is_null() ? "" : latency(result.at("latency"));
          }),
          picture("latency",
                  "Events by the time from the trigger to the last fragment. The solid line is the median, the dashed "
                  "one the time that 99 % of the events keep to.",
                  draw_latency, [](const Json& result) { return !at_path(result, "latency").is_null(); }),
          recovery()},
         {"frames", "events", "losses", "first_loss", "lost_by_module", "incomplete_events", "buffer", "uplinks",
          "latency", "decided_by_ties", "fairness", "recovery"}}};
}

}  // namespace watershed
