// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat.h"

#include <limits>

#include "model/ejfat/ejfat-segments.h"
#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_tables;

/// "link", "stream" or a rate: two members in one key.
void set_pace(Ejfat& ejfat, const KeyValue& value) {
    EjfatSource& source = ejfat.source;
    const auto* written = std::get_if<std::string>(&value);
    if (!written) refuse(value, "\"link\", \"stream\" or a bit rate such as \"8 Gb/s\"");
    source.pace = *written == "link"     ? EjfatSource::Pace::Link
                  : *written == "stream" ? EjfatSource::Pace::Stream
                                         : EjfatSource::Pace::Rate;
    if (source.pace == EjfatSource::Pace::Rate) source.pace_rate = parse_bit_rate(*written);
}

std::vector<ScenarioKey> ejfat_keys() {
    // The reassembly header counts with 32 bits. RFC 791: every host takes 576 B; the length field ends at 65535.
    std::vector<Key<Ejfat>> all{
        {"find_no_drop", WATERSHED_AT(Ejfat, find_no_drop),
         "Find the highest bit rate below each ejfat.source.bit_rate at which no event is lost, instead of running "
         "at "
         "it."},

        {"source.count", WATERSHED_AT(Ejfat, source.count), "Number of sources; each has an equal part of every event.",
         from_to(1, 1000)},
        {"source.event_size", WATERSHED_AT(Ejfat, source.event_sizes),
         "Size of a whole event, with a run for each combination of event size, bit rate and service time; "
         "required "
         "with system \"ejfat\".",
         from_to(1, 0xffffffff, "1 B to 4294967295 B")},
        {"source.bit_rate", WATERSHED_AT(Ejfat, source.bit_rates),
         "Data of the events per second, without headers; required with system \"ejfat\"."},
        {"source.events", WATERSHED_AT(Ejfat, source.events), "Number of events of each run.", from_to(1, 10'000'000)},
        {"source.first_event", WATERSHED_AT(Ejfat, source.first_event), "Number of the first event.",
         from_to(0, kMost)},
        {"source.start", WATERSHED_AT(Ejfat, source.start),
         "Time of the first event; the nodes can register before it.", kAny.like("1 s", "0 s")},
        {"source.arrivals", WATERSHED_AT(Ejfat, source.arrivals),
         "When events come: \"periodic\" (evenly) or \"poisson\" (at random).", choice({"periodic", "poisson"})},
        {{"source.pace", "text or bit rate", "link",
          "How the packets of an event follow each other. \"link\": back to back. \"stream\": evenly until the "
          "next "
          "event. A bit rate: at this rate on the wire."},
         set_pace},
        {"source.link_rate", WATERSHED_AT(Ejfat, source.link_rate), "Bit rate of each source's link to the balancer."},
        {"source.delay", WATERSHED_AT(Ejfat, source.delay), "Delay of the path from the sources to the balancer.",
         kAny.like("30 ms", "0 s")},
        {"source.lag", WATERSHED_AT(Ejfat, source.lag),
         "How much later than the event each source sends its part; the list repeats if there are more sources."},
        {"source.mtu", WATERSHED_AT(Ejfat, source.mtu), "Largest IP packet of a source.",
         from_to(576, 65535, "576 B to 65535 B, of which headers take 64 B")},
        {"source.entropies", WATERSHED_AT(Ejfat, source.entropies),
         "Number of values that the entropy field takes in turn, event by event.", from_to(1, 65535)},
        {"source.sync_period", WATERSHED_AT(Ejfat, source.sync_period),
         "Time between two messages in which a source tells the control plane its event number.", kSomeTime},
        {"source.loss_one_in", WATERSHED_AT(Ejfat, source.loss_one_in),
         "One packet in this many is damaged before the balancer, at random; 0: none.", from_to(0, kMost)},

        {"balancer.slots", WATERSHED_AT(Ejfat, balancer.slots),
         "Number of slots of the calendar; an event's slot is its number modulo this.", from_to(1, 65536)},
        {"balancer.latency", WATERSHED_AT(Ejfat, balancer.latency),
         "Time from a packet's last bit in to its first bit out, if nothing waits.", kAny.like("2 us", "0 s")},
        {"balancer.link_rate", WATERSHED_AT(Ejfat, balancer.link_rate), "Bit rate of the balancer's output."},
        {"balancer.queue", WATERSHED_AT(Ejfat, balancer.queue),
         "Number of frames that the balancer's output holds, including the one being sent.",
         from_to(1, 0xffffffff).like("1000 frames").or_word("unlimited", "\"unlimited\" or \"1000 frames\"")},
        {"balancer.delay", WATERSHED_AT(Ejfat, balancer.delay), "Delay of the path from the balancer to the nodes.",
         kAny.like("30 ms", "0 s")},

        {"control.tick", WATERSHED_AT(Ejfat, control.tick), "Time between two decisions on a new epoch.", kSomeTime},
        {"control.offset", WATERSHED_AT(Ejfat, control.offset),
         "A new epoch begins at the event that is predicted for this much later."},
        {"control.message_delay", WATERSHED_AT(Ejfat, control.message_delay),
         "Delay of messages between the control plane and the nodes or the balancer.", kAny.like("1 ms", "0 s")},
        {"control.report_period", WATERSHED_AT(Ejfat, control.report_period),
         "Time between two reports in which a node tells how full its queue is.", kSomeTime},
        {"control.eviction", WATERSHED_AT(Ejfat, control.eviction),
         "A node that has reported nothing for this long is evicted.", kSomeTime},
        {"control.set_point", WATERSHED_AT(Ejfat, control.set_point), "Share of its queue that a node wants filled.",
         kAny.written("number", "0")},
        {"control.kp", WATERSHED_AT(Ejfat, control.kp),
         "Proportional gain: weight added at each tick, of 1000 in the mean, for each share of the queue below the "
         "set "
         "point.",
         kAny.written("number", "0")},
        {"control.ki", WATERSHED_AT(Ejfat, control.ki),
         "Integral gain: weight added for each share and second below the set point, summed over "
         "ejfat.control.samples "
         "reports.",
         kAny.written("number", "0")},
        {"control.kd", WATERSHED_AT(Ejfat, control.kd),
         "Derivative gain: weight added for each share by which the queue falls in a second.",
         kAny.written("number", "0")},
        {"control.samples", WATERSHED_AT(Ejfat, control.samples),
         "Number of past reports that a node's controller uses.", from_to(2, 10'000)},
        {"control.min_factor", WATERSHED_AT(Ejfat, control.min_factor),
         "A node gets at least this part of an even share of the slots.", kAny.written("number", "0.5")},
        {"control.max_factor", WATERSHED_AT(Ejfat, control.max_factor),
         "A node gets at most this multiple of an even share of the slots; 0: no limit.", kAny.written("number", "2")},

        {"nodes.count", WATERSHED_AT(Ejfat, nodes.count), "Number of worker nodes.", from_to(1, 10'000)},
        {"nodes.link_rate", WATERSHED_AT(Ejfat, nodes.link_rate), "Bit rate of each node's link."},
        {"nodes.port_queue", WATERSHED_AT(Ejfat, nodes.port_queue),
         "Number of frames that the switch before a node holds for it.",
         from_to(1, 0xffffffff).like("1000 frames").or_word("unlimited", "\"unlimited\" or \"1000 frames\"")},
        {"nodes.receive_threads", WATERSHED_AT(Ejfat, nodes.receive_threads),
         "Number of receive threads of a node, each with a socket of its own; the entropy field chooses.",
         from_to(1, 1000)},
        {"nodes.socket_buffer", WATERSHED_AT(Ejfat, nodes.socket_buffer),
         "UDP payloads that wait in a socket; a packet that finds no room is lost.", kSomeBytes.like("3 MiB", "3 MiB")},
        {"nodes.receive_cost", WATERSHED_AT(Ejfat, nodes.receive_cost),
         "Processor time of a receive thread for each packet.", kAny.like("8.9 us", "0 s")},
        {"nodes.copy_rate", WATERSHED_AT(Ejfat, nodes.copy_rate),
         "Bit rate at which a receive thread copies the payload, beside receive_cost.",
         kAny.or_word("unlimited", "\"unlimited\" or a bit rate")},
        {"nodes.reassembly_timeout", WATERSHED_AT(Ejfat, nodes.reassembly_timeout),
         "Time from an event's first packet until the event is given up.", kSomeTime},
        {"nodes.reassembly_memory", WATERSHED_AT(Ejfat, nodes.reassembly_memory),
         "Memory of a node for all incomplete events.", kSomeBytes},
        {"nodes.queue", WATERSHED_AT(Ejfat, nodes.queue),
         "Number of complete events that wait for a worker; an event that finds the queue full is lost.",
         from_to(1, 100'000'000)},
        {"nodes.workers", WATERSHED_AT(Ejfat, nodes.workers),
         "Number of processes of a node that take events from its queue.", from_to(1, 100'000)},
        {"nodes.service_time", WATERSHED_AT(Ejfat, nodes.service_times),
         "Time of a worker for one event, with a run for each combination with event size and bit rate; 25 ms by "
         "default."},
        {"nodes.service", WATERSHED_AT(Ejfat, nodes.service),
         "How service times vary: \"fixed\", or \"exponential\" with this mean.", choice({"fixed", "exponential"})},
        {"nodes.warm_up", WATERSHED_AT(Ejfat, nodes.warm_up),
         "Time from a node's registration until its workers begin.", kAny.like("3 s", "0 s")},
        {"nodes.joins", WATERSHED_AT(Ejfat, nodes.joins),
         "When each node registers; the list repeats if there are more nodes, and all register at once by "
         "default."},
        {"nodes.leaves", WATERSHED_AT(Ejfat, nodes.leaves),
         "When each node deregisters; it still works off what it gets.",
         kAny.or_word("never", "list of times or \"never\"")},
        {"nodes.fails", WATERSHED_AT(Ejfat, nodes.fails), "When each node falls silent with all that it holds.",
         kAny.or_word("never", "list of times or \"never\"")},
        {"nodes.change_at", WATERSHED_AT(Ejfat, nodes.change_at),
         "From this time on, service times are multiplied by ejfat.nodes.change.",
         kAny.or_word("never", "time or \"never\"")},
        {"nodes.change", WATERSHED_AT(Ejfat, nodes.change),
         "Factor on each node's service time after ejfat.nodes.change_at; the list repeats if there are more "
         "nodes.",
         from_to(1, kAny.most, "more than 0").written("list of numbers in quotes", "")},
    };
    return system_keys("ejfat.", std::move(all));
}

void check_ejfat(const Ejfat& ejfat, const KeyCheck& keys) {
    const EjfatSource& source = ejfat.source;
    for (const Bytes size : source.event_sizes) {
        keys.expect(size.count >= source.count, "source.event_size",
                    "found \"" + to_text(size) + "\" for " + std::to_string(source.count) +
                        " sources, expected at least a byte for each");
        keys.expect(size <= ejfat.nodes.reassembly_memory, "source.event_size",
                    found_text(size) + "at most what ejfat.nodes.reassembly_memory holds, \"" +
                        to_text(ejfat.nodes.reassembly_memory) + "\"");
        const EjfatSegmenter segmenter(source, size);
        // Largest data rate of a link, for the bytes of an event with headers and gaps.
        const auto most = [&](Bytes wire, BitRate link) {
            return BitRate{static_cast<std::int64_t>(Wide{link.count} * size.count / wire.count)};
        };
        const BitRate by_source = most(
            segmenter.wire(source.count - 1),
            source.pace == EjfatSource::Pace::Rate ? std::min(source.pace_rate, source.link_rate) : source.link_rate);
        for (const BitRate rate : source.bit_rates) {
            keys.expect(ejfat.find_no_drop || rate <= by_source, "source.bit_rate",
                        "found \"" + to_text(rate) + "\" in events of \"" + to_text(size) + "\", expected at most \"" +
                            to_text(BitRate{by_source.count - by_source.count % 1'000'000}) +
                            "\", which with headers and gaps fill the link of a source");
            const Time period = event_period({size, rate, {}});
            keys.expect(Wide{period.count()} * source.events <= std::numeric_limits<std::int64_t>::max() / 4,
                        "source.events",
                        "found " + std::to_string(source.events) + " events " + to_text(period) +
                            " apart, expected less than 26 days");
            keys.expect(period != Time{0}, "source.bit_rate",
                        found_text(rate) + "at least a picosecond between events");
        }
    }
    keys.expect(source.pace != EjfatSource::Pace::Rate || source.pace_rate <= source.link_rate, "source.pace",
                found_text(source.pace_rate) + "at most source.link_rate, \"" + to_text(source.link_rate) + "\"");
    const auto exceeds_one = [](Ratio ratio) { return Wide{ratio.numerator} > ratio.denominator; };
    const Ratio most = ejfat.control.max_factor;
    keys.expect(!exceeds_one(ejfat.control.set_point), "control.set_point", "expected a share from 0 to 1");
    keys.expect(!exceeds_one(ejfat.control.min_factor), "control.min_factor", "expected at most 1, an even share");
    keys.expect(most.numerator == 0 || Wide{most.numerator} >= most.denominator, "control.max_factor",
                "expected at least 1, an even share, or 0 for no limit");
    keys.expect(ejfat.control.eviction > ejfat.control.report_period + ejfat.control.message_delay, "control.eviction",
                found_text(ejfat.control.eviction) + "more than a report takes to come, or every node is evicted");
}

}  // namespace

System ejfat() {
    System system;
    system.name = "ejfat";
    system.help = "sources, a balancer and its nodes";
    system.keys = ejfat_keys;
    system.required = {"source.event_size", "source.bit_rate"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) {
        check_ejfat(scenario.of<Ejfat>(), {place, "ejfat."});
    };
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
