// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-switch.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>
#include <ns3/ethernet-header.h>
#include <ns3/integer.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include "model/ns3/core/watershed-fragment-frame.h"
#include "model/ns3/core/watershed-pause-frame.h"
#include "model/switch/early-drop.h"

namespace watershed {

ns3::LogComponent WatershedSwitch::g_log("WatershedSwitch", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedSwitch);

namespace {
template <class Enum>
int Number(Enum value) {
    return static_cast<int>(value);
}

/// Of an enumeration kept as a number: ns-3 3.43 must be told that it is an int, 3.37 cannot be.
template <class Member>
auto NumberAccessor(Member member, int) -> decltype(ns3::MakeEnumAccessor<int>(member)) {
    return ns3::MakeEnumAccessor<int>(member);
}
template <class Member>
auto NumberAccessor(Member member, long) {
    return ns3::MakeEnumAccessor(member);
}

/// Of the names of the registered policies.
class SharingChecker : public ns3::AttributeChecker {
  public:
    bool Check(const ns3::AttributeValue& value) const override {
        const auto* text = dynamic_cast<const ns3::StringValue*>(&value);
        const auto& all = Sharing::all();
        return text && std::any_of(all.begin(), all.end(), [&](Sharing each) { return text->Get() == each->name; });
    }
    std::string GetValueTypeName() const override { return "ns3::StringValue"; }
    bool HasUnderlyingTypeInformation() const override { return true; }
    std::string GetUnderlyingTypeInformation() const override {
        std::string names;
        for (const Sharing each : Sharing::all()) names += (names.empty() ? "" : "|") + std::string(each->name);
        return names;
    }
    ns3::Ptr<ns3::AttributeValue> Create() const override { return ns3::Create<ns3::StringValue>(); }
    bool Copy(const ns3::AttributeValue& source, ns3::AttributeValue& destination) const override {
        const auto* from = dynamic_cast<const ns3::StringValue*>(&source);
        auto* to = dynamic_cast<ns3::StringValue*>(&destination);
        if (from && to) *to = *from;
        return from && to;
    }
};
/// An attribute that counts when the memory is made. Later it is refused, and not just ignored.
class BeforeRun : public ns3::AttributeAccessor {
  public:
    explicit BeforeRun(ns3::Ptr<const ns3::AttributeAccessor> inner) : m_inner(inner) {}
    bool Set(ns3::ObjectBase* object, const ns3::AttributeValue& value) const override {
        const auto* self = dynamic_cast<const WatershedSwitch*>(object);
        if (self && self->HasMemory()) {
            NS_FATAL_ERROR_CONT(
                "the memory of a WatershedSwitch is made when the run begins: its attributes can only be set before");
            return false;
        }
        return m_inner->Set(object, value);
    }
    bool Get(const ns3::ObjectBase* object, ns3::AttributeValue& value) const override {
        return m_inner->Get(object, value);
    }
    bool HasGetter() const override { return m_inner->HasGetter(); }
    bool HasSetter() const override { return m_inner->HasSetter(); }

  private:
    ns3::Ptr<const ns3::AttributeAccessor> m_inner;
};

ns3::Ptr<const ns3::AttributeAccessor> Before(ns3::Ptr<const ns3::AttributeAccessor> accessor) {
    return ns3::Create<BeforeRun>(accessor);
}

MemorySize SizeOf(const ns3::QueueSize& size) {
    return {static_cast<std::int64_t>(size.GetValue()),
            size.GetUnit() == ns3::QueueSizeUnit::BYTES ? MemorySize::Unit::Byte : MemorySize::Unit::Frame};
}

Ratio Thousandths(double number) { return {std::llround(number * 1000), 1000}; }

/// "50%" or "15000B"; nothing for none. @return false if it is neither
bool ReadResume(const std::string& text, std::optional<ResumeLevel>& level) {
    level.reset();
    if (text.empty()) return true;
    if (text.back() != '%') {
        level = SizeOf(ns3::QueueSize(text));
        return true;
    }
    const std::string digits = text.substr(0, text.size() - 1);
    if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos ||
        std::stoi(digits) > 100)
        return false;
    level = Ratio{std::stoi(digits), 100};
    return true;
}

/// What an error says of a scenario's keys, for one who sets attributes.
std::string WithAttributes(std::string text) {
    static constexpr std::pair<const char*, const char*> kNames[] = {
        {"switch.buffer.size", "Size"},         {"switch.buffer.reserved", "Reserved"},
        {"switch.buffer.excess", "Excess"},     {"switch.buffer.cell", "Cell"},
        {"switch.buffer.headroom", "Headroom"}, {"switch.buffer.wred_from", "WredFrom"},
        {"switch.buffer.wred_to", "WredTo"},    {"switch.buffer.resume", "Resume"},
        {"switch.flow_control.xoff", "Xoff"},   {"switch.flow_control.xon_offset", "XonOffset"},
        {"switch.flow_control.xon", "Xon"}};
    for (const auto& [key, attribute] : kNames)
        if (const auto at = text.find(key); at != std::string::npos)
            text.replace(at, std::string(key).size(), attribute);
    return text;
}

/// The bridge among whose ports a device is, or null.
ns3::Ptr<ns3::BridgeNetDevice> BridgeOf(const ns3::Ptr<ns3::NetDevice>& device) {
    const auto node = device->GetNode();
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
        if (const auto bridge = ns3::DynamicCast<ns3::BridgeNetDevice>(node->GetDevice(i)))
            for (std::uint32_t port = 0; port < bridge->GetNBridgePorts(); ++port)
                if (bridge->GetBridgePort(port) == device) return bridge;
    return nullptr;
}

/// Adds the devices at the other ends of a device's cable.
void AddFarEnds(const ns3::Ptr<ns3::NetDevice>& device, std::vector<ns3::Ptr<ns3::NetDevice>>& ends) {
    const auto channel = device->GetChannel();
    for (std::size_t i = 0; channel && i < channel->GetNDevices(); ++i)
        if (channel->GetDevice(i) != device) ends.push_back(channel->GetDevice(i));
}
}  // namespace

