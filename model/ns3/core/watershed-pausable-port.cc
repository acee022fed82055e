// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-pausable-port.h"

#include <ns3/boolean.h>
#include <ns3/trace-source-accessor.h>

#include <utility>

#include "model/ns3/core/watershed-pause-frame.h"
#include "model/switch/pause-control.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedPausablePort);

ns3::TypeId WatershedPausablePort::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedPausablePort")
            .SetParent<ns3::Object>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedPausablePort>()
            .AddAttribute("ObeysPause", "It stops when the other end tells it to.", ns3::BooleanValue(true),
                          ns3::MakeBooleanAccessor(&WatershedPausablePort::m_obeys), ns3::MakeBooleanChecker())
            .AddAttribute("PauseReaction", "From the end of a PAUSE frame to its effect.", ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&WatershedPausablePort::m_reaction), ns3::MakeTimeChecker(ns3::Time(0)))
            .AddTraceSource("Pause", "A pause of so many quanta takes effect now, or its end if there are none.",
                            ns3::MakeTraceSourceAccessor(&WatershedPausablePort::m_pause),
                            "watershed::WatershedPausablePort::PauseTracedCallback");
    return tid;
}

void WatershedPausablePort::Install(ns3::Ptr<WatershedNetDevice> device, ns3::Ptr<WatershedInstant> instant,
                                    const SteppedSender& sender, int module) {
    m_device = device;
    m_instant = instant;
    m_sender = sender;
    m_module = module;
    device->SetFrameHandler(this, 0);
    device->SetSendQueue(this);
}

void WatershedPausablePort::Offer(WatershedFrame frame, Time then) {
    m_instant->DoAt(then, At(Step::Offered), [this, frame = std::move(frame)](const Moment& now) {
        if (!m_sender->offer({FrameId{}, m_device->WireSize(frame), now})) {
            m_device->Refuse(frame);
            return;
        }
        m_frames.push_back(frame);
        Start(now);
    });
}

void WatershedPausablePort::Start(const Moment& now) {
    if (m_sender->start(now)) m_device->Carry(m_frames.front(), m_sender->begin(), m_sender->end(), now.time);
}

void WatershedPausablePort::FrameLeft(std::uint32_t, const Moment& then) {
    m_instant->DoAt(then, At(Step::LinkDone), [this](const Moment& now) {
        m_sender->finish();
        m_frames.pop_front();
        Start(now);
    });
}

void WatershedPausablePort::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) {
    const auto quanta = ReadPauseFrame(*frame.GetPacket());
    if (quanta && m_obeys)
        m_instant->DoAt(now + FromNs3(m_reaction), At(Step::Pause),
                        [this, quanta = *quanta](const Moment& then) { Pause(quanta, then); });
}

void WatershedPausablePort::Pause(std::uint16_t quanta, const Moment& now) {
    m_pause(static_cast<std::uint32_t>(m_module), quanta);
    const Moment until = quanta == 0 ? now : now + pause_length(m_device->GetRate(), quanta);
    m_sender->pause(now, until);
    if (quanta == 0)
        Start(now);
    else
        m_instant->DoAt(until, At(Step::PauseOver), [this](const Moment& then) { Start(then); });
}

void WatershedPausablePort::DoDispose() {
    m_device = nullptr;
    m_instant = nullptr;
    m_frames.clear();
    Object::DoDispose();
}

}  // namespace watershed
