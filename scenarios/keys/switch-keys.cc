// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/switch-keys.h"

#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/port-check.h"

namespace watershed {

using namespace key_setters;

namespace {

Bytes parse_cell(const std::string& value) {
    const Bytes bytes = parse_bytes(value);
    if (bytes.count < 1 || bytes.count > 1'000'000) throw std::invalid_argument("found \"" + value + "\", expected 1 B to 1 MB");
    return bytes;
}

ResumeLevel parse_resume(const std::string& value) {
    if (value.find('%') == std::string::npos) return parse_memory_size(value);
    const Ratio part = parse_ratio(value);
    if (part.numerator > part.denominator) throw std::invalid_argument("found \"" + value + "\", expected at most 100 %");
    return part;
}

MemorySize parse_input_fifo(const std::string& value) {
    const MemorySize size = parse_memory_size(value);
    if (size.unit == MemorySize::Unit::Cell) throw std::invalid_argument("found \"" + value + "\", expected bytes or frames");
    return size;
}

constexpr std::int64_t kMost = 1'000'000'000'000;

std::vector<ScenarioKey> port_keys() {
    using Rule = UplinkChoice::Rule;
    using Fields = UplinkChoice::Fields;
    using Fold = UplinkChoice::Fold;
    return {
        {"switch.model", "name", "", "a real switch that `watershed switches` lists, or a file; its values hold where the scenario gives none",
         text(WATERSHED_PLACE(network_switch.model), [](const std::string& value) { return value; })},
        {"switch.ports", "text \"48 x 1 Gb/s + 4 x 10 Gb/s\"", "", "that the switch has, in place of those of its model; inputs and uplinks each take one of their speed",
         text(WATERSHED_PLACE(network_switch.ports), parse_ports)},
        {"switch.count", "integer", "1", "such switches; front_end.modules are spread over them as evenly as possible, the first ones get one more",
         count(WATERSHED_PLACE(network_switch.count), 1, 1024)},
        {"switch.uplinks", "integer", "1", "output links of each, to the camera server or, where there is one, to [aggregation]", count(WATERSHED_PLACE(network_switch.uplinks), 1, 1024)},
        {"switch.uplink_rate", "bit rate \"10 Gb/s\"", "10 Gb/s", "of each uplink", text(WATERSHED_PLACE(network_switch.uplink_rate), parse_bit_rate)},
        {"switch.uplink_selection", "text", "modulo",
         "which uplink carries a frame: \"modulo\": inputs take turns by their number, modules or, at an aggregation, the links that lead there; \"round-robin\": frames take turns; "
         "\"hash\": of the frame's addresses; \"static\": as uplink_list says",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.rule),
                {{"modulo", Rule::Modulo}, {"round-robin", Rule::RoundRobin}, {"hash", Rule::Hash}, {"static", Rule::Static}})},
        {"switch.uplink_list", "list of integers", "", "uplink of each module, from 1, repeated if there are more modules; for \"static\"",
         integers(WATERSHED_PLACE(network_switch.uplink_choice.list), 1, 1024)},
        {"switch.uplink_hash", "text", "layer3+4",
         "what is hashed: \"layer2\": MAC addresses of destination and source; \"layer3\": IPv4 addresses of source and destination; "
         "\"layer3+4\": these and the UDP ports of source and destination",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.fields),
                {{"layer2", Fields::Layer2}, {"layer3", Fields::Layer3}, {"layer3+4", Fields::Layer3And4}})},
        {"switch.uplink_fold", "text", "crc16",
         "how, before it is reduced modulo the uplinks: \"crc16\": CRC-16-CCITT, polynomial 0x1021 from 0xffff; \"xor\": exclusive or of all bytes",
         choice(WATERSHED_PLACE(network_switch.uplink_choice.fold), {{"crc16", Fold::Crc16}, {"xor", Fold::Xor}})},
        {"switch.latency", "time \"3 us\"", "0 us", "from a frame's last bit in to its first bit out, where nothing is queued",
         text(WATERSHED_PLACE(network_switch.latency), parse_delay)},
        {"switch.arrival_order", "text", "module",
         "who asks for memory first among frames that arrive at one instant: \"module\": the lowest number; \"rotating\": event e begins with module e; "
         "\"random\": drawn for each event",
         choice(WATERSHED_PLACE(network_switch.arrival_order),
                {{"module", ArrivalOrder::Module}, {"rotating", ArrivalOrder::Rotating}, {"random", ArrivalOrder::Random}})},
        {"switch.queueing", "text", "output",
         "where frames wait for their uplink: \"output\": in one queue for each; \"virtual-output\": in one for each input and uplink, served in turn; "
         "\"input-fifo\": in one for each input, whose first frame holds up those behind it",
         choice(WATERSHED_PLACE(network_switch.queueing),
                {{"output", Queueing::Output}, {"virtual-output", Queueing::VirtualOutput}, {"input-fifo", Queueing::InputFifo}})},
        {"switch.input_fifo", "\"512 B\" or \"4 frames\"", "", "what waits at each input while memory or fabric do not take it, lost as input-fifo-full beyond this; where there is none, it is lost at once",
         text(WATERSHED_PLACE(network_switch.input_fifo), parse_input_fifo)},
        {"switch.fabric_rate", "bit rate \"20 Gb/s\"", "", "between the inputs of a port group and the memory",
         text(WATERSHED_PLACE(network_switch.fabric_rate), parse_bit_rate)},
        {"switch.port_groups", "integer", "1", "groups of neighbouring inputs, each with its own way to the memory", count(WATERSHED_PLACE(network_switch.port_groups), 1, 1024)},
        {"switch.cut_through", "true or false", "false", "a frame that finds its uplink idle leaves while it arrives, if the uplink is not faster than its link; it takes memory only if the uplink is slower",
         flag(WATERSHED_PLACE(network_switch.cut_through))},
        {"switch.cut_through_after", "size \"64 B\"", "64 B", "what must have arrived of it", text(WATERSHED_PLACE(network_switch.cut_through_after), parse_cell)},
    };
}