ns3::TypeId WatershedSwitch::GetTypeId() {
    using Unit = MemorySize::Unit;
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedSwitch")
            .SetParent<ns3::BridgeNetDevice>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedSwitch>()
            .AddAttribute("Latency", "From a frame's last bit in to its first bit out, where nothing is queued.",
                          ns3::TimeValue(ns3::Time(0)), ns3::MakeTimeAccessor(&WatershedSwitch::m_latency),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("ArrivalOrder", "Which of the frames that arrive at the same instant asks for memory first.",
                          ns3::EnumValue(Number(ArrivalOrder::Module)),
                          NumberAccessor(&WatershedSwitch::m_arrivalOrder, 0),
                          ns3::MakeEnumChecker(Number(ArrivalOrder::Module), "module", Number(ArrivalOrder::Rotating),
                                               "rotating", Number(ArrivalOrder::Random), "random"))
            .AddAttribute("Seed", "Of the random arrival order.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_seed),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Sharing", "The policy by which ports share the memory.",
                          ns3::StringValue(Sharing::Shared->name),
                          Before(ns3::MakeStringAccessor(&WatershedSwitch::m_sharing)), ns3::Create<SharingChecker>())
            .AddAttribute("Size", "The whole memory if it is shared, or each port's own.", ns3::UintegerValue(1000),
                          Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_size)),
                          ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX))
            .AddAttribute("SizeUnit", "What Size counts.", ns3::EnumValue(Number(Unit::Frame)),
                          Before(NumberAccessor(&WatershedSwitch::m_sizeUnit, 0)),
                          ns3::MakeEnumChecker(Number(Unit::Frame), "frames", Number(Unit::Byte), "bytes",
                                               Number(Unit::Cell), "cells"))
            .AddAttribute("BufferOverhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.",
                          ns3::IntegerValue(4), ns3::MakeIntegerAccessor(&WatershedSwitch::m_bufferOverhead),
                          ns3::MakeIntegerChecker<std::int64_t>())
            .AddAttribute("Cell", "Memory is handed out in cells of so many bytes; 0: it is not.",
                          ns3::UintegerValue(0), Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_cell)),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("CellHeader", "Bytes stored with each frame, where there are cells.", ns3::UintegerValue(0),
                          Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_cellHeader)),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Descriptors", "Frames that the memory holds at most, however small; 0: no limit.",
                          ns3::UintegerValue(0), Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_descriptors)),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Slices", "Groups of ports among which the memory is split.", ns3::UintegerValue(1),
                          Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_slices)),
                          ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("Reserved", "Bytes of each queue alone, beside Size.", ns3::UintegerValue(0),
                          Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_reserved)),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Alpha", "Of the dynamic thresholds; taken to a thousandth.", ns3::DoubleValue(1),
                          Before(ns3::MakeDoubleAccessor(&WatershedSwitch::m_alpha)),
                          ns3::MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("Excess", "Bytes that a queue may take above its enhanced dynamic threshold.",
                          ns3::UintegerValue(0), Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_excess)),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute(
                "MaxSize", "Size and SizeUnit in one, in frames (\"100p\") or bytes (\"1MB\"); 0B: as Size says.",
                ns3::QueueSizeValue(ns3::QueueSize("0B")),
                Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::SetMaxSize, &WatershedSwitch::GetMaxSize)),
                ns3::MakeQueueSizeChecker())
            .AddAttribute(
                "Accounting",
                "Whose queues share the memory: those of the outputs, of the inputs, or a frame needs room on either "
                "side.",
                ns3::EnumValue(Number(Buffer::Accounting::Egress)),
                Before(NumberAccessor(&WatershedSwitch::m_accounting, 0)),
                ns3::MakeEnumChecker(Number(Buffer::Accounting::Egress), "egress", Number(Buffer::Accounting::Ingress),
                                     "ingress", Number(Buffer::Accounting::Both), "both"))
            .AddAttribute("Queues", "Traffic classes of a port; all frames belong to one.", ns3::UintegerValue(1),
                          Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_queues)),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, 64))
            .AddAttribute("QueueSplit", "Each traffic class has its share of the memory, Size / Queues, and no more.",
                          ns3::BooleanValue(false), Before(ns3::MakeBooleanAccessor(&WatershedSwitch::m_queueSplit)),
                          ns3::MakeBooleanChecker())
            .AddAttribute("Resume",
                          "After a drop a queue takes no frame until it has fallen to this, \"20000B\", or to this "
                          "part of what it held, \"50%\"; empty: it takes the next.",
                          ns3::StringValue(""),
                          Before(ns3::MakeStringAccessor(&WatershedSwitch::SetResume, &WatershedSwitch::GetResume)),
                          ns3::MakeStringChecker())
            .AddAttribute("DescriptorsResume", "Resume after a drop for want of a descriptor; empty: the same.",
                          ns3::StringValue(""),
                          Before(ns3::MakeStringAccessor(&WatershedSwitch::SetDescriptorsResume,
                                                         &WatershedSwitch::GetDescriptorsResume)),
                          ns3::MakeStringChecker())
            .AddAttribute(
                "Release", "When a frame gives its memory back: when its last bit has left or its first leaves.",
                ns3::EnumValue(Number(Buffer::Release::End)), Before(NumberAccessor(&WatershedSwitch::m_releaseAt, 0)),
                ns3::MakeEnumChecker(Number(Buffer::Release::End), "end", Number(Buffer::Release::Start), "start"))
            .AddAttribute("WredFrom", "Random early detection begins where a queue holds this.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_wredFrom)), ns3::MakeQueueSizeChecker())
            .AddAttribute("WredTo",
                          "Random early detection is certain once a queue holds this, the K of DCTCP if WredFrom is "
                          "the same; 0B: there is none.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_wredTo)), ns3::MakeQueueSizeChecker())
            .AddAttribute("WredProbability", "Of random early detection just below WredTo; taken to a thousandth.",
                          ns3::DoubleValue(0), Before(ns3::MakeDoubleAccessor(&WatershedSwitch::m_wredProbability)),
                          ns3::MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Ecn",
                          "Random early detection marks IP packets of senders that answer to it (RFC 3168) and drops "
                          "the others only.",
                          ns3::BooleanValue(false), Before(ns3::MakeBooleanAccessor(&WatershedSwitch::m_ecn)),
                          ns3::MakeBooleanChecker())
            .AddAttribute(
                "FlowControl",
                "What stops the senders of a full input, and the switch itself if it is told to: nothing, PAUSE (IEEE "
                "802.3x) or priority flow control (802.1Qbb).",
                ns3::EnumValue(Number(FlowControl::Kind::None)),
                Before(NumberAccessor(&WatershedSwitch::m_flowControl, 0)),
                ns3::MakeEnumChecker(Number(FlowControl::Kind::None), "none", Number(FlowControl::Kind::Pause), "pause",
                                     Number(FlowControl::Kind::Pfc), "pfc"))
            .AddAttribute("Xoff", "An input that holds more tells its sender to pause.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_xoff)), ns3::MakeQueueSizeChecker())
            .AddAttribute("Xon", "An input that holds no more than this tells its sender to go on.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_xon)), ns3::MakeQueueSizeChecker())
            .AddAttribute("PauseAlpha",
                          "In place of Xoff and Xon: an input pauses its sender at so many times what is free of the "
                          "memory, to a thousandth; 0: at Xoff.",
                          ns3::DoubleValue(0), Before(ns3::MakeDoubleAccessor(&WatershedSwitch::m_pauseAlpha)),
                          ns3::MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("XonOffset", "With PauseAlpha: and lets it go on so far below that, or when empty.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_xonOffset)),
                          ns3::MakeQueueSizeChecker())
            .AddAttribute("PauseQuanta",
                          "Length of a pause in 512 bit times; renewed after half of it while it is needed.",
                          ns3::UintegerValue(65535), Before(ns3::MakeUintegerAccessor(&WatershedSwitch::m_quanta)),
                          ns3::MakeUintegerChecker<std::uint16_t>(1))
            .AddAttribute("Headroom",
                          "Of each input, beside Size, for frames that come although their sender was told to pause.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")),
                          Before(ns3::MakeQueueSizeAccessor(&WatershedSwitch::m_headroom)), ns3::MakeQueueSizeChecker())
            .AddTraceSource("Enqueue", "A frame was given memory.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_enqueue),
                            "watershed::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Dequeue", "A frame has left and gave its memory back.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_dequeue),
                            "watershed::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Drop", "A frame was lost: its input, the output it was for, or kNoPort, and why.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_drop),
                            "watershed::WatershedSwitch::DropTracedCallback")
            .AddTraceSource("Occupancy", "Frames and bytes in memory, after each change.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_occupancy),
                            "watershed::WatershedSwitch::OccupancyTracedCallback")
            .AddTraceSource("PortOccupancy",
                            "Frames and bytes that wait for this port or are being sent by it, after each change.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_portOccupancy),
                            "watershed::WatershedSwitch::PortOccupancyTracedCallback")
            .AddTraceSource("Mark", "Congestion was marked in a frame.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_mark),
                            "watershed::WatershedSwitch::MarkTracedCallback")
            .AddTraceSource(
                "Pause", "The sender on this input is told to pause for so many quanta, or to go on if there are none.",
                ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_pause),
                "watershed::WatershedSwitch::PauseTracedCallback");
    return tid;
}

ns3::Ptr<WatershedSwitch> WatershedSwitch::Of(const ns3::Ptr<ns3::Node>& node) {
    for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
        if (const auto found = ns3::DynamicCast<WatershedSwitch>(node->GetDevice(i))) return found;
    return node->GetObject<WatershedSwitch>();
}

void WatershedSwitch::AddInput(ns3::Ptr<WatershedNetDevice> device) {
    NS_ABORT_MSG_UNLESS(m_uplinks.empty(), "add the inputs before the uplinks");
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
}

void WatershedSwitch::AddUplink(ns3::Ptr<WatershedNetDevice> device) {
    device->SetFrameHandler(this, Inputs() + static_cast<std::uint32_t>(m_uplinks.size()));
    m_uplinks.emplace_back().device = device;
}

void WatershedSwitch::AddPort(ns3::Ptr<WatershedNetDevice> device) {
    NS_ABORT_MSG_UNLESS(m_learns || (m_inputs.empty() && m_uplinks.empty()),
                        "a WatershedSwitch has ports, or inputs and uplinks, not both");
    NS_ABORT_MSG_UNLESS(GetNode(), "a WatershedSwitch is a device of its node before it has ports: Node::AddDevice()");
    NS_ABORT_MSG_IF(HasMemory(), "a WatershedSwitch has all its ports when the run begins");
    m_learns = true;
    AddBridgePort(device);
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
    m_uplinks.emplace_back().device = device;
}

bool WatershedSwitch::SetMaxSize(ns3::QueueSize size) {
    if (size.GetValue() == 0) return true;
    m_size = size.GetValue();
    m_sizeUnit = Number(SizeOf(size).unit);
    return true;
}

ns3::QueueSize WatershedSwitch::GetMaxSize() const {
    if (m_sizeUnit == Number(MemorySize::Unit::Cell)) return ns3::QueueSize("0B");
    return {m_sizeUnit == Number(MemorySize::Unit::Byte) ? ns3::QueueSizeUnit::BYTES : ns3::QueueSizeUnit::PACKETS,
            static_cast<std::uint32_t>(m_size)};
}

bool WatershedSwitch::SetResume(std::string level) {
    m_resume = level;
    return ReadResume(level, m_resumeLevel);
}

bool WatershedSwitch::SetDescriptorsResume(std::string level) {
    m_descriptorsResume = level;
    return ReadResume(level, m_descriptorsResumeLevel);
}

Buffer WatershedSwitch::DescribedBuffer() const {
    const auto bytes = [](std::uint64_t amount) {
        return MemorySize{static_cast<std::int64_t>(amount), MemorySize::Unit::Byte};
    };
    Buffer buffer;
    buffer.sharing = Sharing::named(m_sharing);
    buffer.size = {static_cast<std::int64_t>(m_size), static_cast<MemorySize::Unit>(m_sizeUnit)};
    buffer.cell = Bytes{static_cast<std::int64_t>(m_cell)};
    buffer.cell_header = Bytes{static_cast<std::int64_t>(m_cellHeader)};
    if (m_descriptors > 0) buffer.descriptors = static_cast<std::int64_t>(m_descriptors);
    buffer.slices = static_cast<int>(m_slices);
    buffer.reserved = bytes(m_reserved);
    buffer.alpha = Thousandths(m_alpha);
    buffer.excess = bytes(m_excess);
    buffer.accounting = static_cast<Buffer::Accounting>(m_accounting);
    buffer.queues = static_cast<int>(m_queues);
    buffer.queue_split = m_queueSplit;
    buffer.resume = m_resumeLevel;
    buffer.descriptors_resume = m_descriptorsResumeLevel;
    buffer.release = static_cast<Buffer::Release>(m_releaseAt);
    buffer.wred_from = SizeOf(m_wredFrom);
    buffer.wred_to = SizeOf(m_wredTo);
    buffer.wred_probability = Thousandths(m_wredProbability);
    buffer.ecn = m_ecn;
    if (m_flowControl != Number(FlowControl::Kind::None)) buffer.headroom = SizeOf(m_headroom);
    return buffer;
}

FlowControl WatershedSwitch::DescribedFlowControl() const {
    FlowControl control;
    control.kind = static_cast<FlowControl::Kind>(m_flowControl);
    control.xoff = SizeOf(m_xoff);
    control.xon = SizeOf(m_xon);
    control.xon_offset = SizeOf(m_xonOffset);
    control.quanta = m_quanta;
    if (m_pauseAlpha > 0) control.alpha = Thousandths(m_pauseAlpha);
    return control;
}

void WatershedSwitch::MakeMemory() {
    const Buffer buffer = DescribedBuffer();
    const FlowControl control = DescribedFlowControl();
    const int ports = static_cast<int>(m_inputs.size());
    NS_ABORT_MSG_IF(m_wredFrom.GetUnit() == m_wredTo.GetUnit() && m_wredFrom > m_wredTo,
                    "WatershedSwitch: WredFrom is above WredTo");
    NS_ABORT_MSG_IF(m_ecn && m_wredTo.GetValue() == 0,
                    "WatershedSwitch: Ecn marks where random early detection would drop: set WredTo");
    std::string
        wrong;  // told outside of the handler, where ns-3's end of the program does not repeat it in other words
    try {
        m_memory = make_switch_memory(buffer, ports, static_cast<int>(m_uplinks.size()));
        if (buffer.wred_to.amount > 0) m_earlyDrop = buffer;
        m_release = buffer.release;
        if (control.kind == FlowControl::Kind::None) return;
        NS_ABORT_MSG_UNLESS(m_learns, "WatershedSwitch: FlowControl is between ports in both directions: AddPort()");
        NS_ABORT_MSG_IF(control.xoff.amount == 0 && !control.alpha,
                        "WatershedSwitch: FlowControl needs Xoff or PauseAlpha");
        NS_ABORT_MSG_IF(m_xon.GetUnit() == m_xoff.GetUnit() && m_xon > m_xoff, "WatershedSwitch: Xon is above Xoff");
        BitRate fastest{0};  // whose pauses end first
        for (const auto& device : m_inputs) fastest = std::max(fastest, device->GetRate());
        m_pauses.emplace(control, fastest, ports, m_memory->units());
    } catch (const std::invalid_argument& error) {
        wrong = WithAttributes(error.what());
    }
    NS_ABORT_MSG_UNLESS(wrong.empty(), "WatershedSwitch: " << wrong);
}

std::int64_t WatershedSwitch::AssignStreams(std::int64_t stream) {
    m_random->SetStream(stream);
    return 1;
}

bool WatershedSwitch::IsInLoop() const {
    for (const auto& port : m_inputs) {
        std::set<ns3::Ptr<ns3::BridgeNetDevice>> seen;
        std::vector<ns3::Ptr<ns3::NetDevice>> ends;
        AddFarEnds(port, ends);
        while (!ends.empty()) {
            const auto end = ends.back();
            ends.pop_back();
            const auto bridge = BridgeOf(end);
            if (ns3::PeekPointer(bridge) == this) return true;
            if (!bridge || !seen.insert(bridge).second) continue;
            for (std::uint32_t i = 0; i < bridge->GetNBridgePorts(); ++i)
                if (bridge->GetBridgePort(i) != end) AddFarEnds(bridge->GetBridgePort(i), ends);
        }
    }
    return false;
}

void WatershedSwitch::DoInitialize() {
    m_context = (GetNode() ? GetNode() : GetObject<ns3::Node>())->GetId();
    NS_ABORT_MSG_IF(m_inputs.empty() || m_uplinks.empty(), "a WatershedSwitch needs ports, or inputs and uplinks");
    NS_ABORT_MSG_IF(
        m_learns && IsInLoop(),
        "the WatershedSwitch of node "
            << m_context
            << " is part of a loop, in which a frame to all would go round for ever: there is no spanning tree");
    const int inputs = static_cast<int>(m_inputs.size());
    if (!m_memory) MakeMemory();
    if (!m_selector) {
        Switch turns;
        turns.uplinks = static_cast<int>(m_uplinks.size());
        FrontEnd front_end;
        front_end.modules = inputs;
        m_selector.emplace(turns, front_end);
    }
    m_own = ns3::Mac48Address::ConvertFrom(GetAddress());
    BridgeNetDevice::DoInitialize();
}

void WatershedSwitch::FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) {
    if (!m_learns && port >= Inputs()) return Drop(frame, port, kNoPort, kFromUplink);
    if (m_pauses)
        if (const auto quanta = ReadPauseFrame(*frame.GetPacket())) return Pause(port, *quanta, now.time);
    const auto id = frame.Identify();
    // Frames of no event stand where the modules port + 1 would in an event that is theirs.
    const ArrivalRank rank(static_cast<ArrivalOrder>(m_arrivalOrder), static_cast<int>(Inputs()), m_seed,
                           m_inputsBefore);
    const std::uint64_t place = rank(id ? id->event : EventOf(now), static_cast<int>(port) + 1);
    Await({now,
           What::Arrival,
           place,
           port,
           id ? id->event : 0,
           id ? id->module : static_cast<int>(port) + 1,
           std::move(frame),
           {}});
}

