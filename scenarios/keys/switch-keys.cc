// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/switch-keys.h"

#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/port-check.h"

namespace watershed {

using namespace key_setters;

namespace {

const auto parse_cell = between(parse_bytes, Bytes{1}, Bytes{1'000'000}, "1 B to 1 MB");

ResumeLevel parse_resume(const std::string& value) {
    if (value.find('%') == std::string::npos) return parse_memory_size(value);
    const Ratio part = parse_ratio(value);
    if (part.numerator > part.denominator)
        throw std::invalid_argument("found \"" + value + "\", expected at most 100 %");
    return part;
}

const auto parse_input_fifo = limited(
    parse_memory_size, [](MemorySize size) { return size.unit != MemorySize::Unit::Cell; }, "bytes or frames");

std::vector<ScenarioKey> port_keys() {
    using Rule = UplinkChoice::Rule;
    using Fields = UplinkChoice::Fields;
    using Fold = UplinkChoice::Fold;
    return {
        {"switch.model", "name", "",
         "A real switch that `watershed switches` lists, or a file; values in the scenario override its values.",
         text(WATERSHED_PLACE(network_switch.model), [](const std::string& value) { return value; })},
        {"switch.ports", "text \"48 x 1 Gb/s + 4 x 10 Gb/s\"", "",
         "Ports of the switch, in place of those of its model; each input and each uplink takes one of its speed.",
         text(WATERSHED_PLACE(network_switch.ports), parse_ports)},
        {"switch.count", "integer", "1",
         "Number of such switches; front_end.modules are spread over them as evenly as possible, and the first "
         "switches get one more.",
         count(WATERSHED_PLACE(network_switch.count), 1, 1024)},
        {"switch.uplinks", "integer", "1",
         "Number of output links of each switch, to the camera server or to [aggregation] if there is one.",
         count(WATERSHED_PLACE(network_switch.uplinks), 1, 1024)},
        {"switch.uplink_rate", "bit rate \"10 Gb/s\"", "10 Gb/s", "Bit rate of each uplink.",
         text(WATERSHED_PLACE(network_switch.uplink_rate), parse_bit_rate)},
        {"switch.uplink_selection", "text", "modulo",
         "Which uplink carries a frame. \"modulo\": the inputs take turns by their number (modules, or at an "
         "aggregation the links that lead there). \"round-robin\": the frames take turns. \"hash\": a hash of the "
         "frame's addresses decides (LAG, ECMP). \"static\": uplink_list decides.",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.rule), {{"modulo", Rule::Modulo},
                                                                     {"round-robin", Rule::RoundRobin},
                                                                     {"hash", Rule::Hash},
                                                                     {"static", Rule::Static}})},
        {"switch.uplink_list", "list of integers", "",
         "Uplink of each module for \"static\", counted from 1; the list repeats if there are more modules.",
         integers(WATERSHED_PLACE(network_switch.uplink_choice.list), 1, 1024)},
        {"switch.uplink_hash", "text", "layer3+4",
         "Addresses that \"hash\" uses. \"layer2\": the MAC addresses of destination and source. \"layer3\": the IPv4 "
         "addresses of source and destination. \"layer3+4\": these and the UDP ports of source and destination.",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.fields),
                {{"layer2", Fields::Layer2}, {"layer3", Fields::Layer3}, {"layer3+4", Fields::Layer3And4}})},
        {"switch.uplink_fold", "text", "crc16",
         "How \"hash\" folds the addresses before it takes them modulo the uplinks. \"crc16\": CRC-16-CCITT, "
         "polynomial 0x1021 from 0xffff. \"xor\": exclusive or of all bytes.",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.fold), {{"crc16", Fold::Crc16}, {"xor", Fold::Xor}})},
        {"switch.latency", "time \"3 us\"", "0 us",
         "Time from a frame's last bit in to its first bit out, if nothing is queued.",
         text(WATERSHED_PLACE(network_switch.latency), parse_delay)},
        {"switch.arrival_order", "text", "module",
         "Which of the frames that arrive at one instant asks for memory first. \"module\": that of the lowest module. "
         "\"rotating\": event e begins with module e. \"random\": the order is drawn for each event.",
         choice(WATERSHED_PLACE(network_switch.arrival_order), {{"module", ArrivalOrder::Module},
                                                                {"rotating", ArrivalOrder::Rotating},
                                                                {"random", ArrivalOrder::Random}})},
        {"switch.queueing", "text", "output",
         "Where frames wait for their uplink. \"output\": in one queue for each uplink. \"virtual-output\": in one "
         "queue for each pair of input and uplink, served in turn. \"input-fifo\": in one queue for each input, whose "
         "first frame holds up those behind it (head-of-line blocking).",
         choice(WATERSHED_PLACE(network_switch.queueing), {{"output", Queueing::Output},
                                                           {"virtual-output", Queueing::VirtualOutput},
                                                           {"input-fifo", Queueing::InputFifo}})},
        {"switch.scheduler", "text", "fifo",
         "How an uplink serves traffic classes. \"fifo\": all in one queue. With the others each class has a queue of "
         "its own, whose memory is accounted for apart. \"strict-priority\": the highest class that has a frame. "
         "\"wrr\": classes take turns, from 7 down to 0, of as many frames as `weights` says. \"drr\": the same, of "
         "as many bytes as `weights` times `quantum` says, and what a frame is too large for is kept for the next "
         "turn.",
         choice(WATERSHED_PLACE(network_switch.scheduling.kind), {{"fifo", Scheduling::Kind::Fifo},
                                                                  {"strict-priority", Scheduling::Kind::StrictPriority},
                                                                  {"wrr", Scheduling::Kind::WeightedRoundRobin},
                                                                  {"drr", Scheduling::Kind::DeficitRoundRobin}})},
        {"switch.weights", "list of integers", "",
         "Weights of classes 0, 1, … for \"wrr\" and \"drr\"; 1 for those beyond the list.",
         integers(WATERSHED_PLACE(network_switch.scheduling.weights), 1, 10'000)},
        {"switch.quantum", "size \"1538 B\"", "1538 B",
         "What each weight of \"drr\" gives a class in its turn, in bytes of the link, preamble and gap included.",
         text(WATERSHED_PLACE(network_switch.scheduling.quantum),
              between(parse_bytes, Bytes{64}, Bytes{1'000'000}, "64 B to 1 MB"))},
        {"switch.input_fifo", "\"512 B\" or \"4 frames\"", "",
         "What each input holds in front of the memory while memory or fabric do not take it; a frame that finds it "
         "full is lost as input-fifo-full, and without it such a frame is lost at once.",
         text(WATERSHED_PLACE(network_switch.input_fifo), parse_input_fifo)},
        {"switch.fabric_rate", "bit rate \"20 Gb/s\"", "",
         "Bit rate between the inputs of a port group and the memory.",
         text(WATERSHED_PLACE(network_switch.fabric_rate), parse_bit_rate)},
        {"switch.port_groups", "integer", "1",
         "Number of groups of neighbouring inputs; each has its own way to the memory.",
         count(WATERSHED_PLACE(network_switch.port_groups), 1, 1024)},
        {"switch.cut_through", "true or false", "false",
         "A frame that finds its uplink idle leaves while it arrives, unless the uplink is faster than its link; it "
         "takes memory only if the uplink is slower.",
         flag(WATERSHED_PLACE(network_switch.cut_through))},
        {"switch.cut_through_after", "size \"64 B\"", "64 B",
         "How much of a frame must have arrived before it cuts through.",
         text(WATERSHED_PLACE(network_switch.cut_through_after), parse_cell)},
    };
}

