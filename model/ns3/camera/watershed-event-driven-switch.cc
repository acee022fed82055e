// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-event-driven-switch.h"

#include <ns3/abort.h>
#include <ns3/integer.h>
#include <ns3/trace-source-accessor.h>

#include <utility>

#include "model/exact/time-grid.h"
#include "model/ns3/camera/watershed-copy-tag.h"
#include "model/ns3/frame/watershed-pause-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedEventDrivenSwitch);

ns3::TypeId WatershedEventDrivenSwitch::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedEventDrivenSwitch")
            .SetParent<ns3::Object>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedEventDrivenSwitch>()
            .AddAttribute("BufferOverhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.",
                          ns3::IntegerValue(4), ns3::MakeIntegerAccessor(&WatershedEventDrivenSwitch::m_bufferOverhead),
                          ns3::MakeIntegerChecker<std::int64_t>())
            .AddTraceSource("Dequeue", "A frame that came in by this input begins its way out.",
                            ns3::MakeTraceSourceAccessor(&WatershedEventDrivenSwitch::m_dequeue),
                            "watershed::WatershedEventDrivenSwitch::FrameTracedCallback")
            .AddTraceSource("Drop", "A frame was lost: its input, the output it was for, or kNoPort, and why.",
                            ns3::MakeTraceSourceAccessor(&WatershedEventDrivenSwitch::m_drop),
                            "watershed::WatershedEventDrivenSwitch::DropTracedCallback")
            .AddTraceSource("Occupancy", "Frames and bytes in memory, after each change.",
                            ns3::MakeTraceSourceAccessor(&WatershedEventDrivenSwitch::m_occupancy),
                            "watershed::WatershedEventDrivenSwitch::OccupancyTracedCallback")
            .AddTraceSource(
                "Pause", "The sender on this input is told to pause for so many quanta, or to go on if there are none.",
                ns3::MakeTraceSourceAccessor(&WatershedEventDrivenSwitch::m_pause),
                "watershed::WatershedEventDrivenSwitch::PauseTracedCallback");
    return tid;
}

void WatershedEventDrivenSwitch::Install(const NetworkScenario& scenario, const Network::Switch& self,
                                         const SwitchPlace& place, ns3::Ptr<WatershedInstant> instant,
                                         std::shared_ptr<const FrameCopies> copies) {
    m_control.emplace(self.settings, place, senders_seen(scenario), exact_times(scenario).grid,
                      static_cast<SwitchSurroundings&>(*this));
    m_rank.emplace(self.settings.arrival_order, self.inputs(), scenario.seed, self.inputs_before,
                   self.all_inputs() - self.inputs());
    m_number = place.number;
    m_flowControl = self.settings.flow_control.kind;
    m_obeys = self.settings.obeys_pause;
    m_reaction = self.settings.pause_reaction;
    m_instant = instant;
    m_copies = std::move(copies);
}

void WatershedEventDrivenSwitch::AddInput(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_ABORT_MSG_UNLESS(m_uplinks.empty(), "add the inputs before the uplinks");
    device->SetFrameHandler(this, Inputs());
    m_inputs.push_back(device);
}

void WatershedEventDrivenSwitch::AddUplink(ns3::Ptr<WatershedNetDeviceImpl> device) {
    device->SetFrameHandler(this, Inputs() + static_cast<std::uint32_t>(m_uplinks.size()));
    m_uplinks.push_back(device);
}

WatershedInstant::Place WatershedEventDrivenSwitch::ArrivalPlace(std::uint32_t input,
                                                                 const WatershedFrame& frame) const {
    const auto id = frame.Identify();
    // A frame of no event stands where its module would in event 1.
    const auto number = static_cast<int>(input);
    return {Step::Arrival, m_number, arrival_rank(*m_rank, id.value_or(FrameId{1, 0, 0}), number), number};
}

const std::vector<int>* WatershedEventDrivenSwitch::Copies(const WatershedFrame& frame) const {
    if (!m_copies->are_made()) return nullptr;
    const auto id = IdentifyCopy(*frame.GetPacket());
    if (!id || id->stream != 0) return nullptr;
    const std::vector<int>& copies = m_copies->at(m_number, id->copy);
    return copies.size() > 1 ? &copies : nullptr;
}

SwitchedFrame& WatershedEventDrivenSwitch::Keep(std::uint32_t input, const WatershedFrame& frame) {
    const auto id = m_copies->are_made() ? IdentifyCopy(*frame.GetPacket()) : frame.Identify();
    SwitchedFrame switched{id.value_or(FrameId{}),
                           {static_cast<int>(input), 0, Bytes{frame.GetSize() + m_bufferOverhead}},
                           m_uplinks.front()->WireSize(frame)};
    switched.claim.traffic_class = frame.GetClass();
    switched.handle = ++m_handles;
    return m_frames.emplace(switched.handle, Kept{frame, switched}).first->second.switched;
}

