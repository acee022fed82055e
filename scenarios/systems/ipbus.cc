// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus.h"

#include <algorithm>

#include "model/ipbus/ipbus-packet.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/systems/processor-keys.h"
#include "scenarios/text/input-error.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_setters;

constexpr std::int64_t kMostOfIpbus = 1'000'000'000;
constexpr std::int64_t kMostUnits = 10'000;

/// "2048 words" of 32 bits, or bytes that are whole words.
std::int64_t parse_words(const std::string& value) {
    const auto unit = value.find("word");
    const std::string expected = "found \"" + value + "\", expected 1 to " + std::to_string(kMostOfIpbus) +
                                 " words, such as \"2048 words\" or \"8192 B\"";
    if (unit == std::string::npos) {
        Bytes bytes;
        try {
            bytes = parse_bytes(value);
        } catch (const std::invalid_argument&) {
            throw std::invalid_argument(expected);
        }
        if (bytes.count % ipbus::kWordBytes != 0 || bytes.count == 0 || bytes.count > kMostOfIpbus)
            throw std::invalid_argument(expected);
        return bytes.count / ipbus::kWordBytes;
    }
    std::string number = value.substr(0, unit);
    number.erase(std::find_if(number.rbegin(), number.rend(), [](char c) { return c != ' '; }).base(), number.end());
    const std::string name = value.substr(unit);
    const bool digits =
        !number.empty() && number.size() < 10 && number.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || (name != "words" && name != "word") || std::stoll(number) == 0)
        throw std::invalid_argument(expected);
    return std::stoll(number);
}

/// Whole words.
const auto parse_word_bytes = limited(
    parse_bytes, [](Bytes bytes) { return bytes.count > 0 && bytes.count % ipbus::kWordBytes == 0; },
    "a multiple of 4 B, the size of a word");

// A status packet; a jumbo frame's 9000 B less IPv4 and UDP.
const auto parse_ipbus_payload = between(parse_bytes, Bytes{64}, Bytes{8972}, "64 B to 8972 B");

const auto parse_buffer_bytes = limited(
    parse_memory_size, [](MemorySize size) { return size.unit != MemorySize::Unit::Cell; }, "frames or bytes");

