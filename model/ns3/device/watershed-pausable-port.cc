// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-pausable-port.h"

#include <utility>

#include "model/ns3/device/watershed-attribute.h"
#include "model/switch/pause-control.h"

namespace watershed {

ns3::LogComponent WatershedPausablePort::g_log("WatershedPausablePort", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedPausablePort);

ns3::TypeId WatershedPausablePort::GetTypeId() {
    using Self = WatershedPausablePort;
    static const WatershedTypeId<Self, ns3::Object> type(ns3::TypeId("ns3::WatershedPausablePort"), [](auto& table) {
        table.Add("ObeysPause", true, &Self::m_obeys, "It stops when the other end tells it to.");
        table.Add("PauseReaction", ns3::Time(0), &Self::m_reaction, "From the end of a PAUSE frame to its effect.");
        table.Trace("Pause", &Self::m_pause, "watershed::WatershedPausablePort::PauseTracedCallback",
                    "A pause of so many quanta takes effect now, or its end if there are none.");
    });
    return type.id;
}

void WatershedPausablePort::Install(ns3::Ptr<WatershedNetDeviceImpl> device, ns3::Ptr<WatershedInstant> instant,
                                    const EventDrivenSender& sender, int module) {
    NS_LOG_FUNCTION(this << device << module);
    m_device = device;
    m_instant = instant;
    m_sender = sender;
    m_module = module;
    device->SetFrameHandler(this, 0);
    device->SetSendQueue(this);
}

void WatershedPausablePort::Offer(WatershedFrame&& frame, Time then, Time gap) {
    WatershedInstant::Place place = At(Step::Offered);
    // Frames of streams come first among those ready at one instant, by the numbers of the streams.
    if (const auto id = frame.Identify(); id && id->stream != 0) place.index = offer_index_of_stream(id->stream);
    m_instant->DoAt(then, place, [this, frame = std::move(frame), gap](const Timestamp& now) {
        if (!m_sender->offer({FrameId{}, m_device->WireSize(frame), now, frame.GetClass(), gap})) {
            m_device->Refuse(frame);
            return;
        }
        m_frames.push_back(frame);
        Start(now);
    });
}

void WatershedPausablePort::Start(const Timestamp& now) {
    if (m_sender->start(now))
        m_device->Carry(m_frames[m_sender->place_of_sent()], m_sender->begin(), m_sender->end(), now.time);
    else if (const auto over = m_sender->gap_over())
        m_instant->DoAt(*over, At(Step::PauseOver), [this](const Timestamp& then) { Start(then); });
}

void WatershedPausablePort::FrameLeft(std::uint32_t, const WatershedFrame&, const Timestamp& then) {
    m_instant->DoAt(then, At(Step::LinkDone), [this](const Timestamp& now) {
        m_frames.erase(m_frames.begin() + static_cast<std::ptrdiff_t>(m_sender->place_of_sent()));
        m_sender->finish();
        Start(now);
    });
}

void WatershedPausablePort::FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& now) {
    const auto order = ReadPauseOrder(*frame.GetPacket());
    if (order && m_obeys)
        m_instant->DoAt(now + FromNs3(m_reaction), At(Step::Pause),
                        [this, order = *order](const Timestamp& then) { Pause(order, then); });
}

void WatershedPausablePort::Pause(const PauseOrder& order, const Timestamp& now) {
    NS_LOG_LOGIC("sender " << m_module << " pauses for " << order.quanta << " quanta");
    m_pause(static_cast<std::uint32_t>(m_module), order.quanta);
    const Timestamp until = order.quanta == 0 ? now : now + pause_length(m_device->GetRate(), order.quanta);
    m_sender->pause(now, until, order.trafficClass);
    if (order.quanta == 0)
        Start(now);
    else
        m_instant->DoAt(until, At(Step::PauseOver), [this](const Timestamp& then) { Start(then); });
}

void WatershedPausablePort::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_device = nullptr;
    m_instant = nullptr;
    m_frames.clear();
    Object::DoDispose();
}

}  // namespace watershed