std::int64_t WatershedSwitch::EventOf(const Moment& now) {
    if (m_latest && *m_latest == now) return m_latestEvent;
    m_latest = now;
    m_latestEvent = m_arrivalOrder == Number(ArrivalOrder::Random)
                        ? static_cast<std::int64_t>(m_random->GetInteger(0, UINT32_MAX))
                        : m_latestEvent + 1;
    return m_latestEvent;
}

void WatershedSwitch::Await(Happening happening) {
    if (m_settling) {
        const auto later = std::upper_bound(m_batch.rbegin(), m_batch.rend(), happening);
        m_batch.insert(later.base(), std::move(happening));
        return;
    }
    m_batch.push_back(std::move(happening));
    if (m_batch.size() == 1) m_settle.Schedule(m_context, Time{0});
}

void WatershedSwitch::Settle() {
    m_settling = true;
    if (!std::is_sorted(m_batch.begin(), m_batch.end())) std::stable_sort(m_batch.begin(), m_batch.end());
    std::reverse(m_batch.begin(), m_batch.end());
    while (!m_batch.empty()) {
        Happening next = std::move(m_batch.back());
        m_batch.pop_back();
        Carry(next);
    }
    m_settling = false;
}

void WatershedSwitch::Carry(Happening& happening) {
    const Moment now = happening.moment;
    if (happening.what == What::Departure) return Depart(happening.port, now);
    if (happening.what == What::Release) return Release(happening.claim, now);
    if (happening.event != 0) m_sequence.deciding(happening.event, m_stored == 0);
    if (m_learns)
        Forward(happening.port, happening.frame, now);
    else
        Offer(happening.port, m_selector->next(static_cast<int>(happening.port), happening.module),
              std::move(happening.frame), now);
}

