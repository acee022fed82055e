// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-fields.h"

#include "model/base/timestamp.h"
#include "model/frontend/module-ports.h"

namespace watershed {
namespace {

// So that a field's place reads as the switch's member.
#define WATERSHED_AT(member)   \
    +[](Switch & s) -> auto& { \
        return s.member;       \
    }

constexpr std::int64_t kMost = 1'000'000'000'000;  // largest number that is counted
constexpr std::int64_t kMostParts = 1024;

bool shares(const Switch& s) { return s.buffer.sharing->pools == SharingPolicy::Pools::One; }
bool hashes(const Switch& s) { return s.uplink_choice.rule == UplinkChoice::Rule::Hash; }
bool knows_first(const Switch& s) { return s.buffer.sharing->knows_first && !s.cut_through; }
bool has_first(const Switch& s) { return knows_first(s) && s.buffer.first_bytes.count > 0; }
bool has_classes(const Switch& s) { return s.scheduling.kind != Scheduling::Kind::Fifo; }
bool counts_bytes(const Switch& s) { return s.buffer.size.unit != MemorySize::Unit::Frame; }
bool controls_flow(const Switch& s) { return s.flow_control.kind != FlowControl::Kind::None; }
bool pauses_by_alpha(const Switch& s) {
    return s.flow_control.kind == FlowControl::Kind::Pfc && s.flow_control.alpha.has_value();
}
bool diverts(const Switch& s) { return pauses_by_alpha(s) && s.flow_control.rule != FlowControl::Rule::Memory; }
bool has_books_of_inputs(const Switch& s) {
    return shares(s) ? s.buffer.accounting != Buffer::Accounting::Egress
                     : s.buffer.sharing->pools == SharingPolicy::Pools::PerInput;
}
bool pauses_by_class(const Switch& s) { return s.flow_control.kind == FlowControl::Kind::Pfc && has_classes(s); }
bool pauses_by_amount(const Switch& s) { return controls_flow(s) && !pauses_by_alpha(s); }
bool drops_early(const Switch& s) { return s.buffer.drops_early(); }
bool counts_both(const Switch& s) { return shares(s) && s.buffer.accounting == Buffer::Accounting::Both; }
bool has_egress(const Switch& s) { return counts_both(s) && s.buffer.egress_size.has_value(); }
bool has_dynamic_threshold(const Switch& s) {
    return s.buffer.sharing == Sharing::DynamicThreshold ||
           (has_egress(s) && (s.buffer.egress_alpha || s.buffer.egress_lossless_alpha));
}
bool may_have_dram(const Switch& s) {
    return shares(s) && s.buffer.accounting == Buffer::Accounting::Egress && !controls_flow(s);
}
bool has_dram(const Switch& s) { return may_have_dram(s) && s.buffer.dram.has_value(); }
bool has_fabric(const Switch& s) { return s.fabric_rate.has_value(); }

void add_ports(std::vector<SwitchField>& to) {
    using Self = SwitchField;
    using Kind = Scheduling::Kind;
    const auto add = [&](Self field) { to.push_back(std::move(field)); };
    add(Self{"model", WATERSHED_AT(model),
             "A real switch that `watershed switches` lists, or a file; values in the scenario override its values."}
            .written("name"));
    add(Self{"ports", WATERSHED_AT(ports),
             "Ports of the switch, in place of those of its model; each input and each uplink takes one of its speed."}
            .written("text \"48 x 1 Gb/s + 4 x 10 Gb/s\""));
    add(Self{"count", WATERSHED_AT(count),
             "Number of such switches; front_end.modules are spread over them as evenly as possible, and the first "
             "switches get one more."}
            .within(1, kMostParts));
    add(Self{"uplinks", WATERSHED_AT(uplinks),
             "Number of output links of each switch, to the camera server or to [aggregation] if there is one."}
            .within(1, kMostParts));
    add({"uplink_rate", WATERSHED_AT(uplink_rate), "Bit rate of each uplink."});
    add(Self{"uplink_selection",
             choice_of(WATERSHED_AT(uplink_choice.rule), {"modulo", "round-robin", "hash", "static", "random"}),
             "Which uplink carries a frame. \"modulo\": the inputs take turns by their number (modules, or at an "
             "aggregation the links that lead there). \"round-robin\": the frames take turns. \"hash\": a hash of the "
             "frame's addresses decides (LAG, ECMP). \"static\": uplink_list decides."}
            .without_last(1));
    add(Self{"uplink_list", WATERSHED_AT(uplink_choice.list),
             "Uplink of each module for \"static\", counted from 1; the list repeats if there are more modules."}
            .within(1, kMostParts)
            .must_be_with("uplink_selection = \"static\"",
                          [](const Switch& s) { return s.uplink_choice.rule == UplinkChoice::Rule::Static; }));
    add(Self{"uplink_hash",
             choice_of(WATERSHED_AT(uplink_choice.fields), {"layer2", "layer3", "layer3+4", "five-tuple"}),
             "Addresses that \"hash\" uses. \"layer2\": the MAC addresses of destination and source. \"layer3\": the "
             "IPv4 addresses of source and destination. \"layer3+4\": these and the UDP ports of source and "
             "destination. \"five-tuple\": all of these and IP's protocol number."}
            .only_with("uplink_selection = \"hash\"", hashes));
    add(Self{"uplink_fold", choice_of(WATERSHED_AT(uplink_choice.fold), {"crc16", "xor"}),
             "How \"hash\" folds the addresses before it takes them modulo the uplinks. \"crc16\": CRC-16-CCITT, "
             "polynomial 0x1021 from 0xffff. \"xor\": exclusive or of all bytes."}
            .only_with("uplink_selection = \"hash\"", hashes));
    add({"latency", WATERSHED_AT(latency),
         "Time from a frame's last bit in to its first bit out, if nothing is queued."});
    add({"arrival_order", choice_of(WATERSHED_AT(arrival_order), {"module", "rotating", "random"}),
         "Which of the frames that arrive at one instant asks for memory first. \"module\": that of the lowest module. "
         "\"rotating\": event e begins with module e. \"random\": the order is drawn for each event. Frames of streams "
         "come after the camera's, by their inputs; with \"rotating\" streams on links of their own take turns, with "
         "\"random\" all are drawn together."});
    add({"queueing", choice_of(WATERSHED_AT(queueing), {"output", "virtual-output", "input-fifo"}),
         "Where frames wait for their uplink. \"output\": in one queue for each uplink. \"virtual-output\": in one "
         "queue for each pair of input and uplink, served in turn. \"input-fifo\": in one queue for each input, whose "
         "first frame holds up those behind it (head-of-line blocking)."});
    add({"scheduler", choice_of(WATERSHED_AT(scheduling.kind), {"fifo", "strict-priority", "wrr", "drr"}),
         "How an uplink serves traffic classes. \"fifo\": all in one queue. With the others each class has a queue of "
         "its own, whose memory is accounted for apart. \"strict-priority\": the highest class that has a frame. "
         "\"wrr\": classes take turns, from 7 down to 0, of as many frames as `weights` says. \"drr\": the same, of "
         "as many bytes as `weights` times `quantum` says, and what a frame is too large for is kept for the next "
         "turn."});
    add(Self{"weights", WATERSHED_AT(scheduling.weights),
             "Weights of classes 0, 1, … for \"wrr\" and \"drr\"; 1 for those beyond the list."}
            .within(1, 10'000)
            .only_with("scheduler = \"wrr\" or \"drr\"", [](const Switch& s) {
                return s.scheduling.kind == Kind::WeightedRoundRobin || s.scheduling.kind == Kind::DeficitRoundRobin;
            }));
    add(Self{"quantum", WATERSHED_AT(scheduling.quantum),
             "What each weight of \"drr\" gives a class in its turn, in bytes of the link, preamble and gap included."}
            .within(64, 1'000'000, "64 B to 1 MB")
            .only_with("scheduler = \"drr\"",
                       [](const Switch& s) { return s.scheduling.kind == Kind::DeficitRoundRobin; }));
    add(Self{"class_rates", WATERSHED_AT(scheduling.rates),
             "Shapers of classes 0, 1, … at each uplink: the committed rate of each; a frame that comes sooner waits, "
             "and the scheduler passes over its class. A rate that is no less than the uplink's limits nothing, nor "
             "are classes beyond the list limited. Refused with what refuses a scheduler: queueing other than output, "
             "queue_split, and a policy that pushes out."}
            .only_with("a scheduler other than \"fifo\"", has_classes));
    const auto shapes = [](const Switch& s) { return has_classes(s) && !s.scheduling.rates.empty(); };
    add(Self{"class_bursts", WATERSHED_AT(scheduling.bursts),
             "What the token bucket of each shaper holds, and a class may send at once; 0 B for those beyond the list. "
             "A frame that is larger may begin when the bucket is full. Refused without class_rates."}
            .within(0, 1'000'000'000, "at most 1 GB")
            .only_with("switch.class_rates", shapes));
    add(Self{"class_rate_counts", choice_of(WATERSHED_AT(scheduling.counts), {"link", "frame"}),
             "What of a frame a shaper counts. \"link\": all that it takes on the link, preamble and gap included. "
             "\"frame\": what is stored of it, from the MAC header to the FCS. Refused without class_rates."}
            .only_with("switch.class_rates", shapes));
    add(Self{"gates", WATERSHED_AT(scheduling.gates),
             "Gate control list of each uplink (IEEE 802.1Qbv), which repeats from the start of the run: how long each "
             "entry lasts, and the classes whose gates are open meanwhile. A frame begins only if its gate stays open "
             "until it has left, preamble and gap included; the scheduler passes over a class that must wait. Refused "
             "with what refuses a scheduler, and with cut_through."}
            .written("list of \"300 us: 7\", \"650 us: 0-3,6\" or \"50 us:\"")
            .only_with("a scheduler other than \"fifo\"", has_classes));
    add(Self{"input_fifo", WATERSHED_AT(input_fifo),
             "What each input holds in front of the memory while memory or fabric do not take it; a frame that finds "
             "it full is lost as input-fifo-full, and without it such a frame is lost at once."}
            .written("\"512 B\" or \"4 frames\"")
            .not_in_cells()
            .must_be_with("switch.fabric_rate", has_fabric)
            .also_alone());
    add({"fabric_rate", WATERSHED_AT(fabric_rate), "Bit rate between the inputs of a port group and the memory."});
    add(Self{"port_groups", WATERSHED_AT(port_groups),
             "Number of groups of neighbouring inputs; each has its own way to the memory."}
            .within(1, kMostParts)
            .only_with("switch.fabric_rate", has_fabric));
    add({"cut_through", WATERSHED_AT(cut_through),
         "A frame that finds its uplink idle leaves while it arrives, unless the uplink is faster than its link; it "
         "takes memory only if the uplink is slower."});
    add(Self{"cut_through_after", WATERSHED_AT(cut_through_after),
             "How much of a frame must have arrived before it cuts through."}
            .within(1, 1'000'000, "1 B to 1 MB")
            .only_with("cut_through = true", [](const Switch& s) { return s.cut_through; }));
}

void add_flow_control(std::vector<SwitchField>& to) {
    using Self = SwitchField;
    const auto add = [&](Self field) { to.push_back(std::move(field)); };
    add({"obeys_pause", WATERSHED_AT(obeys_pause),
         "The uplinks stop when the switch that they lead to tells them to pause. A frame on its way ends."});
    add({"pause_reaction", WATERSHED_AT(pause_reaction),
         "Time from the end of a PAUSE frame that comes to an uplink until it obeys."});
    add({"flow_control.kind", choice_of(WATERSHED_AT(flow_control.kind), {"none", "pause", "pfc"}),
         "Kind of flow control towards modules, streams and switches before this one: \"none\", \"pause\" (IEEE "
         "802.3x, the whole link) or \"pfc\" (IEEE 802.1Qbb, one traffic class)."});
    add(Self{"flow_control.xoff", WATERSHED_AT(flow_control.xoff),
             "XOFF threshold: an input that holds more tells its sender to pause; required unless alpha is given."}
            .must_be_with("flow control without an alpha", pauses_by_amount));
    add(Self{"flow_control.xon", WATERSHED_AT(flow_control.xon),
             "XON threshold: once a paused input holds no more than this, it tells its sender to go on. With rule = "
             "\"sonic\": it also does so once it holds less than this."}
            .must_be_with("flow control without an alpha, or with rule = \"sonic\"", [](const Switch& s) {
                return pauses_by_amount(s) || (diverts(s) && s.flow_control.rule == FlowControl::Rule::Sonic);
            }));
    add(Self{"flow_control.classes", WATERSHED_AT(flow_control.classes),
             "Classes that \"pfc\" tells to pause, the lossless ones; all, if none are said. Frames of others are lost "
             "where memory ends."}
            .within(0, kTrafficClasses - 1)
            .only_with("flow_control.kind = \"pfc\" and a scheduler other than \"fifo\"", pauses_by_class));
    add(Self{"flow_control.alpha", WATERSHED_AT(flow_control.alpha),
             "Dynamic XOFF threshold of \"pfc\", in place of xoff and xon: an input that holds alpha times the free "
             "memory tells its sender to pause."}
            .only_with("flow_control.kind = \"pfc\"",
                       [](const Switch& s) { return s.flow_control.kind == FlowControl::Kind::Pfc; }));
    add(Self{"flow_control.class_alphas", WATERSHED_AT(flow_control.class_alphas),
             "Factors alpha of classes 0, 1, … in place of alpha, where a scheduler gives each class a queue."}
            .only_with("a scheduler other than \"fifo\" and switch.flow_control.alpha",
                       [](const Switch& s) { return has_classes(s) && pauses_by_alpha(s); }));
    add(Self{
        "flow_control.rule", choice_of(WATERSHED_AT(flow_control.rule), {"memory", "hpcc", "sonic"}),
        "With alpha: which frames go to headroom, and when an input is told to pause and to go on. \"memory\": those "
        "that the memory refuses once their input was told to pause; each gives back what it took, and every paused "
        "input goes on as soon as the memory stands so. \"hpcc\", as the switch of HPCC's simulator: those that "
        "would take what the input draws above the threshold, and no threshold of the sharing counts for it; "
        "headroom is given back first. When a frame of its own has come, an input that holds headroom or draws as "
        "much as the threshold is told to pause; when one has left, and it holds no headroom, it is told to go on if "
        "it draws nothing or xon_offset less than the threshold. \"sonic\", as that of ns3-datacenter: the same by "
        "all that it holds, with the frame no more free; what comes while it holds headroom goes there, and the first "
        "such frame need not fit there; it is told "
        "to pause only when it does, and to go on also below xon. Any input that holds nothing goes on."}
            .only_with("switch.flow_control.alpha and accounting other than \"egress\"",
                       [](const Switch& s) { return pauses_by_alpha(s) && has_books_of_inputs(s); }));
    add(Self{"flow_control.xon_offset", WATERSHED_AT(flow_control.xon_offset),
             "With alpha: a paused input tells its sender to go on once it holds this much less than the XOFF "
             "threshold, or nothing."}
            .only_with("switch.flow_control.alpha", pauses_by_alpha));
    add(Self{"flow_control.xon_fixed", WATERSHED_AT(flow_control.xon_fixed),
             "With alpha: the input goes on once it holds xon_offset less than when its pause began, whatever has "
             "become free since; false: xon_offset below the threshold of the moment."}
            .only_with("switch.flow_control.alpha and rule = \"memory\"",
                       [](const Switch& s) { return pauses_by_alpha(s) && !diverts(s); }));
    add(Self{"flow_control.quanta", WATERSHED_AT(flow_control.quanta),
             "Length of a pause in 512 bit times, from pause_reaction after the PAUSE frame; while it is needed, the "
             "switch renews it after half of that."}
            .within(1, 65535)
            .only_with("flow control", controls_flow));
}

std::string meaning_of_sharing() {
    std::string meaning = "How ports share the memory.";
    for (const Sharing each : Sharing::all()) meaning += std::string(" \"") + each->name + "\": " + each->help + ".";
    return meaning;
}

FieldChoice<Switch> sharing_choice() {
    FieldChoice<Switch> choice;
    const auto& all = Sharing::all();
    for (const Sharing each : all) choice.names.push_back(each->name);
    choice.get = [&all](const Switch& s) {
        int number = 0;
        while (all[static_cast<std::size_t>(number)] != s.buffer.sharing) ++number;
        return number;
    };
    choice.set = [&all](Switch& s, int number) { s.buffer.sharing = all[static_cast<std::size_t>(number)]; };
    return choice;
}

void add_memory(std::vector<SwitchField>& to) {
    using Self = SwitchField;
    const auto add = [&](Self field) { to.push_back(std::move(field)); };
    add({"buffer.sharing", sharing_choice(), meaning_of_sharing()});
    add(Self{"buffer.size", WATERSHED_AT(buffer.size),
             "The whole memory, or each port's own memory if per-input or per-output; required."}
            .written("\"308000 frames\", \"330 MB\" or cells"));
    add(Self{
        "buffer.accounting", choice_of(WATERSHED_AT(buffer.accounting), {"egress", "ingress", "both", "mixed"}),
        "Whose queues share the memory. \"egress\": those of the uplinks. \"ingress\": those of the inputs. "
        "\"both\": a frame needs room on either side. \"mixed\": those of the inputs for classes that flow control "
        "pauses, by a rule other than \"memory\", and those of the uplinks for the others."}
            .only_with("a memory that ports share", shares));
    add(Self{"buffer.cell", WATERSHED_AT(buffer.cell),
             "Memory is given out in cells of this size; a size in bytes is then counted in cells."}
            .within(1, 1'000'000, "1 B to 1 MB")
            .shown_as("")
            .only_with("a size in bytes or cells", counts_bytes));
    add(Self{"buffer.cell_header", WATERSHED_AT(buffer.cell_header),
             "Bytes stored with each frame, so that it takes ceil((frame + header) / cell) cells."}
            .only_with("switch.buffer.cell",
                       [](const Switch& s) { return counts_bytes(s) && s.buffer.cell.count > 0; }));
    add(Self{"buffer.descriptors", WATERSHED_AT(buffer.descriptors),
             "Number of frames that the memory holds at most, however small they are."}
            .within(1, kMost));
    add(Self{"buffer.slices", WATERSHED_AT(buffer.slices),
             "Memory and descriptors are split evenly between this many groups of neighbouring ports."}
            .within(1, kMostParts)
            .only_with("a memory that ports share", shares));
    add(Self{"buffer.reserved", WATERSHED_AT(buffer.reserved), "Memory that each queue has for itself, beside size."}
            .only_with("a memory that ports share", shares));
    add(Self{"buffer.alpha", WATERSHED_AT(buffer.alpha), "Factor alpha of the dynamic thresholds."}.must_be_with(
        "a sharing with dynamic thresholds", [](const Switch& s) { return s.buffer.sharing->has_alpha; }));
    add(Self{
        "buffer.threshold_mantissa", WATERSHED_AT(buffer.threshold_mantissa),
        "Leading bits that a dynamic threshold has: alpha times the free memory is rounded down to such a number of "
        "bytes, cells or frames. Holds for egress_alpha, too, and not for flow_control.alpha."}
            .within(1, 62)
            .only_with("sharing = \"dynamic-threshold\" or switch.buffer.egress_alpha", has_dynamic_threshold));
    add(Self{"buffer.threshold_extra_step", WATERSHED_AT(buffer.threshold_extra_step),
             "The threshold is the next larger number of threshold_mantissa bits."}
            .only_with("switch.buffer.threshold_mantissa", [](const Switch& s) {
                return has_dynamic_threshold(s) && s.buffer.threshold_mantissa.has_value();
            }));
    add(Self{
        "buffer.first_bytes", WATERSHED_AT(buffer.first_bytes),
        "Frames that begin within so many bytes of their flow, as they come to the switch, have first_alpha in place "
        "of alpha (flow-aware buffers). Of the camera a flow is what one module sends of one event, of traffic a "
        "stream; 0 B: none have."}
            .within(0, kMost, "at most 1 TB")
            .only_with("sharing = \"dynamic-threshold\", \"abm\" or \"reverie\", and cut_through = false",
                       knows_first));
    add(Self{"buffer.first_alpha", WATERSHED_AT(buffer.first_alpha),
             "Factor alpha of the dynamic thresholds for the first frames of a flow, whatever their class."}
            .must_be_with("switch.buffer.first_bytes", has_first));
    add(Self{"buffer.first_idle", WATERSHED_AT(buffer.first_idle),
             "A flow of which nothing has come for longer than this begins anew; 0 s: none does."}
            .only_with("switch.buffer.first_bytes", has_first));
    add(Self{"buffer.threshold_whole", WATERSHED_AT(buffer.threshold_whole),
             "No frame takes a queue above its dynamic threshold: it is admitted while it fits below. false: a queue "
             "below its threshold takes a frame that exceeds it. Holds for egress_alpha, too."}
            .only_with(
                "sharing = \"dynamic-threshold\" or \"abm\", or switch.buffer.egress_alpha, and no flow control, or "
                "one by a rule other than \"memory\"",
                [](const Switch& s) {
                    return (!controls_flow(s) || diverts(s)) &&
                           (has_dynamic_threshold(s) || s.buffer.sharing->may_be_whole);
                }));
    add(Self{"buffer.class_alphas", WATERSHED_AT(buffer.class_alphas),
             "Factors alpha of the queues of classes 0, 1, … in place of alpha, where a scheduler gives each class a "
             "queue."}
            .only_with("a scheduler other than \"fifo\" and sharing = \"dynamic-threshold\"", [](const Switch& s) {
                return has_classes(s) && s.buffer.sharing == Sharing::DynamicThreshold;
            }));
    add(Self{"buffer.class_limits", WATERSHED_AT(buffer.class_limits),
             "The most that the queues of classes 0, 1, … may hold, where a scheduler gives each class a queue; a "
             "frame beyond is lost as threshold."}
            .only_with("a scheduler other than \"fifo\"", has_classes));
    add(Self{
        "buffer.port_limit", WATERSHED_AT(buffer.port_limit),
        "The most that all queues of one port may hold together, beside the limits of each: uplinks, inputs or "
        "both, as accounting says; a frame beyond is lost as threshold. Headroom does not count. In frames beside a "
        "memory of bytes or cells it counts the port's frames, in bytes beside one of frames their bytes."}
            .anywhere());
    add(Self{"buffer.excess", WATERSHED_AT(buffer.excess),
             "What a queue may take above its enhanced dynamic threshold before it has been empty again; the frame "
             "that uses it up may exceed it."}
            .must_be_with("sharing = \"enhanced-dynamic-threshold\"",
                          [](const Switch& s) { return s.buffer.sharing->has_excess; }));
    add(Self{
        "buffer.port_alpha", WATERSHED_AT(buffer.port_alpha),
        "Factor of a port's quota of the free memory; alpha is then that of each of its queues in what is left of the "
        "quota."}
            .must_be_with("sharing = \"nested-threshold\"",
                          [](const Switch& s) { return s.buffer.sharing->has_port_alpha; }));
    const auto has_steps = [](const Switch& s) { return s.buffer.sharing->has_steps; };
    add(Self{
        "buffer.step_free", WATERSHED_AT(buffer.step_free),
        "Steps of the stepped thresholds, ascending: from so much free memory on a queue may hold what stands at the "
        "same place of step_limits. With less than the first no queue may grow."}
            .must_be_with("sharing = \"stepped-threshold\"", has_steps));
    add(Self{"buffer.step_limits", WATERSHED_AT(buffer.step_limits),
             "What a queue may hold at most beyond its reserve, one for each of step_free."}
            .must_be_with("sharing = \"stepped-threshold\"", has_steps));
    const auto has_filter = [](const Switch& s) { return s.buffer.sharing->has_filter; };
    add(Self{"buffer.filter", WATERSHED_AT(buffer.filter),
             "Weight of the past in the filtered length of a queue, a step at each of its departures: 99/100 in the "
             "publication's program."}
            .within(0, 1, "at most 100 %")
            .must_be_with("sharing = \"reverie\"", has_filter));
    add(Self{"buffer.congested_from", WATERSHED_AT(buffer.congested_from),
             "A queue of this filtered length counts as one congested queue, a shorter one as a part of one."}
            .must_be_with("sharing = \"reverie\"", has_filter));
    add(Self{"buffer.queues", WATERSHED_AT(buffer.queues),
             "Number of traffic classes of a port; all frames of the camera belong to one."}
            .within(1, 64)
            .must_be_with("queue_split = true", [](const Switch& s) { return s.buffer.queue_split; })
            .also_alone());
    add({"buffer.queue_split", WATERSHED_AT(buffer.queue_split),
         "Each traffic class has its share of the memory, size / queues, and no more."});
    add({"buffer.resume", WATERSHED_AT(buffer.resume),
         "After a drop a queue takes no frame until it has fallen to this amount, or to this part of what it held at "
         "the drop; what lies in dram counts only after a drop for want of a descriptor."});
    add(Self{
        "buffer.descriptors_resume", WATERSHED_AT(buffer.descriptors_resume),
        "The resume level after a drop for want of a descriptor, if it differs; a part is one of the frames in the "
        "queue."}
            .written("\"50 %\" or \"64 frames\"")
            .only_with("switch.buffer.descriptors", [](const Switch& s) { return s.buffer.descriptors.has_value(); }));
    add({"buffer.release", choice_of(WATERSHED_AT(buffer.release), {"end", "start"}),
         "When a frame gives its memory back: at the \"end\" of its transmission or at the \"start\"."});
    add(Self{"buffer.headroom", WATERSHED_AT(buffer.headroom),
             "Memory of each input, beside size, for frames that arrive after their sender was told to pause."}
            .only_with("flow control", controls_flow));
    add(Self{"buffer.class_headrooms", WATERSHED_AT(buffer.class_headrooms),
             "Headroom of classes 0, 1, … of each input, each its own; the classes beyond the list share headroom."}
            .only_with("flow_control.kind = \"pfc\" and a scheduler other than \"fifo\"", pauses_by_class));
    add(Self{"buffer.headroom_pool", WATERSHED_AT(buffer.headroom_pool),
             "Pool, beside size, that the headroom of all inputs is taken from, split evenly by slices; an input takes "
             "at most its headroom, and the last ones what is left. Without it each input has its headroom for "
             "itself."}
            .only_with("flow control and switch.buffer.headroom or class_headrooms", [](const Switch& s) {
                return controls_flow(s) && (s.buffer.headroom.amount > 0 || !s.buffer.class_headrooms.empty());
            }));
    add(Self{"buffer.egress_size", WATERSHED_AT(buffer.egress_size),
             "Pool of the uplinks' queues with accounting = \"both\", where it differs from that of the inputs, which "
             "is size; it has no thresholds unless egress_alpha is given."}
            .only_with("accounting = \"both\"", counts_both));
    add(Self{"buffer.egress_alpha", WATERSHED_AT(buffer.egress_alpha),
             "Factor alpha of dynamic thresholds of the uplinks' queues in egress_size."}
            .only_with("switch.buffer.egress_size", has_egress));
    const auto has_lossless_pool = [](const Switch& s) {
        return has_egress(s) && pauses_by_class(s) && s.buffer.egress_lossless_size;
    };
    add(Self{
        "buffer.egress_lossless_size", WATERSHED_AT(buffer.egress_lossless_size),
        "Pool of the uplinks' queues of the classes that flow control pauses; egress_size, egress_alpha and "
        "egress_reserved are then those of the others. It has no thresholds unless egress_lossless_alpha is given."}
            .only_with("switch.buffer.egress_size, flow_control.kind = \"pfc\" and a scheduler other than \"fifo\"",
                       [](const Switch& s) { return has_egress(s) && pauses_by_class(s); }));
    add(Self{"buffer.egress_lossless_alpha", WATERSHED_AT(buffer.egress_lossless_alpha),
             "Factor alpha of dynamic thresholds in egress_lossless_size."}
            .only_with("switch.buffer.egress_lossless_size", has_lossless_pool));
    add(Self{"buffer.egress_reserved", WATERSHED_AT(buffer.egress_reserved),
             "Memory that each uplink's queue has for itself, beside egress_size."}
            .only_with("switch.buffer.egress_size", has_egress));
    add(Self{"buffer.egress_pipeline", WATERSHED_AT(buffer.egress_pipeline),
             "Frames of each uplink that are on their way out and take no memory any more; those behind them do."}
            .within(0, 1'000'000));
    add(Self{
        "buffer.dram", WATERSHED_AT(buffer.dram),
        "Second memory behind size, outside of the chip: a frame whose queue is long is written there, and lost as "
        "dram-full if it is full. Refused with flow control, accounting other than egress, queueing other than output, "
        "an input FIFO, cut-through, egress_pipeline, a policy of no common memory or one that pushes out, and in fill "
        "tests (thresholds)."}
            .only_with("a memory that ports share, accounting = \"egress\" and no flow control", may_have_dram));
    add(Self{
        "buffer.dram_from", WATERSHED_AT(buffer.dram_from),
        "The most that a queue holds in size before it moves: a frame that would exceed it is written to dram, and "
        "so are those behind it until none of the queue is there. Refused without dram."}
            .must_be_with("switch.buffer.dram", has_dram));
    add(Self{"buffer.dram_rate", WATERSHED_AT(buffer.dram_rate),
             "Bit rate at which frames are written to dram, one after the other. A frame holds its room in size until "
             "it has been written, and may leave only then. Refused without dram."}
            .must_be_with("switch.buffer.dram", has_dram));
    add(Self{"buffer.wred_from", WATERSHED_AT(buffer.wred_from),
             "Random early detection begins when a queue holds this much."}
            .must_be_with("random early detection", drops_early));
    add({"buffer.wred_to", WATERSHED_AT(buffer.wred_to),
         "Random early detection drops every frame once a queue holds this much."});
    add(Self{"buffer.wred_probability", WATERSHED_AT(buffer.wred_probability),
             "Probability of an early drop just below wred_to; it rises linearly from 0 at wred_from."}
            .within(0, 1, "at most 100 %")
            .must_be_with("random early detection", drops_early));
    const auto by_class = [&](Self field) {
        add(std::move(field).only_with("a scheduler other than \"fifo\"", has_classes));
    };
    by_class({"buffer.class_wred_from", WATERSHED_AT(buffer.class_wred_from),
              "Levels of the queues of classes 0, 1, … in place of wred_from."});
    by_class(
        {"buffer.class_wred_to", WATERSHED_AT(buffer.class_wred_to),
         "Levels of the queues of classes 0, 1, … in place of wred_to; 0 B: none of that class is dropped early."});
    by_class({"buffer.class_wred_probability", WATERSHED_AT(buffer.class_wred_probability),
              "Probabilities for classes 0, 1, … in place of wred_probability."});
    add(Self{"buffer.ecn", WATERSHED_AT(buffer.ecn),
             "Random early detection marks frames instead of dropping them; UDP senders do not notice the marks."}
            .only_with("random early detection", drops_early));
}

#undef WATERSHED_AT

}  // namespace

const std::vector<SwitchField>& switch_fields() {
    static const std::vector<SwitchField> all = [] {
        std::vector<SwitchField> fields;
        for (const auto add : {add_ports, add_flow_control, add_memory}) add(fields);
        return fields;
    }();
    return all;
}

}  // namespace watershed