std::vector<ScenarioKey> flow_control_keys() {
    using Kind = FlowControl::Kind;
    return {
        {"switch.flow_control.kind", "text", "none", "\"none\", \"pause\" (IEEE 802.3x, the whole link) or \"pfc\" (802.1Qbb, one class, which is the camera's)",
         choice(WATERSHED_PLACE(network_switch.flow_control.kind), {{"none", Kind::None}, {"pause", Kind::Pause}, {"pfc", Kind::Pfc}})},
        {"switch.flow_control.xoff", "amount of memory", "", "an input that holds more tells its module to pause; required unless there is an alpha", text(WATERSHED_PLACE(network_switch.flow_control.xoff), parse_memory_size)},
        {"switch.flow_control.xon", "amount of memory", "", "and to go on once it holds no more than this", text(WATERSHED_PLACE(network_switch.flow_control.xon), parse_memory_size)},
        {"switch.flow_control.alpha", "number, 8 or \"1/8\"", "",
         "of \"pfc\", in place of xoff and xon: an input that holds alpha times what is left of the memory tells its module to pause",
         ratio(WATERSHED_PLACE(network_switch.flow_control.alpha))},
        {"switch.flow_control.xon_offset", "amount of memory", "", "and to go on once it holds this much less than that, or nothing; with alpha",
         text(WATERSHED_PLACE(network_switch.flow_control.xon_offset), parse_memory_size)},
        {"switch.flow_control.quanta", "integer", "65535", "length of a pause in 512 bit times, from pause_reaction after the PAUSE frame; renewed, while it is needed, half of that after it was told",
         count(WATERSHED_PLACE(network_switch.flow_control.quanta), 1, 65535)},
    };
}