void WatershedSwitch::Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                           const LossCause& cause) {
    NS_LOG_LOGIC("node " << m_context << " drops a frame of " << frame.GetSize() << " B from port " << input
                         << " for port " << static_cast<std::int32_t>(output) << ": " << cause.reason);
    m_drop(frame.GetPacket(), input, output, cause);
}

void WatershedSwitch::Forward(std::uint32_t input, const WatershedFrame& frame, const Moment& now) {
    ns3::EthernetHeader header(false);
    frame.GetPacket()->PeekHeader(header);
    const ns3::Mac48Address from = header.GetSource(), to = header.GetDestination();
    if (!from.IsGroup()) Learn(from, m_inputs[input]);
    if ((to == m_own || to.IsGroup()) && !m_upcalls.receive.IsNull())
        ns3::Simulator::ScheduleWithContext(m_context, ns3::Time(0), &WatershedSwitch::DeliverToNode,
                                            ns3::Ptr<WatershedSwitch>(this), frame.GetPacket());
    if (to == m_own) return;
    if (const auto known = to.IsGroup() ? nullptr : GetLearnedState(to)) {
        const std::uint32_t output = ns3::DynamicCast<WatershedNetDevice>(known)->GetPort();
        if (output == input) return Drop(frame, input, kNoPort, kSamePort);
        return Offer(input, static_cast<int>(output), frame, now);
    }
    NS_LOG_LOGIC("node " << m_context << " sends a frame for " << to << " to all ports but " << input);
    // Elsewhere each port, or each group of ports, has memory of its own, or a port gives it up alone.
    const Sharing sharing = Sharing::named(m_sharing);
    const bool once = sharing->pools != SharingPolicy::Pools::PerOutput && !sharing->evicts && m_slices == 1;
    const auto copies = once ? std::make_shared<Copies>() : nullptr;
    for (std::uint32_t port = 0; port < Inputs(); ++port)
        if (port != input) Offer(input, static_cast<int>(port), frame, now, copies);
}

