// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/roce-switch.h"

#include <stdexcept>

#include "model/base/random.h"
#include "model/ns3/core/watershed-pause-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(RoceSwitch);

ns3::TypeId RoceSwitch::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::RoceSwitch")
                                       .SetParent<ns3::Object>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<RoceSwitch>();
    return tid;
}

void RoceSwitch::Configure(const Distribution& distribution, std::uint64_t seed, Lost lost) {
    m_distribution = distribution;
    m_seed = seed;
    m_lost = std::move(lost);
    const DistributionSwitch& parameters = distribution.network_switch;
    Buffer buffer;
    buffer.size = parameters.buffer;
    buffer.accounting = Buffer::Accounting::Ingress;
    if (parameters.flow_control) buffer.headroom = {parameters.headroom.count, MemorySize::Unit::Byte};
    m_memory = make_switch_memory(buffer, distribution.producers.count, distribution.consumers.count);
    m_outputs.resize(static_cast<std::size_t>(distribution.consumers.count));
    if (!parameters.flow_control) return;
    FlowControl control;
    control.kind = FlowControl::Kind::Pfc;
    control.quanta = parameters.quanta;
    control.alpha = parameters.alpha;
    control.xon_offset = {parameters.xon_offset.count, MemorySize::Unit::Byte};
    m_pauses.emplace(control, distribution.producers.link_rate, distribution.producers.count, m_memory->units());
}

void RoceSwitch::AddPort(ns3::Ptr<WatershedNetDevice> device) {
    device->SetFrameHandler(this, static_cast<std::uint32_t>(m_devices.size()));
    m_devices.push_back(device);
}

Time RoceSwitch::GetPauseTime(Time now) const {
    Time sum{0};
    for (const Output& output : m_outputs) sum += output.gate.closed(now);
    return sum;
}

void RoceSwitch::FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const int producers = m_distribution.producers.count;
    if (static_cast<int>(port) >= producers)
        return FromConsumer(port - static_cast<std::size_t>(producers), frame, now);
    const ns3::Ptr<ns3::Packet> packet = frame.GetPacket();
    auto headers = ReadRoceFrame(*packet);
    if (!headers) throw std::logic_error("a producer sent something else than RoCE");
    const int input = static_cast<int>(port), number = headers->destination - producers;
    Output& output = m_outputs.at(static_cast<std::size_t>(number));
    MemoryClaim claim{input, number, Bytes{packet->GetSize() + roce::kFcs}};
    ++m_arrived;
    if (m_pauses) Order(input, now);  // others may have taken what was free
    const LossCause* cause = m_memory->refusal(claim);
    if (cause && m_pauses && m_pauses->is_paused(input)) {
        claim.on_headroom = true;
        cause = m_memory->refusal(claim);
    }
    if (cause) {
        m_memory->drop(claim, *cause);
        return m_lost(*headers, *cause, now);
    }
    m_memory->take(claim);
    if (is_marked(m_distribution.dcqcn, output.queued, random_bits(m_seed, Stream::DistributionMark, m_arrived))) {
        ++m_marked;
        MarkRoceFrame(*packet, *headers);
    }
    output.queued += claim.buffer;
    output.queue.push_back({std::move(frame), claim});
    if (m_pauses) Order(input, now);
    Send(static_cast<std::size_t>(number), now);
}

void RoceSwitch::FromConsumer(std::size_t number, const WatershedFrame& frame, Time now) {
    const ns3::Ptr<ns3::Packet> packet = frame.GetPacket();
    if (const auto quanta = ReadPauseFrame(*packet)) {
        Output& output = m_outputs[number];
        if (*quanta > 0 && output.gate.is_open(now)) ++m_pausesObeyed;
        const Time length = pause_length(m_distribution.consumer_rate(static_cast<int>(number)), *quanta);
        output.gate.order(now, length);
        if (*quanta == 0) return Send(number, now);
        ns3::Simulator::Schedule(ToNs3(length), &RoceSwitch::GoOn, this, number);
        return;
    }
    const auto headers = ReadRoceFrame(*packet);
    if (!headers) throw std::logic_error("a consumer sent something else than notifications and pauses");
    m_devices.at(static_cast<std::size_t>(headers->destination))->SendFrame(frame, now);
}

void RoceSwitch::Send(std::size_t number, Time now) {
    Output& output = m_outputs[number];
    if (output.sending || output.queue.empty() || !output.gate.is_open(now)) return;
    output.sending = true;
    m_devices[static_cast<std::size_t>(m_distribution.producers.count) + number]->SendFrame(output.queue.front().frame,
                                                                                            now);
}

void RoceSwitch::GoOn(std::size_t output) { Send(output, Now()); }

void RoceSwitch::FrameLeft(std::uint32_t port, const Moment& moment) {
    const Time now = moment.time;
    const int producers = m_distribution.producers.count;
    if (static_cast<int>(port) < producers) return;  // a pause or a notification
    const std::size_t number = port - static_cast<std::size_t>(producers);
    Output& output = m_outputs[number];
    const MemoryClaim claim = output.queue.front().claim;
    output.queue.pop_front();
    output.sending = false;
    output.queued -= claim.buffer;
    m_memory->release(claim);
    if (m_pauses)
        for (int input = 0; input < producers; ++input)
            if (m_pauses->is_paused(input)) Order(input, now);
    Send(number, now);
}

void RoceSwitch::Order(int input, Time now) {
    if (const auto quanta = m_pauses->order(input, *m_memory, now)) Tell(input, *quanta, now);
}

void RoceSwitch::Tell(int input, std::int64_t quanta, Time now) {
    const auto& device = m_devices[static_cast<std::size_t>(input)];
    device->SendFrame(MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address::ConvertFrom(device->GetAddress()),
                                     static_cast<std::uint16_t>(quanta)),
                      now);
    if (quanta > 0)
        ns3::Simulator::Schedule(ToNs3(m_pauses->renewal(input).time - now), &RoceSwitch::Renew, this, input);
}

void RoceSwitch::Renew(int input) {
    if (const auto quanta = m_pauses->renew(input, Now())) Tell(input, *quanta, Now());
}

void RoceSwitch::DoDispose() {
    m_devices.clear();
    m_outputs.clear();
    m_lost = nullptr;
    Object::DoDispose();
}

}  // namespace watershed
