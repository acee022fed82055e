// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "model/frontend/event-train.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "scenarios/run/run-report.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/output-file.h"

namespace watershed {

using Json = nlohmann::ordered_json;

namespace {

/// Triggers of one train that rules or the dead time refused; nothing where there is no rule and none was. Random ones
/// are drawn from the end of the dead time on.
std::optional<std::int64_t> refused_of(const Trigger& trigger, TriggerTrain train) {
    const bool drawn_after = trigger.pattern == Trigger::Pattern::Poisson && trigger.burst.events == 0;
    if (trigger.rules.empty() && (trigger.dead_time == Time{0} || drawn_after)) return std::nullopt;
    while (train.next()) {
    }
    return trigger.rules.empty() && train.refused() == 0 ? std::nullopt : std::make_optional(train.refused());
}

/// Refused triggers of all trains together.
std::optional<std::int64_t> refused(const Scenario& scenario, const Outcome& outcome) {
    if (almost_full_rule(scenario.trigger)) return outcome.triggers_refused;
    std::optional<std::int64_t> all = refused_of(scenario.trigger, {scenario.trigger, scenario.seed});
    for (const Group& group : scenario.groups)
        if (group.trigger)
            if (const auto more = refused_of(*group.trigger, train_of(group, scenario))) all = all.value_or(0) + *more;
    return all;
}

/// From trigger to complete event. The bins of the histogram are 1 us times powers of the 50th root of 10, the same for
/// all runs.
struct Latency {
    Time least{0}, median{0}, p99{0}, most{0};
    double mean_us = 0;
    std::size_t events = 0;
    std::vector<double> edges_us;         ///< edges of the bins, one more than bins
    std::vector<std::int64_t> histogram;  ///< events