void WatershedSwitch::DeliverToNode(ns3::Ptr<const ns3::Packet> frame) { m_upcalls.Deliver(this, m_own, *frame); }

bool WatershedSwitch::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) {
    return SendFrom(packet, GetAddress(), dest, protocol);
}

bool WatershedSwitch::SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                               std::uint16_t protocol) {
    if (packet->GetSize() > GetMtu()) return false;
    const auto to = ns3::Mac48Address::ConvertFrom(dest);
    WrapInEthernet(*packet, ns3::Mac48Address::ConvertFrom(source), to, protocol);
    if (const auto known = to.IsGroup() ? nullptr : GetLearnedState(to)) {
        SendOwn(ns3::DynamicCast<WatershedNetDevice>(known)->GetPort(), packet, false, Now());
        return true;
    }
    for (std::uint32_t port = 0; port < Inputs(); ++port) SendOwn(port, packet, false, Now());
    return true;
}

void WatershedSwitch::SendOwn(std::uint32_t port, WatershedFrame frame, bool first, const Moment& now) {
    Uplink& uplink = UplinkAt(port);
    Stored own{std::move(frame), now, {}, nullptr, true};
    if (first)
        uplink.stored.insert(uplink.stored.begin() + (uplink.sending ? 1 : 0), std::move(own));
    else
        uplink.stored.push_back(std::move(own));
    SendHead(uplink, now);
}

