// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus.h"

#include <algorithm>

#include "model/ipbus/ipbus-packet.h"
#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/systems/processor-keys.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_tables;

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

std::vector<ScenarioKey> ipbus_keys() {
    const KeyForm whole_words =
        from_to(1, kAny.most, "a multiple of 4 B, the size of a word").with(&KeyForm::step, ipbus::kWordBytes);
    const KeyForm frames_or_bytes = from_to(1, kAny.most, "frames or bytes").with(&KeyForm::may_be_cells, false);
    const auto blocks_in = [](const KeyValue& value) { return list_in<std::int64_t>(value, parse_words); };
    // A status packet at least; a jumbo frame's 9000 B less IPv4 and UDP.
    std::vector<Key<Ipbus>> all{
        {"units", WATERSHED_AT(Ipbus, units),
         "Number of front-end units that the server reads out, with a run for each number; required with system "
         "\"ipbus\".",
         from_to(1, kMostUnits)},
        {"block", WATERSHED_AT(Ipbus, blocks),
         "What a client asks of one FIFO at a time, with a run for each; required with system \"ipbus\".",
         kAny.written("list of \"2048 words\" or \"8192 B\"", ""), blocks_in},
        {"pattern", WATERSHED_AT(Ipbus, pattern),
         "How FIFOs fill. \"full\": they never run empty. \"periodic\", \"poisson\": a waveform comes to every "
         "FIFO of "
         "every unit at ipbus.rate, evenly or at random.",
         choice({"full", "periodic", "poisson"})},
        {"rate", WATERSHED_AT(Ipbus, rates), "Trigger rates, with a run for each."},
        {"duration", WATERSHED_AT(Ipbus, duration),
         "Triggers and new blocks end at this time; what is under way is still answered.", kSomeTime},
        {"warm_up", WATERSHED_AT(Ipbus, warm_up), "Bandwidth and survival count from this time on.",
         kAny.like("5 ms", "0 ms")},
        {"max_payload", WATERSHED_AT(Ipbus, max_payload),
         "Largest UDP payload of a packet, either way; up to 8972 B in jumbo frames.",
         from_to(64, 8972, "64 B to 8972 B")},
        {"split", WATERSHED_AT(Ipbus, split),
         "A block larger than a packet becomes several packets instead of an error."},
        {"loss_one_in", WATERSHED_AT(Ipbus, loss_one_in),
         "One frame in this many, of either direction, is damaged and lost, at random; 0: none.",
         from_to(0, kMostOfIpbus)},
        {"switch_buffer", WATERSHED_AT(Ipbus, switch_buffer),
         "Memory of the switch for frames that wait for the server's link; a frame that finds it full is lost.",
         frames_or_bytes.written("size \"12 MB\" or \"100 frames\"", "12 MB")},
        {"server_link", WATERSHED_AT(Ipbus, server_link), "Bit rate between switch and server."},

        {"unit.channels", WATERSHED_AT(Ipbus, unit.channels), "Number of FIFOs of a unit, which are read in turn.",
         from_to(1, 256)},
        {"unit.waveform", WATERSHED_AT(Ipbus, unit.waveform),
         "Size of a waveform: header 16, 1000 samples of 2 B, trailer 16; it is rejected as a whole if it does not "
         "fit.",
         whole_words},
        {"unit.fifo", WATERSHED_AT(Ipbus, unit.fifo), "Size of the FIFO of each channel.", whole_words},
        {"unit.underflow", WATERSHED_AT(Ipbus, unit.underflow),
         "What a read gives once the FIFO has no more words. \"filler\": words without meaning. \"wait\": nothing "
         "until a trigger comes; the read holds the bus.",
         choice({"filler", "wait"})},
        {"unit.bus_rate", WATERSHED_AT(Ipbus, unit.bus_rate),
         "Bit rate of the firmware's bus: 32 bits in every second cycle of 31.25 MHz."},
        {"unit.buffers", WATERSHED_AT(Ipbus, unit.buffers),
         "Number of packets that the firmware holds, and of replies that it can send again.", from_to(1, 256)},
        {"unit.buffer_size", WATERSHED_AT(Ipbus, unit.buffer_size),
         "Size of each of the unit's buffers: the largest packet that a unit takes or sends.", whole_words},
        {"unit.link_rate", WATERSHED_AT(Ipbus, unit.link_rate), "Bit rate of each unit's link."},
        {"unit.delay", WATERSHED_AT(Ipbus, unit.delay), "Delay between the switch and the firmware, one way."},

        {"hub.in_flight", WATERSHED_AT(Ipbus, hub.in_flight),
         "Number of packets of one unit that ControlHub has under way, at most as many as the unit has buffers.",
         from_to(1, 256)},
        {"hub.timeout", WATERSHED_AT(Ipbus, hub.timeout),
         "Time without a packet from a unit until ControlHub asks for its status.", kSomeTime},
        {"hub.attempts", WATERSHED_AT(Ipbus, hub.attempts), "Number of attempts to recover before a unit is given up.",
         from_to(1, 1000)},
        {"hub.packet_cost", WATERSHED_AT(Ipbus, hub.packet_cost),
         "Processor time of ControlHub for each packet sent or received.", kAny.like("16 us")},
        {"hub.byte_cost", WATERSHED_AT(Ipbus, hub.byte_cost),
         "Processor time of ControlHub for each byte of a packet's UDP payload.", kAny.like("5 ns", "0 ns")},

        {"client.outstanding", WATERSHED_AT(Ipbus, client.outstanding),
         "Number of blocks that the client of a unit has asked for at a time.", from_to(1, 1024)},
        {"client.latency", WATERSHED_AT(Ipbus, client.latency),
         "Time from the last word of a block until the next block is asked for, without work of the server.",
         kAny.like("30 us")},
        {"client.block_cost", WATERSHED_AT(Ipbus, client.block_cost), "Processor time of the client for each block.",
         kAny.like("200 us")},
    };
    std::vector<ScenarioKey> keys = system_keys("ipbus.", std::move(all));
    add_processor(
        keys, "ipbus.server.", +[](Scenario & scenario) -> auto& { return scenario.of<Ipbus>().processor; });
    return keys;
}

