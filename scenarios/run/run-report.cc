// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/run-report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "model/base/quantities.h"
#include "model/network/network.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

using Json = nlohmann::ordered_json;

std::string run_text(const std::string& scenario_file, std::uint64_t seed, const std::vector<std::string>& overrides) {
    std::string text = std::filesystem::path(scenario_file).filename().string() + ", seed " + std::to_string(seed);
    for (const std::string& each : overrides) text += ", " + each;
    return text;
}

double utilisation(const Outcome::Link& link, BitRate rate, Time simulated) {
    const double bits = 8 * static_cast<double>(link.wire.count), seconds = in_seconds(simulated);
    return seconds > 0 ? bits / static_cast<double>(rate.count) / seconds : 0;
}

std::string losses_of(const Outcome& outcome) {
    return listed(outcome.losses, [](const Outcome::Loss& loss) { return loss.where + ": " + loss.reason; });
}

namespace {

/// A member of a run's JSON as a row of the text.
struct Row {
    const char* member;
    const char* words;
    std::string (*note)(const Json& run);
};

std::string time_of(const Json& seconds) { return rounded_microseconds(1e6 * seconds.get<double>()); }

/// When a place was fullest and how long it took to be empty: "at 100 ms, empty 98.72 ms later".
std::string recovery_text(const Json& place) {
    if (place.at("fullest_s").is_null()) return "";
    return "at " + time_of(place.at("fullest_s")) +
           (place.at("recovery_s").is_null() ? ", not empty again"
                                             : ", empty " + time_of(place.at("recovery_s")) + " later");
}

const Json& place_of(const Json& run, const std::string& name, const std::string& of) {
    const Json& places = run.at("recovery").at("places");
    return *std::find_if(places.begin(), places.end(),
                         [&](const Json& each) { return each.at("place") == name && each.at("of") == of; });
}

std::string no_note(const Json& /*run*/) { return ""; }

std::string busy(const Json& of) { return text_line("busy %.1f %%", 100 * of.at("utilisation").get<double>()); }

/// Rows before and after the causes of losses.
constexpr Row kBefore[] = {{"/events/sent", "events sent", no_note},
                           {"/events/refused", "triggers refused", no_note},
                           {"/events/complete", "events complete", no_note},
                           {"/frames/sent", "frames sent", no_note},
                           {"/frames/received", "frames received", no_note}};
constexpr Row kAfter[] = {
    {"/frames/marked", "frames marked", no_note},
    {"/frames/to_dram", "frames to DRAM", no_note},
    {"/cut_through/frames", "frames cut through",
     [](const Json& run) {
         return rounded_microseconds(run.at("cut_through").at("mean_saved_us").get<double>()) +
                " saved each, on average";
     }},
    {"/pauses", "pauses", no_note},
    {"/buffer/peak_frames", "buffer peak, frames",
     [](const Json& run) {
         return run.at("switches").size() == 1 ? recovery_text(run.at("recovery").at("places").front()) : "";
     }},
    {"/buffer/peak_bytes", "buffer peak, bytes", no_note},
    {"/buffer/peak_cells", "buffer peak, cells", no_note}};
constexpr Row kOfServer[] = {
    {"/server/events/complete", "server events complete",
     [](const Json& run) {
         const Json& events = run.at("server").at("events");
         return events.at("timed_out").dump() + " timed out, " + events.at("open").dump() + " open";
     }},
    {"/server/wake_ups", "server wake-ups", [](const Json& run) { return "cores " + busy(run.at("server")); }},
    {"/server/memory_peak_bytes", "server memory, bytes",
     [](const Json& run) { return recovery_text(place_of(run, "server", "memory")); }}};

/// The text of a run for people, of its JSON alone.
class Text {
  public:
    Text(std::ostream& out, const Json& run) : out_(out), run_(run) {}

    void losses() {
        rows(kBefore);
        for (const Json& loss : run_.at("losses"))
            row("frames lost", loss.at("frames"),
                loss.at("where").get<std::string>() + ": " + loss.at("reason").get<std::string>());
        if (run_.at("losses").empty()) row("frames lost", 0);
        rows(kAfter);
        const Json& uplinks = run_.at("uplinks");
        for (std::size_t i = 0; has_one_switch() && i < uplinks.size(); ++i)
            row("frames on uplink " + std::to_string(i + 1), uplinks[i].at("frames"), busy(uplinks[i]));
        if (const Json& first = run_.at("first_loss"); !first.is_null())
            out_ << "  first loss: event " << first.at("event") << ", module " << first.at("module")
                 << (first.contains("builder") ? ", for builder " + first.at("builder").dump() : "") << ", at "
                 << to_text(time_of_seconds(first.at("time_s").get<double>()))
                 << (has_one_switch() ? "" : ", " + first.at("where").get<std::string>()) << "\n";
    }