std::vector<ScenarioKey> flow_control_keys() {
    using Kind = FlowControl::Kind;
    return {
        {"switch.obeys_pause", "true or false", "true",
         "The uplinks stop when the switch that they lead to tells them to pause. A frame on its way ends.",
         flag(WATERSHED_PLACE(network_switch.obeys_pause))},
        {"switch.pause_reaction", "time \"1 us\"", "0 us",
         "Time from the end of a PAUSE frame that comes to an uplink until it obeys.",
         text(WATERSHED_PLACE(network_switch.pause_reaction), parse_delay)},
        {"switch.flow_control.kind", "text", "none",
         "Kind of flow control towards modules, streams and switches before this one: \"none\", \"pause\" (IEEE "
         "802.3x, "
         "the whole link) or \"pfc\" (IEEE 802.1Qbb, one traffic class).",
         choice(WATERSHED_PLACE(network_switch.flow_control.kind),
                {{"none", Kind::None}, {"pause", Kind::Pause}, {"pfc", Kind::Pfc}})},
        {"switch.flow_control.xoff", "amount of memory", "",
         "XOFF threshold: an input that holds more tells its sender to pause; required unless alpha is given.",
         text(WATERSHED_PLACE(network_switch.flow_control.xoff), parse_memory_size)},
        {"switch.flow_control.xon", "amount of memory", "",
         "XON threshold: once a paused input holds no more than this, it tells its sender to go on.",
         text(WATERSHED_PLACE(network_switch.flow_control.xon), parse_memory_size)},
        {"switch.flow_control.alpha", "number, 8 or \"1/8\"", "",
         "Dynamic XOFF threshold of \"pfc\", in place of xoff and xon: an input that holds alpha times the free memory "
         "tells its sender to pause.",
         ratio(WATERSHED_PLACE(network_switch.flow_control.alpha))},
        {"switch.flow_control.xon_offset", "amount of memory", "",
         "With alpha: a paused input tells its sender to go on once it holds this much less than the XOFF threshold, "
         "or nothing.",
         text(WATERSHED_PLACE(network_switch.flow_control.xon_offset), parse_memory_size)},
        {"switch.flow_control.xon_fixed", "true or false", "false",
         "With alpha: the input goes on once it holds xon_offset less than when its pause began, whatever has become "
         "free since; false: xon_offset below the threshold of the moment.",
         flag(WATERSHED_PLACE(network_switch.flow_control.xon_fixed))},
        {"switch.flow_control.quanta", "integer", "65535",
         "Length of a pause in 512 bit times, from pause_reaction after the PAUSE frame; while it is needed, the "
         "switch renews it after half of that.",
         count(WATERSHED_PLACE(network_switch.flow_control.quanta), 1, 65535)},
    };
}

