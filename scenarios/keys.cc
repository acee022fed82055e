// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "scenarios/units.h"

namespace watershed {
namespace {

std::string shown(const KeyValue& value) {
    struct {
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(std::int64_t i) const { return std::to_string(i); }
        std::string operator()(double d) const { return std::to_string(d); }
        std::string operator()(const std::string& s) const { return '"' + s + '"'; }
        std::string operator()(const std::vector<std::string>& list) const { return "a list of " + std::to_string(list.size()) + " values"; }
    } show;
    return std::visit(show, value);
}

[[noreturn]] void refuse(const KeyValue& value, const std::string& expected) { throw std::invalid_argument("found " + shown(value) + ", expected " + expected); }

using Setter = std::function<void(Scenario&, const KeyValue&)>;

/// Where in a scenario a value is kept: a function from the scenario to a reference.
template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
Setter count(Place place, std::int64_t least, std::int64_t most) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!number || *number < least || *number > most)
            refuse(value, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
        if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
            place(scenario) = *number;
        else
            place(scenario) = static_cast<Value>(*number);
    };
}

/// A value written as text, read by one of the functions of units.h.
template <class Place, class Parse>
Setter text(Place place, Parse parse) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::string>(&value);
        // A number without its unit is text to the parser, which then says what unit it wants.
        place(scenario) = parse(written ? *written : std::holds_alternative<std::int64_t>(value) ? shown(value) : throw std::invalid_argument(
            "found " + shown(value) + ", expected a value with its unit in quotes"));
    };
}

template <class Place, class Parse>
Setter list(Place place, Parse parse) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<std::vector<std::string>>(&value);
        if (!written || written->empty()) refuse(value, "a list of values with units in quotes");
        place(scenario).clear();
        for (const std::string& element : *written) place(scenario).push_back(parse(element));
    };
}

template <class Place, class Value = std::decay_t<std::invoke_result_t<Place, Scenario&>>>
Setter choice(Place place, std::vector<std::pair<std::string, Value>> names) {
    return [=](Scenario& scenario, const KeyValue& value) {
        std::string expected;
        for (const auto& [name, meaning] : names) {
            if (const auto* written = std::get_if<std::string>(&value); written && *written == name) {
                place(scenario) = meaning;
                return;
            }
            expected += (expected.empty() ? "\"" : ", \"") + name + '"';
        }
        refuse(value, "one of " + expected);
    };
}

template <class Place>
Setter flag(Place place) {
    return [=](Scenario& scenario, const KeyValue& value) {
        const auto* written = std::get_if<bool>(&value);
        if (!written) refuse(value, "true or false");
        place(scenario) = *written;
    };
}

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

MemorySize parse_buffer_size(const std::string& value) {
    const MemorySize size = parse_memory_size(value);
    if (size.unit == MemorySize::Unit::Cell) throw std::invalid_argument("found \"" + value + "\", expected an amount such as \"308000 frames\" or \"330 MB\"");
    return size;
}

Time parse_positive_time(const std::string& value) {
    const Time time = parse_time(value);
    if (time == Time{0}) throw std::invalid_argument("found \"" + value + "\", expected a time of more than 0");
    return time;
}

constexpr std::int64_t kMost = 1'000'000'000'000;

// So that a key's place reads as the scenario's member.
#define WATERSHED_PLACE(member) [](Scenario& scenario) -> auto& { return scenario.member; }