void check_ipbus(const Ipbus& ipbus, const KeyCheck& keys) {
    keys.expect(ipbus.unit.fifo >= ipbus.unit.waveform, "unit.fifo",
                found_text(ipbus.unit.fifo) + "at least a waveform, ipbus.unit.waveform = \"" +
                    to_text(ipbus.unit.waveform) + "\"");
    keys.expect(ipbus.max_payload <= ipbus.unit.buffer_size, "max_payload",
                found_text(ipbus.max_payload) + "no more than a unit's buffers hold, ipbus.unit.buffer_size = \"" +
                    to_text(ipbus.unit.buffer_size) + "\"");
    const std::int64_t most = ipbus::data_words_per_packet(ipbus.max_payload);
    const std::int64_t largest = *std::max_element(ipbus.blocks.begin(), ipbus.blocks.end());
    keys.expect(ipbus.split || largest <= most, "block",
                "found " + std::to_string(largest) + " words, expected at most " + std::to_string(most) +
                    " words: with its headers the reply has " + std::to_string(ipbus::reply_size(largest).count) +
                    " B, more than ipbus.max_payload; ipbus.split = true makes several packets of it");
    keys.expect(ipbus.duration > ipbus.warm_up, "warm_up",
                found_text(ipbus.warm_up) + "less than ipbus.duration = \"" + to_text(ipbus.duration) + "\"");
    keys.expect(ipbus.duration <= Time{3'600'000'000'000'000}, "duration",
                found_text(ipbus.duration) + "at most an hour");
    const bool full = ipbus.pattern == Ipbus::Pattern::Full;
    keys.expect(full || !ipbus.rates.empty(), "rate",
                "missing, expected with ipbus.pattern \"periodic\" and \"poisson\"");
    keys.expect(!full || ipbus.rates.empty(), "rate", "conflicts with ipbus.pattern \"full\", which does not use it");
}

}  // namespace

System ipbus() {
    System system;
    system.name = "ipbus";
    system.help = "front-end units and the server that reads them out";
    system.keys = ipbus_keys;
    system.required = {"units", "block"};
    system.check = [](const Scenario& scenario, const KeyPlace& place) {
        check_ipbus(scenario.of<Ipbus>(), {place, "ipbus."});
    };
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
