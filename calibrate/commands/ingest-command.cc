// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/string.hpp>
#include <boost/range/algorithm_ext/erase.hpp>

#include "calibrate/commands/commands.h"
#include "calibrate/commands/counter-options.h"
#include "calibrate/ingest/ingest.h"
#include "calibrate/measure/measuring.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/measured-table.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"
#include "scenarios/text/warning.h"

namespace watershed {
namespace {

struct IngestCommandOptions {
    std::vector<std::string> captures;
    std::string columns;  ///< names of the columns, if a measured table takes the place of captures
    std::string scenario;
    std::vector<std::string> overrides;
    std::string separations, events, gap, interval;
    int port = 0;
    bool by_flow = false;
    CounterFiles counters;
    bool append = false;
    std::string output = "-";
};

/// Repeated values are repeated bursts here.
std::vector<std::int64_t> counts_of(const std::string& text) {
    std::vector<std::int64_t> values;
    std::vector<std::string> parts;
    for (const std::string& part : boost::split(parts, text, boost::is_any_of(",")))
        for (const std::int64_t value : parse_count_list("--events", part)) values.push_back(value);
    return values;
}

SentBursts sent_of(const IngestCommandOptions& options) {
    SentBursts sent;
    const Scenario scenario = read_scenario(options.scenario, options.overrides);
    sent.ports = scenario.front_end.modules;
    sent.payload = scenario.frame.payload;
    sent.by_flow = options.by_flow;
    if (!options.separations.empty()) {
        sent.separations = parse_time_list("--separation", options.separations);
    } else if (scenario.trigger.pattern == Trigger::Pattern::Burst ||
               scenario.trigger.pattern == Trigger::Pattern::Bursts) {
        sent.separations = {scenario.trigger.separation};
    } else {
        throw InputError(options.scenario + ": trigger.pattern: expected burst or bursts, or --separation LIST");
    }
    if (!options.events.empty())
        sent.events = counts_of(options.events);
    else if (scenario.trigger.events)
        sent.events = {*scenario.trigger.events};
    else
        throw InputError(options.scenario + ": trigger.events: expected the events of a burst, or --events LIST");
    constexpr int kSeparations = 20;
    constexpr Time kUsualGap{1'000'000'000};
    sent.gap = std::max(kUsualGap, kSeparations * *boost::max_element(sent.separations));
    if (!options.gap.empty()) sent.gap = read_at("--gap", [&] { return parse_time(options.gap); });
    return sent;
}

/// Another service of the same server is no module.
void keep_port(Capture& capture, int port) {
    if (port == 0) return;
    const auto other = [&](const CapturedFragment& fragment) { return fragment.flow.destination_port != port; };
    for (const CapturedFragment& fragment : capture.fragments)
        if (other(fragment)) capture.refusals.add("to another UDP port than " + std::to_string(port), fragment.place);
    boost::remove_erase_if(capture.fragments, other);
}

std::string report(const Capture& capture, std::size_t bursts) {
    const std::int64_t refused = capture.refusals.packets(), pieces = capture.further_pieces;
    std::string text = std::to_string(capture.packets) +
                       " packets: " + std::to_string(capture.packets - refused - pieces) + " fragments of " +
                       how_many(bursts, "burst") + ", " +
                       (pieces > 0 ? how_many(pieces, "further piece") + " of datagrams, " : "") +
                       std::to_string(refused) + " refused\n";
    for (const Refusals::Entry& entry : capture.refusals.entries())
        text += "refused " + std::to_string(entry.packets) + ": " + entry.reason + " (first: packet " +
                std::to_string(entry.first.packet) + " of " + one_line(entry.first.file) + ")\n";
    return text;
}

/// A table as people have them becomes a loss map, with all its columns.
void ingest_table(const IngestCommandOptions& options) {
    if (options.captures.size() != 1)
        throw InputError("--columns: found " + std::to_string(options.captures.size()) + " files, expected one table");
    const CsvTable table = read_measured_table(options.captures.front(), options.columns);
    const std::size_t bursts = loss_map_from(table).rows.size();
    OutputFile file(options.output);
    file.stream() << Provenance::comment();
    if (!note_of(table).empty()) file.stream() << "# " << note_of(table);
    table.write(file.stream());
    file.commit();
    if (options.output != "-")
        std::cout << options.output << ": " << how_many(bursts, "burst") << " of " << options.captures.front() << '\n'
                  << note_of(table);
}

const std::vector<std::string> kCountedColumns{"ports",           "payload_bytes",   "separation_us", "events",
                                               "frames_sent",     "frames_received", "peak_bytes",    "peak_cells",
                                               "peak_resolution", "lost_at"};

/// Limits of what can be counted, if known.
struct Possible {
    std::optional<CounterLimits> ports;
    std::optional<Bytes> memory;  ///< memory of the switch, if all ports share it; a larger peak is reported
};

/// Returns the limits of counters by the scenario and --interval.
Possible possible_of(const IngestCommandOptions& options) {
    const Scenario scenario = read_scenario(options.scenario, options.overrides);
    const Switch& of = scenario.network_switch;
    Possible possible;
    if (!options.interval.empty()) {
        const Time interval = read_at("--interval", [&] { return parse_time(options.interval); });
        if (interval <= Time{0})
            throw InputError("--interval: found \"" + options.interval + "\", expected a time above 0");
        const BitRate in = scenario.front_end.link_rate * scenario.front_end.modules,
                      out = of.uplink_rate * (std::int64_t{of.uplinks} * of.count);
        possible.ports =
            CounterLimits{interval, std::max(scenario.front_end.link_rate, of.uplink_rate), std::max(in, out)};
    }
    const Buffer& buffer = of.buffer;
    const bool plain = buffer.sharing->pools == SharingPolicy::Pools::One && buffer.reserved.amount == 0 &&
                       buffer.headroom.amount == 0;
    if (plain && buffer.size.unit == MemorySize::Unit::Byte) possible.memory = Bytes{buffer.size.amount};
    if (plain && buffer.size.unit == MemorySize::Unit::Cell && buffer.cell.count > 0)
        possible.memory = buffer.cell * buffer.size.amount;
    return possible;
}

/// Returns why the switch may have lost another number of frames than it seems to; empty if it cannot.
std::string doubt_of(const Blame& blame) {
    if (!blame.not_known.empty()) return not_known_text(blame.not_known);
    const PlaceLoss& sender = blame.at(Place::Sender);
    if (sender.lost > 0)
        return std::to_string(sender.lost) + " frames never left the sender (" + sender.by +
               "), so that another burst reached the switch";
    if (const PlaceLoss& lost = blame.at(Place::Switch); lost.lost > blame.sent)
        return "the switch lost " + std::to_string(lost.lost) + " frames (" + lost.by + ") of the " +
               std::to_string(blame.sent) + " that were sent";
    if (!blame.contradictions.empty() && !blame.at(Place::Switch).counted) return blame.contradictions.front();
    return "";
}

/// A peak above the memory, even if it is off by what it may be off; empty where it is not, or nobody knows.
std::string beyond_memory(const std::optional<PeakReading>& peak, const Possible& possible) {
    if (!peak || peak->cells || !possible.memory || peak->amount - peak->resolution <= possible.memory->count)
        return "";
    return "the peak, " + std::to_string(peak->amount) + " B, is above the memory, " +
           std::to_string(possible.memory->count) + " B of switch.buffer.size";
}

/// Writes what the switch lost of a burst: a row of a map, or a comment if it must not be trusted.
std::string write_counted_burst(LossMapRow row, const CounterFiles& files, const Possible& possible,
                                const std::string& output, bool append) {
    row.frames_sent = std::int64_t(row.ports) * row.events;
    const std::vector<Counter> counted = files.counted();
    const Blame blame = blame_for(row.frames_sent, std::nullopt, counted);
    const PlaceLoss& at_switch = blame.at(Place::Switch);
    const std::int64_t lost_there = at_switch.counted ? at_switch.lost : blame.unexplained;
    row.frames_received = std::max<std::int64_t>(0, row.frames_sent - lost_there);
    const auto is_of_switch = [](const Counter& one) {
        return one.place == Place::Switch && one.what == Counter::What::NotKnown;
    };
    row.counted = !files.after.empty() &&
                  (at_switch.counted || blame.arrival_known || boost::algorithm::any_of(counted, is_of_switch));
    row.peak = files.peak();
    if (row.counted) row.lost_at = lost_at_text(blame);
    std::string doubt = possible.ports ? impossible_counter(counted, *possible.ports) : "";
    if (doubt.empty()) doubt = doubt_of(blame);
    if (doubt.empty() && !row.counted && !row.peak)
        doubt = "no counter tells what the switch lost, nor what arrived behind it";
    const std::string beyond = beyond_memory(row.peak, possible);
    const std::string columns = listed(kCountedColumns, ",");
    std::string text = Provenance::comment() + columns + '\n';
    if (append) text = text_to_continue(output, text);
    if (text.find(columns) == std::string::npos)
        throw InputError(output + ": found other columns, expected " + columns);
    const std::string cells = cells_of({row}, kCountedColumns);
    if (!beyond.empty()) text += comment_line(beyond);
    text += doubt.empty() ? cells + '\n' : comment_line("set aside: " + cells + ": " + doubt);
    OutputFile(output).write(text);
    const std::string lost = row.counted
                                 ? std::to_string(row.frames_lost()) + " lost by the switch; lost at: " + row.lost_at
                                 : "nobody counted what was lost";
    return std::to_string(row.frames_sent) + " frames sent, " + lost + (beyond.empty() ? "" : "; " + beyond) +
           (doubt.empty() ? "" : "; set aside: " + doubt) + '\n';
}

/// Writes the row of one burst by its counters.
void ingest_counters(const IngestCommandOptions& options) {
    if (!options.captures.empty() || !options.columns.empty())
        throw InputError("--before, --after, --peak: found " +
                         (options.captures.empty() ? "--columns" : options.captures.front()) +
                         " too, expected counters alone");
    if (options.scenario.empty()) throw InputError("expected --scenario with counters: it says what was sent");
    const SentBursts sent = sent_of(options);
    if (sent.separations.size() != 1 || sent.events.size() != 1)
        throw InputError("--separation, --events: expected one burst, between the counters before and after it");
    const LossMapRow row{
        sent.ports, sent.payload.value_or(Bytes{0}), sent.separations.front(), sent.events.front(), 0, 0, std::nullopt};
    const std::string written =
        write_counted_burst(row, options.counters, possible_of(options), options.output, options.append);
    if (options.output != "-") std::cout << written;
}

void run_ingest(const IngestCommandOptions& options) {
    if (options.counters.any()) return ingest_counters(options);
    if (options.captures.empty())
        throw InputError(
            "expected captures (pcap, pcapng), a table with --columns, or counters (--before and --after, --peak)");
    if (!options.columns.empty()) return ingest_table(options);
    if (options.scenario.empty())
        throw InputError("expected --scenario with captures, or --columns with a measured table");
    const SentBursts sent = sent_of(options);
    OutputFile file(options.output);
    Capture capture = read_captures(options.captures);
    keep_port(capture, options.port);
    const std::vector<LossMapRow> rows = ingest(capture, sent);
    std::string told = report(capture, rows.size());
    for (const std::string& warning : capture.warnings) told += "warning: " + one_line(warning) + '\n', warn(warning);
    file.stream() << Provenance::comment();
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) file.stream() << comment_line(line);
    write_loss_map_header(file.stream());
    write_loss_map_rows(file.stream(), rows);
    file.commit();
    if (options.output != "-") std::cout << told;
}

}  // namespace

void add_ingest_command(CLI::App& app) {
    auto options = std::make_shared<IngestCommandOptions>();
    CLI::App* command =
        app.add_subcommand("ingest", "Make a loss map from what the camera server captured, or from a measured table");
    command->add_option(
        "CAPTURE", options->captures,
        "Packet captures (pcap, pcapng) of the server's links, all of the same time, - is standard input; or, with "
        "--columns, a measured table");
    command->add_option(
        "--scenario", options->scenario,
        "Scenario of what was sent: front_end.modules, frame.payload, trigger.separation and trigger.events");
    command
        ->add_option("--columns", options->columns,
                     "What the columns of a measured table hold: \"sep "
                     "(ns)=separation_us*0.001,lost=frames_sent-frames_received\", or FILE.toml, as for fit")
        ->excludes("--scenario");
    repeatable_option(*command, "--set", options->overrides, "KEY=VALUE: override a key of the scenario (repeatable)");
    command->add_option("--separation", options->separations,
                        "Separations of the bursts in the order of their capture, a list, or one for all bursts, in "
                        "place of the scenario's");
    command->add_option("--events", options->events,
                        "Events of each burst, a list, or one number for all bursts, in place of the scenario's");
    command->add_option("--gap", options->gap,
                        "Bursts are told apart by a silence longer than this [20 separations, at least 1 ms]");
    command->add_option("--port", options->port, "Only packets to this UDP port")->check(CLI::Range(1, 65535));
    command->add_flag(
        "--flows", options->by_flow,
        "Do not look for event headers: the n-th packet of a flow is the n-th fragment of its module that arrived");
    add_counter_options(*command, options->counters);
    command->add_option("--interval", options->interval,
                        "Time between the counters before and after, so that one which counts more than a port of the "
                        "scenario carries meanwhile is named, and its row set aside");
    command->add_flag("--append", options->append, "Of counters: another row of a map that is there");
    shown_option(*command, "-o,--output", options->output, "Loss map to write; - is standard output");
    command->footer(
        R"(Fragments are told apart by the event header that watershed's own captures (run --pcap) bear, and by their UDP flows where there is none.
Captures are of Ethernet, of Linux's "any" (SLL, SLL2), of IP alone (RAW) or of a loopback (NULL, LOOP), with IPv4 and IPv6; - is standard input.
A fragmented datagram counts once all its pieces are there. What is refused is counted with its reason and first packet, in the comments of the map too. A capture of something else than was sent
(more events or modules, another payload) gives no row but an error that says what the capture holds.
Counters are what hosts and switches counted before and after one burst: ethtool -S, nstat -as, netstat -su, ss -uam, /proc/net/softnet_stat, tc -s qdisc,
ip -s link, ifconfig, show interfaces (counters, queue), show queuing interface of a switch, also as JSON, or a table; as peaks since they were cleared: devlink sb occupancy show, SONiC's
show buffer_pool (queue, priority-group) watermark, tc -s qdisc again and again.
Example: watershed ingest run-uplink-1.pcap --scenario scenarios/shallow-28-ports.toml -o map.csv)");
    command->callback([options] { run_ingest(*options); });
}

}  // namespace watershed
