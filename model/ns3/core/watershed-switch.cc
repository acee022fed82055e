// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-switch.h"

#include <ns3/abort.h>
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
#include <tuple>

#include "model/switch/early-drop.h"
#include "model/ns3/core/watershed-fragment-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedSwitch);

namespace {
template <class Enum>
int Number(Enum value) { return static_cast<int>(value); }

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
}  // namespace

ns3::TypeId WatershedSwitch::GetTypeId() {
    using Unit = MemorySize::Unit;
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedSwitch")
            .SetParent<ns3::Object>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedSwitch>()
            .AddAttribute("Latency", "From a frame's last bit in to its first bit out, where nothing is queued.",
                          ns3::TimeValue(ns3::Time(0)), ns3::MakeTimeAccessor(&WatershedSwitch::m_latency),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("ArrivalOrder", "Which of the frames that arrive at the same instant asks for memory first.",
                          ns3::EnumValue(Number(ArrivalOrder::Module)), NumberAccessor(&WatershedSwitch::m_arrivalOrder, 0),
                          ns3::MakeEnumChecker(Number(ArrivalOrder::Module), "module", Number(ArrivalOrder::Rotating), "rotating",
                                               Number(ArrivalOrder::Random), "random"))
            .AddAttribute("Seed", "Of the random arrival order.", ns3::UintegerValue(1), ns3::MakeUintegerAccessor(&WatershedSwitch::m_seed),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Sharing", "The policy by which ports share the memory.", ns3::StringValue(Sharing::Shared->name),
                          ns3::MakeStringAccessor(&WatershedSwitch::m_sharing), ns3::Create<SharingChecker>())
            .AddAttribute("Size", "The whole memory if it is shared, or each port's own.", ns3::UintegerValue(1000),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_size), ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX))
            .AddAttribute("SizeUnit", "What Size counts.", ns3::EnumValue(Number(Unit::Frame)),
                          NumberAccessor(&WatershedSwitch::m_sizeUnit, 0),
                          ns3::MakeEnumChecker(Number(Unit::Frame), "frames", Number(Unit::Byte), "bytes", Number(Unit::Cell), "cells"))
            .AddAttribute("BufferOverhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.", ns3::IntegerValue(4),
                          ns3::MakeIntegerAccessor(&WatershedSwitch::m_bufferOverhead), ns3::MakeIntegerChecker<std::int64_t>())
            .AddAttribute("Cell", "Memory is handed out in cells of so many bytes; 0: it is not.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_cell), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("CellHeader", "Bytes stored with each frame, where there are cells.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_cellHeader), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Descriptors", "Frames that the memory holds at most, however small; 0: no limit.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_descriptors), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Slices", "Groups of ports among which the memory is split.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_slices), ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("Reserved", "Bytes of each queue alone, beside Size.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_reserved), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Alpha", "Of the dynamic thresholds; taken to a thousandth.", ns3::DoubleValue(1), ns3::MakeDoubleAccessor(&WatershedSwitch::m_alpha),
                          ns3::MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("Excess", "Bytes that a queue may take above its enhanced dynamic threshold.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedSwitch::m_excess), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddTraceSource("Enqueue", "A frame was given memory.", ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_enqueue),
                            "watershed::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Dequeue", "A frame has left and gave its memory back.", ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_dequeue),
                            "watershed::WatershedSwitch::FrameTracedCallback")
            .AddTraceSource("Drop", "A frame was lost, and why.", ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_drop),
                            "watershed::WatershedSwitch::DropTracedCallback")
            .AddTraceSource("Occupancy", "Frames and bytes in memory, after each change.",
                            ns3::MakeTraceSourceAccessor(&WatershedSwitch::m_occupancy), "watershed::WatershedSwitch::OccupancyTracedCallback");
    return tid;
}

void WatershedSwitch::AddInput(ns3::Ptr<WatershedNetDevice> device) {
    NS_ABORT_MSG_UNLESS(m_uplinks.empty(), "add the inputs before the uplinks");
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
}

