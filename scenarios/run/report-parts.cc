// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/report-parts.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>
#include <vector>

#include "model/base/quantities.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// From trigger to complete event. The bins of the histogram are 1 us times powers of the 50th root of 10, the same for
/// all runs.
struct Latency {
    Time least{0}, median{0}, p99{0}, most{0};
    double mean_us = 0;
    std::size_t events = 0;
    std::vector<double> edges_us;         ///< of the bins, one more than these
    std::vector<std::int64_t> histogram;  ///< events

    explicit Latency(const std::vector<Outcome::Completion>& completions) : events(completions.size()) {
        if (completions.empty()) return;
        std::vector<Time> sorted;
        for (const Outcome::Completion& each : completions) {
            sorted.push_back(each.latency());
            mean_us += scaled_microseconds(each.latency()) / static_cast<double>(completions.size());
        }
        std::sort(sorted.begin(), sorted.end());
        // The smallest latency that at least this part of the events does not exceed.
        const auto quantile = [&](std::size_t percent) { return sorted[(sorted.size() * percent + 99) / 100 - 1]; };
        least = sorted.front();
        median = quantile(50);
        p99 = quantile(99);
        most = sorted.back();
        constexpr double kBinsPerDecade = 50;
        const auto edge = [](double bin) { return std::pow(10, bin / kBinsPerDecade); };
        double bin = std::floor(kBinsPerDecade * std::log10(std::max(scaled_microseconds(least), 1e-6)));
        for (std::size_t i = 0; i < sorted.size(); ++bin) {
            std::size_t beyond = i;
            while (beyond < sorted.size() && scaled_microseconds(sorted[beyond]) < edge(bin + 1)) ++beyond;
            edges_us.push_back(edge(bin));
            histogram.push_back(static_cast<std::int64_t>(beyond - i));
            i = beyond;
        }
        edges_us.push_back(edge(bin));
    }
};

Json place(const std::string& name, const char* of, const char* unit, std::int64_t peak, Time fullest, Time drained) {
    Json json{{"place", name},        {"of", of},           {"unit", unit},         {"peak", peak},
              {"fullest_s", nullptr}, {"empty_s", nullptr}, {"recovery_s", nullptr}};
    if (peak == 0) return json;
    json["fullest_s"] = in_seconds(fullest);
    if (drained < fullest) return json;  // never empty again
    json["empty_s"] = in_seconds(drained);
    json["recovery_s"] = in_seconds(drained - fullest);
    return json;
}

/// The lossy time of a run, by its events.
struct Lossy {
    std::int64_t first = 0, last = 0;   ///< incomplete events
    std::optional<std::int64_t> again;  ///< the first complete one after the last of these
    Time first_trigger{0}, last_trigger{0}, again_trigger{0};
    std::optional<Time> again_complete;

    Lossy(const Scenario& scenario, const Outcome& outcome)
        : first(outcome.incomplete.front().event), last(outcome.last_incomplete) {
        if (last < outcome.events_sent) again = last + 1;
        const std::vector<Time>& known = outcome.triggers;
        TriggerTrain train(scenario.trigger, scenario.seed);
        for (std::int64_t event = 1; event <= again.value_or(last); ++event) {
            const Time time = known.empty() ? *train.next() : known[static_cast<std::size_t>(event - 1)];
            if (event == first) first_trigger = time;
            if (event == last) last_trigger = time;
            again_trigger = time;
        }
        if (!outcome.server || !again) return;
        const auto& all = outcome.server->completions;
        const auto completion =
            std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.event == *again; });
        if (completion != all.end()) again_complete = completion->complete;
    }
};

/// Share of the time until the last frame and the last core are done that a core works.
double utilisation(const Scenario& scenario, const Outcome& outcome) {
    const double all = in_seconds(std::max(outcome.simulated, outcome.server->done)) * scenario.server.receiver->cores;
    return all > 0 ? in_seconds(outcome.server->busy) / all : 0;
}