const LossCause* WatershedSwitch::Ask(MemoryClaim& claim, const Copies* copies, const Moment& now) {
    if (copies && copies->claim) {  // there is room for it already
        const LossCause* cause = m_memory->refusal(claim);
        return cause && (*cause == SwitchMemory::kBufferFull || *cause == SwitchMemory::kDescriptors) ? nullptr : cause;
    }
    if (m_pauses) Order(claim.input, now);  // others may have taken what was free
    const LossCause* cause = m_memory->refusal(claim);
    if (!cause || *cause == SwitchMemory::kEarlyDrop || !m_pauses || !m_pauses->is_paused(claim.input)) return cause;
    claim.on_headroom = true;
    return m_memory->refusal(claim);
}

void WatershedSwitch::Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
                            const std::shared_ptr<Copies>& copies) {
    MemoryClaim claim{static_cast<int>(input), output, Bytes{frame.GetSize() + m_bufferOverhead}};
    if (m_earlyDrop) {
        const auto id = frame.Identify();
        claim.lot = id ? early_drop_lot(*m_earlyDrop, m_seed, *id, m_number)
                       : std::uint64_t{m_random->GetInteger(0, UINT32_MAX)} << 32;
        if (m_ecn) claim.can_be_marked = CanBeMarked(*frame.GetPacket());
    }
    m_lastActivity = now.time;
    const auto may_lose = [this](int queue) {
        const auto& stored = m_uplinks[static_cast<std::size_t>(queue)].stored;
        return stored.size() > 1 && !stored.back().is_own;
    };
    while (const auto queue = m_memory->gives_way(claim, may_lose)) PushOut(*queue, now);
    if (const LossCause* cause = Ask(claim, copies.get(), now)) {
        m_memory->drop(claim, *cause);
        return Drop(frame, input, PortOf(output), *cause);
    }
    if (m_ecn && m_memory->marks(claim)) {
        frame = MarkCongestion(*frame.GetPacket());
        m_mark(frame.GetPacket(), input, PortOf(output));
    }
    if (!m_enqueue.IsEmpty()) m_enqueue(frame.GetPacket(), input);
    if (!copies || !copies->claim) {
        m_memory->take(claim);
        TraceOccupancy(now, true);
    }
    if (copies) {
        if (!copies->claim) copies->claim = claim;
        claim = *copies->claim;
        ++copies->left;
    }
    Uplink& uplink = m_uplinks[static_cast<std::size_t>(output)];
    uplink.stored.push_back({std::move(frame), now + FromNs3(m_latency), claim, copies});
    Occupy(PortOf(output), uplink.stored.back(), +1);
    ++m_stored;
    if (m_pauses) Order(claim.input, now);
    SendHead(uplink, now);
}