std::vector<ScenarioKey> make_keys() {
    using Pattern = Trigger::Pattern;
    return {
        {"seed", "integer", "1", "every random number of a run comes from it", count(WATERSHED_PLACE(seed), 0, std::numeric_limits<std::int64_t>::max())},

        {"frame.payload", "size \"1024 B\"", "1024 B", "UDP payload of one event fragment", text(WATERSHED_PLACE(frame.payload), parse_payload)},
        {"frame.wire_overhead", "size \"66 B\"", "66 B", "what a frame costs a link beside its payload: preamble 8, MAC 14, IPv4 20, UDP 8, FCS 4, gap 12",
         text(WATERSHED_PLACE(frame.wire_overhead), parse_overhead)},
        {"frame.buffer_overhead", "size \"46 B\"", "46 B", "what a frame costs a buffer beside its payload: MAC 14, IPv4 20, UDP 8, FCS 4",
         text(WATERSHED_PLACE(frame.buffer_overhead), parse_overhead)},
        {"frame.reported_overhead", "size \"66 B\"", "66 B", "what the measuring instrument adds to the payload when it states a rate",
         text(WATERSHED_PLACE(frame.reported_overhead), parse_overhead)},
        {"frame.mtu", "size \"1500 B\"", "1500 B", "largest IP packet; more than 1500 B allows jumbo frames", text(WATERSHED_PLACE(frame.mtu), parse_mtu)},
        {"frame.split", "true or false", "false", "a fragment larger than the MTU becomes several frames instead of an error", flag(WATERSHED_PLACE(frame.split))},

        {"front_end.modules", "integer", "44", "modules, with one link each", count(WATERSHED_PLACE(front_end.modules), 1, 65535)},
        {"front_end.link_rate", "bit rate \"1 Gb/s\"", "1 Gb/s", "of each module's link", text(WATERSHED_PLACE(front_end.link_rate), parse_bit_rate)},
        {"front_end.fifo", "\"unlimited\" or \"16 frames\"", "unlimited", "frames a module's output FIFO holds, the one being sent included",
         text(WATERSHED_PLACE(front_end.fifo), parse_fifo)},
        {"front_end.skew", "list of times", "", "constant delay of each module's trigger (cables), repeated if there are more modules",
         list(WATERSHED_PLACE(front_end.skew), parse_time)},
        {"front_end.skew_spread", "time \"5 ns\"", "0 ns", "a further constant delay per module, uniform from 0 to this", text(WATERSHED_PLACE(front_end.skew_spread), parse_time)},
        {"front_end.jitter", "time \"1 ns\"", "0 ns", "a further delay per module and trigger, uniform from 0 to this", text(WATERSHED_PLACE(front_end.jitter), parse_time)},
        {"front_end.clock", "list of \"20 ppm\"", "", "deviation of each module's clock, repeated if there are more modules",
         list(WATERSHED_PLACE(front_end.clock), parse_tolerance)},
        {"front_end.clock_spread", "\"50 ppm\"", "0 ppm", "a further constant deviation per module, uniform from minus to plus this",
         text(WATERSHED_PLACE(front_end.clock_spread), parse_tolerance_spread)},

        {"trigger.pattern", "text", "burst",
         "\"burst\": events triggers, separation apart; \"periodic\": at rate, until events or duration; \"bursts\": bursts repeated after period; "
         "\"poisson\": at rate, until events or duration; \"file\": at the times in a text file",
         choice(WATERSHED_PLACE(trigger.pattern), {{"burst", Pattern::Burst}, {"periodic", Pattern::Periodic}, {"bursts", Pattern::Bursts},
                                                   {"poisson", Pattern::Poisson}, {"file", Pattern::File}})},
        {"trigger.separation", "time \"20 us\"", "", "between the triggers of a burst", text(WATERSHED_PLACE(trigger.separation), parse_time)},
        {"trigger.events", "integer", "", "triggers of a burst, or in all for periodic and poisson", count(WATERSHED_PLACE(trigger.events), 1, kMost)},
        {"trigger.bursts", "integer", "1", "number of bursts of the pattern bursts", count(WATERSHED_PLACE(trigger.bursts), 1, kMost)},
        {"trigger.period", "time \"1 s\"", "", "from the first trigger of one burst to that of the next", text(WATERSHED_PLACE(trigger.period), parse_positive_time)},
        {"trigger.rate", "rate \"8 kHz\"", "", "of the patterns periodic and poisson, before dead time", text(WATERSHED_PLACE(trigger.rate), parse_frequency)},
        {"trigger.duration", "time \"1 s\"", "", "triggers before this time count", text(WATERSHED_PLACE(trigger.duration), parse_positive_time)},
        {"trigger.dead_time", "time \"2 us\"", "0 us, for poisson 2 us", "a trigger closer than this to the last accepted one is ignored",
         text(WATERSHED_PLACE(trigger.dead_time), parse_time)},
        {"trigger.file", "file name", "", "trigger times with units, one a line, ascending; relative to the scenario's folder",
         text(WATERSHED_PLACE(trigger.file), [](const std::string& value) { return value; })},

        {"switch.uplinks", "integer", "1", "output links to the camera server; modules take turns by their number", count(WATERSHED_PLACE(network_switch.uplinks), 1, 1024)},
        {"switch.uplink_rate", "bit rate \"10 Gb/s\"", "10 Gb/s", "of each uplink", text(WATERSHED_PLACE(network_switch.uplink_rate), parse_bit_rate)},
        {"switch.latency", "time \"3 us\"", "0 us", "from a frame's last bit in to its first bit out, where nothing is queued",
         text(WATERSHED_PLACE(network_switch.latency), parse_time)},
        {"switch.arrival_order", "text", "module",
         "who asks for memory first among frames that arrive at one instant: \"module\": the lowest number; \"rotating\": event e begins with module e; "
         "\"random\": drawn for each event",
         choice(WATERSHED_PLACE(network_switch.arrival_order),
                {{"module", ArrivalOrder::Module}, {"rotating", ArrivalOrder::Rotating}, {"random", ArrivalOrder::Random}})},
        {"switch.buffer.sharing", "text", "shared", "\"shared\": one memory for all; \"per-input\": each input owns size",
         choice(WATERSHED_PLACE(network_switch.buffer.sharing), {{"shared", Buffer::Sharing::Shared}, {"per-input", Buffer::Sharing::PerInput}})},
        {"switch.buffer.size", "\"308000 frames\" or \"330 MB\"", "", "the whole memory if shared, each input's own if per-input; required",
         text(WATERSHED_PLACE(network_switch.buffer.size), parse_buffer_size)},
    };
}

#undef WATERSHED_PLACE

}  // namespace

const std::vector<ScenarioKey>& scenario_keys() {
    static const std::vector<ScenarioKey> keys = make_keys();
    return keys;
}

}  // namespace watershed