Json to_json(const Latency& latency) {
    return {{"events", latency.events},
            {"min_us", scaled_microseconds(latency.least)},
            {"median_us", scaled_microseconds(latency.median)},
            {"p99_us", scaled_microseconds(latency.p99)},
            {"max_us", scaled_microseconds(latency.most)},
            {"mean_us", latency.mean_us},
            {"histogram", {{"edges_us", latency.edges_us}, {"events", latency.histogram}}}};
}

}  // namespace

std::string recovery_text(Time fullest, Time drained) {
    return "at " + rounded(fullest) +
           (drained < fullest ? ", not empty again" : ", empty " + rounded(drained - fullest) + " later");
}

void add_server(Json& json, const Scenario& scenario, const Outcome& outcome) {
    Json places = Json::array();
    for (const Outcome::Switch& each : outcome.switches)
        places.push_back(place(each.name, "buffer", "frames", each.peak_frames, each.fullest, each.drained));
    json["server"] = json["latency"] = nullptr;
    if (const auto& server = outcome.server) {
        Json interfaces = Json::array();
        for (std::size_t i = 0; i < server->interfaces.size(); ++i) {
            const auto& each = server->interfaces[i];
            interfaces.push_back(
                {{"interface", i + 1}, {"frames_lost", each.frames_lost}, {"ring_peak_frames", each.ring.peak()}});
            places.push_back(place("server, interface " + std::to_string(i + 1), "ring", "frames", each.ring.peak(),
                                   each.ring.fullest(), each.ring.drained()));
        }
        places.push_back(place("server", "memory", "bytes", server->memory.peak(), server->memory.fullest(),
                               server->memory.drained()));
        json["server"] = {
            {"interfaces", interfaces},
            {"events",
             {{"complete", server->completions.size()}, {"timed_out", server->timed_out}, {"open", server->open}}},
            {"memory_peak_bytes", server->memory.peak()},
            {"wake_ups", server->wake_ups},
            {"cores", scenario.server.receiver->cores},
            {"busy_s", in_seconds(server->busy)},
            {"done_s", in_seconds(server->done)},
            {"utilisation", utilisation(scenario, outcome)}};
        if (!server->completions.empty()) json["latency"] = to_json(Latency(server->completions));
    }
    json["recovery"] = {{"places", places}, {"events", nullptr}};
    if (outcome.incomplete.empty()) return;
    const Lossy lossy(scenario, outcome);
    Json& events = json["recovery"]["events"] = {
        {"first_incomplete", lossy.first}, {"first_incomplete_s", in_seconds(lossy.first_trigger)},
        {"last_incomplete", lossy.last},   {"last_incomplete_s", in_seconds(lossy.last_trigger)},
        {"complete_again", nullptr},       {"complete_again_s", nullptr},
        {"completed_s", nullptr}};
    if (lossy.again) {
        events["complete_again"] = *lossy.again;
        events["complete_again_s"] = in_seconds(lossy.again_trigger);
    }
    if (lossy.again_complete) events["completed_s"] = in_seconds(*lossy.again_complete);
}

void print_server(std::ostream& out, const Scenario& scenario, const Outcome& outcome) {
    if (!outcome.incomplete.empty()) {
        const Lossy lossy(scenario, outcome);
        if (lossy.first == lossy.last)
            out << "  only event " << lossy.first << " is incomplete";
        else
            out << "  incomplete events lie between " << lossy.first << " and " << lossy.last << ", triggered within "
                << rounded(lossy.last_trigger - lossy.first_trigger);
        if (lossy.again) out << "; complete again: event " << *lossy.again << ", at " << rounded(lossy.again_trigger);
        out << "\n";
    }
    const auto& server = outcome.server;
    if (!server) return;
    const auto row = [&](const char* name, std::int64_t value, const std::string& note) {
        out << text_line("  %-24s %14lld  %s\n", name, value, note);
    };
    const auto seen = [](const Recovery& recovery) {
        return recovery.peak() == 0 ? std::string() : recovery_text(recovery.fullest(), recovery.drained());
    };
    out << "\n";
    row("server events complete", static_cast<std::int64_t>(server->completions.size()),
        text_line("%lld timed out, %lld open", server->timed_out, server->open));
    row("server wake-ups", server->wake_ups, text_line("cores busy %.1f %%", 100 * utilisation(scenario, outcome)));
    row("server memory, bytes", server->memory.peak(), seen(server->memory));
    for (std::size_t i = 0; i < server->interfaces.size(); ++i)
        row(text_line("ring %zu, frames", i + 1).c_str(), server->interfaces[i].ring.peak(),
            seen(server->interfaces[i].ring));
    if (server->completions.empty()) return;
    const Latency latency(server->completions);
    out << "  latency from trigger to complete event: min " << rounded(latency.least) << ", median "
        << rounded(latency.median) << ", 99 % " << rounded(latency.p99) << ", max " << rounded(latency.most) << "\n";
}

