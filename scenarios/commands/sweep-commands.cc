// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "model/exact/run-path.h"
#include "model/network/network.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/explore.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/scenario-text.h"
#include "scenarios/sweep/campaign.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// What the two commands have in common.
struct SweepCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
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
Incast one_event_of(const Scenario& whole) {
    Incast scenario = without_idle_schedulers(whole);
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
    if (const Obstacle obstacle = boundary_obstacle(scenario, separation))
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

/// What the columns of a map claim, by their distance from the first length that loses.
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
    const Scenario scenario = read_apparatus_with_traffic(options.scenario, options.overrides, &assumed);
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
    const Scenario scenario = read_apparatus_with_traffic(options.scenario, options.overrides, &assumed);
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
            if (b.unknown_beyond != 0)
                rows += "# separation " + to_text(separations[i]) + ": no loss up to " +
                        std::to_string(b.unknown_beyond) + " events; longer bursts were not tried\n";
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

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::shared_ptr<SweepCommandOptions>& options) {
    CLI::App* command = app.add_subcommand(name, description);
    add_scenario(command, options->scenario, options->overrides);
    add_engine(command, options->engine);
    add_jobs(command, options->jobs, kJobsOfRanksHelp);
    command
        ->add_option("-o,--output", options->output,
                     "CSV file to write; - is standard output; FILE.sqlite keeps a campaign that can be resumed")
        ->capture_default_str();
    return command;
}

void add_campaign_options(CLI::App* command, const std::shared_ptr<SweepCommandOptions>& options) {
    command->add_flag("--resume", options->resume,
                      "Continue the campaign of an interrupted run: FILE.sqlite, or the one beside FILE");
    command
        ->add_option(
            "--verify", options->verify,
            "Repeat this many points in the other engine, those nearest the boundary first, and fail on any difference")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
}

constexpr auto kSeparationHelp = "Separations: values with commas, FIRST:LAST:COUNT, or FIRST:LAST:COUNT:log";

}  // namespace

void add_map_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<SweepCommandOptions>();
    CLI::App* command =
        add_command(app, "map", "Simulate a burst for every separation and length, and write the loss map", options);
    command->add_option("--separation", options->separations, kSeparationHelp)->required();
    command->add_option("--events", options->events, "Burst lengths, a list of the same form")->required();
    command->footer(
        "Example: watershed map scenarios/s60-figure4.toml --separation 8.72us:38us:40 --events 1:20000:40 -o map.csv");
    add_campaign_options(command, options);
    command->callback([options, make_engine] { map(*options, make_engine); });
}

void add_boundary_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<SweepCommandOptions>();
    CLI::App* command = add_command(
        app, "boundary", "Find the longest burst without loss at every separation: the watershed itself", options);
    command->add_option("--separation", options->separations, kSeparationHelp)->required();
    command
        ->add_option("--limit", options->limit,
                     "Longest burst to try if random timing rules out a proof that nothing is lost; by default as many "
                     "events as take a second or two, 1000 at least and 1000000 at most")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    command->add_option("--depths", options->depths,
                        "Answer for each of these depths (a list in the unit of switch.buffer.size), in the column "
                        "`depth`; one run answers for all if "
                        "all ports share one memory");
    command->footer(
        "Example: watershed boundary scenarios/s60-figure4.toml --separation 8.72us:38us:40 -o boundary.csv");
    add_campaign_options(command, options);
    command->callback([options, make_engine] { boundary(*options, make_engine); });
}

}  // namespace watershed