std::vector<ScenarioKey> buffer_keys() {
    using Sharing = Buffer::Sharing;
    return {
        {"switch.buffer.sharing", "text", "shared",
         "\"shared\": one memory for all; \"per-input\" or \"per-output\": each owns size; \"dynamic-threshold\": a queue may grow while it is below "
         "alpha times what is free; \"abm\": the same with alpha divided among the congested queues, those that hold nine tenths of their threshold; \"enhanced-dynamic-threshold\": "
         "a queue may exceed that by excess each time it has been empty",
         choice(WATERSHED_PLACE(network_switch.buffer.sharing),
                {{"shared", Sharing::Shared}, {"per-input", Sharing::PerInput}, {"per-output", Sharing::PerOutput},
                 {"dynamic-threshold", Sharing::DynamicThreshold}, {"abm", Sharing::Abm}, {"enhanced-dynamic-threshold", Sharing::EnhancedDynamicThreshold}})},
        {"switch.buffer.size", "\"308000 frames\", \"330 MB\" or cells", "", "the whole memory, or each port's own if per-input or per-output; required",
         text(WATERSHED_PLACE(network_switch.buffer.size), parse_memory_size)},
        {"switch.buffer.accounting", "text", "egress",
         "whose queues share the memory: \"egress\": the uplinks'; \"ingress\": the inputs'; \"both\": a frame needs leave from either side",
         choice(WATERSHED_PLACE(network_switch.buffer.accounting),
                {{"egress", Buffer::Accounting::Egress}, {"ingress", Buffer::Accounting::Ingress}, {"both", Buffer::Accounting::Both}})},
        {"switch.buffer.cell", "size \"208 B\"", "", "memory is handed out in cells of this size; a size in bytes is then counted in cells",
         text(WATERSHED_PLACE(network_switch.buffer.cell), parse_cell)},
        {"switch.buffer.cell_header", "size \"64 B\"", "0 B", "stored with each frame, so that it takes ceil((frame + header) / cell) cells",
         text(WATERSHED_PLACE(network_switch.buffer.cell_header), parse_bytes)},
        {"switch.buffer.descriptors", "integer", "", "frames that size holds at most, however small they are",
         count(WATERSHED_PLACE(network_switch.buffer.descriptors), 1, kMost)},
        {"switch.buffer.slices", "integer", "1", "the memory and the descriptors are split evenly between so many groups of neighbouring ports",
         count(WATERSHED_PLACE(network_switch.buffer.slices), 1, 1024)},
        {"switch.buffer.reserved", "size \"1518 B\"", "", "of each queue alone, beside size", text(WATERSHED_PLACE(network_switch.buffer.reserved), parse_memory_size)},
        {"switch.buffer.alpha", "number, 8 or \"1/2\"", "", "factor of the dynamic thresholds", ratio(WATERSHED_PLACE(network_switch.buffer.alpha))},
        {"switch.buffer.excess", "amount of memory", "", "what a queue may take above its enhanced dynamic threshold before it has been empty again; the frame that uses it up may exceed it",
         text(WATERSHED_PLACE(network_switch.buffer.excess), parse_memory_size)},
        {"switch.buffer.queues", "integer", "1", "traffic classes of a port; the camera's frames are all of one", count(WATERSHED_PLACE(network_switch.buffer.queues), 1, 64)},
        {"switch.buffer.queue_split", "true or false", "false", "each class has its share of size and no more, size / queues", flag(WATERSHED_PLACE(network_switch.buffer.queue_split))},
        {"switch.buffer.resume", "\"50 %\" or an amount", "", "after a drop a queue refuses until it has fallen to this amount, or to this part of what it held then",
         text(WATERSHED_PLACE(network_switch.buffer.resume), parse_resume)},
        {"switch.buffer.descriptors_resume", "\"50 %\" or \"64 frames\"", "", "the same after a drop for want of a descriptor, if it differs",
         text(WATERSHED_PLACE(network_switch.buffer.descriptors_resume), parse_resume)},
        {"switch.buffer.release", "text", "end", "a frame gives its memory back at the \"end\" or at the \"start\" of its way out",
         choice(WATERSHED_PLACE(network_switch.buffer.release), {{"end", Buffer::Release::End}, {"start", Buffer::Release::Start}})},
        {"switch.buffer.headroom", "amount of memory", "", "of each input, beside size, for frames that come although their sender was told to pause",
         text(WATERSHED_PLACE(network_switch.buffer.headroom), parse_memory_size)},
        {"switch.buffer.wred_from", "amount of memory", "", "random early detection begins where a queue holds this", text(WATERSHED_PLACE(network_switch.buffer.wred_from), parse_memory_size)},
        {"switch.buffer.wred_to", "amount of memory", "", "and takes every frame from here on", text(WATERSHED_PLACE(network_switch.buffer.wred_to), parse_memory_size)},
        {"switch.buffer.wred_probability", "number, \"5 %\"", "", "of a drop just below wred_to; it rises linearly from 0 at wred_from",
         ratio(WATERSHED_PLACE(network_switch.buffer.wred_probability))},
        {"switch.buffer.ecn", "true or false", "false", "random early detection marks frames instead of dropping them, which UDP senders do not notice",
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
