// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon.h"

#include <algorithm>
#include <limits>

#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/system-run.h"
#include "scenarios/run/udpmon-run.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_setters;

// The packet number and its companions; a jumbo frame's 9000 B less IPv4 and UDP.
const auto parse_udpmon_payload = between(parse_bytes, Bytes{16}, Bytes{8972}, "16 B to 8972 B");

const auto parse_slot = between(parse_bytes, Bytes{1}, Bytes{1000}, "1 B to 1000 B");

const auto parse_clock =
    between(parse_clock_tolerance, ClockTolerance{-1'000'000}, ClockTolerance{1'000'000}, "-1000 ppm to 1000 ppm");

std::optional<BitRate> parse_policed(const std::string& value) {
    if (value == "no") return std::nullopt;
    return parse_bit_rate(value);
}

/// A list as the command line takes it.
std::vector<Time> parse_spacings(const std::string& value) {
    try {
        return parse_time_list("udpmon.spacing", value);
    } catch (const InputError& error) {
        throw std::invalid_argument(error.what());
    }
}

std::vector<ScenarioKey> udpmon_keys() {
    using Accounting = UdpmonPath::Accounting;
    const std::vector<std::pair<std::string, UdpmonHostKind>> kinds{{"pc", UdpmonHostKind::Pc},
                                                                    {"fpga", UdpmonHostKind::Fpga}};
    return {
        {"udpmon.payload", "list of sizes", "",
         "UDP payloads, each sent at each spacing; required with system \"udpmon\".",
         list(WATERSHED_PLACE(of<Udpmon>().payloads), parse_udpmon_payload)},
        {"udpmon.spacing", "list \"0us,50us\" or \"0us:50us:26\"", "",
         "Requested time from the start of one packet to the start of the next; required with system \"udpmon\".",
         text(WATERSHED_PLACE(of<Udpmon>().spacings), parse_spacings)},
        {"udpmon.packets", "integer", "100000", "Number of packets of each payload at each spacing.",
         count(WATERSHED_PLACE(of<Udpmon>().packets), 2, 0xffffffff)},

        {"udpmon.sender.kind", "text", "pc",
         "What paces the sender. \"pc\": a loop that waits for the clock. \"fpga\": a counter of clock ticks.",
         choice(WATERSHED_PLACE(of<Udpmon>().sender.kind), kinds)},
        {"udpmon.sender.granularity", "time \"5 ns\"", "37 ns",
         "Time between two looks of the pc's loop at the clock, or one tick of the fpga's counter.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.granularity), parse_time)},
        {"udpmon.sender.pacing_offset", "time \"2.03 us\"", "0 us",
         "Packets follow each other this much sooner than requested.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.pacing_offset), parse_time)},
        {"udpmon.sender.clock", "\"2.6 ppm\"", "0 ppm", "Deviation of the clock that paces an fpga.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.clock), parse_clock)},
        {"udpmon.sender.packet_cost", "time \"1.5 us\"", "1.5 us", "Processor time of the sender for each packet.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.packet_cost), parse_time)},
        {"udpmon.sender.copy_rate", "bit rate", "16 Gb/s", "Bit rate at which a pc copies the payload to the socket.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.copy_rate), parse_bit_rate)},
        {"udpmon.sender.buffer", "size \"16 MiB\"", "16 MiB",
         "Payloads that wait for the link; the sender waits while it is full.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.buffer), parse_some_bytes)},
        {"udpmon.sender.slot_multiple", "size \"8 B\"", "1 B",
         "The MAC rounds the slot of a frame on the link up to words of this size.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.slot_multiple), parse_slot)},
        {"udpmon.sender.slot_extra", "size \"18 B\"", "0 B", "Link time that the MAC wastes for each frame, in bytes.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.slot_extra), parse_bytes)},
        {"udpmon.sender.jitter", "time \"60 ns\"", "0 ns", "Mean of an exponential delay between pacing and the link.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.jitter), parse_time)},
        {"udpmon.sender.jitter_limit", "time \"200 ns\"", "0 ns", "Longest delay between pacing and the link.",
         text(WATERSHED_PLACE(of<Udpmon>().sender.jitter_limit), parse_time)},

        {"udpmon.path.rate", "bit rate \"10 Gb/s\"", "10 Gb/s", "Bit rate of every link of the path.",
         text(WATERSHED_PLACE(of<Udpmon>().path.rate), parse_bit_rate)},
        {"udpmon.path.delay", "time \"400 us\"", "400 us", "Delay of the path, one way; 5 us for each km of fibre.",
         text(WATERSHED_PLACE(of<Udpmon>().path.delay), parse_time)},
        {"udpmon.path.policed", "bit rate or \"no\"", "no", "A token bucket of this rate drops what exceeds it.",
         text(WATERSHED_PLACE(of<Udpmon>().path.policed), parse_policed)},
        {"udpmon.path.accounting", "text", "ip",
         "What the policer counts of a packet. \"payload\": the UDP payload. \"ip\": 28 B more. \"frame\": 46 B more. "
         "\"wire\": 66 B more.",
         choice(WATERSHED_PLACE(of<Udpmon>().path.accounting), {{"payload", Accounting::Payload},
                                                                {"ip", Accounting::Ip},
                                                                {"frame", Accounting::Frame},
                                                                {"wire", Accounting::Wire}})},
        {"udpmon.path.burst", "size \"90 kB\"", "90 kB", "Bytes that the policer's token bucket holds.",
         text(WATERSHED_PLACE(of<Udpmon>().path.burst), parse_some_bytes)},
        {"udpmon.path.loss_one_in", "integer", "0", "One packet in this many is damaged and lost, at random; 0: none.",
         count(WATERSHED_PLACE(of<Udpmon>().path.loss_one_in), 0, kMost)},
        {"udpmon.path.reorder_one_in", "integer", "0",
         "One packet in this many is held back by reorder_delay, at random; 0: none.",
         count(WATERSHED_PLACE(of<Udpmon>().path.reorder_one_in), 0, kMost)},
        {"udpmon.path.reorder_delay", "time \"25 us\"", "25 us", "Time for which a reordered packet is held back.",
         text(WATERSHED_PLACE(of<Udpmon>().path.reorder_delay), parse_time)},

        {"udpmon.receiver.kind", "text", "pc",
         "What stamps the packets. \"pc\": a process that reads them after interrupts. \"fpga\": logic that stamps "
         "each as it arrives.",
         choice(WATERSHED_PLACE(of<Udpmon>().receiver.kind), kinds)},
        {"udpmon.receiver.granularity", "time \"5 ns\"", "0 ns", "Time stamps are rounded down to a multiple of this.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.granularity), parse_time)},
        {"udpmon.receiver.interrupt_period", "time \"5.25 us\"", "0 ns",
         "Interrupt moderation: interrupts of a pc come at multiples of this; 0: at once.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.interrupt_period), parse_time)},
        {"udpmon.receiver.interrupt_handling", "time \"6 us\"", "0 ns",
         "No interrupt comes sooner than this after another.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.interrupt_handling), parse_time)},
        {"udpmon.receiver.wakeup_jitter", "list of times", "",
         "Time from the interrupt until the process reads, uniform up to this; one for each spacing, and the list "
         "repeats.",
         list(WATERSHED_PLACE(of<Udpmon>().receiver.wakeup_jitter), parse_time)},
        {"udpmon.receiver.read_cost", "time \"1 us\"", "0 ns", "Processor time of the receiver for each packet.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.read_cost), parse_time)},
        {"udpmon.receiver.read_jitter", "time \"2 us\"", "0 ns",
         "Further time, uniform up to this, for each packet after the first that one interrupt brought.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.read_jitter), parse_time)},
        {"udpmon.receiver.hiccup_one_in", "integer", "0",
         "One packet in this many finds the process busy elsewhere; 0: none.",
         count(WATERSHED_PLACE(of<Udpmon>().receiver.hiccup_one_in), 0, kMost)},
        {"udpmon.receiver.hiccup", "time \"45 us\"", "0 ns",
         "Time for which the process is busy elsewhere, uniform up to this.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.hiccup), parse_time)},
        {"udpmon.receiver.buffer", "size \"16 MiB\"", "16 MiB",
         "Payloads that wait to be read; a packet that finds it full is lost.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.buffer), parse_some_bytes)},
        {"udpmon.receiver.reported_overhead", "size \"66 B\"", "66 B",
         "What the instrument adds to the payload when it states a wire rate.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.reported_overhead), parse_bytes)},
        {"udpmon.receiver.bin", "time \"1 us\"", "1 us",
         "Bin width of the histogram of intervals; each interval counts as the lower edge of its bin.",
         text(WATERSHED_PLACE(of<Udpmon>().receiver.bin), parse_some_time)},
    };
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
