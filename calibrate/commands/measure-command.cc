// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <fstream>

#include "calibrate/commands/advice-options.h"
#include "calibrate/commands/commands.h"
#include "calibrate/commands/known-options.h"
#include "calibrate/instrument/port-rig.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct MeasureOptions {
    KnownOptions known;  // its map is the one to write
    PortRigOptions rig;
    bool serve = false;
    AdviceOptionTexts advice;
    std::string send, quiet = "200 ms", budget = "20 min";
    std::string frames, overload;
    std::string separations, events;  // lists of a grid
    int repeat = 1, most_bursts = 40;
    bool dry_run = false, self_test = false, preflight = false, anyway = false;
};

Bytes believed_bytes(const Scenario& scenario) {
    const Buffer& buffer = scenario.network_switch.buffer;
    const Bytes wire = scenario.frame.payload + scenario.frame.wire_overhead;
    return buffer.size.unit == MemorySize::Unit::Byte ? Bytes{buffer.size.amount} : wire * buffer.size.amount;
}

PortRigOptions rig_options_of(const MeasureOptions& options, const Scenario& scenario) {
    PortRigOptions rig = options.rig;
    boost::split(rig.send, options.send, boost::is_any_of(","));
    rig.quiet = positive_time("--quiet", options.quiet);
    // A full memory may let its last frame wait for so long, a delay ten times as long as usual.
    constexpr std::int64_t kPatience = 10, kTimes = 2;
    const BitRate uplink = scenario.network_switch.uplink_rate;
    const Time full = time_to_leave(believed_bytes(scenario), uplink);
    rig.patience = std::max(rig.quiet * kPatience, full * kTimes);
    if (!options.self_test) {
        rig.full = full;
        rig.frame = time_to_leave(scenario.frame.payload + scenario.frame.wire_overhead, uplink);
    }
    return rig;
}

std::vector<BurstSetting> list_of(const MeasureOptions& options, const Scenario& scenario) {
    if (options.separations.empty() != options.events.empty())
        throw InputError("--separation, --events: expected both, or none for the bursts that advice asks for");
    std::vector<BurstSetting> settings;
    if (options.separations.empty()) return settings;
    for (const Time separation : parse_time_list("--separation", options.separations))
        for (const std::int64_t events : parse_count_list("--events", options.events))
            settings.push_back({scenario.front_end.modules, scenario.frame.payload, separation, events});
    return settings;
}

AdviceOptions advice_for(const MeasureOptions& options, const Scenario& scenario, const PortRigOptions& rig) {
    AdviceOptionTexts texts = options.advice;
    texts.setup = to_text(rig.quiet);
    texts.longest_burst = std::max<std::int64_t>(1, rig.most_frames / scenario.front_end.modules);
    return advice_options_of(texts);
}

/// Prints what the bursts of the list would send.
void print_list(std::ostream& out, const std::vector<BurstSetting>& settings, const MeasureOptions& options,
                const PortRigOptions& rig, const Scenario& scenario) {
    std::int64_t frames = 0;
    double seconds = 0;
    for (const BurstSetting& setting : settings) {
        frames += setting.ports * setting.events;
        seconds += in_seconds(setting.separation) * double(setting.events - 1) + in_seconds(rig.quiet);
    }
    const std::int64_t bytes = scenario.frame.payload.count + 42;
    out << text_line("bursts  %zu, %d times: %lld frames of %lld B, %s without preamble and checksum; about %s\n",
                     settings.size(), options.repeat, frames * options.repeat, bytes,
                     to_text(Bytes{frames * bytes * options.repeat}),
                     rounded(Time{std::int64_t(seconds * options.repeat * 1e12)}));
    const Time shortest = boost::min_element(settings, [](const auto& a, const auto& b) {
                              return a.separation < b.separation;
                          })->separation;
    if (shortest > Time{0})
        out << text_line("rate    at most %.4g Mb/s, over the %s between two triggers\n",
                         double(8 * bytes * scenario.front_end.modules) / in_microseconds(shortest), to_text(shortest));
}

/// Advice is not for separations that the machine cannot keep.
void trust(AdviceOptions& advice, const SelfTest& test) {
    constexpr double kRoom = 1.5;
    advice.generator.shortest =
        std::max(advice.generator.shortest, std::chrono::duration_cast<Time>(test.handover * kRoom));
}