    void who_lost() {
        const auto lost = run_.at("lost_by_module").get<std::vector<std::int64_t>>();
        const auto lossy = lost.size() - static_cast<std::size_t>(std::count(lost.begin(), lost.end(), 0));
        if (lossy > 0) {
            const auto worst = std::max_element(lost.begin(), lost.end());
            out_ << "  " << lossy << " of " << lost.size() << " modules lost frames, module "
                 << worst - lost.begin() + 1 << " the most: " << *worst << "\n";
        }
        if (const std::int64_t decided = run_.at("decided_by_ties"); decided > 0) {
            std::int64_t all = run_.at("frames").at("lost");
            for (std::size_t i = 1; i < streams().size(); ++i) all += streams()[i].at("lost").get<std::int64_t>();
            out_ << "  ties decided " << decided << " of " << all
                 << " losses: another input's frame came at the same instant, or in step with it, and first\n";
        }
        std::string fairness;
        for (const auto& [senders, index] : run_.at("fairness").items())
            if (!index.is_null())
                fairness += text_line("%s %s %.3f", fairness.empty() ? "" : ",", senders, index.get<double>());
        if (!fairness.empty())
            out_ << "  fairness of the losses, by Jain's index (1: all lose alike; 1/n: one of n loses all):"
                 << fairness << '\n';
    }

    void of_streams() {
        if (streams().empty()) return;
        const int name = width_of(streams(), 10);
        out_ << text_line("\n  %-*s  %5s  %12s  %12s  %12s  %24s  %12s\n", name, "stream", "class", "sent", "received",
                          "lost", "latency, us: mean, max", "peak, frames");
        for (const Json& stream : streams()) {
            const Json& latency = stream.at("latency");
            out_ << text_line("  %-*s  %5d  %12lld  %12lld  %12lld  %24s  %12lld\n", name, text_of(stream, "name"),
                              stream.at("class").get<int>(), count_of(stream, "sent"), count_of(stream, "received"),
                              count_of(stream, "lost"),
                              latency.is_null() ? "none arrived"
                                                : text_line("%.4g, %.4g", latency.at("mean_us").get<double>(),
                                                            latency.at("max_us").get<double>()),
                              count_of(stream, "peak_frames"));
            for (const Json& loss : stream.at("losses"))
                if (stream.at("name") != "camera")
                    out_ << text_line("  %-*s  %33s  %12lld  %s: %s\n", name, "", "", count_of(loss, "frames"),
                                      text_of(loss, "where"), text_of(loss, "reason"));
        }
    }

    /// A table of the groups and one of the builders, where there are several.
    void of_parts() {
        const auto table = [&](const char* member, const char* title, const char* column) {
            const Json parts = run_.value(member, Json::array());
            if (parts.empty()) return;
            const int name = width_of(parts, 10);
            out_ << text_line("\n  %-*s  %8s  %10s  %12s  %12s  %12s%s\n", name, title, column, "events", "sent",
                              "received", "lost", parts.front().contains("latency") ? "  latency, us: mean, max" : "");
            for (const Json& each : parts) {
                const bool of_builder = each.contains("latency");
                out_ << text_line("  %-*s  %8lld  %10lld  %12lld  %12lld  %12lld", name, text_of(each, "name"),
                                  count_of(each, of_builder ? "complete" : "modules"), count_of(each, "events"),
                                  count_of(each, "sent"), count_of(each, "received"), count_of(each, "lost"));
                if (of_builder && !each.at("latency").is_null())
                    out_ << text_line("  %23s  %s",
                                      text_line("%.4g, %.4g", each.at("latency").at("mean_us").get<double>(),
                                                each.at("latency").at("max_us").get<double>()),
                                      busy(each));
                out_ << '\n';
            }
        };
        table("groups", "group", "modules");
        table("builders", "builder", "complete");
    }

    void of_server() {
        if (const Json& lossy = run_.at("recovery").at("events"); !lossy.is_null()) {
            const std::int64_t first = lossy.at("first_incomplete"), last = lossy.at("last_incomplete");
            if (first == last)
                out_ << "  only event " << first << " is incomplete";
            else
                out_ << "  incomplete events lie between " << first << " and " << last << ", triggered within "
                     << rounded_microseconds(1e6 * (lossy.at("last_incomplete_s").get<double>() -
                                                    lossy.at("first_incomplete_s").get<double>()));
            if (const Json& again = lossy.at("complete_again"); !again.is_null())
                out_ << "; complete again: event " << again << ", at " << time_of(lossy.at("complete_again_s"));
            out_ << "\n";
        }
        if (run_.at("server").is_null()) return;
        out_ << "\n";
        rows(kOfServer);
        for (const Json& each : run_.at("server").at("interfaces")) {
            const std::string number = each.at("interface").dump();
            row("ring " + number + ", frames", each.at("ring_peak_frames"),
                recovery_text(place_of(run_, "server, interface " + number, "ring")));
        }
        const Json& latency = run_.at("latency");
        if (latency.is_null()) return;
        out_ << "  latency from trigger to complete event:";
        const char* separator = " ";
        for (const auto& [member, words] : {std::pair("min_us", "min"), std::pair("median_us", "median"),
                                            std::pair("p99_us", "99 %"), std::pair("max_us", "max")}) {
            out_ << separator << words << ' ' << rounded_microseconds(latency.at(member).get<double>());
            separator = ", ";
        }
        out_ << "\n";
    }

