// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon.h"

#include <algorithm>
#include <limits>

#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/system-run.h"
#include "scenarios/run/udpmon-run.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_tables;

/// A list as the command line takes it.
std::vector<Time> spacings_in(const KeyValue& value) {
    try {
        return parse_time_list("udpmon.spacing", text_to_parse(value));
    } catch (const InputError& error) {
        throw std::invalid_argument(error.what());
    }
}

std::vector<ScenarioKey> udpmon_keys() {
    // Jumbo frames of 9000 B less IPv4 and UDP; at least the packet number and its companions.
    std::vector<Key<Udpmon>> all{
        {"payload", WATERSHED_AT(Udpmon, payloads),
         "UDP payloads, each sent at each spacing; required with system \"udpmon\".",
         from_to(16, 8972, "16 B to 8972 B")},
        {"spacing", WATERSHED_AT(Udpmon, spacings),
         "Requested time from the start of one packet to the start of the next; required with system \"udpmon\".",
         kAny.written("list \"0us,50us\" or \"0us:50us:26\"", ""), spacings_in},
        {"packets", WATERSHED_AT(Udpmon, packets), "Number of packets of each payload at each spacing.",
         from_to(2, 0xffffffff)},

        {"sender.kind", WATERSHED_AT(Udpmon, sender.kind),
         "What paces the sender. \"pc\": a loop that waits for the clock. \"fpga\": a counter of clock ticks.",
         choice({"pc", "fpga"})},
        {"sender.granularity", WATERSHED_AT(Udpmon, sender.granularity),
         "Time between two looks of the pc's loop at the clock, or one tick of the fpga's counter.", kAny.like("5 ns")},
        {"sender.pacing_offset", WATERSHED_AT(Udpmon, sender.pacing_offset),
         "Packets follow each other this much sooner than requested.", kAny.like("2.03 us")},
        {"sender.clock", WATERSHED_AT(Udpmon, sender.clock), "Deviation of the clock that paces an fpga.",
         from_to(-1'000'000, 1'000'000, "-1000 ppm to 1000 ppm").written("\"2.6 ppm\"")},
        {"sender.packet_cost", WATERSHED_AT(Udpmon, sender.packet_cost),
         "Processor time of the sender for each packet."},
        {"sender.copy_rate", WATERSHED_AT(Udpmon, sender.copy_rate),
         "Bit rate at which a pc copies the payload to the socket.", kAny.written("bit rate", "16 Gb/s")},
        {"sender.buffer", WATERSHED_AT(Udpmon, sender.buffer),
         "Payloads that wait for the link; the sender waits while it is full.", kSomeBytes.like("16 MiB", "16 MiB")},
        {"sender.slot_multiple", WATERSHED_AT(Udpmon, sender.slot_multiple),
         "The MAC rounds the slot of a frame on the link up to words of this size.",
         from_to(1, 1000, "1 B to 1000 B").like("8 B")},
        {"sender.slot_extra", WATERSHED_AT(Udpmon, sender.slot_extra),
         "Link time that the MAC wastes for each frame, in bytes.", kAny.like("18 B")},
        {"sender.jitter", WATERSHED_AT(Udpmon, sender.jitter),
         "Mean of an exponential delay between pacing and the link.", kAny.like("60 ns", "0 ns")},
        {"sender.jitter_limit", WATERSHED_AT(Udpmon, sender.jitter_limit), "Longest delay between pacing and the link.",
         kAny.like("200 ns", "0 ns")},

        {"path.rate", WATERSHED_AT(Udpmon, path.rate), "Bit rate of every link of the path."},
        {"path.delay", WATERSHED_AT(Udpmon, path.delay), "Delay of the path, one way; 5 us for each km of fibre."},
        {"path.policed", WATERSHED_AT(Udpmon, path.policed), "A token bucket of this rate drops what exceeds it.",
         kAny.or_word("no", "bit rate or \"no\"")},
        {"path.accounting", WATERSHED_AT(Udpmon, path.accounting),
         "What the policer counts of a packet. \"payload\": the UDP payload. \"ip\": 28 B more. \"frame\": 46 B "
         "more. "
         "\"wire\": 66 B more.",
         choice({"payload", "ip", "frame", "wire"})},
        {"path.burst", WATERSHED_AT(Udpmon, path.burst), "Bytes that the policer's token bucket holds.", kSomeBytes},
        {"path.loss_one_in", WATERSHED_AT(Udpmon, path.loss_one_in),
         "One packet in this many is damaged and lost, at random; 0: none.", from_to(0, kMost)},
        {"path.reorder_one_in", WATERSHED_AT(Udpmon, path.reorder_one_in),
         "One packet in this many is held back by reorder_delay, at random; 0: none.", from_to(0, kMost)},
        {"path.reorder_delay", WATERSHED_AT(Udpmon, path.reorder_delay),
         "Time for which a reordered packet is held back."},

        {"receiver.kind", WATERSHED_AT(Udpmon, receiver.kind),
         "What stamps the packets. \"pc\": a process that reads them after interrupts. \"fpga\": logic that stamps "
         "each as it arrives.",
         choice({"pc", "fpga"})},
        {"receiver.granularity", WATERSHED_AT(Udpmon, receiver.granularity),
         "Time stamps are rounded down to a multiple of this.", kAny.like("5 ns", "0 ns")},
        {"receiver.interrupt_period", WATERSHED_AT(Udpmon, receiver.interrupt_period),
         "Interrupt moderation: interrupts of a pc come at multiples of this; 0: at once.",
         kAny.like("5.25 us", "0 ns")},
        {"receiver.interrupt_handling", WATERSHED_AT(Udpmon, receiver.interrupt_handling),
         "No interrupt comes sooner than this after another.", kAny.like("6 us", "0 ns")},
        {"receiver.wakeup_jitter", WATERSHED_AT(Udpmon, receiver.wakeup_jitter),
         "Time from the interrupt until the process reads, uniform up to this; one for each spacing, and the list "
         "repeats."},
        {"receiver.read_cost", WATERSHED_AT(Udpmon, receiver.read_cost),
         "Processor time of the receiver for each packet.", kAny.like("1 us", "0 ns")},
        {"receiver.read_jitter", WATERSHED_AT(Udpmon, receiver.read_jitter),
         "Further time, uniform up to this, for each packet after the first that one interrupt brought.",
         kAny.like("2 us", "0 ns")},
        {"receiver.hiccup_one_in", WATERSHED_AT(Udpmon, receiver.hiccup_one_in),
         "One packet in this many finds the process busy elsewhere; 0: none.", from_to(0, kMost)},
        {"receiver.hiccup", WATERSHED_AT(Udpmon, receiver.hiccup),
         "Time for which the process is busy elsewhere, uniform up to this.", kAny.like("45 us", "0 ns")},
        {"receiver.buffer", WATERSHED_AT(Udpmon, receiver.buffer),
         "Payloads that wait to be read; a packet that finds it full is lost.", kSomeBytes.like("16 MiB", "16 MiB")},
        {"receiver.reported_overhead", WATERSHED_AT(Udpmon, receiver.reported_overhead),
         "What the instrument adds to the payload when it states a wire rate."},
        {"receiver.bin", WATERSHED_AT(Udpmon, receiver.bin),
         "Bin width of the histogram of intervals; each interval counts as the lower edge of its bin.", kSomeTime},
    };
    return system_keys("udpmon.", std::move(all));
}

void check_udpmon(const Udpmon& udpmon, const KeyPlace& place) {
    // Two keys are too large together, so the place is that of their table.
    const Time longest = *std::max_element(udpmon.spacings.begin(), udpmon.spacings.end());
    if (Wide{longest.count()} * udpmon.packets > std::numeric_limits<std::int64_t>::max() / 2)
        throw InputError(place("udpmon") + ": udpmon.packets: found " + std::to_string(udpmon.packets) + " packets " +
                         to_text(longest) + " apart, expected less than 53 days");
}

}  // namespace

System udpmon() {
    System system;
    system.name = "udpmon";
    system.help = "two hosts and a path between them";
    system.keys = udpmon_keys;
    system.required = {"payload", "spacing"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_udpmon(scenario.of<Udpmon>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_udpmon(scenario, simulators, pcap_prefix));
    };
    system.published = "nexpres";
    system.validate = validate_nexpres;
    system.figures = {"udpmon-rate", "udpmon-loss", "udpmon-jitter"};
    return system;
}

}  // namespace watershed::systems