namespace {

/// The end of a link: a switch's input, or an interface of the server, from 1.
std::string end_of(const Network& network, const Network::Link& link) {
    if (link.to == Network::kServer) return "server, interface " + std::to_string(link.input + 1);
    return network.switches()[static_cast<std::size_t>(link.to)].name + ", input " + std::to_string(link.input + 1);
}

/// What the modules of a switch sent together.
Outcome::Link sum_of_modules(const Network::Switch& network_switch, const Outcome& outcome) {
    Outcome::Link sum;
    for (int i = 0; i < network_switch.modules; ++i) {
        const Outcome::Link& link = outcome.module_links[static_cast<std::size_t>(network_switch.modules_before + i)];
        sum.frames += link.frames;
        sum.wire += link.wire;
    }
    return sum;
}

nlohmann::ordered_json to_json(const Outcome::Link& link, BitRate rate, int links, Time simulated) {
    return {{"rate_bits_per_s", rate.count},
            {"frames", link.frames},
            {"wire_bytes", link.wire.count},
            {"utilisation", utilisation(link, rate, simulated) / links}};
}

}  // namespace

double utilisation(const Outcome::Link& link, BitRate rate, Time simulated) {
    const double bits = 8 * static_cast<double>(link.wire.count), seconds = in_seconds(simulated);
    return seconds > 0 ? bits / static_cast<double>(rate.count) / seconds : 0;
}

void add_network(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome, bool module_links) {
    const Network network(scenario);
    json["switches"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < network.switches().size(); ++i) {
        const Network::Switch& each = network.switches()[i];
        const Outcome::Switch& seen = outcome.switches[i];
        nlohmann::ordered_json entry{{"name", each.name},
                                     {"inputs", each.inputs()},
                                     {"modules", each.modules},
                                     {"frames_lost", seen.frames_lost},
                                     {"peak_frames", seen.peak_frames},
                                     {"peak_bytes", seen.peak_bytes.count},
                                     {"first_idle_event", nullptr}};
        if (seen.first_idle_event != 0) entry["first_idle_event"] = seen.first_idle_event;
        if (each.modules > 0) {  // of all of them together; the utilisation is their mean
            entry["first_module"] = each.modules_before + 1;
            entry["module_links"] =
                to_json(sum_of_modules(each, outcome), scenario.front_end.link_rate, each.modules, outcome.simulated);
        }
        json["switches"].push_back(std::move(entry));
    }
    json["links"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Network::Link& link = network.links()[i];
        nlohmann::ordered_json entry{
            {"from", network.switches()[static_cast<std::size_t>(link.from)].name},
            {"uplink", link.uplink + 1},
            {"to", link.to == Network::kServer ? "server" : network.switches()[static_cast<std::size_t>(link.to)].name},
            {"input", link.input + 1}};
        entry.update(to_json(outcome.uplinks[i], link.rate, 1, outcome.simulated));
        json["links"].push_back(std::move(entry));
    }
    if (!module_links) return;
    json["module_links"] = nlohmann::ordered_json::array();
    for (const Network::Switch& each : network.switches())
        for (int i = 0; i < each.modules; ++i) {
            const int module = each.modules_before + i + 1;
            nlohmann::ordered_json entry{{"module", module}, {"to", each.name}, {"input", i + 1}};
            entry.update(to_json(outcome.module_links[static_cast<std::size_t>(module - 1)],
                                 scenario.front_end.link_rate, 1, outcome.simulated));
            json["module_links"].push_back(std::move(entry));
        }
}

