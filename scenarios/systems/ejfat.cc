// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat.h"

#include <limits>

#include "model/ejfat/ejfat-segments.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/input-error.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_setters;

const auto parse_event_size = between(parse_bytes, Bytes{1}, Bytes{0xffffffff},
                                      "1 B to 4294967295 B");  // the reassembly header counts with 32 bits

// RFC 791: every host takes 576 B; the length field ends at 65535.
const auto parse_ejfat_mtu =
    between(parse_bytes, Bytes{576}, Bytes{65535}, "576 B to 65535 B, of which headers take 64 B");

std::optional<Time> parse_moment(const std::string& value) {
    if (value == "never") return std::nullopt;
    return parse_time(value);
}

std::optional<BitRate> parse_copy_rate(const std::string& value) {
    if (value == "unlimited") return std::nullopt;
    return parse_bit_rate(value);
}

std::optional<std::int64_t> parse_frames(const std::string& value) {
    if (value == "unlimited") return std::nullopt;
    const MemorySize size = parse_memory_size(value);
    if (size.unit != MemorySize::Unit::Frame || size.amount > 0xffffffff)
        throw std::invalid_argument("found \"" + value +
                                    "\", expected \"unlimited\" or an amount such as \"1000 frames\"");
    return size.amount;
}

const auto parse_positive_ratio = limited(
    parse_ratio, [](Ratio ratio) { return ratio.numerator > 0; }, "more than 0");

/// "link", "stream" or a rate: two members in one key.
void set_pace(Scenario& scenario, const KeyValue& value) {
    EjfatSource& source = scenario.of<Ejfat>().source;
    const auto* written = std::get_if<std::string>(&value);
    if (!written) refuse(value, "\"link\", \"stream\" or a bit rate such as \"8 Gb/s\"");
    source.pace = *written == "link"     ? EjfatSource::Pace::Link
                  : *written == "stream" ? EjfatSource::Pace::Stream
                                         : EjfatSource::Pace::Rate;
    if (source.pace == EjfatSource::Pace::Rate) source.pace_rate = parse_bit_rate(*written);
}

