// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/network-keys.h"
#include "scenarios/keys/server-keys.h"
#include "scenarios/keys/switch-keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/keys/traffic-keys.h"
#include "scenarios/text/units.h"

namespace watershed {

using namespace key_setters;

namespace {

const auto parse_payload = between(parse_bytes, Bytes{1}, Bytes{1'000'000'000}, "1 B to 1 GB");

const auto parse_overhead = between(parse_bytes, Bytes{0}, Bytes{1000}, "at most 1000 B");

const auto parse_mtu = between(parse_bytes, Bytes{576}, Bytes{65535},
                               "576 B to 65535 B");  // RFC 791: every host takes 576 B; the length field ends at 65535

// A tenth; IEEE 802.3 allows 100 ppm.
const auto parse_tolerance = between(parse_clock_tolerance, ClockTolerance{-100'000'000}, ClockTolerance{100'000'000},
                                     "-100000 ppm to 100000 ppm");

const auto parse_tolerance_spread =
    between(parse_clock_tolerance, ClockTolerance{0}, ClockTolerance{100'000'000}, "0 ppm to 100000 ppm");

std::optional<std::int64_t> parse_fifo(const std::string& value) {
    if (value == "unlimited") return std::nullopt;
    const MemorySize size = parse_memory_size(value);
    if (size.unit != MemorySize::Unit::Frame)
        throw std::invalid_argument("found \"" + value +
                                    "\", expected \"unlimited\" or an amount such as \"16 frames\"");
    return size.amount;
}

KeyRule payload_list() {
    return {[](Scenario& scenario, const KeyValue& value) {
        std::vector<Bytes> payloads;
        list(
            [&](Scenario&) -> auto& { return payloads; }, parse_payload)
            .set(scenario, value);
        scenario.frame.payloads.clear();
        for (const Bytes payload : payloads) scenario.frame.payloads.push_back({payload, 1});
    }};
}

ScenarioKey system_key() {
    std::string meaning = "What is simulated. \"camera\": modules, a switch and a server.";
    std::vector<std::pair<std::string, std::string>> names{{"camera", "camera"}};
    for (const System& system : all_systems()) {
        std::string figures;
        for (const std::string& kind : system.figures) figures += (figures.empty() ? ", drawn by " : ", ") + kind;
        meaning += " \"" + system.name + "\": " + system.help + figures + ".";
        names.emplace_back(system.name, system.name);
    }
    return {"system", "text", "camera",
            meaning +
                " Each system has a table of its name; the camera has the tables from [frame] to [server]. Figures "
                "are kinds of watershed plot.",
            choice(WATERSHED_PLACE(system), names)};
}

std::vector<ScenarioKey> keys_before_the_switch() {
    using Pattern = Trigger::Pattern;
    return {
        system_key(),
        {"seed", "integer", "1", "All random numbers of a run derive from this seed.",
         count(WATERSHED_PLACE(seed), 0, std::numeric_limits<std::int64_t>::max())},

        {"frame.payload", "size \"1024 B\"", "1024 B",
         "UDP payload of one event fragment. Ethernet pads frames to 64 B, so less than 18 B cost as much as 18 B.",
         text(WATERSHED_PLACE(frame.payload), parse_payload)},
        {"frame.payloads", "list of sizes", "", "Fragments have these sizes; one is drawn for each fragment.",
         payload_list()},
        {"frame.payload_weights", "list of integers", "",
         "How often each of frame.payloads is drawn, relative to the others; all equally often by default.",
         integers(WATERSHED_PLACE(frame.weights), 1, 1'000'000'000)},
        {"frame.payload_file", "file name", "",
         "A CSV table of payload_bytes,weight replaces frame.payloads and frame.payload_weights; the path is relative "
         "to the scenario's folder.",
         text(WATERSHED_PLACE(frame.payload_file), [](const std::string& value) { return value; })},
        {"frame.wire_overhead", "size \"66 B\"", "66 B",
         "What a frame costs a link beside its payload: preamble 8, MAC 14, IPv4 20, UDP 8, FCS 4, gap 12.",
         text(WATERSHED_PLACE(frame.wire_overhead), parse_overhead)},
        {"frame.buffer_overhead", "size \"46 B\"", "46 B",
         "What a frame costs a buffer beside its payload: MAC 14, IPv4 20, UDP 8, FCS 4.",
         text(WATERSHED_PLACE(frame.buffer_overhead), parse_overhead)},
        {"frame.reported_overhead", "size \"66 B\"", "66 B",
         "What the measuring instrument adds to the payload when it states a rate.",
         text(WATERSHED_PLACE(frame.reported_overhead), parse_overhead)},
        {"frame.mtu", "size \"1500 B\"", "1500 B", "Largest IP packet; more than 1500 B allows jumbo frames.",
         text(WATERSHED_PLACE(frame.mtu), parse_mtu)},
        {"frame.split", "true or false", "false",
         "A fragment larger than the MTU becomes several frames instead of an error.",
         flag(WATERSHED_PLACE(frame.split))},

        {"front_end.modules", "integer", "44", "Number of modules; each has one link.",
         count(WATERSHED_PLACE(front_end.modules), 1, 65535)},
        {"front_end.fragments", "integer", "1",
         "Number of fragments that a module sends for each event, one after the other; each is a frame with "
         "frame.payload.",
         count(WATERSHED_PLACE(frame.fragments), 1, 10'000)},
        {"front_end.link_rate", "bit rate \"1 Gb/s\"", "1 Gb/s", "Bit rate of each module's link.",
         text(WATERSHED_PLACE(front_end.link_rate), parse_bit_rate)},
        {"front_end.fifo", "\"unlimited\" or \"16 frames\"", "unlimited",
         "Number of frames that a module's output FIFO holds, including the one being sent.",
         text(WATERSHED_PLACE(front_end.fifo), parse_fifo)},
        {"front_end.skew", "list of times", "",
         "Constant delay of each module's trigger (cables); the list repeats if there are more modules.",
         list(WATERSHED_PLACE(front_end.skew), parse_delay)},
        {"front_end.skew_spread", "time \"5 ns\"", "0 ns",
         "Each module's trigger has a further constant delay, uniform from 0 to this.",
         text(WATERSHED_PLACE(front_end.skew_spread), parse_delay)},
        {"front_end.jitter", "time \"1 ns\"", "0 ns",
         "Each trigger has a further delay at each module, uniform from 0 to this.",
         text(WATERSHED_PLACE(front_end.jitter), parse_delay)},
        {"front_end.clock", "list of \"20 ppm\"", "",
         "Deviation of each module's clock; the list repeats if there are more modules.",
         list(WATERSHED_PLACE(front_end.clock), parse_tolerance)},
        {"front_end.clock_spread", "\"50 ppm\"", "0 ppm",
         "Each module's clock has a further constant deviation, uniform from minus to plus this.",
         text(WATERSHED_PLACE(front_end.clock_spread), parse_tolerance_spread)},
        {"front_end.obeys_pause", "true or false", "true", "Modules stop sending when the switch tells them to pause.",
         flag(WATERSHED_PLACE(front_end.obeys_pause))},
        {"front_end.pause_reaction", "time \"1 us\"", "0 ns",
         "Time from the last bit of a PAUSE frame until it takes effect; a frame being sent is always completed.",
         text(WATERSHED_PLACE(front_end.pause_reaction), parse_delay)},
        {"front_end.source_ports", "list of integers", "",
         "UDP source port of each module's flow; the list repeats if there are more modules, and 49152 + module is the "
         "default.",
         integers(WATERSHED_PLACE(front_end.source_ports), 1, 65535)},

        {"front_end.class", "integer", "0", "Traffic class of the camera's frames (IEEE 802.1p); 7 is the highest.",
         count(WATERSHED_PLACE(front_end.traffic_class), 0, kTrafficClasses - 1)},

        {"trigger.pattern", "text", "burst",
         "How triggers come. \"burst\": `events` triggers, `separation` apart. \"periodic\": at `rate`, until `events` "
         "or `duration`. \"bursts\": bursts that repeat after `period`. \"poisson\": at random at `rate`, until "
         "`events` or `duration`. \"file\": at the times in a text file. \"profile\": at the rates in a table, until "
         "its end, `events` or `duration`. \"line-rate-plus-burst\": module 1 sends without pause, and module 2 sends "
         "a burst of `events` frames.",
         choice(WATERSHED_PLACE(trigger.pattern), {{"burst", Pattern::Burst},
                                                   {"periodic", Pattern::Periodic},
                                                   {"bursts", Pattern::Bursts},
                                                   {"poisson", Pattern::Poisson},
                                                   {"file", Pattern::File},
                                                   {"profile", Pattern::Profile},
                                                   {"line-rate-plus-burst", Pattern::LineRatePlusBurst}})},
        {"trigger.separation", "time \"20 us\"", "", "Time between the triggers of a burst.",
         text(WATERSHED_PLACE(trigger.separation), parse_time)},
        {"trigger.events", "integer", "",
         "Number of triggers in a burst, or in all for \"periodic\", \"poisson\" and \"profile\".",
         count(WATERSHED_PLACE(trigger.events), 1, kMost)},
        {"trigger.bursts", "integer", "1", "Number of bursts for the pattern \"bursts\".",
         count(WATERSHED_PLACE(trigger.bursts), 1, kMost)},
        {"trigger.period", "time \"1 s\"", "",
         "Time from the first trigger of one burst to the first trigger of the next.",
         text(WATERSHED_PLACE(trigger.period), parse_some_time)},
        {"trigger.rate", "rate \"8 kHz\"", "",
         "Trigger rate of the patterns \"periodic\" and \"poisson\", before dead time.",
         text(WATERSHED_PLACE(trigger.rate), parse_frequency)},
        {"trigger.duration", "time \"1 s\"", "", "Only triggers before this time count.",
         text(WATERSHED_PLACE(trigger.duration), parse_some_time)},
        {"trigger.dead_time", "time \"2 us\"", "0 us, for random triggers 2 us",
         "A trigger closer than this to the last accepted one is ignored.",
         text(WATERSHED_PLACE(trigger.dead_time), parse_delay)},
        {"trigger.file", "file name", "",
         "File of triggers, relative to the scenario's folder. For \"file\": trigger times with units, one a line, "
         "ascending. For \"profile\": a CSV table of time_s,rate_hz from time 0 on, linear between its rows.",
         text(WATERSHED_PLACE(trigger.file), [](const std::string& value) { return value; })},
        {"trigger.regular", "true or false", "false",
         "Triggers of a profile are evenly spaced; otherwise they come at random.",
         flag(WATERSHED_PLACE(trigger.regular))},
        {"trigger.largest_step", "time \"10 s\"", "",
         "Rows of a profile that are further apart than this are refused as a gap.",
         text(WATERSHED_PLACE(trigger.largest_step), parse_some_time)},
        {"trigger.burst.events", "integer", "",
         "Number of triggers in each burst on top of the patterns \"periodic\", \"poisson\" and \"profile\".",
         count(WATERSHED_PLACE(trigger.burst.events), 1, kMost)},
        {"trigger.burst.separation", "time \"20 us\"", "", "Time between the triggers of a burst on top.",
         text(WATERSHED_PLACE(trigger.burst.separation), parse_time)},
        {"trigger.burst.rate", "rate \"2 Hz\"", "",
         "Bursts on top begin at random at this rate, counted from the end of the last one.",
         text(WATERSHED_PLACE(trigger.burst.rate), parse_frequency)},
        {"trigger.burst.period", "time \"1 s\"", "",
         "Bursts on top begin this far apart, the first one period after the start.",
         text(WATERSHED_PLACE(trigger.burst.period), parse_some_time)},
    };
}

}  // namespace

const std::vector<ScenarioKey>& scenario_keys() {
    static const std::vector<ScenarioKey> keys = [] {
        std::vector<ScenarioKey> all = keys_before_the_switch();
        for (const std::vector<ScenarioKey>& more : {switch_keys(), network_keys(), traffic_keys(), server_keys()})
            all.insert(all.end(), more.begin(), more.end());
        for (const System& system : all_systems()) {
            const std::vector<ScenarioKey> more = system.keys();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return keys;
}

}  // namespace watershed