void WatershedSwitch::Occupy(std::uint32_t port, const Stored& stored, int sign) {
    Uplink& uplink = UplinkAt(port);
    uplink.frames += sign;
    uplink.bytes += stored.claim.buffer * sign;
    if (!m_portOccupancy.IsEmpty()) m_portOccupancy(port, uplink.frames, uplink.bytes.count);
}

void WatershedSwitch::Order(int input, const Moment& now) {
    if (const auto quanta = m_pauses->order(input, *m_memory, now)) Tell(input, *quanta, now);
}

void WatershedSwitch::OrderPaused(const Moment& now) {
    for (int input = 0; input < static_cast<int>(Inputs()); ++input)
        if (m_pauses->is_paused(input)) Order(input, now);
}

void WatershedSwitch::Tell(int input, std::int64_t quanta, const Moment& now) {
    const auto number = static_cast<std::uint16_t>(quanta);
    const auto port = static_cast<std::uint32_t>(input);
    NS_LOG_LOGIC("node " << m_context << " tells the sender on port " << port << " to pause for " << number
                         << " quanta");
    m_pause(port, number);
    const auto own = ns3::Mac48Address::ConvertFrom(m_inputs[port]->GetAddress());
    SendOwn(port, MakePauseFrame(static_cast<FlowControl::Kind>(m_flowControl), own, number), true, now);
    if (quanta == 0) return;
    const Moment renewal = m_pauses->renewal(input);
    ns3::Simulator::Schedule(ToNs3Up(renewal.time - Now()), &WatershedSwitch::Renew, this, input, renewal);
}

