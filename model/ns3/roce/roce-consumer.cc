// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/roce-consumer.h"

#include <ns3/node.h>

#include <stdexcept>

#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/switch/pause-control.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(RoceConsumer);

ns3::TypeId RoceConsumer::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::RoceConsumer")
                                       .SetParent<ns3::Application>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<RoceConsumer>();
    return tid;
}

void RoceConsumer::Configure(ns3::Ptr<WatershedNetDevice> device, const Distribution& distribution, int number,
                             std::uint64_t seed, Done done) {
    m_distribution = distribution;
    m_device = device;
    m_number = number;
    m_done = std::move(done);
    m_busy.emplace(distribution.consumers.busy_fraction, distribution.consumers.busy_mean, seed, number);
    m_notified.resize(static_cast<std::size_t>(distribution.producers.count));
    device->SetFrameHandler(this, 0);
}

void RoceConsumer::DoInitialize() {
    if (m_busy->changes()) m_change = ns3::Simulator::Schedule(ToNs3(m_busy->stay()), &RoceConsumer::Change, this);
    Application::DoInitialize();
}

void RoceConsumer::Change() {
    const Time now = Now();
    if (m_busy->is_busy()) m_busyTime += now - m_busySince;
    m_busy->change();
    if (m_busy->is_busy())
        m_busySince = now;
    else
        TakeAll(now);
    m_change = ns3::Simulator::Schedule(ToNs3(m_busy->stay()), &RoceConsumer::Change, this);
}

void RoceConsumer::End(Time now) {
    m_change.Cancel();
    if (!IsBusy()) return;
    m_busyTime += now - m_busySince;
    m_busy->change();
    TakeAll(now);
}

void RoceConsumer::FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const auto headers = ReadRoceFrame(*frame.GetPacket());
    if (!headers) throw std::logic_error("a consumer got something else than RoCE");
    if (headers->congested) Notify(*headers, now);
    m_dataReceived += headers->data;
    if (!IsBusy()) return Take(*headers, now);
    if (m_held + headers->data > m_distribution.consumers.buffer) {
        m_dataReceived -= headers->data;
        return m_done(*headers, &kBufferFull, now);
    }
    m_held += headers->data;
    m_waiting.push_back(*headers);
    if (m_distribution.network_switch.flow_control && !m_pausing && m_held > m_distribution.consumers.xoff) {
        m_pausing = true;
        Renew();
    }
}

void RoceConsumer::Take(const roce::Headers& headers, Time now) {
    ++m_framesTaken;
    m_done(headers, nullptr, now);
}

void RoceConsumer::TakeAll(Time now) {
    for (const roce::Headers& headers : m_waiting) Take(headers, now);
    m_waiting.clear();
    m_held = Bytes{0};
    if (!m_pausing) return;
    m_pausing = false;
    m_renewal.Cancel();
    Tell(0, now);
}

void RoceConsumer::Renew() {
    const std::int64_t quanta = m_distribution.network_switch.quanta;
    Tell(quanta, Now());
    m_renewal = ns3::Simulator::Schedule(
        ToNs3(std::max(Time{1'000'000}, pause_length(m_distribution.consumer_rate(m_number), quanta) / 2)),
        &RoceConsumer::Renew, this);
}

void RoceConsumer::Tell(std::int64_t quanta, Time now) {
    m_device->SendFrame(MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address::ConvertFrom(m_device->GetAddress()),
                                       static_cast<std::uint16_t>(quanta)),
                        now);
}

void RoceConsumer::Notify(const roce::Headers& marked, Time now) {
    auto& last = m_notified.at(static_cast<std::size_t>(marked.source));
    if (last && now - *last < m_distribution.dcqcn.cnp_interval) return;
    last = now;
    roce::Headers headers;
    headers.opcode = roce::Opcode::Cnp;
    headers.source = marked.destination;
    headers.destination = marked.source;
    headers.queue_pair = marked.queue_pair;
    headers.data = Bytes{roce::kCnpReserved};
    m_device->SendFrame(MakeRoceFrame(headers), now);
}

void RoceConsumer::DoDispose() {
    m_renewal.Cancel();
    m_change.Cancel();
    m_device = nullptr;
    m_done = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
