// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-switch-attributes.h"

#include <ns3/data-rate.h>
#include <ns3/integer.h>
#include <ns3/nstime.h>

#include <algorithm>

#include "model/ns3/core/watershed-setting.h"
#include "model/ns3/core/watershed-switch-models.h"
#include "model/ns3/core/watershed-time.h"

namespace watershed {
namespace {

using Settings = WatershedSwitchSettings;

bool IsModel(const std::string& name) {
    const auto& all = watershed_switch_models();
    return name.empty() || std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
}

template <class Enum>
constexpr int Number(Enum value) {
    return static_cast<int>(value);
}

void AddPorts(WatershedAttributeTable& to) {
    using Rule = UplinkChoice::Rule;
    using Fields = UplinkChoice::Fields;
    using Fold = UplinkChoice::Fold;
    to.Add(
        "Model", "switch.model",
        "A real switch of the catalogue, \"dell-s60\"; attributes that are set beside it override its values.",
        ns3::StringValue(""), ns3::Create<WatershedTextChecker>(IsModel, "a switch of the catalogue"),
        [](Settings& settings, const ns3::StringValue& value) {
            settings.network_switch.model = value.Get();
            return true;
        },
        [](Settings& settings) { return ns3::StringValue(settings.network_switch.model); });
    to.Add(
        "Ports", "switch.ports",
        "The ports that there are, \"48x1Gbps+4x10Gbps\": each device takes one of its rate, and one for which none is "
        "left ends the program; empty: as many as it is given.",
        ns3::StringValue(""),
        ns3::Create<WatershedTextChecker>([](const std::string& text) { return ReadPorts(text).has_value(); },
                                          "as \"48x1Gbps+4x10Gbps\""),
        [](Settings& settings, const ns3::StringValue& value) {
            settings.network_switch.ports = *ReadPorts(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::StringValue(TextOf(settings.network_switch.ports)); });
    to.Count<int>(
        "Count", "switch.count", "1: a WatershedSwitch is one switch; put each of several on a node of its own.",
        [](Settings& settings) -> int& { return settings.network_switch.count; }, 1, 1, 1);
    to.Add(
        "Uplinks", "switch.uplinks", "Uplinks that it must have; 0: as many as it is given.", ns3::UintegerValue(0),
        ns3::MakeUintegerChecker<std::uint32_t>(0, 1024),
        [](Settings& settings, const ns3::UintegerValue& value) {
            settings.uplinks.reset();
            if (value.Get() > 0) settings.uplinks = static_cast<int>(value.Get());
            return true;
        },
        [](Settings& settings) {
            return ns3::UintegerValue(static_cast<std::uint64_t>(settings.uplinks.value_or(0)));
        });
    to.Add(
        "UplinkRate", "switch.uplink_rate", "Rate of both ends of each uplink; 0bps: that of the devices.",
        ns3::DataRateValue(ns3::DataRate("0bps")), ns3::MakeDataRateChecker(),
        [](Settings& settings, const ns3::DataRateValue& value) {
            settings.uplink_rate.reset();
            if (value.Get().GetBitRate() > 0)
                settings.uplink_rate = BitRate{static_cast<std::int64_t>(value.Get().GetBitRate())};
            return true;
        },
        [](Settings& settings) {
            return ns3::DataRateValue(
                ns3::DataRate(static_cast<std::uint64_t>(settings.uplink_rate.value_or(BitRate{0}).count)));
        });
    to.Choice<Rule>(
        "UplinkSelection", "switch.uplink_selection",
        "Which uplink carries a frame: by the number of its input, in turn or by lot for each frame, by a hash of its "
        "addresses (LAG, ECMP) or as UplinkList says.",
        [](Settings& settings) -> Rule& { return settings.network_switch.uplink_choice.rule; }, Rule::Modulo,
        ns3::MakeEnumChecker(Number(Rule::Modulo), "modulo", Number(Rule::RoundRobin), "round-robin",
                             Number(Rule::Random), "random", Number(Rule::Hash), "hash", Number(Rule::Static),
                             "static"));
    to.Add(
        "UplinkList", "switch.uplink_list", "For static: the uplink of each input from 1, \"1,2,1\", cyclic.",
        ns3::StringValue(""),
        ns3::Create<WatershedTextChecker>([](const std::string& text) { return ReadList(text).has_value(); },
                                          "as \"1,2,1\""),
        [](Settings& settings, const ns3::StringValue& value) {
            settings.network_switch.uplink_choice.list = *ReadList(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::StringValue(TextOf(settings.network_switch.uplink_choice.list)); });
    to.Choice<Fields>(
        "UplinkHash", "switch.uplink_hash",
        "The addresses that the hash is of: MAC, IPv4, or IPv4 and the ports of UDP or TCP. What is not IPv4 is hashed "
        "by layer2.",
        [](Settings& settings) -> Fields& { return settings.network_switch.uplink_choice.fields; }, Fields::Layer3And4,
        ns3::MakeEnumChecker(Number(Fields::Layer2), "layer2", Number(Fields::Layer3), "layer3",
                             Number(Fields::Layer3And4), "layer3+4"));
    to.Choice<Fold>(
        "UplinkFold", "switch.uplink_fold", "How the hash folds them: by CRC-16-CCITT or by exclusive or.",
        [](Settings& settings) -> Fold& { return settings.network_switch.uplink_choice.fold; }, Fold::Crc16,
        ns3::MakeEnumChecker(Number(Fold::Crc16), "crc16", Number(Fold::Xor), "xor"));
}

void AddTimes(WatershedAttributeTable& to) {
    to.Add(
        "Latency", "switch.latency", "From a frame's last bit in to its first bit out, where nothing is queued.",
        ns3::TimeValue(ns3::Time(0)), ns3::MakeTimeChecker(ns3::Time(0)),
        [](Settings& settings, const ns3::TimeValue& value) {
            settings.network_switch.latency = FromNs3(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::TimeValue(ToNs3(settings.network_switch.latency)); }, true);
    to.Choice<ArrivalOrder>(
        "ArrivalOrder", "switch.arrival_order",
        "Which of the frames that arrive at the same instant asks for memory first.",
        [](Settings& settings) -> ArrivalOrder& { return settings.network_switch.arrival_order; }, ArrivalOrder::Module,
        ns3::MakeEnumChecker(Number(ArrivalOrder::Module), "module", Number(ArrivalOrder::Rotating), "rotating",
                             Number(ArrivalOrder::Random), "random"),
        true);
    to.Count<std::uint64_t>(
        "Seed", "seed", "Of the random arrival order.",
        [](Settings& settings) -> std::uint64_t& { return settings.seed; }, 1, 0, UINT64_MAX, true);
    to.Add(
        "BufferOverhead", "frame.buffer_overhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.",
        ns3::IntegerValue(4), ns3::MakeIntegerChecker<std::int64_t>(-1'000'000, 1'000'000),
        [](Settings& settings, const ns3::IntegerValue& value) {
            settings.buffer_overhead = value.Get();
            return true;
        },
        [](Settings& settings) { return ns3::IntegerValue(settings.buffer_overhead); }, true);
}

/// An amount that may be absent, for which 0B stands.
void AddOptionalSize(WatershedAttributeTable& to, const char* name, const char* key, const std::string& help,
                     std::optional<MemorySize>& (*field)(Settings&)) {
    to.Add(
        name, key, help, ns3::QueueSizeValue(ns3::QueueSize("0B")), ns3::MakeQueueSizeChecker(),
        [field](Settings& settings, const ns3::QueueSizeValue& value) {
            field(settings).reset();
            if (value.Get().GetValue() > 0) field(settings) = SizeOf(value.Get());
            return true;
        },
        [field](Settings& settings) {
            const auto& size = field(settings);
            return ns3::QueueSizeValue(size ? QueueSizeOf(*size) : ns3::QueueSize("0B"));
        });
}

/// A factor that may be absent, for which 0 stands.
void AddOptionalAlpha(WatershedAttributeTable& to, const char* name, const char* key, const std::string& help,
                      std::optional<Ratio>& (*field)(Settings&)) {
    to.Add(
        name, key, help, ns3::DoubleValue(0), ns3::MakeDoubleChecker<double>(0, 1e6),
        [field](Settings& settings, const ns3::DoubleValue& value) {
            field(settings).reset();
            if (value.Get() > 0) field(settings) = RatioOf(value.Get());
            return true;
        },
        [field](Settings& settings) {
            const auto& alpha = field(settings);
            return ns3::DoubleValue(alpha ? as_number(*alpha) : 0);
        });
}

void AddInside(WatershedAttributeTable& to) {
    to.Choice<Queueing>(
        "Queueing", "switch.queueing",
        "Where frames wait: in one queue for each output, in one for each pair of input and output, served in turn, or "
        "in one for each input, whose first frame holds up those behind it.",
        [](Settings& settings) -> Queueing& { return settings.network_switch.queueing; }, Queueing::Output,
        ns3::MakeEnumChecker(Number(Queueing::Output), "output", Number(Queueing::VirtualOutput), "virtual-output",
                             Number(Queueing::InputFifo), "input-fifo"));
    AddOptionalSize(
        to, "InputFifo", "switch.input_fifo",
        "What each input holds in front of memory and fabric; 0B: a frame that neither takes is lost at once.",
        [](Settings& settings) -> std::optional<MemorySize>& { return settings.network_switch.input_fifo; });
    to.Add(
        "FabricRate", "switch.fabric_rate",
        "Rate between the inputs of a port group and the memory, with InputFifo; 0bps: no limit.",
        ns3::DataRateValue(ns3::DataRate("0bps")), ns3::MakeDataRateChecker(),
        [](Settings& settings, const ns3::DataRateValue& value) {
            settings.network_switch.fabric_rate.reset();
            if (value.Get().GetBitRate() > 0)
                settings.network_switch.fabric_rate = BitRate{static_cast<std::int64_t>(value.Get().GetBitRate())};
            return true;
        },
        [](Settings& settings) {
            return ns3::DataRateValue(ns3::DataRate(
                static_cast<std::uint64_t>(settings.network_switch.fabric_rate.value_or(BitRate{0}).count)));
        });
    to.Count<int>(
        "PortGroups", "switch.port_groups", "Groups of neighbouring inputs, each with its own way to the memory.",
        [](Settings& settings) -> int& { return settings.network_switch.port_groups; }, 1, 1, 1024);
    to.Flag("CutThrough", "switch.cut_through", "A frame that finds its output idle leaves while it arrives.",
            [](Settings& settings) -> bool& { return settings.network_switch.cut_through; });
    to.Count<std::int64_t>(
        "CutThroughAfter", "switch.cut_through_after",
        "Bytes of a frame, its preamble included, that must have arrived before it cuts through.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.cut_through_after.count; }, 64, 1,
        1'000'000);
}

/// A list as text.
template <class T>
void AddClassList(WatershedAttributeTable& to, const char* name, const char* key, const std::string& help,
                  const char* form, std::optional<std::vector<T>> (*read)(const std::string&),
                  std::vector<T>& (*field)(Settings&)) {
    to.Add(
        name, key, help, ns3::StringValue(""),
        ns3::Create<WatershedTextChecker>([read](const std::string& text) { return read(text).has_value(); }, form),
        [=](Settings& settings, const ns3::StringValue& value) {
            field(settings) = *read(value.Get());
            return true;
        },
        [=](Settings& settings) { return ns3::StringValue(TextOf(field(settings))); });
}

void AddClasses(WatershedAttributeTable& to) {
    using Kind = Scheduling::Kind;
    to.Choice<Kind>(
        "Scheduler", "switch.scheduler",
        "How an output serves eight traffic classes, which VLAN tags or DSCP tell: all in one queue, or each in a "
        "queue "
        "of its own, by strict priority, weighted or deficit round robin.",
        [](Settings& settings) -> Kind& { return settings.network_switch.scheduling.kind; }, Kind::Fifo,
        ns3::MakeEnumChecker(Number(Kind::Fifo), "fifo", Number(Kind::StrictPriority), "strict-priority",
                             Number(Kind::WeightedRoundRobin), "wrr", Number(Kind::DeficitRoundRobin), "drr"));
    AddClassList<std::int64_t>(
        to, "Weights", "switch.weights", "Of classes 0, 1, …, \"1,4\"; 1 for those beyond the list.", "as \"1,4\"",
        &ReadList,
        [](Settings& settings) -> std::vector<std::int64_t>& { return settings.network_switch.scheduling.weights; });
    to.Count<std::int64_t>(
        "Quantum", "switch.quantum", "Bytes of the link that each weight gives a class in its turn, for drr.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.scheduling.quantum.count; }, 1538, 64,
        1'000'000);
    AddClassList<Ratio>(
        to, "ClassAlphas", "switch.buffer.class_alphas", "In place of Alpha, of classes 0, 1, …: \"0.5,8\".",
        "as \"0.5,8\"", &ReadRatios,
        [](Settings& settings) -> std::vector<Ratio>& { return settings.network_switch.buffer.class_alphas; });
    AddClassList<MemorySize>(
        to, "ClassLimits", "switch.buffer.class_limits",
        "The most that a queue of classes 0, 1, … holds: \"20kB,100kB\".", "as \"20kB,100kB\"", &ReadSizes,
        [](Settings& settings) -> std::vector<MemorySize>& { return settings.network_switch.buffer.class_limits; });
}

std::string NamesOfSharing() {
    std::string names;
    for (const Sharing each : Sharing::all()) names += (names.empty() ? "" : "|") + std::string(each->name);
    return names;
}

bool IsSharing(const std::string& name) {
    const auto& all = Sharing::all();
    return std::any_of(all.begin(), all.end(), [&](Sharing each) { return name == each->name; });
}

void AddMemory(WatershedAttributeTable& to) {
    using Unit = MemorySize::Unit;
    to.Add(
        "Sharing", "switch.buffer.sharing", "The policy by which ports share the memory.",
        ns3::StringValue(Sharing::Shared->name), ns3::Create<WatershedTextChecker>(IsSharing, NamesOfSharing()),
        [](Settings& settings, const ns3::StringValue& value) {
            settings.network_switch.buffer.sharing = Sharing::named(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::StringValue(settings.network_switch.buffer.sharing->name); });
    to.Count<std::int64_t>(
        "Size", "switch.buffer.size", "The whole memory if it is shared, or each port's own.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.buffer.size.amount; }, 1000, 0,
        INT64_MAX);
    to.Choice<Unit>(
        "SizeUnit", "switch.buffer.size", "What Size counts.",
        [](Settings& settings) -> Unit& { return settings.network_switch.buffer.size.unit; }, Unit::Frame,
        ns3::MakeEnumChecker(Number(Unit::Frame), "frames", Number(Unit::Byte), "bytes", Number(Unit::Cell), "cells"));
    to.Count<std::int64_t>(
        "Cell", "switch.buffer.cell", "Memory is handed out in cells of so many bytes; 0: it is not.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.buffer.cell.count; }, 0, 0, INT64_MAX);
    to.Count<std::int64_t>(
        "CellHeader", "switch.buffer.cell_header", "Bytes stored with each frame, where there are cells.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.buffer.cell_header.count; }, 0, 0,
        INT64_MAX);
    to.Add(
        "Descriptors", "switch.buffer.descriptors", "Frames that the memory holds at most, however small; 0: no limit.",
        ns3::UintegerValue(0), ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX),
        [](Settings& settings, const ns3::UintegerValue& value) {
            settings.network_switch.buffer.descriptors.reset();
            if (value.Get() > 0) settings.network_switch.buffer.descriptors = static_cast<std::int64_t>(value.Get());
            return true;
        },
        [](Settings& settings) {
            return ns3::UintegerValue(
                static_cast<std::uint64_t>(settings.network_switch.buffer.descriptors.value_or(0)));
        });
    to.Count<int>(
        "Slices", "switch.buffer.slices", "Groups of ports among which the memory is split.",
        [](Settings& settings) -> int& { return settings.network_switch.buffer.slices; }, 1, 1, 1024);
    to.Memory("Reserved", "switch.buffer.reserved", "Bytes of each queue alone, beside Size.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.reserved; });
    to.Fraction(
        "Alpha", "switch.buffer.alpha", "Of the dynamic thresholds; taken to a thousandth, or a 1024th.",
        [](Settings& settings) -> Ratio& { return settings.network_switch.buffer.alpha; }, 1, 0.001, 1e6);
    to.Memory("Excess", "switch.buffer.excess", "Bytes that a queue may take above its enhanced dynamic threshold.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.excess; });
    to.Add(
        "MaxSize", "switch.buffer.size",
        "Size and SizeUnit in one, in frames (\"100p\") or bytes (\"1MB\"); 0B: as Size says.",
        ns3::QueueSizeValue(ns3::QueueSize("0B")), ns3::MakeQueueSizeChecker(),
        [](Settings& settings, const ns3::QueueSizeValue& value) {
            if (value.Get().GetValue() > 0) settings.network_switch.buffer.size = SizeOf(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::QueueSizeValue(QueueSizeOf(settings.network_switch.buffer.size)); });
    using Accounting = Buffer::Accounting;
    to.Choice<Accounting>(
        "Accounting", "switch.buffer.accounting",
        "Whose queues share the memory: those of the outputs, of the inputs, or a frame needs room on either side.",
        [](Settings& settings) -> Accounting& { return settings.network_switch.buffer.accounting; }, Accounting::Egress,
        ns3::MakeEnumChecker(Number(Accounting::Egress), "egress", Number(Accounting::Ingress), "ingress",
                             Number(Accounting::Both), "both"));
    to.Count<int>(
        "Queues", "switch.buffer.queues", "Traffic classes of a port; all frames belong to one.",
        [](Settings& settings) -> int& { return settings.network_switch.buffer.queues; }, 1, 1, 64);
    to.Flag("QueueSplit", "switch.buffer.queue_split",
            "Each traffic class has its share of the memory, Size / Queues, and no more.",
            [](Settings& settings) -> bool& { return settings.network_switch.buffer.queue_split; });
    to.Resume(
        "Resume", "switch.buffer.resume",
        "After a drop a queue takes no frame until it has fallen to this, \"20000B\", or to this part of what it held, "
        "\"50%\"; empty: it takes the next.",
        [](Settings& settings) -> std::string& { return settings.resume; },
        [](Settings& settings) -> std::optional<ResumeLevel>& { return settings.network_switch.buffer.resume; });
    to.Resume(
        "DescriptorsResume", "switch.buffer.descriptors_resume",
        "Resume after a drop for want of a descriptor; empty: the same.",
        [](Settings& settings) -> std::string& { return settings.descriptors_resume; },
        [](Settings& settings) -> std::optional<ResumeLevel>& {
            return settings.network_switch.buffer.descriptors_resume;
        });
    using Release = Buffer::Release;
    to.Choice<Release>(
        "Release", "switch.buffer.release",
        "When a frame gives its memory back: when its last bit has left or its first leaves.",
        [](Settings& settings) -> Release& { return settings.network_switch.buffer.release; }, Release::End,
        ns3::MakeEnumChecker(Number(Release::End), "end", Number(Release::Start), "start"));
    to.Amount("WredFrom", "switch.buffer.wred_from", "Random early detection begins where a queue holds this.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.wred_from; });
    to.Amount("WredTo", "switch.buffer.wred_to",
              "Random early detection is certain once a queue holds this, the K of DCTCP if WredFrom is the same; 0B: "
              "there is none.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.wred_to; });
    to.Fraction(
        "WredProbability", "switch.buffer.wred_probability",
        "Of random early detection just below WredTo; taken to a thousandth.",
        [](Settings& settings) -> Ratio& { return settings.network_switch.buffer.wred_probability; }, 0, 0, 1);
    to.Flag(
        "Ecn", "switch.buffer.ecn",
        "Random early detection marks IP packets of senders that answer to it (RFC 3168) and drops the others only.",
        [](Settings& settings) -> bool& { return settings.network_switch.buffer.ecn; });
}

void AddFlowControl(WatershedAttributeTable& to) {
    using Kind = FlowControl::Kind;
    to.Choice<Kind>(
        "FlowControl", "switch.flow_control.kind",
        "What stops the senders of a full input: nothing, PAUSE (IEEE 802.3x) or priority flow control (802.1Qbb).",
        [](Settings& settings) -> Kind& { return settings.network_switch.flow_control.kind; }, Kind::None,
        ns3::MakeEnumChecker(Number(Kind::None), "none", Number(Kind::Pause), "pause", Number(Kind::Pfc), "pfc"));
    to.Amount("Xoff", "switch.flow_control.xoff", "An input that holds more tells its sender to pause.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.flow_control.xoff; });
    to.Amount("Xon", "switch.flow_control.xon", "An input that holds no more than this tells its sender to go on.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.flow_control.xon; });
    AddOptionalAlpha(
        to, "PauseAlpha", "switch.flow_control.alpha",
        "In place of Xoff and Xon: an input pauses its sender at so many times what is free of the memory, to a "
        "thousandth; 0: at Xoff.",
        [](Settings& settings) -> std::optional<Ratio>& { return settings.network_switch.flow_control.alpha; });
    to.Amount("XonOffset", "switch.flow_control.xon_offset",
              "With PauseAlpha: and lets it go on so far below that, or when empty.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.flow_control.xon_offset; });
    to.Flag("XonFixed", "switch.flow_control.xon_fixed",
            "With PauseAlpha: XonOffset is below what the input held when it paused, not below what its threshold has "
            "become.",
            [](Settings& settings) -> bool& { return settings.network_switch.flow_control.xon_fixed; });
    to.Count<std::int64_t>(
        "PauseQuanta", "switch.flow_control.quanta",
        "Length of a pause in 512 bit times; renewed after half of it while it is needed.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.flow_control.quanta; }, 65535, 1,
        65535);
    to.Flag(
        "ObeysPause", "switch.obeys_pause",
        "Its ports stop when the other end, a switch, tells them to by PAUSE or priority flow control.",
        [](Settings& settings) -> bool& { return settings.network_switch.obeys_pause; }, true);
    to.Add(
        "PauseReaction", "switch.pause_reaction", "From the end of a frame that tells a port to pause to its effect.",
        ns3::TimeValue(ns3::Time(0)), ns3::MakeTimeChecker(ns3::Time(0)),
        [](Settings& settings, const ns3::TimeValue& value) {
            settings.network_switch.pause_reaction = FromNs3(value.Get());
            return true;
        },
        [](Settings& settings) { return ns3::TimeValue(ToNs3(settings.network_switch.pause_reaction)); });
    to.Amount("Headroom", "switch.buffer.headroom",
              "Of each input, beside Size, for frames that come although their sender was told to pause.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.headroom; });
    AddOptionalSize(
        to, "HeadroomPool", "switch.buffer.headroom_pool",
        "What the headroom of all inputs is taken from, split by Slices; 0B: each input has its own.",
        [](Settings& settings) -> std::optional<MemorySize>& { return settings.network_switch.buffer.headroom_pool; });
}

void AddEgress(WatershedAttributeTable& to) {
    AddOptionalSize(
        to, "PortLimit", "switch.buffer.port_limit",
        "What all queues of a port may hold together, outputs or inputs as Accounting says; 0B: no limit.",
        [](Settings& settings) -> std::optional<MemorySize>& { return settings.network_switch.buffer.port_limit; });
    AddOptionalSize(
        to, "EgressSize", "switch.buffer.egress_size",
        "With Accounting both: the memory that outputs count in; 0B: as large as Size.",
        [](Settings& settings) -> std::optional<MemorySize>& { return settings.network_switch.buffer.egress_size; });
    AddOptionalAlpha(
        to, "EgressAlpha", "switch.buffer.egress_alpha",
        "Of the dynamic thresholds of the outputs in EgressSize, to a thousandth; 0: they have none.",
        [](Settings& settings) -> std::optional<Ratio>& { return settings.network_switch.buffer.egress_alpha; });
    to.Memory("EgressReserved", "switch.buffer.egress_reserved",
              "Bytes of each output's queue alone, beside EgressSize.",
              [](Settings& settings) -> MemorySize& { return settings.network_switch.buffer.egress_reserved; });
    to.Count<std::int64_t>(
        "EgressPipeline", "switch.buffer.egress_pipeline",
        "Frames of each output that are on their way out and take no memory any more.",
        [](Settings& settings) -> std::int64_t& { return settings.network_switch.buffer.egress_pipeline; }, 0, 0,
        1'000'000);
}

}  // namespace

const std::vector<WatershedSwitchAttribute>& watershed_switch_attributes() {
    static const std::vector<WatershedSwitchAttribute> all = [] {
        WatershedAttributeTable attributes;
        for (const auto add : {AddPorts, AddTimes, AddInside, AddClasses, AddMemory, AddFlowControl, AddEgress})
            add(attributes);
        return attributes.all;
    }();
    return all;
}

std::string WithAttributes(std::string text) {
    // The longest key first, because some begin as others do.
    const WatershedSwitchAttribute* found = nullptr;
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
        if (each.key.rfind("switch.", 0) == 0 && text.find(each.key) != std::string::npos &&
            (!found || each.key.size() > found->key.size()))
            found = &each;
    if (!found) return text;
    text.replace(text.find(found->key), found->key.size(), found->name);
    return WithAttributes(text);
}

}  // namespace watershed
