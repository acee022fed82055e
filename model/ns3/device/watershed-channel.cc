// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-channel.h"

#include <ns3/abort.h>
#include <ns3/node.h>
#include <ns3/simulator.h>

#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

ns3::LogComponent WatershedChannel::g_log("WatershedChannel", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedChannel);

ns3::TypeId WatershedChannel::GetTypeId() {
    using Self = WatershedChannel;
    static const WatershedTypeId<Self, ns3::Channel> type(ns3::TypeId("ns3::WatershedChannel"), [](auto& table) {
        table.Add("Delay", ns3::Time(0), &Self::m_delay, "Propagation delay of the cable.");
        table.Add("Up", true, ns3::MakeBooleanChecker(), &Self::SetUp, &Self::IsUp,
                  "The cable carries frames; it loses those that are on it when it fails.");
        table.Trace("Drop", &Self::m_drop, "ns3::Packet::TracedCallback",
                    "A frame was on the cable when it failed, or was sent while it was down.");
        table.Trace("TxRxPointToPoint", &Self::m_animation, "ns3::PointToPointChannel::TxRxAnimationCallback",
                    "The last bit of a frame was sent: frame, sender, receiver, its time on the link, and that and the "
                    "delay; of the name and form that NetAnim looks for.");
    });
    return type.id;
}

void WatershedChannel::Attach(ns3::Ptr<WatershedNetDeviceImpl> device) {
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(m_attached == m_devices.size(), "a cable has two ends");
    m_devices[m_attached++] = device;
}

void WatershedChannel::Announce(const WatershedNetDeviceImpl* sender, WatershedFrame frame, const Timestamp& end,
                                const Timestamp& now) {
    const auto& receiver = Other(sender);
    if (!receiver) return;
    const Time delay = FromNs3(m_delay);
    if (delay == Time{0})
        receiver->ReceiveBegins(std::move(frame), end, now);
    else
        ns3::Simulator::ScheduleWithContext(receiver->GetNode()->GetId(), m_delay,
                                            &WatershedNetDeviceImpl::ReceiveBegins, receiver, frame, end + delay,
                                            now + delay);
}

void WatershedChannel::SetUp(bool up) {
    NS_LOG_FUNCTION(this << up);
    if (up == m_up) return;
    m_up = up;
    if (up)
        m_downTimes.end(Now());
    else
        m_downTimes.add(Now(), Time::max());
    for (const auto& device : m_devices)
        if (device) device->TellLinkChange();
}

void WatershedChannel::Transmit(const WatershedNetDeviceImpl* sender, WatershedFrame&& frame, const Timestamp& begin,
                                const Timestamp& now) {
    WatershedNetDeviceImpl* const receiver = GetOther(sender);
    if (!receiver) return;
    if (!m_animation.IsEmpty())
        m_animation(frame.GetPacket(), Other(receiver), Other(sender), ToNs3(now.time - begin.time),
                    ToNs3(now.time - begin.time) + m_delay);
    if (m_delay.IsZero()) return Deliver(*receiver, std::move(frame), begin, now);
    ns3::Simulator::ScheduleWithContext(
        receiver->GetNode()->GetId(), m_delay,
        [own = ns3::Ptr<WatershedChannel>(this), receiver, frame = std::move(frame), begin,
         then = now + FromNs3(m_delay)]() mutable { own->Deliver(*receiver, std::move(frame), begin, then); });
}

void WatershedChannel::Deliver(WatershedNetDeviceImpl& receiver, WatershedFrame&& frame, const Timestamp& begin,
                               const Timestamp& now) {
    if (!m_downTimes.all().empty() && m_downTimes.cut(begin, now)) {
        NS_LOG_LOGIC("a cable that failed loses a frame of " << frame.GetSize() << " B");
        return m_drop(frame.GetPacket());
    }
    receiver.Receive(std::move(frame), now);
}

void WatershedChannel::TransmitLate(const WatershedNetDeviceImpl* sender, WatershedFrame&& frame,
                                    const Timestamp& left) {
    GetOther(sender)->Receive(std::move(frame), m_delay.IsZero() ? left : left + FromNs3(m_delay));
}

ns3::Ptr<ns3::NetDevice> WatershedChannel::GetDevice(std::size_t i) const { return m_devices.at(i); }

void WatershedChannel::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_devices = {};
    Channel::DoDispose();
}

}  // namespace watershed