    explicit Latency(const std::vector<Outcome::Completion>& completions) : events(completions.size()) {
        if (completions.empty()) return;
        std::vector<Time> sorted;
        for (const Outcome::Completion& each : completions) {
            sorted.push_back(each.latency());
            mean_us += in_microseconds(each.latency()) / static_cast<double>(completions.size());
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
        double bin = std::floor(kBinsPerDecade * std::log10(std::max(in_microseconds(least), 1e-6)));
        for (std::size_t i = 0; i < sorted.size(); ++bin) {
            std::size_t beyond = i;
            while (beyond < sorted.size() && in_microseconds(sorted[beyond]) < edge(bin + 1)) ++beyond;
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
        EventTrain train(scenario);
        for (std::int64_t event = 1; event <= again.value_or(last); ++event) {
            const Time time = known.empty() ? train.next()->time : known[static_cast<std::size_t>(event - 1)];
            if (event == first) first_trigger = time;
            if (event == last) last_trigger = time;
            again_trigger = time;
        }
        if (!outcome.server || !again) return;
        const auto& all = outcome.server->completions;
        const auto completion =  // the last one, where each builder has it
            std::find_if(all.rbegin(), all.rend(), [&](const auto& each) { return each.event == *again; });
        if (completion != all.rend()) again_complete = completion->complete;
    }
};

/// Share of the time until the last frame and the last core are done that a core works.
double utilisation(const Scenario& scenario, const Outcome& outcome) {
    const double all = in_seconds(std::max(outcome.simulated, outcome.server->done)) * scenario.server.receiver->cores;
    return all > 0 ? in_seconds(outcome.server->busy) / all : 0;
}

Json to_json(const Latency& latency) {
    return {{"events", latency.events},
            {"min_us", in_microseconds(latency.least)},
            {"median_us", in_microseconds(latency.median)},
            {"p99_us", in_microseconds(latency.p99)},
            {"max_us", in_microseconds(latency.most)},
            {"mean_us", latency.mean_us},
            {"histogram", {{"edges_us", latency.edges_us}, {"events", latency.histogram}}}};
}

/// Adds "server", "latency" and "recovery".
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

Json to_json(const Outcome::Link& link, BitRate rate, Time simulated) {
    return {{"rate_bits_per_s", rate.count},
            {"frames", link.frames},
            {"wire_bytes", link.wire.count},
            {"utilisation", utilisation(link, rate, simulated)}};
}

/// Returns the links of a switch's modules together; the utilisation is their mean, and their rate null where they
/// differ.
Json module_links_json(const Network::Switch& network_switch, const SenderPorts& ports, const Outcome& outcome) {
    Outcome::Link sum;
    BitRate rates{0};
    const BitRate first = ports.rate(network_switch.modules_before);
    bool same = true;
    for (int i = 0; i < network_switch.modules; ++i) {
        const int port = network_switch.modules_before + i;
        const Outcome::Link& link = outcome.module_links[static_cast<std::size_t>(port)];
        sum.frames += link.frames;
        sum.wire += link.wire;
        rates += ports.rate(port);
        same = same && ports.rate(port).count == first.count;
    }
    Json json = to_json(sum, rates, outcome.simulated);
    json["rate_bits_per_s"] = same ? Json(first.count) : Json(nullptr);
    return json;
}

/// Adds "switches" and "links", and "module_links" if they are asked for.
void add_network(Json& json, const Scenario& scenario, const Outcome& outcome, bool module_links) {
    const Network network(scenario);
    const SenderPorts ports(scenario);
    json["switches"] = Json::array();
    for (std::size_t i = 0; i < network.switches().size(); ++i) {
        const Network::Switch& each = network.switches()[i];
        const Outcome::Switch& seen = outcome.switches[i];
        Json entry{{"name", each.name},
                   {"inputs", each.inputs()},
                   {"modules", each.modules},
                   {"frames_lost", seen.frames_lost},
                   {"peak_frames", seen.peak_frames},
                   {"peak_bytes", seen.peak_bytes.count},
                   {"first_idle_event", nullptr}};
        if (seen.peak_cells) entry["peak_cells"] = *seen.peak_cells;
        if (seen.first_idle_event != 0) entry["first_idle_event"] = seen.first_idle_event;
        if (each.modules > 0) {
            entry["first_module"] = each.modules_before + 1;
            entry["module_links"] = module_links_json(each, ports, outcome);
        }
        json["switches"].push_back(std::move(entry));
    }
    json["links"] = Json::array();
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Network::Link& link = network.links()[i];
        Json entry{
            {"from", network.switches()[static_cast<std::size_t>(link.from)].name},
            {"uplink", link.uplink + 1},
            {"to", link.to == Network::kServer ? "server" : network.switches()[static_cast<std::size_t>(link.to)].name},
            {"input", link.input + 1}};
        if (link.to == Network::kServer && scenario.builders.count > 1) entry["builder"] = link.builder + 1;
        entry.update(to_json(outcome.uplinks[i], link.rate, outcome.simulated));
        json["links"].push_back(std::move(entry));
    }
    if (!module_links) return;
    json["module_links"] = Json::array();
    for (const Network::Switch& each : network.switches())
        for (int i = 0; i < each.modules; ++i) {
            const int module = each.modules_before + i + 1;
            Json entry{{"module", module}, {"to", each.name}, {"input", i + 1}};
            entry.update(to_json(outcome.module_links[static_cast<std::size_t>(module - 1)], ports.rate(module - 1),
                                 outcome.simulated));
            json["module_links"].push_back(std::move(entry));
        }
}

/// Returns the mean latency of frames that reached the server, which may lose some of them afterwards if it has limits.
double mean_latency_us(const Outcome::Stream& stream) {
    return stream.frames_arrived == 0 ? 0
                                      : in_microseconds(stream.latency) / static_cast<double>(stream.frames_arrived);
}

/// Returns the peaks of a stream in each switch.
Json peaks_json(const Outcome::Stream& stream, const std::vector<Outcome::Switch>& switches) {
    Json json = Json::array();
    for (std::size_t i = 0; i < stream.peaks.size(); ++i)
        json.push_back({{"name", switches[i].name},
                        {"peak_frames", stream.peaks[i].frames},
                        {"peak_bytes", stream.peaks[i].bytes.count}});
    return json;
}

/// Adds "streams", where there are any beside the camera.
void add_streams(Json& json, const Outcome& outcome) {
    if (outcome.streams.empty()) return;
    json["streams"] = Json::array();
    for (const Outcome::Stream& stream : outcome.streams) {
        const std::int64_t decided =
            outcome.decided_by_ties[static_cast<std::size_t>(&stream - outcome.streams.data())];
        Json entry{{"name", stream.name},
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

/// Adds "groups" and "builders", where there are several.
void add_parts(Json& json, const NetworkScenario& scenario, const Outcome& outcome) {
    int first = 1;
    for (const Outcome::Group& group : outcome.groups) {
        json["groups"].push_back({{"name", group.name},
                                  {"modules", group.modules},
                                  {"first_module", first},
                                  {"events", group.events},
                                  {"sent", group.frames_sent},
                                  {"received", group.frames_received},
                                  {"lost", group.frames_sent - group.frames_received}});
        first += group.modules;
    }
    if (outcome.builders.empty()) return;
    const Network network(scenario);
    for (std::size_t i = 0; i < outcome.builders.size(); ++i) {
        const Outcome::Builder& builder = outcome.builders[i];
        BitRate rates{0};
        Outcome::Link carried;
        for (std::size_t link = 0; link < network.links().size(); ++link)
            if (const Network::Link& each = network.links()[link];
                each.to == Network::kServer && each.builder == static_cast<int>(i)) {
                rates += each.rate;
                carried.wire += outcome.uplinks[link].wire;
            }
        Json entry{{"name", "builder " + std::to_string(i + 1)},
                   {"sent", builder.frames_sent},
                   {"received", builder.frames_received},
                   {"lost", builder.frames_sent - builder.frames_received},
                   {"events", builder.events_sent},
                   {"complete", builder.events_complete},
                   {"latency", nullptr},
                   {"utilisation", utilisation(carried, rates, outcome.simulated)}};
        if (builder.events_complete > 0)
            entry["latency"] = {
                {"mean_us", in_microseconds(builder.latency) / static_cast<double>(builder.events_complete)},
                {"max_us", in_microseconds(builder.latency_most)}};
        json["builders"].push_back(std::move(entry));
    }
}

/// Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination", DEC-TR-301 (1984): 1 where all have as
/// much, 1/n where one of n has all. Null where nobody has anything, or there is nobody to compare with.
Json jains_index(const std::vector<double>& shares) {
    double sum = 0, squares = 0;
    for (const double each : shares) sum += each, squares += each * each;
    if (shares.size() < 2 || squares == 0) return nullptr;
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// Adds `decided_by_ties`, of all streams together, and `fairness`: over the modules, of the frames that each lost;
/// over the streams beside the camera, of the part that each lost.
void add_fairness(Json& json, const Outcome& outcome) {
    const std::vector<std::int64_t>& ties = outcome.decided_by_ties;
    json["decided_by_ties"] = std::accumulate(ties.begin(), ties.end(), std::int64_t{0});
    std::vector<double> parts;
    for (std::size_t i = 1; i < outcome.streams.size(); ++i) {
        const Outcome::Stream& stream = outcome.streams[i];
        const auto lost = static_cast<double>(stream.frames_sent - stream.frames_received);
        parts.push_back(lost / static_cast<double>(std::max<std::int64_t>(stream.frames_sent, 1)));
    }
    json["fairness"] = {{"modules", jains_index({outcome.lost_by_module.begin(), outcome.lost_by_module.end()})},
                        {"streams", jains_index(parts)}};
}

}  // namespace

Json to_json(const RunReport& report, bool lists) {
    const Outcome& outcome = report.outcome;
    Json json;
    json["program"] = Provenance::program();
    json["command"] = Provenance::command();
    json["scenario"] = report.file;
    json["set"] = report.overrides;
    json["engine"] = report.engine;
    json["seed"] = report.scenario.seed;
    add_assumed(json, report.assumed);
    json["frames"] = {
        {"sent", outcome.frames_sent}, {"received", outcome.frames_received}, {"lost", outcome.frames_lost()}};
    json["events"] = {{"sent", outcome.events_sent}, {"complete", outcome.events_complete}};
    if (const auto number = refused(report.scenario, outcome)) json["events"]["refused"] = *number;
    json["buffer"] = {{"peak_frames", outcome.peak_frames}, {"peak_bytes", outcome.peak_bytes.count}};
    if (outcome.peak_cells) json["buffer"]["peak_cells"] = *outcome.peak_cells;
    if (outcome.frames_marked > 0) json["frames"]["marked"] = outcome.frames_marked;
    if (outcome.frames_to_dram > 0) json["frames"]["to_dram"] = outcome.frames_to_dram;
    if (outcome.frames_cut_through > 0)
        json["cut_through"] = {{"frames", outcome.frames_cut_through},
                               {"mean_saved_us", in_microseconds(outcome.latency_saved) /
                                                     static_cast<double>(outcome.frames_cut_through)}};
    const Network network(report.scenario);
    if (has_flow_control(network)) json["pauses"] = outcome.pauses;
    json["losses"] = losses_json(outcome.losses);
    json["first_loss"] = nullptr;
    if (const auto& first = outcome.first_loss)
        json["first_loss"] = {{"event", first->frame.event},
                              {"module", first->frame.module},
                              {"time_s", in_seconds(first->time)},
                              {"where", first->where}};
    if (outcome.first_loss && report.scenario.builders.receiving() > 1)
        json["first_loss"]["builder"] = outcome.first_loss->frame.copy + 1;
    json["lost_by_module"] = outcome.lost_by_module;
    add_fairness(json, outcome);
    Json::array_t incomplete;
    for (std::size_t i = 0; lists && i < outcome.incomplete.size(); ++i) {
        const auto& event = outcome.incomplete[i];
        Json::object_t each;
        each.reserve(2);
        each.emplace_back("event", event.event);
        each.emplace_back("missing", event.missing);
        incomplete.emplace_back(std::move(each));
    }
    json["incomplete_events"] = std::move(incomplete);
    const auto left_out = outcome.events_incomplete() - static_cast<std::int64_t>(outcome.incomplete.size());
    if (left_out > 0) json["incomplete_events_left_out"] = {{"events", left_out}, {"last", outcome.last_incomplete}};
    json["uplinks"] = Json::array();
    for (std::size_t i = 0; i < outcome.uplinks.size(); ++i) {
        const auto& uplink = outcome.uplinks[i];
        json["uplinks"].push_back({{"frames", uplink.frames},
                                   {"wire_bytes", uplink.wire.count},
                                   {"utilisation", utilisation(uplink, network.links()[i].rate, outcome.simulated)}});
    }
    add_network(json, report.scenario, outcome, report.module_links);
    add_server(json, report.scenario, outcome);
    add_streams(json, outcome);
    add_parts(json, report.scenario, outcome);
    if (const auto warnings = warnings_of(report.scenario); !warnings.empty()) json["warnings"] = warnings;
    json["first_idle_event"] = nullptr;  // the first after event 1 that found the switch empty
    if (outcome.first_idle_event != 0) json["first_idle_event"] = outcome.first_idle_event;
    json["simulated_s"] = in_seconds(outcome.simulated);
    json["wall_s"] = report.wall_seconds;
    return json;
}

}  // namespace watershed