std::vector<ScenarioKey> ipbus_keys() {
    using Pattern = Ipbus::Pattern;
    using Underflow = IpbusUnitFormat::Underflow;
    std::vector<ScenarioKey> keys{
        {"ipbus.units", "list of integers", "",
         "Number of front-end units that the server reads out, with a run for each number; required with system "
         "\"ipbus\".",
         integers(WATERSHED_PLACE(of<Ipbus>().units), 1, kMostUnits)},
        {"ipbus.block", "list of \"2048 words\" or \"8192 B\"", "",
         "What a client asks of one FIFO at a time, with a run for each; required with system \"ipbus\".",
         list(WATERSHED_PLACE(of<Ipbus>().blocks), parse_words)},
        {"ipbus.pattern", "text", "full",
         "How FIFOs fill. \"full\": they never run empty. \"periodic\", \"poisson\": a waveform comes to every FIFO of "
         "every unit at ipbus.rate, evenly or at random.",
         choice(WATERSHED_PLACE(of<Ipbus>().pattern),
                {{"full", Pattern::Full}, {"periodic", Pattern::Periodic}, {"poisson", Pattern::Poisson}})},
        {"ipbus.rate", "list of \"1 kHz\"", "", "Trigger rates, with a run for each.",
         list(WATERSHED_PLACE(of<Ipbus>().rates), parse_frequency)},
        {"ipbus.duration", "time \"50 ms\"", "50 ms",
         "Triggers and new blocks end at this time; what is under way is still answered.",
         text(WATERSHED_PLACE(of<Ipbus>().duration), parse_some_time)},
        {"ipbus.warm_up", "time \"5 ms\"", "0 ms", "Bandwidth and survival count from this time on.",
         text(WATERSHED_PLACE(of<Ipbus>().warm_up), parse_time)},
        {"ipbus.max_payload", "size \"1400 B\"", "1400 B",
         "Largest UDP payload of a packet, either way; up to 8972 B in jumbo frames.",
         text(WATERSHED_PLACE(of<Ipbus>().max_payload), parse_ipbus_payload)},
        {"ipbus.split", "true or false", "true",
         "A block larger than a packet becomes several packets instead of an error.",
         flag(WATERSHED_PLACE(of<Ipbus>().split))},
        {"ipbus.loss_one_in", "integer", "0",
         "One frame in this many, of either direction, is damaged and lost, at random; 0: none.",
         count(WATERSHED_PLACE(of<Ipbus>().loss_one_in), 0, kMostOfIpbus)},
        {"ipbus.switch_buffer", "size \"12 MB\" or \"100 frames\"", "12 MB",
         "Memory of the switch for frames that wait for the server's link; a frame that finds it full is lost.",
         text(WATERSHED_PLACE(of<Ipbus>().switch_buffer), parse_buffer_bytes)},
        {"ipbus.server_link", "bit rate \"10 Gb/s\"", "10 Gb/s", "Bit rate between switch and server.",
         text(WATERSHED_PLACE(of<Ipbus>().server_link), parse_bit_rate)},

        {"ipbus.unit.channels", "integer", "3", "Number of FIFOs of a unit, which are read in turn.",
         count(WATERSHED_PLACE(of<Ipbus>().unit.channels), 1, 256)},
        {"ipbus.unit.waveform", "size \"2032 B\"", "2032 B",
         "Size of a waveform: header 16, 1000 samples of 2 B, trailer 16; it is rejected as a whole if it does not "
         "fit.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.waveform), parse_word_bytes)},
        {"ipbus.unit.fifo", "size \"8192 B\"", "8192 B", "Size of the FIFO of each channel.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.fifo), parse_word_bytes)},
        {"ipbus.unit.underflow", "text", "filler",
         "What a read gives once the FIFO has no more words. \"filler\": words without meaning. \"wait\": nothing "
         "until a trigger comes; the read holds the bus.",
         choice(WATERSHED_PLACE(of<Ipbus>().unit.underflow),
                {{"filler", Underflow::Filler}, {"wait", Underflow::Wait}})},
        {"ipbus.unit.bus_rate", "bit rate \"500 Mb/s\"", "500 Mb/s",
         "Bit rate of the firmware's bus: 32 bits in every second cycle of 31.25 MHz.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.bus_rate), parse_bit_rate)},
        {"ipbus.unit.buffers", "integer", "16",
         "Number of packets that the firmware holds, and of replies that it can send again.",
         count(WATERSHED_PLACE(of<Ipbus>().unit.buffers), 1, 256)},
        {"ipbus.unit.buffer_size", "size \"2048 B\"", "2048 B",
         "Size of each of the unit's buffers: the largest packet that a unit takes or sends.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.buffer_size), parse_word_bytes)},
        {"ipbus.unit.link_rate", "bit rate \"1 Gb/s\"", "1 Gb/s", "Bit rate of each unit's link.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.link_rate), parse_bit_rate)},
        {"ipbus.unit.delay", "time \"15.4 us\"", "15.4 us", "Delay between the switch and the firmware, one way.",
         text(WATERSHED_PLACE(of<Ipbus>().unit.delay), parse_time)},

        {"ipbus.hub.in_flight", "integer", "16",
         "Number of packets of one unit that ControlHub has under way, at most as many as the unit has buffers.",
         count(WATERSHED_PLACE(of<Ipbus>().hub.in_flight), 1, 256)},
        {"ipbus.hub.timeout", "time \"20 ms\"", "20 ms",
         "Time without a packet from a unit until ControlHub asks for its status.",
         text(WATERSHED_PLACE(of<Ipbus>().hub.timeout), parse_some_time)},
        {"ipbus.hub.attempts", "integer", "5", "Number of attempts to recover before a unit is given up.",
         count(WATERSHED_PLACE(of<Ipbus>().hub.attempts), 1, 1000)},
        {"ipbus.hub.packet_cost", "time \"16 us\"", "0 us",
         "Processor time of ControlHub for each packet sent or received.",
         text(WATERSHED_PLACE(of<Ipbus>().hub.packet_cost), parse_time)},
        {"ipbus.hub.byte_cost", "time \"5 ns\"", "0 ns",
         "Processor time of ControlHub for each byte of a packet's UDP payload.",
         text(WATERSHED_PLACE(of<Ipbus>().hub.byte_cost), parse_time)},

        {"ipbus.client.outstanding", "integer", "1",
         "Number of blocks that the client of a unit has asked for at a time.",
         count(WATERSHED_PLACE(of<Ipbus>().client.outstanding), 1, 1024)},
        {"ipbus.client.latency", "time \"30 us\"", "0 us",
         "Time from the last word of a block until the next block is asked for, without work of the server.",
         text(WATERSHED_PLACE(of<Ipbus>().client.latency), parse_time)},
        {"ipbus.client.block_cost", "time \"200 us\"", "0 us", "Processor time of the client for each block.",
         text(WATERSHED_PLACE(of<Ipbus>().client.block_cost), parse_time)},
    };
    const auto processor = processor_keys(
        "ipbus.server", [](Scenario & s) -> auto& { return s.of<Ipbus>().processor; });
    keys.insert(keys.end(), processor.begin(), processor.end());
    return keys;
}

void check_ipbus(const Ipbus& ipbus, const KeyPlace& place) {
    const auto refuse_key = [&](const std::string& key, const std::string& complaint) {
        throw InputError(place(key) + ": " + key + ": " + complaint);
    };
    if (ipbus.unit.fifo < ipbus.unit.waveform)
        refuse_key("ipbus.unit.fifo", "found \"" + to_text(ipbus.unit.fifo) +
                                          "\", expected at least a waveform, ipbus.unit.waveform = \"" +
                                          to_text(ipbus.unit.waveform) + "\"");
    if (ipbus.max_payload > ipbus.unit.buffer_size)
        refuse_key("ipbus.max_payload",
                   "found \"" + to_text(ipbus.max_payload) +
                       "\", expected no more than a unit's buffers hold, ipbus.unit.buffer_size = \"" +
                       to_text(ipbus.unit.buffer_size) + "\"");
    const std::int64_t most = ipbus::data_words_per_packet(ipbus.max_payload);
    const std::int64_t largest = *std::max_element(ipbus.blocks.begin(), ipbus.blocks.end());
    if (!ipbus.split && largest > most)
        refuse_key("ipbus.block",
                   "found " + std::to_string(largest) + " words, expected at most " + std::to_string(most) +
                       " words: with its headers the reply has " + std::to_string(ipbus::reply_size(largest).count) +
                       " B, more than ipbus.max_payload; ipbus.split = true makes several packets of it");
    if (ipbus.duration <= ipbus.warm_up)
        refuse_key("ipbus.warm_up", "found \"" + to_text(ipbus.warm_up) + "\", expected less than ipbus.duration = \"" +
                                        to_text(ipbus.duration) + "\"");
    if (ipbus.duration > Time{3'600'000'000'000'000})
        refuse_key("ipbus.duration", "found \"" + to_text(ipbus.duration) + "\", expected at most an hour");
    if (ipbus.pattern != Ipbus::Pattern::Full && ipbus.rates.empty())
        refuse_key("ipbus.rate", "missing, expected with ipbus.pattern \"periodic\" and \"poisson\"");
    if (ipbus.pattern == Ipbus::Pattern::Full && !ipbus.rates.empty())
        refuse_key("ipbus.rate", "conflicts with ipbus.pattern \"full\", which does not use it");
}

}  // namespace

System ipbus() {
    System system;
    system.name = "ipbus";
    system.help = "front-end units and the server that reads them out";
    system.keys = ipbus_keys;
    system.required = {"units", "block"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) { check_ipbus(scenario.of<Ipbus>(), place); };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_ipbus(scenario, simulators, pcap_prefix));
    };
    system.published = "juno";
    system.validate = validate_juno;
    system.figures = {"juno-block", "juno-units", "juno-survival"};
    return system;
}

}  // namespace watershed::systems
