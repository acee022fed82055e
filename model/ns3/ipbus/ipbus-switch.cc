// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus/ipbus-switch.h"

#include <stdexcept>

#include "model/base/random.h"
#include "model/ns3/core/watershed-udp-frame.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(IpbusSwitch);

namespace {
constexpr std::uint32_t kFcs = 4;
}  // namespace

ns3::TypeId IpbusSwitch::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::IpbusSwitch")
                                       .SetParent<ns3::Object>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<IpbusSwitch>();
    return tid;
}

void IpbusSwitch::Configure(ns3::Ptr<WatershedNetDevice> server, std::unique_ptr<SwitchMemory> memory,
                            std::int64_t damaged_one_in, std::uint64_t seed, Ledger& ledger) {
    m_server = server;
    m_memory = std::move(memory);
    m_damagedOneIn = damaged_one_in;
    m_seed = seed;
    m_ledger = &ledger;
    server->SetFrameHandler(this, kServerPort);
}

void IpbusSwitch::AddUnit(ns3::Ptr<WatershedNetDevice> device, ns3::Mac48Address address) {
    m_unitOf[address] = m_units.size();
    m_units.push_back(device);
    device->SetFrameHandler(this, static_cast<std::uint32_t>(m_units.size()));
}

void IpbusSwitch::FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& moment) {
    const Time now = moment.time;
    const bool to_server = port != kServerPort;
    const auto unit = to_server ? m_unitOf.end() : m_unitOf.find(DestinationOf(*frame.GetPacket()));
    if (!to_server && unit == m_unitOf.end()) throw std::logic_error("a frame is for a unit that is not there");
    const int number = static_cast<int>(to_server ? port : unit->second + 1);
    if (IsDamaged()) return m_ledger->lost({0, number, 0}, now, kDamaged);
    if (!to_server) {
        m_units[unit->second]->SendFrame(std::move(frame), now);
        return;
    }
    const MemoryClaim claim{number - 1, 0, Bytes{frame.GetSize() + kFcs}};
    if (const LossCause* cause = m_memory->admit(claim)) return m_ledger->lost({0, number, 0}, now, *cause);
    m_stored.push_back(claim);
    m_server->SendFrame(std::move(frame), now);
}

void IpbusSwitch::FrameLeft(std::uint32_t port, const Moment&) {
    if (port != kServerPort) return;
    m_memory->release(m_stored.front());
    m_stored.pop_front();
}

bool IpbusSwitch::IsDamaged() {
    ++m_arrived;
    return m_damagedOneIn > 0 &&
           uniform_up_to(random_bits(m_seed, Stream::IpbusLoss, m_arrived), m_damagedOneIn - 1) == 0;
}

void IpbusSwitch::DoDispose() {
    m_server = nullptr;
    m_units.clear();
    Object::DoDispose();
}

}  // namespace watershed