void print_network(std::ostream& out, const Scenario& scenario, const Outcome& outcome, bool module_links) {
    const Network network(scenario);
    std::size_t width = 14;
    for (const Network::Switch& each : network.switches()) width = std::max(width, each.name.size());
    const int name = static_cast<int>(width);
    out << text_line("\n  %-*s  %7s  %7s  %12s  %12s  %14s  %13s  %s\n", name, "switch", "modules", "inputs",
                     "frames lost", "peak, frames", "peak, bytes", "module links", "peak");
    for (std::size_t i = 0; i < network.switches().size(); ++i) {
        const Network::Switch& each = network.switches()[i];
        const Outcome::Switch& seen = outcome.switches[i];
        const double busy = each.modules == 0 ? 0
                                              : utilisation(sum_of_modules(each, outcome), scenario.front_end.link_rate,
                                                            outcome.simulated) /
                                                    each.modules;
        const std::string load = each.modules == 0 ? "" : text_line("busy %.1f %%", 100 * busy);
        out << text_line("  %-*s  %7d  %7d  %12lld  %12lld  %14lld  %13s  %s\n", name, each.name, each.modules,
                         each.inputs(), seen.frames_lost, seen.peak_frames, seen.peak_bytes.count, load,
                         seen.peak_frames > 0 ? recovery_text(seen.fullest, seen.drained).c_str() : "");
    }
    const auto row = [&](const std::string& from, const std::string& to, BitRate rate, const Outcome::Link& link) {
        out << text_line("  %-*s  %-*s  %10s  %14lld  busy %.1f %%\n", name + 12, from, name + 12, to, to_text(rate),
                         link.frames, 100 * utilisation(link, rate, outcome.simulated));
    };
    out << text_line("\n  %-*s  %-*s  %10s  %14s\n", name + 12, "link", name + 12, "to", "rate", "frames");
    if (module_links)
        for (const Network::Switch& each : network.switches())
            for (int i = 0; i < each.modules; ++i)
                row("module " + std::to_string(each.modules_before + i + 1),
                    each.name + ", input " + std::to_string(i + 1), scenario.front_end.link_rate,
                    outcome.module_links[static_cast<std::size_t>(each.modules_before + i)]);
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Network::Link& link = network.links()[i];
        row(network.name(link), end_of(network, link), link.rate, outcome.uplinks[i]);
    }
}

namespace {

/// Of the frames that reached the server; a camera's server with limits may lose some of these.
double mean_latency_us(const Outcome::Stream& stream) {
    return stream.frames_arrived == 0 ? 0
                                      : in_microseconds(stream.latency) / static_cast<double>(stream.frames_arrived);
}

/// Of each switch.
nlohmann::ordered_json peaks_json(const Outcome::Stream& stream, const std::vector<Outcome::Switch>& switches) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < stream.peaks.size(); ++i)
        json.push_back({{"name", switches[i].name},
                        {"peak_frames", stream.peaks[i].frames},
                        {"peak_bytes", stream.peaks[i].bytes.count}});
    return json;
}

/// Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination", DEC-TR-301 (1984): 1 where all have as
/// much, 1/n where one of n has all. Nothing where nobody has anything, or there is nobody to compare with.
std::optional<double> jains_index(const std::vector<double>& shares) {
    double sum = 0, squares = 0;
    for (const double each : shares) sum += each, squares += each * each;
    if (shares.size() < 2 || squares == 0) return std::nullopt;
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// Over the modules, of the frames that each lost; over the streams beside the camera, of the part that each lost.
struct Fairness {
    std::optional<double> modules, streams;

    explicit Fairness(const Outcome& outcome)
        : modules(jains_index({outcome.lost_by_module.begin(), outcome.lost_by_module.end()})) {
        std::vector<double> parts;
        for (std::size_t i = 1; i < outcome.streams.size(); ++i) {
            const Outcome::Stream& stream = outcome.streams[i];
            const auto lost = static_cast<double>(stream.frames_sent - stream.frames_received);
            parts.push_back(lost / static_cast<double>(std::max<std::int64_t>(stream.frames_sent, 1)));
        }
        streams = jains_index(parts);
    }
};

std::int64_t sum_of(const std::vector<std::int64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

}  // namespace

void add_fairness(nlohmann::ordered_json& json, const Outcome& outcome) {
    json["decided_by_ties"] = sum_of(outcome.decided_by_ties);
    const Fairness fairness(outcome);
    json["fairness"] = {{"modules", nullptr}, {"streams", nullptr}};
    if (fairness.modules) json["fairness"]["modules"] = *fairness.modules;
    if (fairness.streams) json["fairness"]["streams"] = *fairness.streams;
}

void print_fairness(std::ostream& out, const Outcome& outcome) {
    const std::int64_t decided = sum_of(outcome.decided_by_ties);
    if (decided > 0) {
        std::int64_t lost = outcome.frames_lost();
        for (std::size_t i = 1; i < outcome.streams.size(); ++i)
            lost += outcome.streams[i].frames_sent - outcome.streams[i].frames_received;
        out << "  ties decided " << decided << " of " << lost
            << " losses: another input's frame came at the same instant, or in step with it, and first\n";
    }
    const Fairness fairness(outcome);
    if (!fairness.modules && !fairness.streams) return;
    out << "  fairness of the losses, by Jain's index (1: all lose alike; 1/n: one of n loses all):";
    if (fairness.modules) out << text_line(" modules %.3f", *fairness.modules);
    if (fairness.streams) out << text_line("%s streams %.3f", fairness.modules ? "," : "", *fairness.streams);
    out << '\n';
}

std::vector<std::string> warnings_of(const Incast& scenario) {
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

void add_streams(nlohmann::ordered_json& json, const Outcome& outcome) {
    if (outcome.streams.empty()) return;
    json["streams"] = nlohmann::ordered_json::array();
    for (const Outcome::Stream& stream : outcome.streams) {
        const std::int64_t decided =
            outcome.decided_by_ties[static_cast<std::size_t>(&stream - outcome.streams.data())];
        nlohmann::ordered_json entry{{"name", stream.name},
                                     {"class", stream.traffic_class},
                                     {"sent", stream.frames_sent},
                                     {"received", stream.frames_received},
                                     {"lost", stream.frames_sent - stream.frames_received},
                                     {"losses", losses_json(stream.losses)},
                                     {"decided_by_ties", decided},
                                     {"latency", nullptr},
                                     {"peak_frames", stream.peak().frames},
                                     {"peak_bytes", stream.peak().bytes.count}};
        if (stream.peaks.size() > 1) entry["switches"] = peaks_json(stream, outcome.switches);
        if (stream.frames_arrived > 0)
            entry["latency"] = {{"mean_us", mean_latency_us(stream)}, {"max_us", in_microseconds(stream.latency_most)}};
        json["streams"].push_back(std::move(entry));
    }
}

void print_streams(std::ostream& out, const Outcome& outcome) {
    if (outcome.streams.empty()) return;
    std::size_t width = 10;
    for (const Outcome::Stream& stream : outcome.streams) width = std::max(width, stream.name.size());
    const int name = static_cast<int>(width);
    out << text_line("\n  %-*s  %5s  %12s  %12s  %12s  %24s  %12s\n", name, "stream", "class", "sent", "received",
                     "lost", "latency, us: mean, max", "peak, frames");
    for (const Outcome::Stream& stream : outcome.streams) {
        const std::string latency = stream.frames_arrived == 0 ? "none arrived"
                                                               : text_line("%.4g, %.4g", mean_latency_us(stream),
                                                                           in_microseconds(stream.latency_most));
        out << text_line("  %-*s  %5d  %12lld  %12lld  %12lld  %24s  %12lld\n", name, stream.name, stream.traffic_class,
                         stream.frames_sent, stream.frames_received, stream.frames_sent - stream.frames_received,
                         latency, stream.peak().frames);
        for (const Outcome::Loss& loss : stream.losses)
            if (stream.name != "camera")
                out << text_line("  %-*s  %33s  %12lld  %s: %s\n", name, "", "", loss.frames, loss.where, loss.reason);
    }
}

}  // namespace watershed