void WatershedSwitch::AddUplink(ns3::Ptr<WatershedNetDevice> device) {
    device->SetFrameHandler(this, Inputs() + static_cast<std::uint32_t>(m_uplinks.size()));
    m_uplinks.push_back({device, {}});
}

void WatershedSwitch::AddPort(ns3::Ptr<WatershedNetDevice> device) {
    NS_ABORT_MSG_UNLESS(m_learns || (m_inputs.empty() && m_uplinks.empty()), "a switch has ports, or inputs and uplinks, not both");
    m_learns = true;
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
    m_uplinks.push_back({device, {}});
}

Buffer WatershedSwitch::DescribedBuffer() const {
    const auto bytes = [](std::uint64_t amount) { return MemorySize{static_cast<std::int64_t>(amount), MemorySize::Unit::Byte}; };
    Buffer buffer;
    buffer.sharing = Sharing::named(m_sharing);
    buffer.size = {static_cast<std::int64_t>(m_size), static_cast<MemorySize::Unit>(m_sizeUnit)};
    buffer.cell = Bytes{static_cast<std::int64_t>(m_cell)};
    buffer.cell_header = Bytes{static_cast<std::int64_t>(m_cellHeader)};
    if (m_descriptors > 0) buffer.descriptors = static_cast<std::int64_t>(m_descriptors);
    buffer.slices = static_cast<int>(m_slices);
    buffer.reserved = bytes(m_reserved);
    buffer.alpha = {std::llround(m_alpha * 1000), 1000};
    buffer.excess = bytes(m_excess);
    return buffer;
}

void WatershedSwitch::DoInitialize() {
    NS_ABORT_MSG_IF(m_inputs.empty() || m_uplinks.empty(), "a switch needs inputs and uplinks");
    const int inputs = static_cast<int>(m_inputs.size());
    if (!m_memory) m_memory = make_switch_memory(DescribedBuffer(), inputs, static_cast<int>(m_uplinks.size()));
    if (!m_selector) {
        Switch turns;
        turns.uplinks = static_cast<int>(m_uplinks.size());
        FrontEnd front_end;
        front_end.modules = inputs;
        m_selector.emplace(turns, front_end);
    }
    m_rank.emplace(static_cast<ArrivalOrder>(m_arrivalOrder), inputs, m_seed, m_inputsBefore);
    Object::DoInitialize();
}

void WatershedSwitch::FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) {
    if (!m_learns && port >= Inputs()) {
        m_drop(frame.GetPacket(), port, kFromUplink);
        return;
    }
    const auto id = frame.Identify();
    // A frame of no event stands where that of module port + 1 would in event 1.
    Await({now, What::Arrival, (*m_rank)(id ? id->event : 1, static_cast<int>(port) + 1), port, id ? id->event : 0, id ? id->module : static_cast<int>(port) + 1, std::move(frame), {}});
}

void WatershedSwitch::Await(Happening happening) {
    if (m_settling) {
        const auto later = std::upper_bound(m_batch.rbegin(), m_batch.rend(), happening);
        m_batch.insert(later.base(), std::move(happening));
        return;
    }
    m_batch.push_back(std::move(happening));
    if (m_batch.size() == 1) m_settle.Schedule(GetObject<ns3::Node>()->GetId(), Time{0});
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
        Offer(happening.port, m_selector->next(static_cast<int>(happening.port), happening.module), std::move(happening.frame), now);
}

void WatershedSwitch::Forward(std::uint32_t input, const WatershedFrame& frame, const Moment& now) {
    ns3::EthernetHeader header(false);
    frame.GetPacket()->PeekHeader(header);
    if (!header.GetSource().IsGroup()) m_learned[header.GetSource()] = input;
    const auto known = m_learned.find(header.GetDestination());
    if (known == m_learned.end()) {
        for (std::uint32_t port = 0; port < Inputs(); ++port)
            if (port != input) Offer(input, static_cast<int>(port), frame, now);
    } else if (known->second == input) {
        m_drop(frame.GetPacket(), input, kSamePort);
    } else {
        Offer(input, static_cast<int>(known->second), frame, now);
    }
}