void print_self_test(std::ostream& out, const SelfTest& test, int ports) {
    out << text_line(
        "self-test: %lld of %lld frames arrived; the %d frames of a trigger are handed over in %.3g us; triggers are "
        "%.3g us late in the median, %.3g us at worst\n",
        test.received, test.sent, ports, in_microseconds(test.handover), in_microseconds(test.lateness),
        in_microseconds(test.worst));
}

/// "44 frames of 1066 B every 62.5 us, 6003 Mb/s"
std::string pace_of(const BurstSetting& setting) {
    const std::int64_t bytes = setting.payload.count + 42;
    return text_line("%d frames of %lld B every %s, %.4g Mb/s", setting.ports, bytes, to_text(setting.separation),
                     double(8 * bytes * setting.ports) / in_microseconds(setting.separation));
}

/// The highest rate at which all arrives, over a cable.
void print_trusted_rate(std::ostream& out, PortRig& rig, const BurstSetting& first, std::int64_t most_frames) {
    out << rig.description() << std::flush;
    const MaxReliableRate found =
        find_max_reliable_rate(rig, first.ports, first.payload, most_frames, [&](const ReliabilityStep& step) {
            out << pace_of(step.setting) << ", " << step.setting.events << " times: "
                << (step.why_not.empty() ? "all arrive" : std::to_string(step.lost) + " lost: " + step.why_not)
                << std::endl;
        });
    if (!found.closest) throw std::runtime_error("these ports cannot be trusted at all: " + found.limit);
    out << "trusted   " << pace_of(*found.closest);
    if (!found.limit.empty()) out << "; closer together: " << found.limit;
    out << "\nmeasure with --shortest-separation \"" << to_text(found.closest->separation) << "\"\n";
}

void print_fit(std::ostream& out, PartialFit& so_far, const std::vector<FrameRecord>& frames) {
    if (!so_far.fit) return;
    so_far.fit->drops = infer_drop_policy(frames);
    constexpr std::uint64_t kSeed = 1;  // as `fit` has it
    warn_of(warnings_of(*so_far.fit));
    out << '\n';
    print_report(out, to_json(*so_far.fit, diagnose(*so_far.fit, kSeed)));
}

/// @param longest  frames of a burst of the list; 0 where advice chooses, which looks up to ten times of what is
/// believed
std::vector<Finding> preflight(const PortRig& rig, const Scenario& scenario, const Prior& prior, std::int64_t longest,
                               std::int64_t most_frames) {
    constexpr std::int64_t kDeeper = 10;
    PreflightFacts facts = rig.facts();
    facts.modules = scenario.front_end.modules;
    facts.payload = scenario.frame.payload;
    facts.wire = scenario.frame.payload + scenario.frame.wire_overhead;
    facts.stored = scenario.frame.payload + scenario.frame.buffer_overhead;
    const MemorySize size = scenario.network_switch.buffer.size;
    if (prior.model.sharing == Buffer::Sharing::Shared && prior.model.unit == size.unit)
        facts.memory = size.amount / prior.model.cost(prior.usual);
    facts.longest = longest > 0    ? longest
                    : facts.memory ? std::min(most_frames, kDeeper * *facts.memory + facts.modules)
                                   : most_frames;
    return findings_of(facts);
}

/// Keeps the missing frames of each burst, also at the end of the file if there is one.
void keep_frames(MeasurementCampaign& measuring, const std::string& file, std::vector<FrameRecord>& kept) {
    const auto out = std::make_shared<std::ofstream>();
    int burst = 0;
    if (!file.empty()) {
        OutputFile{file};  // refuses another file's name
        const bool there = std::filesystem::exists(file) && std::filesystem::file_size(file) > 0;
        if (there) burst = int(continue_frame_records(file).size());
        out->open(file, std::ios::app);
        if (!there) write_frame_header(*out << Provenance::comment());
        if (!out->flush()) throw InputError(file + ": cannot be written");
    }
    measuring.keep([&kept, out, file, burst](const BurstRecord& record, int row) mutable {
        kept.push_back({++burst, row, record.row.ports, record.row.events, record.missing, record.trigger_times});
        if (file.empty()) return;
        write_frame_record(*out, kept.back());
        if (!out->flush()) throw std::runtime_error(file + ": cannot be written: is the disk full?");
    });
}