void WatershedSwitch::Renew(int input, Moment at) {
    if (const auto quanta = m_pauses->renew(input, at)) Tell(input, *quanta, at);
}

void WatershedSwitch::Pause(std::uint32_t port, std::uint16_t quanta, Time now) {
    Uplink& uplink = UplinkAt(port);
    uplink.gate.order(now, quanta == 0 ? Time{0} : pause_length(uplink.device->GetRate(), quanta));
    PauseOver(port);
}

void WatershedSwitch::PauseOver(std::uint32_t port) {
    const Time now = Now();
    Uplink& uplink = UplinkAt(port);
    if (uplink.gate.is_open(now))
        SendHead(uplink, now);
    else
        ns3::Simulator::Schedule(ToNs3Up(uplink.gate.until() - now), &WatershedSwitch::PauseOver, this, port);
}

void WatershedSwitch::PushOut(int output, const Moment& now) {
    Uplink& uplink = m_uplinks[static_cast<std::size_t>(output)];
    const Stored gone = std::move(uplink.stored.back());
    uplink.stored.pop_back();
    --m_stored;
    Occupy(PortOf(output), gone, -1);
    m_memory->push_out(gone.claim);
    TraceOccupancy(now, false);
    Drop(gone.frame, static_cast<std::uint32_t>(gone.claim.input), PortOf(output), SwitchMemory::kPushedOut);
}

void WatershedSwitch::SendHead(Uplink& uplink, const Moment& now) {
    if (uplink.sending || uplink.stored.empty()) return;
    const Stored& head = uplink.stored.front();
    if (!head.is_own && !uplink.gate.is_open(now.time)) return;
    uplink.sending = true;
    const Moment begin = std::max(head.ready, now);
    uplink.device->SendFrame(head.frame, begin, now.time);
    if (m_release == Buffer::Release::End || !GivesBack(head)) return;
    // An uplink sends one frame at a time, so it is free and begins as soon as the frame is ready.
    if (begin.time > now.time)
        ns3::Simulator::Schedule(ToNs3(begin.time - now.time), &WatershedSwitch::ReleaseEarly, this, head.claim, begin);
    else if (begin > now)
        ReleaseEarly(head.claim, begin);
    else
        Release(head.claim, now);
}

void WatershedSwitch::ReleaseEarly(MemoryClaim claim, Moment now) {
    if (m_grid.ticks == 1) return Release(claim, now);
    Await({now, What::Release, 0, 0, 0, 0, {}, claim});
}

void WatershedSwitch::FrameLeft(std::uint32_t port, const Moment& now) {
    if (!IsUplink(port)) return;
    if (m_grid.ticks == 1) return Depart(port, now);  // nothing that comes later in this picosecond comes before
    Await({now, What::Departure, 0, port, 0, 0, {}, {}});
}

void WatershedSwitch::Depart(std::uint32_t port, const Moment& now) {
    Uplink& uplink = UplinkAt(port);
    const Stored sent = std::move(uplink.stored.front());
    uplink.stored.pop_front();
    uplink.sending = false;
    if (!sent.is_own) {
        m_lastActivity = now.time;
        if (!m_dequeue.IsEmpty()) m_dequeue(sent.frame.GetPacket(), static_cast<std::uint32_t>(sent.claim.input));
        Occupy(port, sent, -1);
        if (m_release == Buffer::Release::End && GivesBack(sent)) Release(sent.claim, now);
        --m_stored;
    }
    SendHead(uplink, now);
}

void WatershedSwitch::Release(MemoryClaim claim, const Moment& now) {
    m_memory->release(claim);
    TraceOccupancy(now, false);
    if (m_pauses) OrderPaused(now);
}

void WatershedSwitch::TraceOccupancy(const Moment& now, bool grew) {
    m_recovery.occupied(now.time, m_memory->frames(), grew);
    if (!m_occupancy.IsEmpty()) m_occupancy(m_memory->frames(), m_memory->bytes().count);
}

void WatershedSwitch::DoDispose() {
    m_settle.Cancel();
    m_inputs.clear();
    m_uplinks.clear();
    m_batch.clear();
    m_upcalls.Nullify();
    BridgeNetDevice::DoDispose();
}

}  // namespace watershed