void WatershedSwitch::Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now) {
    MemoryClaim claim{static_cast<int>(input), output, Bytes{frame.GetSize() + m_bufferOverhead}};
    if (m_earlyDrop)
        if (const auto id = frame.Identify()) claim.lot = early_drop_lot(*m_earlyDrop, m_seed, *id, m_number);
    m_lastActivity = now.time;
    const auto may_lose = [this](int queue) { return m_uplinks[static_cast<std::size_t>(queue)].stored.size() > 1; };
    while (const auto queue = m_memory->gives_way(claim, may_lose)) PushOut(m_uplinks[static_cast<std::size_t>(*queue)], now);
    if (const LossCause* cause = m_memory->admit(claim)) {
        m_drop(frame.GetPacket(), input, *cause);
        return;
    }
    if (!m_enqueue.IsEmpty()) m_enqueue(frame.GetPacket(), input);
    TraceOccupancy(now, true);
    Uplink& uplink = m_uplinks[static_cast<std::size_t>(output)];
    uplink.stored.push_back({std::move(frame), now + FromNs3(m_latency), claim});
    ++m_stored;
    if (uplink.stored.size() == 1) SendHead(uplink, now);
}

void WatershedSwitch::PushOut(Uplink& uplink, const Moment& now) {
    const Stored gone = std::move(uplink.stored.back());
    uplink.stored.pop_back();
    --m_stored;
    m_memory->push_out(gone.claim);
    TraceOccupancy(now, false);
    m_drop(gone.frame.GetPacket(), static_cast<std::uint32_t>(gone.claim.input), SwitchMemory::kPushedOut);
}

void WatershedSwitch::SendHead(Uplink& uplink, const Moment& now) {
    const Stored& head = uplink.stored.front();
    uplink.device->SendFrame(head.frame, head.ready, now.time);
    if (m_release == Buffer::Release::End) return;
    // An uplink sends one frame at a time, so it is free and begins as soon as the frame is ready.
    if (head.ready.time > now.time)
        ns3::Simulator::Schedule(ToNs3(head.ready.time - now.time), &WatershedSwitch::ReleaseEarly, this, head.claim, head.ready);
    else if (head.ready > now)
        ReleaseEarly(head.claim, head.ready);
    else
        Release(head.claim, now);
}

void WatershedSwitch::ReleaseEarly(MemoryClaim claim, Moment now) {
    if (m_grid.ticks == 1) return Release(claim, now);
    Await({now, What::Release, 0, 0, 0, 0, {}, claim});
}

void WatershedSwitch::FrameLeft(std::uint32_t port, const Moment& now) {
    if (!IsUplink(port)) return;
    if (m_grid.ticks == 1) return Depart(port, now);   // nothing that comes later in this picosecond comes before
    Await({now, What::Departure, 0, port, 0, 0, {}, {}});
}

void WatershedSwitch::Depart(std::uint32_t port, const Moment& now) {
    Uplink& uplink = UplinkAt(port);
    const Stored& sent = uplink.stored.front();
    m_lastActivity = now.time;
    if (!m_dequeue.IsEmpty()) m_dequeue(sent.frame.GetPacket(), static_cast<std::uint32_t>(sent.claim.input));
    if (m_release == Buffer::Release::End) Release(sent.claim, now);
    uplink.stored.pop_front();
    --m_stored;
    if (!uplink.stored.empty()) SendHead(uplink, now);
}

void WatershedSwitch::Release(MemoryClaim claim, const Moment& now) {
    m_memory->release(claim);
    TraceOccupancy(now, false);
}

void WatershedSwitch::TraceOccupancy(const Moment& now, bool grew) {
    m_recovery.occupied(now.time, m_memory->frames(), grew);
    if (!m_occupancy.IsEmpty()) m_occupancy(m_memory->frames(), m_memory->bytes().count);
}

void WatershedSwitch::DoDispose() {
    m_settle.Cancel();
    m_inputs.clear();
    m_uplinks.clear();
    Object::DoDispose();
}

}  // namespace watershed
