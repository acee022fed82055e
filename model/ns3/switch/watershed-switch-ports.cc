// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-ports.h"

#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/switch/switch-memory.h"

namespace watershed {

ns3::LogComponent WatershedSwitchPorts::g_log("WatershedSwitch", __FILE__);

void WatershedSwitchPorts::Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                                const LossCause& cause) const {
    NS_LOG_LOGIC("node " << m_context << " drops a frame of " << frame.GetSize() << " B from port " << input
                         << " for port " << static_cast<std::int32_t>(output) << ": " << cause.reason);
    if (!m_drop.IsEmpty()) m_drop(frame.GetPacket(), input, output, cause);
}

ns3::Ptr<ns3::Packet> WatershedSwitchPorts::MakeOrder(std::uint32_t port, std::int64_t quanta,
                                                      int traffic_class) const {
    NS_LOG_LOGIC("node " << m_context << " tells the sender on port " << port << " to pause for " << quanta
                         << " quanta, class " << traffic_class);
    const auto number = static_cast<std::uint16_t>(quanta);
    m_pause(port, number, static_cast<std::uint32_t>(traffic_class));
    const auto own = ns3::Mac48Address::ConvertFrom(m_inputs[port]->GetAddress());
    return MakePauseFrame(m_settings.network_switch.flow_control.kind, own, number, traffic_class);
}

void WatershedSwitchPorts::TraceMark(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output) const {
    NS_LOG_LOGIC("node " << m_context << " marks a frame from port " << input << " for port " << output);
    m_mark(frame.GetPacket(), input, output);
}

void WatershedSwitchPorts::SetEarly(MemoryClaim& claim, const WatershedFrame& frame) {
    if (!m_earlyDrop) return;
    claim.lot = LotOf(frame);
    claim.is_exempt = frame.IsOfNetwork();
}

bool WatershedSwitchPorts::IsFirst(const MemoryClaim& claim, const WatershedFrame& frame, Time now) {
    const Buffer& buffer = m_settings.network_switch.buffer;
    const auto flow = FlowOf(frame.GetBytes(), UplinkChoice::Fields::FiveTuple);
    return m_flows.is_first(std::string(flow.begin(), flow.end()), claim.buffer, buffer.first_bytes, now,
                            buffer.first_idle);
}

std::uint64_t WatershedSwitchPorts::LotOf(const WatershedFrame& frame) {
    if (m_lots) return m_lots();
    const auto id = IdOf(frame);
    return id ? early_drop_lot(*m_earlyDrop, m_settings.seed, *id, m_number)
              : std::uint64_t{m_random.GetInteger(UINT32_MAX)} << 32;
}

}  // namespace watershed