    /// A table of the switches and one of the links, where there are several or the modules' are asked for.
    void of_network() {
        if (has_one_switch() && !run_.contains("module_links")) return;
        const int name = width_of(run_.at("switches"), 14);
        out_ << text_line("\n  %-*s  %7s  %7s  %12s  %12s  %14s  %13s  %s\n", name, "switch", "modules", "inputs",
                          "frames lost", "peak, frames", "peak, bytes", "module links", "peak");
        for (const Json& each : run_.at("switches"))
            out_ << text_line("  %-*s  %7d  %7d  %12lld  %12lld  %14lld  %13s  %s\n", name, text_of(each, "name"),
                              each.at("modules").get<int>(), each.at("inputs").get<int>(),
                              count_of(each, "frames_lost"), count_of(each, "peak_frames"),
                              count_of(each, "peak_bytes"),
                              each.contains("module_links") ? busy(each.at("module_links")) : "",
                              recovery_text(place_of(run_, text_of(each, "name"), "buffer")));
        const auto row = [&](const std::string& from, const std::string& to, const Json& link) {
            out_ << text_line("  %-*s  %-*s  %10s  %14lld  %s\n", name + 12, from, name + 12, to,
                              to_text(BitRate{count_of(link, "rate_bits_per_s")}), count_of(link, "frames"),
                              busy(link));
        };
        out_ << text_line("\n  %-*s  %-*s  %10s  %14s\n", name + 12, "link", name + 12, "to", "rate", "frames");
        if (run_.contains("module_links"))
            for (const Json& link : run_.at("module_links"))
                row("module " + link.at("module").dump(), text_of(link, "to") + ", input " + link.at("input").dump(),
                    link);
        for (const Json& link : run_.at("links"))
            row(text_of(link, "from") + ", uplink " + link.at("uplink").dump(),
                text_of(link, "to") + (link.at("to") == "server" ? ", interface " : ", input ") +
                    link.at("input").dump(),
                link);
    }

  private:
    static std::string text_of(const Json& of, const char* member) { return of.at(member); }
    static std::int64_t count_of(const Json& of, const char* member) { return of.at(member); }
    static int width_of(const Json& named, std::size_t least) {
        for (const Json& each : named) least = std::max(least, text_of(each, "name").size());
        return static_cast<int>(least);
    }
    bool has_one_switch() const { return run_.at("switches").size() == 1; }
    Json streams() const { return run_.value("streams", Json::array()); }
    void row(const std::string& words, std::int64_t value, const std::string& note = "") {
        out_ << text_line("  %-24s %14lld  %s\n", words, value, note);
    }
    template <std::size_t Count>
    void rows(const Row (&members)[Count]) {
        for (const Row& each : members)
            if (const Json::json_pointer at(each.member); run_.contains(at))
                row(each.words, run_.at(at), each.note(run_));
    }

    std::ostream& out_;
    const Json& run_;
};

}  // namespace

std::vector<std::string> warnings_of(const NetworkScenario& scenario) {
    const std::vector<TrafficStream>& streams = scenario.traffic;
    const bool one_class = std::all_of(streams.begin(), streams.end(), [&](const TrafficStream& stream) {
        return stream.traffic_class == scenario.front_end.traffic_class;
    });
    if (one_class) return {};
    std::vector<std::string> warnings;
    const Network network(scenario);
    for (const Network::Switch& each : network.switches()) {
        const Buffer& buffer = each.settings.buffer;
        if (each.settings.scheduling.kind == Scheduling::Kind::StrictPriority && buffer.class_limits.empty() &&
            buffer.class_alphas.empty())
            warnings.push_back(
                each.name +
                ": strict priority decides who is sent first, not who is stored: a lower class may fill "
                "the memory, and a higher one then loses; switch.buffer.class_limits keeps it from that");
    }
    return warnings;
}

void print(std::ostream& out, const RunReport& report) {
    const Json run = to_json(report, false);
    out << "engine " << report.engine << ", seed " << report.scenario.seed << ", simulated "
        << to_text(report.outcome.simulated) << " in " << text_line("%.3f s\n", report.wall_seconds);
    for (const AssumedValue& each : report.assumed) out << "  " << to_text(each) << "\n";
    Text text(out, run);
    text.losses();
    text.who_lost();
    text.of_streams();
    text.of_parts();
    for (const std::string& each : warnings_of(report.scenario)) out << "  warning: " << each << '\n';
    text.of_server();
    text.of_network();
}

}  // namespace watershed