/// @throws InputError for one that fills no queue
BitRate overload_rate(const MeasureOptions& options, const Scenario& scenario) {
    const BitRate uplink = scenario.network_switch.uplink_rate;
    const BitRate rate = read_at("--overload", [&] { return parse_bit_rate(options.overload); });
    if (rate > uplink) return rate;
    throw InputError("--overload: found " + options.overload + ", expected more than the output carries, " +
                     to_text(uplink) + " (switch.uplink_rate)");
}

/// As many as tell, if the scenario is right.
std::int64_t overload_frames(const Scenario& scenario, const OverloadPlan& plan) {
    constexpr std::int64_t kTimes = 5, kLeast = 1000;
    const std::int64_t held = believed_bytes(scenario).count / plan.wire.count,
                       excess = (plan.rate - scenario.network_switch.uplink_rate).count;
    return std::max(kLeast, std::int64_t(Wide{kTimes * held} * plan.rate.count / excess));
}

/// Returns the ends and the scenario, which the table names.
std::string rig_of(const MeasureOptions& options) {
    return "from " + options.send + " to " + (options.rig.peer.empty() ? options.rig.interface : options.rig.peer) +
           ", " + std::filesystem::path(options.known.scenario).lexically_normal().string();
}

/// Constant overloads, into a table of their own that is replaced as a whole after each.
void run_overloads(const MeasureOptions& options, PortRig& rig, const Scenario& scenario, const Conditions& conditions,
                   const PortRigOptions& rig_options, double precision) {
    OverloadPlan plan;
    plan.rate = overload_rate(options, scenario);
    plan.senders = int(rig_options.send.size());
    plan.payload = scenario.frame.payload;
    plan.wire = plan.payload + scenario.frame.wire_overhead;
    plan.most_frames = rig_options.most_frames;
    plan.frames = overload_frames(scenario, plan);
    plan.budget = positive_time("--budget", options.budget);
    plan.most = options.most_bursts;
    plan.rest = rig_options.quiet;
    const std::string& file = options.known.map;
    if (file == "-") throw InputError("-o: found - for a table of overloads, expected a file, which grows row by row");
    OutputFile{file};  // refuses what cannot be written before the first one
    std::string text = table_to_continue(file, kOverloadColumns, rig_of(options));
    const auto table = [&] {
        std::istringstream in(text);
        return CsvTable::read(in, file);
    };
    if (listed(table().columns(), ",") != kOverloadColumns)
        throw InputError(file + ": found a table of other columns, expected " + kOverloadColumns);
    rig.self_test(plan.senders, plan.payload);
    std::cout << rig.description();
    const std::string ended = measure_overloads(
        rig, plan,
        [&](const OverloadOutcome& outcome) {
            if (outcome.overload) text += cells_of(*outcome.overload) + '\n';
            if (!outcome.why_not.empty()) text += comment_line("set aside: " + outcome.why_not);
            OutputFile(file).write(text);
        },
        [&] { return overloads_suffice(table(), conditions, precision); },
        [](const std::string& line) { std::cout << line << std::endl; });
    std::cout << "Ended: " << ended << "\n\n";
    if (table().rows().empty()) throw std::runtime_error("nothing is known: " + ended);
    fit_overload_table(table(), conditions, "");
}

/// The receiving one of two machines.
void run_served(const MeasureOptions& options) {
    if (options.rig.interface.empty()) throw InputError("--serve: expected --receive, the interface that receives");
    if (!options.send.empty() || !options.rig.peer.empty())
        throw InputError("--serve: found --send or --peer too, which belong to the other machine");
    serve_peer(options.rig);
}

void check_ends(const MeasureOptions& options) {
    if (options.known.scenario.empty()) throw InputError("SCENARIO: expected one, unless --serve");
    if (options.send.empty()) throw InputError("--send: expected the interfaces that send, unless --serve");
    if (options.rig.interface.empty() == options.rig.peer.empty())
        throw InputError(
            "expected --receive, an interface of this machine, or --peer, a command that receives on another");
}