WatershedFrame WatershedEventDrivenSwitch::Take(const SwitchedFrame& frame) {
    return std::move(m_frames.at(frame.handle).frame);
}

void WatershedEventDrivenSwitch::FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                                             const Timestamp& now) {
    if (port >= Inputs()) return;
    const auto header = m_control->header_at(static_cast<int>(port), now);
    if (!header || *header >= end || Copies(frame)) return;
    m_instant->DoAt(*header, ArrivalPlace(port, frame), [this, port, frame, end](const Timestamp& then) {
        m_control->header_in(Keep(port, frame), then, end);
    });
}

void WatershedEventDrivenSwitch::FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& then) {
    if (port >= Inputs()) {
        const std::uint32_t uplink = port - Inputs();
        const auto order = ReadPauseOrder(*frame.GetPacket());
        if (!order)
            m_drop(frame.GetPacket(), port, kNoPort, kFromUplink);
        else if (m_obeys)
            m_instant->DoAt(then + m_reaction, At(Step::Pause, static_cast<int>(uplink)),
                            [this, uplink, order = *order](const Timestamp& now) { Obey(uplink, order, now); });
        return;
    }
    const auto place = ArrivalPlace(port, frame);
    const auto arrive = [&](WatershedFrame&& arriving) {
        m_instant->DoAt(then, place, [this, port, frame = std::move(arriving)](const Timestamp& now) {
            m_control->frame_in(Keep(port, frame), now);
        });
    };
    const std::vector<int>* const copies = Copies(frame);
    if (!copies) return arrive(std::move(frame));
    for (const int copy : *copies) arrive(CopyOf(frame, copy));
}

void WatershedEventDrivenSwitch::Obey(std::uint32_t uplink, const PauseOrder& order, const Timestamp& now) {
    const Timestamp until = order.quanta == 0 ? now : now + pause_length(m_uplinks[uplink]->GetRate(), order.quanta);
    m_control->pause(static_cast<int>(uplink), until, order.trafficClass, now);
}

void WatershedEventDrivenSwitch::FrameLeft(std::uint32_t port, const WatershedFrame&, const Timestamp& now) {
    if (port >= Inputs()) later(now, Step::UplinkDone, static_cast<int>(port - Inputs()));
}

void WatershedEventDrivenSwitch::later(const Timestamp& time, Step step, int index) {
    m_instant->DoAt(time, At(step, index),
                    [this, step, index](const Timestamp& now) { m_control->step(step, index, now); });
}

void WatershedEventDrivenSwitch::sends(int uplink, const SwitchedFrame& frame, const Timestamp& begin,
                                       const Timestamp& done) {
    const WatershedFrame taken = Take(frame);
    if (!m_dequeue.IsEmpty()) m_dequeue(taken.GetPacket(), static_cast<std::uint32_t>(frame.claim.input));
    m_uplinks[static_cast<std::size_t>(uplink)]->Carry(taken, begin, done, Now());
}

void WatershedEventDrivenSwitch::lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp&) {
    const bool has_output = frame.claim.output != BuilderUplinks::kNone;
    m_drop(Take(frame).GetPacket(), static_cast<std::uint32_t>(frame.claim.input),
           has_output ? Inputs() + static_cast<std::uint32_t>(frame.claim.output) : kNoPort, cause);
}

void WatershedEventDrivenSwitch::gone(SwitchedFrame& frame) { m_frames.erase(frame.handle); }

void WatershedEventDrivenSwitch::pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) {
    const auto& device = m_inputs[static_cast<std::size_t>(sender.input)];
    const auto number = static_cast<std::uint16_t>(quanta);
    m_pause(static_cast<std::uint32_t>(sender.input), number);
    device->SendFrame(MakePauseFrame(m_flowControl, ns3::Mac48Address::ConvertFrom(device->GetAddress()), number,
                                     sender.traffic_class.value_or(kCameraClass)),
                      now, now.time);
}

void WatershedEventDrivenSwitch::occupied(const Timestamp&) {
    if (!m_occupancy.IsEmpty()) m_occupancy(m_control->memory().frames(), m_control->memory().bytes().count);
}

void WatershedEventDrivenSwitch::DoDispose() {
    m_inputs.clear();
    m_uplinks.clear();
    m_frames.clear();
    m_instant = nullptr;
    Object::DoDispose();
}

}  // namespace watershed
