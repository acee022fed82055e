// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/server-keys.h"

#include "scenarios/keys/key-setters.h"
#include "scenarios/text/input-error.h"

namespace watershed {

using namespace key_setters;

namespace {

Receiver& receiver_of(Scenario& scenario) {
    if (!scenario.server.receiver) scenario.server.receiver.emplace();
    return *scenario.server.receiver;
}

// So that a key's place reads as the receiver's member.
#define WATERSHED_RECEIVER(member) \
    [](Scenario & scenario) -> auto& { return receiver_of(scenario).member; }

/// "unlimited", or what `parse` reads.
template <class Parse>
auto or_unlimited(Parse parse) {
    return [=](const std::string& value) -> std::optional<decltype(parse(value))> {
        if (value == "unlimited") return std::nullopt;
        return parse(value);
    };
}

std::int64_t parse_descriptors(const std::string& value) {
    const MemorySize size = parse_memory_size(value);
    if (size.unit != MemorySize::Unit::Frame)
        throw std::invalid_argument("found \"" + value +
                                    "\", expected \"unlimited\" or an amount such as \"512 frames\"");
    return size.amount;
}

// So that a sum of several is still a Time.
const auto parse_duration = limited(
    parse_time, [](Time time) { return time > Time{0} && time <= Time{1'000'000'000'000'000'000}; },
    "more than 0 s and at most 1000000 s");

const auto parse_cost = between(parse_time, Time{0}, Time{1'000'000'000'000}, "at most 1 s");

}  // namespace

std::vector<ScenarioKey> server_keys() {
    using Path = Receiver::Path;
    return {
        {"server.interfaces", "integer", "",
         "Number of network ports of the camera server; by default as many as links lead there.",
         count(WATERSHED_PLACE(server.interfaces), 1, 65535)},
        {"server.path", "text", "netmap",
         "How frames reach the program. \"netmap\": it reads the rings itself. \"socket\": they pass through the "
         "kernel. \"ideal\": there are no limits and no costs unless given. The costs of the first two are recalled "
         "orders of magnitude; replace them by measured ones. Without this key and those below, the server takes every "
         "frame at once and builds no events.",
         choice(WATERSHED_RECEIVER(path),
                {{"ideal", Path::Ideal}, {"netmap", Path::Netmap}, {"socket", Path::Socket}})},
        {"server.ring", "\"512 frames\" or \"unlimited\"", "512 frames",
         "Number of descriptors of each interface (ideal: unlimited); a frame holds one until a core has taken it, and "
         "is lost if there is none.",
         text(WATERSHED_RECEIVER(given.ring), or_unlimited(parse_descriptors))},
        {"server.dma_rate", "\"16 Gb/s\" or \"unlimited\"", "16 Gb/s",
         "Bit rate at which the frames of an interface move to memory (ideal: unlimited).",
         text(WATERSHED_RECEIVER(given.dma_rate), or_unlimited(parse_bit_rate))},
        {"server.polling", "true or false", "false",
         "The program looks for frames from time to time; otherwise interrupts announce them.",
         flag(WATERSHED_RECEIVER(polling))},
        {"server.poll_period", "time \"10 us\"", "10 us",
         "Time between two looks of a polling program, the first at 0.",
         text(WATERSHED_RECEIVER(poll_period), parse_duration)},
        {"server.interrupt_delay", "time \"20 us\"", "20 us",
         "Interrupt moderation: time from the first unannounced frame in memory to the interrupt (ideal: 0 us).",
         text(WATERSHED_RECEIVER(given.interrupt_delay), parse_cost)},
        {"server.interrupt_frames", "integer", "", "Interrupt moderation: this many frames cause an interrupt at once.",
         count(WATERSHED_RECEIVER(interrupt_frames), 1, 1'000'000'000)},
        {"server.wake_up_cost", "time \"1 us\"", "1 us",
         "Processor time for each interrupt or look that finds frames (socket: 3 us; ideal: 0 us).",
         text(WATERSHED_RECEIVER(given.wake_up), parse_cost)},
        {"server.frame_cost", "time \"100 ns\"", "100 ns",
         "Processor time for each frame (socket: 1.5 us; ideal: 0 us).",
         text(WATERSHED_RECEIVER(given.frame), parse_cost)},
        {"server.byte_cost", "time \"100 ps\"", "100 ps",
         "Processor time for each byte of payload (socket: 200 ps; ideal: 0 ps).",
         text(WATERSHED_RECEIVER(given.byte), parse_cost)},
        {"server.cores", "integer", "1", "Number of cores that take frames; the first free core takes the next frame.",
         count(WATERSHED_RECEIVER(cores), 1, 1024)},
        {"server.memory", "\"4 GB\" or \"unlimited\"", "unlimited",
         "Memory for the payload of events that are being built or handed on; a frame that finds no room is lost.",
         text(WATERSHED_RECEIVER(memory), or_unlimited(parse_some_bytes))},
        {"server.timeout", "\"10 ms\" or \"unlimited\"", "unlimited",
         "Time from an event's first frame until the server stops waiting for the others; frames that come later are "
         "lost.",
         text(WATERSHED_RECEIVER(timeout), or_unlimited(parse_duration))},
        {"server.incomplete", "text", "keep",
         "What happens to an event after server.timeout. \"keep\": it is handed on incomplete. \"discard\": its frames "
         "are lost.",
         choice(WATERSHED_RECEIVER(keep_incomplete), {{"keep", true}, {"discard", false}})},
        {"server.output_rate", "\"10 Gb/s\" or \"unlimited\"", "unlimited",
         "Bit rate at which events are handed on, one after the other; they then give their memory back.",
         text(WATERSHED_RECEIVER(output_rate), or_unlimited(parse_bit_rate))},
    };
}

void check_server(const Server& server, const std::function<std::string(const std::string&)>& place_of) {
    if (!server.receiver) return;
    const auto needs = [&](bool there, const std::string& key, const std::string& what) {
        if (const std::string place = place_of(key); !there && !place.empty())
            throw InputError(place + ": " + key + ": has no use here, expected only with " + what);
    };
    needs(server.receiver->polling, "server.poll_period", "server.polling = true");
    needs(!server.receiver->polling, "server.interrupt_delay", "interrupts, not server.polling");
    needs(!server.receiver->polling, "server.interrupt_frames", "interrupts, not server.polling");
    needs(server.receiver->timeout.has_value(), "server.incomplete", "server.timeout");
}

}  // namespace watershed