std::string meaning_of_sharing() {
    std::string meaning = "How ports share the memory.";
    for (const Sharing each : Sharing::all()) meaning += std::string(" \"") + each->name + "\": " + each->help + ".";
    return meaning;
}

std::vector<std::pair<std::string, Sharing>> names_of_sharing() {
    std::vector<std::pair<std::string, Sharing>> names;
    for (const Sharing each : Sharing::all()) names.emplace_back(each->name, each);
    return names;
}

std::vector<ScenarioKey> buffer_keys() {
    return {
        {"switch.buffer.sharing", "text", "shared", meaning_of_sharing(),
         choice(WATERSHED_PLACE(network_switch.buffer.sharing), names_of_sharing())},
        {"switch.buffer.size", "\"308000 frames\", \"330 MB\" or cells", "",
         "The whole memory, or each port's own memory if per-input or per-output; required.",
         text(WATERSHED_PLACE(network_switch.buffer.size), parse_memory_size)},
        {"switch.buffer.accounting", "text", "egress",
         "Whose queues share the memory. \"egress\": those of the uplinks. \"ingress\": those of the inputs. \"both\": "
         "a frame needs room on either side.",
         choice(WATERSHED_PLACE(network_switch.buffer.accounting), {{"egress", Buffer::Accounting::Egress},
                                                                    {"ingress", Buffer::Accounting::Ingress},
                                                                    {"both", Buffer::Accounting::Both}})},
        {"switch.buffer.cell", "size \"208 B\"", "",
         "Memory is given out in cells of this size; a size in bytes is then counted in cells.",
         text(WATERSHED_PLACE(network_switch.buffer.cell), parse_cell)},
        {"switch.buffer.cell_header", "size \"64 B\"", "0 B",
         "Bytes stored with each frame, so that it takes ceil((frame + header) / cell) cells.",
         text(WATERSHED_PLACE(network_switch.buffer.cell_header), parse_bytes)},
        {"switch.buffer.descriptors", "integer", "",
         "Number of frames that the memory holds at most, however small they are.",
         count(WATERSHED_PLACE(network_switch.buffer.descriptors), 1, kMost)},
        {"switch.buffer.slices", "integer", "1",
         "Memory and descriptors are split evenly between this many groups of neighbouring ports.",
         count(WATERSHED_PLACE(network_switch.buffer.slices), 1, 1024)},
        {"switch.buffer.reserved", "size \"1518 B\"", "", "Memory that each queue has for itself, beside size.",
         text(WATERSHED_PLACE(network_switch.buffer.reserved), parse_memory_size)},
        {"switch.buffer.alpha", "number, 8 or \"1/2\"", "", "Factor alpha of the dynamic thresholds.",
         ratio(WATERSHED_PLACE(network_switch.buffer.alpha))},
        {"switch.buffer.class_alphas", "list of \"1/2\"", "",
         "Factors alpha of the queues of classes 0, 1, … in place of alpha, where a scheduler gives each class a "
         "queue.",
         list(WATERSHED_PLACE(network_switch.buffer.class_alphas), parse_ratio)},
        {"switch.buffer.class_limits", "list of amounts of memory", "",
         "The most that the queues of classes 0, 1, … may hold, where a scheduler gives each class a queue; a frame "
         "beyond is lost as threshold.",
         list(WATERSHED_PLACE(network_switch.buffer.class_limits), parse_memory_size)},
        {"switch.buffer.port_limit", "amount of memory", "",
         "The most that all queues of one port may hold together, beside the limits of each: uplinks, inputs or both, "
         "as "
         "accounting says; a frame beyond is lost as threshold. Headroom does not count.",
         text(WATERSHED_PLACE(network_switch.buffer.port_limit), parse_memory_size)},
        {"switch.buffer.excess", "amount of memory", "",
         "What a queue may take above its enhanced dynamic threshold before it has been empty again; the frame that "
         "uses it up may exceed it.",
         text(WATERSHED_PLACE(network_switch.buffer.excess), parse_memory_size)},
        {"switch.buffer.queues", "integer", "1",
         "Number of traffic classes of a port; all frames of the camera belong to one.",
         count(WATERSHED_PLACE(network_switch.buffer.queues), 1, 64)},
        {"switch.buffer.queue_split", "true or false", "false",
         "Each traffic class has its share of the memory, size / queues, and no more.",
         flag(WATERSHED_PLACE(network_switch.buffer.queue_split))},
        {"switch.buffer.resume", "\"50 %\" or an amount", "",
         "After a drop a queue takes no frame until it has fallen to this amount, or to this part of what it held at "
         "the drop.",
         text(WATERSHED_PLACE(network_switch.buffer.resume), parse_resume)},
        {"switch.buffer.descriptors_resume", "\"50 %\" or \"64 frames\"", "",
         "The resume level after a drop for want of a descriptor, if it differs.",
         text(WATERSHED_PLACE(network_switch.buffer.descriptors_resume), parse_resume)},
        {"switch.buffer.release", "text", "end",
         "When a frame gives its memory back: at the \"end\" of its transmission or at the \"start\".",
         choice(WATERSHED_PLACE(network_switch.buffer.release),
                {{"end", Buffer::Release::End}, {"start", Buffer::Release::Start}})},
        {"switch.buffer.headroom", "amount of memory", "",
         "Memory of each input, beside size, for frames that arrive after their sender was told to pause.",
         text(WATERSHED_PLACE(network_switch.buffer.headroom), parse_memory_size)},
        {"switch.buffer.headroom_pool", "amount of memory", "",
         "Pool, beside size, that the headroom of all inputs is taken from, split evenly by slices; an input takes at "
         "most its headroom, and the last ones what is left. Without it each input has its headroom for itself.",
         text(WATERSHED_PLACE(network_switch.buffer.headroom_pool), parse_memory_size)},
        {"switch.buffer.egress_size", "amount of memory", "",
         "Pool of the uplinks' queues with accounting = \"both\", where it differs from that of the inputs, which is "
         "size; it has no thresholds unless egress_alpha is given.",
         text(WATERSHED_PLACE(network_switch.buffer.egress_size), parse_memory_size)},
        {"switch.buffer.egress_alpha", "number, 8 or \"1/2\"", "",
         "Factor alpha of dynamic thresholds of the uplinks' queues in egress_size.",
         ratio(WATERSHED_PLACE(network_switch.buffer.egress_alpha))},
        {"switch.buffer.egress_reserved", "size \"1518 B\"", "",
         "Memory that each uplink's queue has for itself, beside egress_size.",
         text(WATERSHED_PLACE(network_switch.buffer.egress_reserved), parse_memory_size)},
        {"switch.buffer.egress_pipeline", "integer", "0",
         "Frames of each uplink that are on their way out and take no memory any more; those behind them do.",
         count(WATERSHED_PLACE(network_switch.buffer.egress_pipeline), 0, 1'000'000)},
        {"switch.buffer.wred_from", "amount of memory", "",
         "Random early detection begins when a queue holds this much.",
         text(WATERSHED_PLACE(network_switch.buffer.wred_from), parse_memory_size)},
        {"switch.buffer.wred_to", "amount of memory", "",
         "Random early detection drops every frame once a queue holds this much.",
         text(WATERSHED_PLACE(network_switch.buffer.wred_to), parse_memory_size)},
        {"switch.buffer.wred_probability", "number, \"5 %\"", "",
         "Probability of an early drop just below wred_to; it rises linearly from 0 at wred_from.",
         ratio(WATERSHED_PLACE(network_switch.buffer.wred_probability))},
        {"switch.buffer.ecn", "true or false", "false",
         "Random early detection marks frames instead of dropping them; UDP senders do not notice the marks.",
         flag(WATERSHED_PLACE(network_switch.buffer.ecn))},
    };
}

}  // namespace

std::vector<ScenarioKey> switch_keys() {
    std::vector<ScenarioKey> keys = port_keys();
    for (const auto& part : {flow_control_keys, buffer_keys})
        for (ScenarioKey& key : part()) keys.push_back(std::move(key));
    return keys;
}

}  // namespace watershed
