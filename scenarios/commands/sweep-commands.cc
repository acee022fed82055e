// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>
#include <optional>
#include <sstream>

#include "model/exact/exact-engine.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/campaign.h"
#include "scenarios/sweep/ranks.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Options of map and boundary.
struct SweepCommandOptions : ScenarioAsked {
    std::string separations;
    std::string events;
    std::string engine = "exact";
    int jobs = default_jobs();
    std::optional<std::int64_t> limit;
    std::string depths;
    std::string output = "-";
    bool resume = false;
    std::int64_t verify = 0;
};

/// As what a run of one event takes is asked of.
NetworkScenario one_event_of(const Scenario& whole) {
    NetworkScenario scenario = without_idle_schedulers(whole);
    scenario.trigger.events = 1;
    return scenario;
}

/// How one run, or the arithmetic in its place, goes about a burst in this scenario.
std::string method_of(const SweepCommandOptions& options, const Scenario& whole) {
    if (options.engine == "ns3") return "in ns-3";
    switch (choose_path(one_event_of(whole)).path) {
        case RunPath::SwitchBySwitch: return "switch by switch";
        case RunPath::TriggerByTrigger: return "trigger by trigger";
        case RunPath::FrameByFrame:
        case RunPath::Uniform: return "frame by frame";
        case RunPath::StepByStep: return "step by step";
        case RunPath::General: break;
    }
    return "by the general exact path";
}

/// Why a run of the longest burst does not answer for the shorter ones; empty if it does.
std::string why_one_by_one(const Scenario& scenario) {
    if (!scenario.traffic.empty()) return "a stream beside the camera ends with the burst";
    const auto policy = push_out_policy(Network(scenario));
    return policy ? std::string("sharing \"") + (*policy)->name + "\" pushes out frames that it admitted" : "";
}

/// Says so where there is no fast path.
void tell_slow(const Ranks& ranks, const Scenario& scenario, const std::string& consequence) {
    const std::string why = why_one_by_one(scenario);
    if (ranks.first() && !why.empty()) std::cerr << "note: " << why << "; " << consequence << std::endl;
}

/// The longest burst to try where nothing proves that none loses.
std::int64_t limit_of(const SweepCommandOptions& options, const Scenario& whole) {
    if (options.limit) return *options.limit;
    return options.engine == "exact" ? affordable_burst(whole) : 1'000'000;
}

/// Says so where nothing proves that no burst loses: then a run of the longest one shows it.
void tell_limit(const Ranks& ranks, const SweepCommandOptions& options, const Scenario& scenario, Time separation,
                std::int64_t limit) {
    if (!ranks.first() || options.engine != "exact") return;
    if (const UnsupportedKey obstacle = boundary_obstacle(scenario, separation))
        std::cerr << "note: where no burst loses, " << limit << " events are run, " << method_of(options, scenario)
                  << ", and no more (--limit): there is no proof, " << obstacle.text() << std::endl;
}

/// A process is not worth its start for what takes milliseconds.
int jobs_for(const SweepCommandOptions& options, const Scenario& scenario) {
    return method_of(options, scenario) == "trigger by trigger" ? 1 : options.jobs;
}