void run_measure(const MeasureOptions& options) {
    if (options.serve) return run_served(options);
    check_ends(options);
    const Scenario scenario = read_scenario(Scope::own_bursts(), options.known.scenario, options.known.overrides);
    const Conditions conditions = conditions_of(scenario, options.known.scenario);
    const FitOptions fit = fit_options_of(options.known);
    const PortRigOptions rig_options = rig_options_of(options, scenario);
    const Time budget = positive_time("--budget", options.budget);
    const std::vector<BurstSetting> list = list_of(options, scenario);
    CampaignPlan plan{
        prior_of(scenario, conditions), conditions, fit, advice_for(options, scenario, rig_options), {}, {}};
    plan.prior.counts = options.known.counts != "ignore";

    PortRig rig(rig_options);
    const auto frames_of = [](const BurstSetting& setting) { return setting.ports * setting.events; };
    const auto longest = largest(list, frames_of, std::int64_t{0});
    if (options.preflight) {
        std::cout << text_of(preflight(rig, scenario, plan.prior, longest, rig_options.most_frames), true);
        return;
    }
    for (const BurstSetting& setting : list) rig.check(setting);
    const BurstSetting first{scenario.front_end.modules, scenario.frame.payload, Time{0}, 1};
    rig.check(first);
    if (options.dry_run) {
        std::cout << rig.description();
        if (list.empty())
            std::cout << text_line(
                "bursts  as advised, until the depth is known to +-%s or for %s; at most %lld frames of %lld B in "
                "each\n",
                options.advice.precision, to_text(budget), rig_options.most_frames, scenario.frame.payload.count + 42);
        else
            print_list(std::cout, list, options, rig_options, scenario);
        return;
    }
    if (options.self_test) return print_trusted_rate(std::cout, rig, first, rig_options.most_frames);
    if (options.known.map.empty()) throw InputError("-o: expected the loss map to write, --self-test or --dry-run");
    const std::vector<Finding> findings = preflight(rig, scenario, plan.prior, longest, rig_options.most_frames);
    std::cout << text_of(findings, false);
    if (const std::string why = refusal_of(findings); !why.empty() && !options.anyway)
        throw InputError(why + "; --anyway measures all the same");
    if (!options.overload.empty())
        return run_overloads(options, rig, scenario, conditions, rig_options, plan.advice.precision);
    GrowingLossMap map(options.known.map, rig_options.peaks, rig_of(options));
    const SelfTest test = rig.self_test(first.ports, first.payload);
    std::cout << rig.description();
    print_self_test(std::cout, test, first.ports);
    trust(plan.advice, test);
    const int most = list.empty() ? options.most_bursts : std::numeric_limits<int>::max();
    MeasurementCampaign measuring(rig, map, budget, most,
                                  [](const std::string& line) { std::cout << line << std::endl; });
    std::vector<FrameRecord> frames;
    keep_frames(measuring, options.frames, frames);
    const std::string ended =
        list.empty() ? measuring.measure_as_advised(plan, {{AdviceTarget::Depth, plan.advice.precision},
                                                           {AdviceTarget::Rate, plan.advice.precision / 4}})
                     : measuring.measure_list(list, options.repeat);
    std::cout << "Ended after " << how_many(measuring.bursts(), "burst") << ": " << ended << '\n';
    if (measuring.pace() > Time{0})
        std::cout
            << "This machine is the limit: it sent triggers " << rounded(measuring.pace())
            << " apart where they were to be closer; larger frames ask less of it (--set frame.mtu, frame.payload)\n";
    PartialFit found = fit_so_far(map.map(), conditions, fit);
    print_fit(std::cout, found, frames);
    if (const std::string why = nothing_known(found, list.empty(), measuring.bursts(), options.known.map); !why.empty())
        throw std::runtime_error(why);
}

}  // namespace