std::vector<ScenarioKey> ejfat_keys() {
    using Arrivals = EjfatSource::Arrivals;
    using Service = EjfatNodes::Service;
    return {
        {"ejfat.find_no_drop", "true or false", "false",
         "Find the highest bit rate below each ejfat.source.bit_rate at which no event is lost, instead of running at "
         "it.",
         flag(WATERSHED_PLACE(of<Ejfat>().find_no_drop))},

        {"ejfat.source.count", "integer", "1", "Number of sources; each has an equal part of every event.",
         count(WATERSHED_PLACE(of<Ejfat>().source.count), 1, 1000)},
        {"ejfat.source.event_size", "list of sizes", "",
         "Size of a whole event, with a run for each combination of event size, bit rate and service time; required "
         "with system \"ejfat\".",
         list(WATERSHED_PLACE(of<Ejfat>().source.event_sizes), parse_event_size)},
        {"ejfat.source.bit_rate", "list of bit rates", "",
         "Data of the events per second, without headers; required with system \"ejfat\".",
         list(WATERSHED_PLACE(of<Ejfat>().source.bit_rates), parse_bit_rate)},
        {"ejfat.source.events", "integer", "1000", "Number of events of each run.",
         count(WATERSHED_PLACE(of<Ejfat>().source.events), 1, 10'000'000)},
        {"ejfat.source.first_event", "integer", "1", "Number of the first event.",
         count(WATERSHED_PLACE(of<Ejfat>().source.first_event), 0, kMost)},
        {"ejfat.source.start", "time \"1 s\"", "0 s", "Time of the first event; the nodes can register before it.",
         text(WATERSHED_PLACE(of<Ejfat>().source.start), parse_time)},
        {"ejfat.source.arrivals", "text", "periodic",
         "When events come: \"periodic\" (evenly) or \"poisson\" (at random).",
         choice(WATERSHED_PLACE(of<Ejfat>().source.arrivals),
                {{"periodic", Arrivals::Periodic}, {"poisson", Arrivals::Poisson}})},
        {"ejfat.source.pace", "text or bit rate", "link",
         "How the packets of an event follow each other. \"link\": back to back. \"stream\": evenly until the next "
         "event. A bit rate: at this rate on the wire.",
         set_pace},
        {"ejfat.source.link_rate", "bit rate \"100 Gb/s\"", "100 Gb/s",
         "Bit rate of each source's link to the balancer.",
         text(WATERSHED_PLACE(of<Ejfat>().source.link_rate), parse_bit_rate)},
        {"ejfat.source.delay", "time \"30 ms\"", "0 s", "Delay of the path from the sources to the balancer.",
         text(WATERSHED_PLACE(of<Ejfat>().source.delay), parse_time)},
        {"ejfat.source.lag", "list of times", "",
         "How much later than the event each source sends its part; the list repeats if there are more sources.",
         list(WATERSHED_PLACE(of<Ejfat>().source.lag), parse_time)},
        {"ejfat.source.mtu", "size \"9000 B\"", "9000 B", "Largest IP packet of a source.",
         text(WATERSHED_PLACE(of<Ejfat>().source.mtu), parse_ejfat_mtu)},
        {"ejfat.source.entropies", "integer", "1",
         "Number of values that the entropy field takes in turn, event by event.",
         count(WATERSHED_PLACE(of<Ejfat>().source.entropies), 1, 65535)},
        {"ejfat.source.sync_period", "time \"1 s\"", "1 s",
         "Time between two messages in which a source tells the control plane its event number.",
         text(WATERSHED_PLACE(of<Ejfat>().source.sync_period), parse_some_time)},
        {"ejfat.source.loss_one_in", "integer", "0",
         "One packet in this many is damaged before the balancer, at random; 0: none.",
         count(WATERSHED_PLACE(of<Ejfat>().source.loss_one_in), 0, kMost)},

        {"ejfat.balancer.slots", "integer", "512",
         "Number of slots of the calendar; an event's slot is its number modulo this.",
         count(WATERSHED_PLACE(of<Ejfat>().balancer.slots), 1, 65536)},
        {"ejfat.balancer.latency", "time \"2 us\"", "0 s",
         "Time from a packet's last bit in to its first bit out, if nothing waits.",
         text(WATERSHED_PLACE(of<Ejfat>().balancer.latency), parse_time)},
        {"ejfat.balancer.link_rate", "bit rate \"100 Gb/s\"", "100 Gb/s", "Bit rate of the balancer's output.",
         text(WATERSHED_PLACE(of<Ejfat>().balancer.link_rate), parse_bit_rate)},
        {"ejfat.balancer.queue", "\"unlimited\" or \"1000 frames\"", "unlimited",
         "Number of frames that the balancer's output holds, including the one being sent.",
         text(WATERSHED_PLACE(of<Ejfat>().balancer.queue), parse_frames)},
        {"ejfat.balancer.delay", "time \"30 ms\"", "0 s", "Delay of the path from the balancer to the nodes.",
         text(WATERSHED_PLACE(of<Ejfat>().balancer.delay), parse_time)},

        {"ejfat.control.tick", "time \"1 s\"", "1 s", "Time between two decisions on a new epoch.",
         text(WATERSHED_PLACE(of<Ejfat>().control.tick), parse_some_time)},
        {"ejfat.control.offset", "time \"800 ms\"", "800 ms",
         "A new epoch begins at the event that is predicted for this much later.",
         text(WATERSHED_PLACE(of<Ejfat>().control.offset), parse_time)},
        {"ejfat.control.message_delay", "time \"1 ms\"", "0 s",
         "Delay of messages between the control plane and the nodes or the balancer.",
         text(WATERSHED_PLACE(of<Ejfat>().control.message_delay), parse_time)},
        {"ejfat.control.report_period", "time \"100 ms\"", "100 ms",
         "Time between two reports in which a node tells how full its queue is.",
         text(WATERSHED_PLACE(of<Ejfat>().control.report_period), parse_some_time)},
        {"ejfat.control.eviction", "time \"5 s\"", "5 s", "A node that has reported nothing for this long is evicted.",
         text(WATERSHED_PLACE(of<Ejfat>().control.eviction), parse_some_time)},
        {"ejfat.control.set_point", "number", "0", "Share of its queue that a node wants filled.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.set_point))},
        {"ejfat.control.kp", "number", "0",
         "Proportional gain: weight added at each tick, of 1000 in the mean, for each share of the queue below the set "
         "point.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.kp))},
        {"ejfat.control.ki", "number", "0",
         "Integral gain: weight added for each share and second below the set point, summed over ejfat.control.samples "
         "reports.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.ki))},
        {"ejfat.control.kd", "number", "0",
         "Derivative gain: weight added for each share by which the queue falls in a second.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.kd))},
        {"ejfat.control.samples", "integer", "10", "Number of past reports that a node's controller uses.",
         count(WATERSHED_PLACE(of<Ejfat>().control.samples), 2, 10'000)},
        {"ejfat.control.min_factor", "number", "0.5", "A node gets at least this part of an even share of the slots.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.min_factor))},
        {"ejfat.control.max_factor", "number", "2",
         "A node gets at most this multiple of an even share of the slots; 0: no limit.",
         ratio(WATERSHED_PLACE(of<Ejfat>().control.max_factor))},

        {"ejfat.nodes.count", "integer", "1", "Number of worker nodes.",
         count(WATERSHED_PLACE(of<Ejfat>().nodes.count), 1, 10'000)},
        {"ejfat.nodes.link_rate", "bit rate \"100 Gb/s\"", "100 Gb/s", "Bit rate of each node's link.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.link_rate), parse_bit_rate)},
        {"ejfat.nodes.port_queue", "\"unlimited\" or \"1000 frames\"", "unlimited",
         "Number of frames that the switch before a node holds for it.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.port_queue), parse_frames)},
        {"ejfat.nodes.receive_threads", "integer", "1",
         "Number of receive threads of a node, each with a socket of its own; the entropy field chooses.",
         count(WATERSHED_PLACE(of<Ejfat>().nodes.receive_threads), 1, 1000)},
        {"ejfat.nodes.socket_buffer", "size \"3 MiB\"", "3 MiB",
         "UDP payloads that wait in a socket; a packet that finds no room is lost.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.socket_buffer), parse_some_bytes)},
        {"ejfat.nodes.receive_cost", "time \"8.9 us\"", "0 s", "Processor time of a receive thread for each packet.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.receive_cost), parse_time)},
        {"ejfat.nodes.copy_rate", "\"unlimited\" or a bit rate", "unlimited",
         "Bit rate at which a receive thread copies the payload, beside receive_cost.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.copy_rate), parse_copy_rate)},
        {"ejfat.nodes.reassembly_timeout", "time \"500 ms\"", "500 ms",
         "Time from an event's first packet until the event is given up.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.reassembly_timeout), parse_some_time)},
        {"ejfat.nodes.reassembly_memory", "size \"1 GB\"", "1 GB", "Memory of a node for all incomplete events.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.reassembly_memory), parse_some_bytes)},
        {"ejfat.nodes.queue", "integer", "1000",
         "Number of complete events that wait for a worker; an event that finds the queue full is lost.",
         count(WATERSHED_PLACE(of<Ejfat>().nodes.queue), 1, 100'000'000)},
        {"ejfat.nodes.workers", "integer", "1", "Number of processes of a node that take events from its queue.",
         count(WATERSHED_PLACE(of<Ejfat>().nodes.workers), 1, 100'000)},
        {"ejfat.nodes.service_time", "list of times", "",
         "Time of a worker for one event, with a run for each combination with event size and bit rate; 25 ms by "
         "default.",
         list(WATERSHED_PLACE(of<Ejfat>().nodes.service_times), parse_time)},
        {"ejfat.nodes.service", "text", "fixed",
         "How service times vary: \"fixed\", or \"exponential\" with this mean.",
         choice(WATERSHED_PLACE(of<Ejfat>().nodes.service),
                {{"fixed", Service::Fixed}, {"exponential", Service::Exponential}})},
        {"ejfat.nodes.warm_up", "time \"3 s\"", "0 s", "Time from a node's registration until its workers begin.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.warm_up), parse_time)},
        {"ejfat.nodes.joins", "list of times", "",
         "When each node registers; the list repeats if there are more nodes, and all register at once by default.",
         list(WATERSHED_PLACE(of<Ejfat>().nodes.joins), parse_time)},
        {"ejfat.nodes.leaves", "list of times or \"never\"", "",
         "When each node deregisters; it still works off what it gets.",
         list(WATERSHED_PLACE(of<Ejfat>().nodes.leaves), parse_moment)},
        {"ejfat.nodes.fails", "list of times or \"never\"", "", "When each node falls silent with all that it holds.",
         list(WATERSHED_PLACE(of<Ejfat>().nodes.fails), parse_moment)},
        {"ejfat.nodes.change_at", "time or \"never\"", "never",
         "From this time on, service times are multiplied by ejfat.nodes.change.",
         text(WATERSHED_PLACE(of<Ejfat>().nodes.change_at), parse_moment)},
        {"ejfat.nodes.change", "list of numbers in quotes", "",
         "Factor on each node's service time after ejfat.nodes.change_at; the list repeats if there are more nodes.",
         list(WATERSHED_PLACE(of<Ejfat>().nodes.change), parse_positive_ratio)},
    };
}

void check_ejfat(const Ejfat& ejfat, const KeyPlace& place) {
    const EjfatSource& source = ejfat.source;
    const auto refuse_key = [&](const std::string& key, const std::string& text) {
        throw InputError(place(key) + ": " + key + ": " + text);
    };
    for (const Bytes size : source.event_sizes) {
        if (size.count < source.count)
            refuse_key("ejfat.source.event_size", "found \"" + to_text(size) + "\" for " +
                                                      std::to_string(source.count) +
                                                      " sources, expected at least a byte for each");
        if (size > ejfat.nodes.reassembly_memory)
            refuse_key("ejfat.source.event_size",
                       "found \"" + to_text(size) +
                           "\", expected at most what ejfat.nodes.reassembly_memory holds, \"" +
                           to_text(ejfat.nodes.reassembly_memory) + "\"");
        const EjfatSegmenter segmenter(source, size);
        // What the data of an event costs the links, headers and gaps included.
        const auto most = [&](Bytes wire, BitRate link) {
            return BitRate{static_cast<std::int64_t>(Wide{link.count} * size.count / wire.count)};
        };
        const BitRate by_source = most(
            segmenter.wire(source.count - 1),
            source.pace == EjfatSource::Pace::Rate ? std::min(source.pace_rate, source.link_rate) : source.link_rate);
        for (const BitRate rate : source.bit_rates) {
            if (!ejfat.find_no_drop && rate > by_source)
                refuse_key("ejfat.source.bit_rate",
                           "found \"" + to_text(rate) + "\" in events of \"" + to_text(size) +
                               "\", expected at most \"" +
                               to_text(BitRate{by_source.count - by_source.count % 1'000'000}) +
                               "\", which with headers and gaps fill the link of a source");
            const Time period = event_period({size, rate, {}});
            if (Wide{period.count()} * source.events > std::numeric_limits<std::int64_t>::max() / 4)
                refuse_key("ejfat.source.events", "found " + std::to_string(source.events) + " events " +
                                                      to_text(period) + " apart, expected less than 26 days");
            if (period == Time{0})
                refuse_key("ejfat.source.bit_rate",
                           "found \"" + to_text(rate) + "\", expected at least a picosecond between events");
        }
    }
    if (source.pace == EjfatSource::Pace::Rate && source.pace_rate > source.link_rate)
        refuse_key("ejfat.source.pace", "found \"" + to_text(source.pace_rate) +
                                            "\", expected at most source.link_rate, \"" + to_text(source.link_rate) +
                                            "\"");
    if (Wide{ejfat.control.set_point.numerator} > ejfat.control.set_point.denominator)
        refuse_key("ejfat.control.set_point", "expected a share from 0 to 1");
    const Ratio least = ejfat.control.min_factor, most = ejfat.control.max_factor;
    if (Wide{least.numerator} > least.denominator)
        refuse_key("ejfat.control.min_factor", "expected at most 1, an even share");
    if (most.numerator != 0 && Wide{most.numerator} < most.denominator)
        refuse_key("ejfat.control.max_factor", "expected at least 1, an even share, or 0 for no limit");
    if (ejfat.control.eviction <= ejfat.control.report_period + ejfat.control.message_delay)
        refuse_key("ejfat.control.eviction",
                   "found \"" + to_text(ejfat.control.eviction) +
                       "\", expected more than a report takes to come, or every node is evicted");
}

}  // namespace

System ejfat() {
    System system;
    system.name = "ejfat";
    system.help = "sources, a balancer and its nodes";
    system.keys = ejfat_keys;
    system.required = {"source.event_size", "source.bit_rate"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_ejfat(scenario.of<Ejfat>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_ejfat(scenario, simulators, pcap_prefix));
    };
    system.published = "ejfat";
    system.validate = validate_ejfat;
    system.figures = {"ejfat-latency", "ejfat-reassembly", "ejfat-no-drop", "ejfat-nodes", "ejfat-control"};
    return system;
}

}  // namespace watershed::systems