std::string file_text(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Separations and burst lengths, or their limit, as the command names them.
using Points = std::vector<std::pair<std::string, std::string>>;

/// The work of a command: a piece for each separation. What the header says of the command is what the results depend
/// on, so that neither the number of jobs, nor the file's name, nor --resume makes a difference.
CampaignWork work_of(const SweepCommandOptions& options, const Scenario& scenario, int jobs, const std::string& command,
                     const Points& points, std::size_t separations, const std::string& more_header) {
    std::vector<std::string> words{"watershed", command, options.scenario};
    for (const std::string& each : options.overrides) words.insert(words.end(), {"--set", each});
    std::string list;
    for (const auto& [option, value] : points) {
        words.insert(words.end(), {option, value});
        list += (list.empty() ? "" : " ") + option + " " + value;
    }
    words.insert(words.end(), {"--engine", options.engine});
    const Request::Facts facts{{"command", command},
                               {"scenario", scenario_values(options.scenario, options.overrides, "trigger")},
                               {"version", Provenance::program()},
                               {"engine", options.engine},
                               {"seed", std::to_string(scenario.seed)},
                               {"list of points", list}};
    const std::string header = Provenance::comment(words) + "# engine: " + options.engine +
                               ", seed: " + std::to_string(scenario.seed) + "\n" + more_header;
    return {command,        "separations",  {facts, separations, header, file_text(options.scenario)},
            options.output, options.resume, jobs};
}

void write_result(const SweepCommandOptions& options, const CampaignResults& results, const std::string& more,
                  const std::string& summary) {
    if (Campaign::is_name(options.output)) {
        std::cout << options.output << ": " << summary << "; watershed export writes them as CSV\n";
        return;
    }
    OutputFile file(options.output);
    file.stream() << results.header << more;
    for (const std::string& piece : results.pieces) file.stream() << piece;
    file.commit();
    results.written(options.output);
    if (options.output != "-") std::cout << options.output << ": " << summary << "\n";
}

/// Repeats points in the other engine. @return a comment that says so
std::string verified(const SweepCommandOptions& options, const Scenario& scenario, const EngineFactory& make_engine,
                     const std::vector<Claimed>& points) {
    if (options.verify == 0) return {};
    const std::string other = options.engine == "ns3" ? "exact" : "ns3";
    const auto chosen = nearest_boundary(points, options.verify, scenario.seed);
    verify(*make_engine(other, {}), scenario, chosen);
    return "# verified: " + std::to_string(chosen.size()) +
           " points, those nearest the boundary first, repeated in the " + other + " engine without a difference\n";
}

/// Claims of the columns of a map, by their distance from the first length that loses.
std::vector<Claimed> claims_of_map(const CampaignResults& results) {
    std::ostringstream text;
    write_loss_map_header(text);
    for (const std::string& column : results.pieces) text << column;
    std::istringstream in(text.str());
    const LossMap map = read_loss_map(in, "map");
    std::vector<Claimed> points;
    for (std::size_t first = 0, last; first < map.rows.size(); first = last) {
        for (last = first; last < map.rows.size() && map.rows[last].separation == map.rows[first].separation; ++last) {
        }
        const auto begin = map.rows.begin() + static_cast<std::ptrdiff_t>(first),
                   end = map.rows.begin() + static_cast<std::ptrdiff_t>(last);
        const std::int64_t lossy =
            std::find_if(begin, end, [](const LossMapRow& row) { return !row.lossless(); }) - begin;
        for (auto row = begin; row != end; ++row) {
            const std::int64_t i = row - begin;
            points.push_back({row->separation, row->events, row->frames_lost(), i < lossy ? lossy - 1 - i : i - lossy});
        }
    }
    return points;
}

/// Only the first rank writes; the folder need not exist where the others are.
std::string target(const Ranks& ranks, const SweepCommandOptions& options) {
    return ranks.first() ? options.output : "-";
}

void map(const SweepCommandOptions& options, const EngineFactory& make_engine) {
    Ranks ranks;
    std::vector<AssumedValue> assumed;
    const Scenario scenario =
        read_scenario(Scope::own_bursts().with_streams().with_sequences().with_groups().with_failures(),
                      options.scenario, options.overrides, &assumed);
    const std::vector<Time> separations = parse_time_list("--separation", options.separations);
    const std::vector<std::int64_t> events = parse_count_list("--events", options.events);
    const OutputFile checked(target(ranks, options));
    std::ostringstream header;
    const std::string why = why_one_by_one(scenario);
    header << comment(assumed) << "# method: "
           << (why.empty() ? "one run per separation, of the longest burst, " + method_of(options, scenario) +
                                 "; it answers for the shorter ones wherever events keep their order"
                           : "one run per point, " + method_of(options, scenario) + ": " + why)
           << "\n";
    tell_slow(ranks, scenario, "every point of the map is a run of its own");
    write_loss_map_header(header);

    const CampaignWork work = work_of(options, scenario, jobs_for(options, scenario), "map",
                                      {{"--separation", options.separations}, {"--events", options.events}},
                                      separations.size(), header.str());
    const CampaignResults results = do_campaign(work, ranks, [&](std::size_t i) {
        std::ostringstream rows;
        write_loss_map_rows(rows, map_column(*make_engine(options.engine, {}), scenario, separations[i], events));
        return rows.str();
    });
    if (!ranks.first()) return;
    const std::string note = options.verify > 0 ? verified(options, scenario, make_engine, claims_of_map(results)) : "";
    write_result(options, results, note,
                 std::to_string(separations.size() * events.size()) + " bursts, " + options.engine + " engine");
}

/// The longest lossless burst at each separation, and the next longer one.
std::vector<Claimed> claims_of_boundary(const SweepCommandOptions& options, const Scenario& scenario,
                                        const EngineFactory& make_engine, const CampaignResults& results,
                                        std::int64_t limit) {
    std::ostringstream text;
    text << "separation_us,events_lossless\n";
    for (const std::string& piece : results.pieces) text << piece;
    std::istringstream in(text.str());
    std::vector<Claimed> points;
    const auto engine = make_engine(options.engine, {});
    for (const BoundaryPoint& point : read_boundary(in, "boundary")) {
        if (!point.events_lossless || *point.events_lossless >= limit) continue;
        if (*point.events_lossless > 0) points.push_back({point.separation, *point.events_lossless, 0, 0});
        const auto next = map_column(*engine, scenario, point.separation, {*point.events_lossless + 1});
        points.push_back({point.separation, next.front().events, next.front().frames_lost(), 0});
    }
    return points;
}

constexpr auto kEmptyRows =
    "# events_lossless: empty where no burst of any length loses, or, where a comment before the row says so, where "
    "longer ones were not tried\n";

void boundary(const SweepCommandOptions& options, const EngineFactory& make_engine) {
    Ranks ranks;
    std::vector<AssumedValue> assumed;
    const Scenario scenario =
        read_scenario(Scope::own_bursts().with_streams().with_sequences().with_copies().with_failures(),
                      options.scenario, options.overrides, &assumed);
    const std::vector<Time> separations = parse_time_list("--separation", options.separations);
    const OutputFile checked(target(ranks, options));
    std::ostringstream header;
    const std::string why = why_one_by_one(scenario);
    header << comment(assumed) << "# method: "
           << (options.engine == "exact" && boundary_is_calculated(scenario)
                   ? "arithmetic, without a run"
                   : "one run per separation, lengthened until it loses, " + method_of(options, scenario))
           << (why.empty() ? "" : ", then a run for each length that is tried: " + why) << "\n";
    tell_slow(ranks, scenario, "the first loss is searched by runs of single lengths");
    const std::int64_t limit = limit_of(options, scenario);
    tell_limit(ranks, options, scenario, separations.front(), limit);
    Points points{{"--separation", options.separations}, {"--limit", std::to_string(limit)}};
    std::vector<std::int64_t> depths{scenario.network_switch.buffer.size.amount};
    if (options.depths.empty()) {
        header << kEmptyRows;
        write_boundary(header, {});
    } else {
        if (options.verify > 0) throw InputError("--verify: conflicts with --depths");
        expect_one_switch(scenario, options.scenario);
        depths = parse_count_list("--depths", options.depths);
        points.emplace_back("--depths", options.depths);
        header << kEmptyRows << "separation_us,depth,events_lossless\n";
    }
    const CampaignWork work =
        work_of(options, scenario, jobs_for(options, scenario), "boundary", points, separations.size(), header.str());
    const CampaignResults results = do_campaign(work, ranks, [&](std::size_t i) {
        const auto boundaries =
            find_boundaries(*make_engine(options.engine, {}), scenario, separations[i], limit, depths);
        std::string rows;
        for (std::size_t d = 0; d < depths.size(); ++d) {
            const Boundary& b = boundaries[d];
            if (!b.proven_by.empty())
                rows += "# separation " + to_text(separations[i]) + ": no burst of any length loses, as the bound of " +
                        "watershed " + b.proven_by + " proves\n";
            if (b.unknown_beyond != 0) rows += tried_comment({separations[i], std::nullopt, b.unknown_beyond});
            rows += microseconds(separations[i]) + (options.depths.empty() ? "" : "," + std::to_string(depths[d])) +
                    "," + (b.events_lossless ? std::to_string(*b.events_lossless) : "") + "\n";
        }
        return rows;
    });
    if (!ranks.first()) return;
    const std::string note = options.verify > 0
                                 ? verified(options, scenario, make_engine,
                                            claims_of_boundary(options, scenario, make_engine, results, limit))
                                 : "";
    write_result(options, results, note,
                 std::to_string(separations.size()) + " separations, " + options.engine + " engine");
}

struct SaturationCommandOptions : ScenarioAsked {
    std::string modules = "1:48:48", engine = "exact", output = "-";
    int jobs = default_jobs();
};

/// Rates in kHz at which fragments of this many bytes fill the fullest uplink.
double limit_khz(Scenario scenario, std::int64_t modules, Bytes size) {
    scenario.front_end.modules = static_cast<int>(modules);
    return saturation_rate(scenario, Network(scenario), size) / 1e3;
}

void saturation(const SaturationCommandOptions& options, const EngineFactory& make_engine) {
    Ranks ranks;
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_scenario(Scope::own_bursts(), options.scenario, options.overrides, &assumed);
    const std::vector<std::int64_t> modules = parse_count_list("--modules", options.modules);
    if (*std::max_element(modules.begin(), modules.end()) > 65535)
        throw InputError("--modules: expected at most 65535 modules");
    if (!scenario.nodes.empty())
        throw InputError("--modules: conflicts with [node.NAME], which say how many modules each switch has");
    if (*std::min_element(modules.begin(), modules.end()) < scenario.network_switch.count)
        throw InputError("--modules: found fewer modules than switch.count, expected at least " +
                         std::to_string(scenario.network_switch.count));
    OutputFile file(ranks.first() ? options.output : "-");  // the folder need not exist where the others are
    file.stream() << Provenance::comment() << "# engine: " << options.engine << ", seed: " << scenario.seed << "\n"
                  << comment(assumed)
                  << "# saturation: complete events a second while every module sends without pause; limits: uplink "
                     "rate over each size convention\n"
                  << "ports,saturation_khz,payload_limit_khz,payload_ip_udp_limit_khz,frame_limit_khz,wire_limit_khz\n";

    Progress progress("saturation", "ports", static_cast<std::int64_t>(modules.size()));
    std::int64_t done = 0;
    std::vector<std::size_t> pieces(modules.size());
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    std::vector<std::string> rates(modules.size());
    ranks.do_pieces(
        options.jobs, pieces,
        [&](std::size_t i) {
            return text_line(
                "%.6g",
                saturation_frequency(*make_engine(options.engine, {}), scenario, static_cast<int>(modules[i])) / 1e3);
        },
        [&](std::size_t i, const std::string& rate) {
            rates[i] = rate;
            progress.done(++done);
        });
    if (!ranks.first()) return;
    FrameSizes fragment{};
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) {
        fragment.payload += frame.payload;
        fragment.buffer += frame.buffer;
        fragment.wire += frame.wire;
    }
    const auto frames = static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        file.stream() << text_line(
            "%lld,%s,%.6g,%.6g,%.6g,%.6g\n", modules[i], rates[i], limit_khz(scenario, modules[i], fragment.payload),
            limit_khz(scenario, modules[i], fragment.payload + kIpUdpHeaders * frames),
            limit_khz(scenario, modules[i], fragment.buffer), limit_khz(scenario, modules[i], fragment.wire));
    }
    file.commit();
    if (options.output != "-")
        std::cout << options.output << ": " << modules.size() << " numbers of ports, " << options.engine << " engine\n";
}