void add_measure_command(CLI::App& app) {
    auto options = std::make_shared<MeasureOptions>();
    options->advice.precision = "1 %", options->advice.precision_option = "--target";
    CLI::App* command = app.add_subcommand(
        "measure", "Send bursts through a switch from some network ports to another, and fit what arrives");
    command->add_option("SCENARIO", options->known.scenario,
                        "What is believed about the switch: its modules, payload and framing are what is sent");
    repeatable_option(*command, "--set", options->known.overrides,
                      "KEY=VALUE: a scenario key that wins over the file (repeatable)");
    command->add_option("--send", options->send,
                        "Network interfaces that send, with commas: module i by number i modulo how many there are");
    command->add_option("--receive", options->rig.interface, "Network interface that receives");
    command->add_flag("--serve", options->serve,
                      "Receive for another machine by standard input and output: what its --peer starts");
    command->add_option(
        "--peer", options->rig.peer,
        "Command that starts the receiving end, as \"ssh HOST watershed measure --serve --receive eth3\"");
    command->add_option("-o,--output", options->known.map, "Loss map to write; one that is there is continued");
    shown_option(*command, "--target", options->advice.precision,
                 "Wanted half width of the depth's 95 % interval; the service rate's is to be a quarter of it");
    shown_option(*command, "--budget", options->budget, "Time after which no burst begins");
    ranged_option(*command, "--most-bursts", options->most_bursts, 1, 100'000,
                  "That advice may ask for, those set aside among them");
    auto* const dry_run = command->add_flag("--dry-run", options->dry_run, "Say what would be sent, and send nothing");
    auto* const self_test = command
                                ->add_flag("--self-test", options->self_test,
                                           "Over a cable in place of the switch: find the highest rate that these "
                                           "ports can be trusted with, and measure nothing")
                                ->excludes(dry_run);
    command
        ->add_flag("--preflight", options->preflight,
                   "Say what ports, machine and scenario tell of the measurement, what to change, and send nothing")
        ->excludes(dry_run)
        ->excludes(self_test);
    command->add_flag("--anyway", options->anyway,
                      "Measure although the preflight finds that nothing can be lost, or that PAUSE is on");
    command->add_option("--separation", options->separations,
                        "Bursts of these separations, a list, instead of those that advice asks for");
    command->add_option("--events", options->events, "And of these lengths, a list");
    command
        ->add_option("--overload", options->overload,
                     "RATE: instead of bursts send frames at this constant rate, more than the output carries, until "
                     "some are lost; -o is then a table of overloads, which fit and next read")
        ->excludes(dry_run, self_test, command->get_option("--separation"), command->get_option("--events"));
    ranged_option(*command, "--repeat", options->repeat, 1, 1000, "How often the list is measured");
    command->add_option("--shortest-separation", options->advice.shortest_separation,
                        "The shortest that advice may ask for; without it what the self-test allows");
    command->add_option(
        "--ports", options->advice.ports,
        "Other numbers of modules that advice may ask for, a list; without it a half and a quarter of them; 0: none");
    command->add_option("--payloads", options->advice.payloads,
                        "Other payloads that advice may ask for, a list such as \"512 B,128 B\"; without it a half and "
                        "an eighth; 0: none");
    ranged_option(*command, "--most-frames", options->rig.most_frames, 1, 100'000'000, "Of a burst");
    shown_option(*command, "--quiet", options->quiet,
                 "A burst is over when nothing has arrived for so long, or for as long as frames of the self-test are "
                 "on their way");
    ranged_option(*command, "--ring", options->rig.ring, 16, 16'777'216,
                  "Frames that the receiver holds until they are counted");
    command->add_option("--frames", options->frames,
                        "Keep here which frames of each burst are missing, one bit a frame; blame --frames reads it");
    command->add_flag(
        "--peaks", options->rig.peaks,
        "Note what a measured queue of a sending interface holds at most (peak_bytes), as tc -s shows it");
    command->add_flag("--allow-default-route", options->rig.allow_default_route,
                      "Also use an interface by which this machine is reached");
    add_fix_options(*command, options->known);
    shown_option(*command, "--counts", options->known.counts, "As in fit: whether numbers of lost frames count")
        ->check(CLI::IsMember({"auto", "use", "ignore"}));
    command->footer(
        R"(It sends UDP frames with the event header through the named interfaces alone, to the receiver's own MAC address, from addresses of nobody, with a TTL
of 1. A queueing discipline that somebody has put on a sending interface counts as part of the switch; the kernel's own makes the sender wait.
Bursts that came late, beside frames of others, or of which this machine lost some, become comments of the map and are sent again. The map is replaced
as a whole after each burst: interrupted or killed, the same command goes on with it. Linux; needs CAP_NET_RAW, and CAP_SYS_NICE to be on time.
Example: watershed measure scenarios/bench-10g-1g.toml --send eth1 --receive eth2 --preflight)");
    command->callback([options] { run_measure(*options); });
}

}  // namespace watershed
