// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/dcqcn/watershed-turns.h"

#include <ns3/config.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <string>

#include "model/ns3/device/watershed-attribute.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedTurns);

namespace {

constexpr std::uint32_t kUdpHeader = 8, kIpHeader = 20;

}  // namespace

ns3::TypeId WatershedTurns::GetTypeId() {
    static const WatershedTypeId<WatershedTurns, ns3::Object> type(ns3::TypeId("ns3::WatershedTurns"), [](auto&) {});
    return type.id;
}

ns3::Ptr<WatershedTurns> WatershedTurns::Of(const ns3::Ptr<ns3::Node>& node) {
    if (const auto there = node->GetObject<WatershedTurns>()) return there;
    const auto made = ns3::CreateObject<WatershedTurns>();
    node->AggregateObject(made);
    const std::string at = "/NodeList/" + std::to_string(node->GetId()),
                      disc = "/$ns3::TrafficControlLayer/RootQueueDiscList/*";
    // Traces of a packet that leaves, or is lost before.
    for (const char* source : {"/DeviceList/*/PhyTxEnd", "/DeviceList/*/MacTxDrop", "/$ns3::ArpL3Protocol/Drop",
                               "/$ns3::ArpL3Protocol/CacheList/*/Drop"})
        ns3::Config::ConnectWithoutContextFailSafe(at + source,
                                                   ns3::MakeCallback(&WatershedTurns::Left, ns3::PeekPointer(made)));
    for (const char* source : {"/Drop", "/QueueDiscClassList/*/QueueDisc/Drop"})
        ns3::Config::ConnectWithoutContextFailSafe(at + disc + source,
                                                   ns3::MakeCallback(&WatershedTurns::Dropped, ns3::PeekPointer(made)));
    return made;
}

void WatershedTurns::Enter(Flow& flow, const ns3::Ptr<ns3::NetDevice>& device, int trafficClass) {
    if (device->GetInstanceTypeId().LookupTraceSourceByName("PhyTxEnd"))
        flow.m_lane = &m_lanes[{ns3::PeekPointer(device), trafficClass}];
    if (flow.m_lane) flow.m_lane->mtu = device->GetMtu();
}

void WatershedTurns::Leave(const Flow& flow) {
    if (!flow.m_lane) return;
    auto& waiting = flow.m_lane->waiting;
    waiting.erase(std::remove(waiting.begin(), waiting.end(), &flow), waiting.end());
    for (auto& [number, packet] : m_onTheirWay)
        if (packet.flow == &flow) packet.flow = nullptr;
}

void WatershedTurns::Ask(Flow& flow) {
    if (!flow.m_lane || !flow.m_isKnown) {  // a first packet may wait for an address: it holds up no other
        flow.TakeTurn();
        return;
    }
    flow.m_lane->waiting.push_back(&flow);
    if (flow.m_lane->isTaken) return;
    flow.m_lane->isTaken = true;
    Next(flow.m_lane);
}

void WatershedTurns::Sends(Flow& flow, const ns3::Packet& packet) {
    if (!flow.m_lane) return flow.Left();
    const std::uint32_t whole = kUdpHeader + packet.GetSize(), most = flow.m_lane->mtu - kIpHeader;
    const std::uint32_t fragment = most / 8 * 8;
    m_onTheirWay[packet.GetUid()] = {&flow, flow.m_isKnown ? flow.m_lane : nullptr,
                                     whole <= most ? 1 : (whole + fragment - 1) / fragment};
}

void WatershedTurns::Left(ns3::Ptr<const ns3::Packet> packet) {
    const auto found = m_onTheirWay.find(packet->GetUid());
    if (found == m_onTheirWay.end() || --found->second.frames > 0) return;
    const OnItsWay last = found->second;
    m_onTheirWay.erase(found);
    if (last.flow) {
        last.flow->m_isKnown = true;
        last.flow->Left();
    }
    // Behind what the device has still to do.
    if (last.lane) ns3::Simulator::ScheduleNow(&WatershedTurns::Next, this, last.lane);
}

void WatershedTurns::Next(Lane* lane) {
    while (!lane->waiting.empty()) {
        Flow* const flow = lane->waiting.front();
        lane->waiting.pop_front();
        if (flow->TakeTurn()) return;
    }
    lane->isTaken = false;
}

}  // namespace watershed