void export_campaign(const std::string& name, const std::string& output) {
    const Campaign campaign(name);
    OutputFile file(output);
    const auto stored = campaign.stored();
    file.stream() << campaign.header();
    if (stored.size() < campaign.pieces())
        file.stream() << "# unfinished: " << stored.size() << " of " << campaign.pieces() << " separations\n";
    for (const auto& [number, result] : stored) file.stream() << result;
    file.commit();
    if (output != "-") std::cout << output << ": " << stored.size() << " of " << campaign.pieces() << " separations\n";
}

constexpr auto kSeparationHelp = "Separations: values with commas, FIRST:LAST:COUNT, or FIRST:LAST:COUNT:log";

CommandTable sweep_command(CLI::App& app, SweepCommandOptions& options, const std::string& name,
                           const std::string& description, const std::string& footer) {
    CommandTable command(app, name, description, footer);
    command.scenario(options)
        .engine(options.engine)
        .jobs(options.jobs, kJobsOfRanksHelp)
        .parts()
        .add("-o,--output", options.output,
             "CSV file to write; - is standard output; FILE.sqlite keeps a campaign that can be resumed", {kShown})
        .add("--separation", options.separations, kSeparationHelp, {kRequired});
    return command;
}

CommandTable& add_campaign_options(CommandTable& command, SweepCommandOptions& options) {
    return command
        .flag("--resume", options.resume,
              "Continue the campaign of an interrupted run: FILE.sqlite, or the one beside FILE")
        .add("--verify", options.verify,
             "Repeat this many points in the other engine, those nearest the boundary first, and fail on any "
             "difference",
             {from_to<std::int64_t>(0, 1'000'000'000), kShown});
}

}  // namespace

void add_map_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto options = std::make_shared<SweepCommandOptions>();
    CommandTable command = sweep_command(
        app, *options, "map", "Simulate a burst for every separation and length, and write the loss map",
        "Example: watershed map scenarios/s60-figure4.toml --separation 8.72us:38us:40 --events 1:20000:40 -o map.csv");
    command.add("--events", options->events, "Burst lengths, a list of the same form", {kRequired});
    add_campaign_options(command, *options).run([=] { map(*options, make_engine); });
}

void add_boundary_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto options = std::make_shared<SweepCommandOptions>();
    CommandTable command = sweep_command(
        app, *options, "boundary", "Find the longest burst without loss at every separation: the watershed itself",
        "Example: watershed boundary scenarios/s60-figure4.toml --separation 8.72us:38us:40 -o boundary.csv");
    command
        .add("--limit", options->limit,
             "Longest burst to try if random timing rules out a proof that nothing is lost; by default as many events "
             "as take a second or two, 1000 at least and 1000000 at most",
             {from_to<std::int64_t>(1, 1'000'000'000)})
        .add("--depths", options->depths,
             "Answer for each of these depths (a list in the unit of switch.buffer.size), in the column `depth`; one "
             "run answers for all if all ports share one memory");
    add_campaign_options(command, *options).run([=] { boundary(*options, make_engine); });
}

void add_saturation_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto options = std::make_shared<SaturationCommandOptions>();
    CommandTable(app, "saturation",
                 "Find the trigger rate that saturates the uplinks, for a varying number of loaded ports",
                 "Example: watershed saturation scenarios/saturation-figure3.toml --modules 1:48:48 -o saturation.csv")
        .scenario(*options)
        .engine(options->engine)
        .jobs(options->jobs, kJobsOfRanksHelp)
        .add("-o,--output", options->output, "CSV file to write; - is standard output", {kShown})
        .add("--modules", options->modules, "Numbers of loaded ports: values with commas or FIRST:LAST:COUNT", {kShown})
        .run([=] { saturation(*options, make_engine); });
}

void add_export_command(CLI::App& app) {
    const auto campaign = std::make_shared<std::string>(), output = std::make_shared<std::string>("-");
    CommandTable(app, "export", "Write the points of a campaign, finished or not, as CSV",
                 "Example: watershed export night.sqlite -o map.csv")
        .add("CAMPAIGN", *campaign, "Campaign file (SQLite), from map or boundary with -o FILE.sqlite", {kRequired})
        .add("-o,--output", *output, "CSV file to write; - is standard output", {kShown})
        .run([=] { export_campaign(*campaign, *output); });
}

}  // namespace watershed
