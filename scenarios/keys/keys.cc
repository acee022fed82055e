// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "scenarios/keys/distribution-keys.h"
#include "scenarios/keys/ejfat-keys.h"
#include "scenarios/keys/ipbus-keys.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/network-keys.h"
#include "scenarios/keys/server-keys.h"
#include "scenarios/keys/switch-keys.h"
#include "scenarios/keys/udpmon-keys.h"
#include "scenarios/text/units.h"

namespace watershed {

using namespace key_setters;

namespace {

Bytes parse_payload(const std::string& value) {
    constexpr Bytes kLargest{1'000'000'000};
    const Bytes bytes = parse_bytes(value);
    if (bytes.count == 0 || bytes > kLargest) throw std::invalid_argument("found \"" + value + "\", expected 1 B to 1 GB");
    return bytes;
}

Bytes parse_overhead(const std::string& value) {
    const Bytes bytes = parse_bytes(value);
    if (bytes.count > 1000) throw std::invalid_argument("found \"" + value + "\", expected at most 1000 B");
    return bytes;
}

Bytes parse_mtu(const std::string& value) {
    const Bytes bytes = parse_bytes(value);
    if (bytes.count < 576 || bytes.count > 65535)   // RFC 791: every host takes 576 B; the length field ends at 65535
        throw std::invalid_argument("found \"" + value + "\", expected 576 B to 65535 B");
    return bytes;
}

ClockTolerance parse_tolerance(const std::string& value) {
    constexpr std::int64_t kLargest = 100'000'000;   // a tenth; IEEE 802.3 allows 100 ppm
    const ClockTolerance tolerance = parse_clock_tolerance(value);
    if (std::abs(tolerance.count) > kLargest) throw std::invalid_argument("found \"" + value + "\", expected -100000 ppm to 100000 ppm");
    return tolerance;
}

ClockTolerance parse_tolerance_spread(const std::string& value) {
    const ClockTolerance spread = parse_tolerance(value);
    if (spread.count < 0) throw std::invalid_argument("found \"" + value + "\", expected a spread that is not negative");
    return spread;
}

std::optional<std::int64_t> parse_fifo(const std::string& value) {
    if (value == "unlimited") return std::nullopt;
    const MemorySize size = parse_memory_size(value);
    if (size.unit != MemorySize::Unit::Frame) throw std::invalid_argument("found \"" + value + "\", expected \"unlimited\" or an amount such as \"16 frames\"");
    return size.amount;
}

constexpr std::int64_t kMost = 1'000'000'000'000;

Setter payload_list() {
    return [](Scenario& scenario, const KeyValue& value) {
        std::vector<Bytes> payloads;
        list([&](Scenario&) -> auto& { return payloads; }, parse_payload)(scenario, value);
        scenario.frame.payloads.clear();
        for (const Bytes payload : payloads) scenario.frame.payloads.push_back({payload, 1});
    };
}

std::vector<ScenarioKey> keys_before_the_switch() {
    using Pattern = Trigger::Pattern;
    return {
        {"system", "text", "camera", "what is simulated: \"camera\": modules, a switch and a server; \"udpmon\": two hosts and a path between them; \"ejfat\": sources, a balancer and its nodes; \"ipbus\": front-end units and the server that reads them out; \"flashing\": workers that update firmware; \"distribution\": producers that send whole events to consumers by RoCE; each as the table of its name says",
         choice(WATERSHED_PLACE(system), {{"camera", System::Camera}, {"udpmon", System::Udpmon}, {"ejfat", System::Ejfat}, {"ipbus", System::Ipbus}, {"flashing", System::Flashing}, {"distribution", System::Distribution}})},
        {"seed", "integer", "1", "every random number of a run comes from it", count(WATERSHED_PLACE(seed), 0, std::numeric_limits<std::int64_t>::max())},

        {"frame.payload", "size \"1024 B\"", "1024 B", "UDP payload of one event fragment; Ethernet pads frames to 64 B, so that less than 18 B cost as much as 18 B", text(WATERSHED_PLACE(frame.payload), parse_payload)},
        {"frame.payloads", "list of sizes", "", "of fragments of several sizes, one of them drawn for each", payload_list()},
        {"frame.payload_weights", "list of integers", "", "how often each of payloads comes, relative to the others; all alike if not given", integers(WATERSHED_PLACE(frame.weights), 1, 1'000'000'000)},
        {"frame.payload_file", "file name", "", "in place of both, a CSV table of payload_bytes,weight; relative to the scenario's folder",
         text(WATERSHED_PLACE(frame.payload_file), [](const std::string& value) { return value; })},
        {"frame.wire_overhead", "size \"66 B\"", "66 B", "what a frame costs a link beside its payload: preamble 8, MAC 14, IPv4 20, UDP 8, FCS 4, gap 12",
         text(WATERSHED_PLACE(frame.wire_overhead), parse_overhead)},
        {"frame.buffer_overhead", "size \"46 B\"", "46 B", "what a frame costs a buffer beside its payload: MAC 14, IPv4 20, UDP 8, FCS 4",
         text(WATERSHED_PLACE(frame.buffer_overhead), parse_overhead)},
        {"frame.reported_overhead", "size \"66 B\"", "66 B", "what the measuring instrument adds to the payload when it states a rate",
         text(WATERSHED_PLACE(frame.reported_overhead), parse_overhead)},
        {"frame.mtu", "size \"1500 B\"", "1500 B", "largest IP packet; more than 1500 B allows jumbo frames", text(WATERSHED_PLACE(frame.mtu), parse_mtu)},
        {"frame.split", "true or false", "false", "a fragment larger than the MTU becomes several frames instead of an error", flag(WATERSHED_PLACE(frame.split))},

        {"front_end.modules", "integer", "44", "modules, with one link each", count(WATERSHED_PLACE(front_end.modules), 1, 65535)},
        {"front_end.fragments", "integer", "1", "that a module sends for each event, each of frame.payload in a frame of its own, one after the other", count(WATERSHED_PLACE(frame.fragments), 1, 10'000)},
        {"front_end.link_rate", "bit rate \"1 Gb/s\"", "1 Gb/s", "of each module's link", text(WATERSHED_PLACE(front_end.link_rate), parse_bit_rate)},
        {"front_end.fifo", "\"unlimited\" or \"16 frames\"", "unlimited", "frames a module's output FIFO holds, the one being sent included",
         text(WATERSHED_PLACE(front_end.fifo), parse_fifo)},
        {"front_end.skew", "list of times", "", "constant delay of each module's trigger (cables), repeated if there are more modules",
         list(WATERSHED_PLACE(front_end.skew), parse_delay)},
        {"front_end.skew_spread", "time \"5 ns\"", "0 ns", "a further constant delay per module, uniform from 0 to this", text(WATERSHED_PLACE(front_end.skew_spread), parse_delay)},
        {"front_end.jitter", "time \"1 ns\"", "0 ns", "a further delay per module and trigger, uniform from 0 to this", text(WATERSHED_PLACE(front_end.jitter), parse_delay)},
        {"front_end.clock", "list of \"20 ppm\"", "", "deviation of each module's clock, repeated if there are more modules",
         list(WATERSHED_PLACE(front_end.clock), parse_tolerance)},
        {"front_end.clock_spread", "\"50 ppm\"", "0 ppm", "a further constant deviation per module, uniform from minus to plus this",
         text(WATERSHED_PLACE(front_end.clock_spread), parse_tolerance_spread)},
        {"front_end.obeys_pause", "true or false", "true", "modules stop sending when the switch tells them to pause", flag(WATERSHED_PLACE(front_end.obeys_pause))},
        {"front_end.pause_reaction", "time \"1 us\"", "0 ns", "from the last bit of a PAUSE frame to its effect; a frame being sent is always completed",
         text(WATERSHED_PLACE(front_end.pause_reaction), parse_delay)},
        {"front_end.source_ports", "list of integers", "", "UDP source port of each module's flow, repeated if there are more modules; 49152 + module where none is given",
         integers(WATERSHED_PLACE(front_end.source_ports), 1, 65535)},

        {"trigger.pattern", "text", "burst",
         "\"burst\": events triggers, separation apart; \"periodic\": at rate, until events or duration; \"bursts\": bursts repeated after period; "
         "\"poisson\": at rate, until events or duration; \"file\": at the times in a text file; "
         "\"profile\": at the rates in a table, until its end, events or duration; "
         "\"line-rate-plus-burst\": module 1 sends without pause and module 2 a burst of events frames",
         choice(WATERSHED_PLACE(trigger.pattern), {{"burst", Pattern::Burst}, {"periodic", Pattern::Periodic}, {"bursts", Pattern::Bursts},
                                                   {"poisson", Pattern::Poisson}, {"file", Pattern::File}, {"profile", Pattern::Profile}, {"line-rate-plus-burst", Pattern::LineRatePlusBurst}})},
        {"trigger.separation", "time \"20 us\"", "", "between the triggers of a burst", text(WATERSHED_PLACE(trigger.separation), parse_time)},
        {"trigger.events", "integer", "", "triggers of a burst, or in all for periodic, poisson and profile", count(WATERSHED_PLACE(trigger.events), 1, kMost)},
        {"trigger.bursts", "integer", "1", "number of bursts of the pattern bursts", count(WATERSHED_PLACE(trigger.bursts), 1, kMost)},
        {"trigger.period", "time \"1 s\"", "", "from the first trigger of one burst to that of the next", text(WATERSHED_PLACE(trigger.period), parse_some_time)},
        {"trigger.rate", "rate \"8 kHz\"", "", "of the patterns periodic and poisson, before dead time", text(WATERSHED_PLACE(trigger.rate), parse_frequency)},
        {"trigger.duration", "time \"1 s\"", "", "triggers before this time count", text(WATERSHED_PLACE(trigger.duration), parse_some_time)},
        {"trigger.dead_time", "time \"2 us\"", "0 us, for random triggers 2 us", "a trigger closer than this to the last accepted one is ignored",
         text(WATERSHED_PLACE(trigger.dead_time), parse_delay)},
        {"trigger.file", "file name", "",
         "for \"file\": trigger times with units, one a line, ascending; for \"profile\": a CSV table of time_s,rate_hz from time 0 on, linear between its rows; relative to the scenario's folder",
         text(WATERSHED_PLACE(trigger.file), [](const std::string& value) { return value; })},
        {"trigger.regular", "true or false", "false", "triggers of a profile are evenly spaced; otherwise they come at random", flag(WATERSHED_PLACE(trigger.regular))},
        {"trigger.largest_step", "time \"10 s\"", "", "rows of a profile further apart than this are refused as a gap", text(WATERSHED_PLACE(trigger.largest_step), parse_some_time)},
        {"trigger.burst.events", "integer", "", "triggers of each of the bursts that come on top of the patterns periodic, poisson and profile", count(WATERSHED_PLACE(trigger.burst.events), 1, kMost)},
        {"trigger.burst.separation", "time \"20 us\"", "", "between the triggers of such a burst", text(WATERSHED_PLACE(trigger.burst.separation), parse_time)},
        {"trigger.burst.rate", "rate \"2 Hz\"", "", "at which they come at random, from the end of one on", text(WATERSHED_PLACE(trigger.burst.rate), parse_frequency)},
        {"trigger.burst.period", "time \"1 s\"", "", "or from the beginning of one to that of the next; the first one period after the start",
         text(WATERSHED_PLACE(trigger.burst.period), parse_some_time)},
    };
}

}  // namespace

std::string value_text(const KeyValue& value) {
    std::ostringstream text;
    text << std::boolalpha;
    std::visit(
        [&](const auto& v) {
            using Value = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, std::vector<std::string>> || std::is_same_v<Value, std::vector<std::int64_t>>)
                for (const auto& each : v) text << (text.tellp() == 0 ? "" : ", ") << each;
            else
                text << v;
        },
        value);
    return text.str();
}

const std::vector<ScenarioKey>& scenario_keys() {
    static const std::vector<ScenarioKey> keys = [] {
        std::vector<ScenarioKey> all = keys_before_the_switch();
        for (const std::vector<ScenarioKey>& more : {switch_keys(), network_keys(), server_keys(), udpmon_keys(), ejfat_keys(), ipbus_keys(), flashing_keys(), distribution_keys()}) all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return keys;
}

}  // namespace watershed
