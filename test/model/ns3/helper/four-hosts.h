// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/simulator.h>
#include <ns3/string.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

/// Four hosts at 1 Gb/s, whose frames take 976 + 24 B = 8 us; when the test begins the switch knows their addresses.
class FourHosts {
  public:
    using Values = std::vector<std::pair<std::string, std::string>>;

    explicit FourHosts(const Values& values) {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
        m_devices = helper.Install(m_hosts, m_node);
        Switch()->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&FourHosts::Drop, this));
        for (std::uint32_t host = 0; host < 4; ++host) {
            m_devices.Get(host)->TraceConnectWithoutContext("MacRx", ns3::MakeCallback(&FourHosts::Arrive, this, host));
            ns3::Simulator::Schedule(ns3::MilliSeconds(host), &FourHosts::Frame, this, host, (host + 1) % 4, 0, 976);
        }
    }
    /// @param at microseconds
    /// @param priority  in a VLAN tag; 0: there is none
    /// @param size  without FCS
    void Send(std::uint32_t from, std::uint32_t to, int at = 0, int priority = 0, std::uint32_t size = 976) {
        ns3::Simulator::Schedule(Begin() + ns3::MicroSeconds(at), &FourHosts::Frame, this, from, to, priority, size);
    }
    ns3::Ptr<WatershedSwitchImpl> Switch() const { return WatershedSwitchImpl::Of(m_node); }
    ns3::Ptr<ns3::NetDevice> Device(std::uint32_t host) const { return m_devices.Get(host); }
    /// Nanoseconds at which frames come to a host.
    std::vector<std::int64_t> Run(std::uint32_t host) {
        ns3::Simulator::Run();
        return m_arrivals[host];
    }
    std::map<std::string, int> drops;
    std::vector<int> senders;  ///< of the frames that came to host 2, in their order

  private:
    static ns3::Time Begin() { return ns3::Seconds(1); }

    void Frame(std::uint32_t from, std::uint32_t to, int priority, std::uint32_t size) {
        std::vector<std::uint8_t> payload(size - 14);
        payload[0] = static_cast<std::uint8_t>(priority << 5);
        const auto packet = ns3::Create<ns3::Packet>(payload.data(), static_cast<std::uint32_t>(payload.size()));
        m_devices.Get(from)->Send(packet, m_devices.Get(to)->GetAddress(), priority > 0 ? 0x8100 : 0x88b5);
    }
    void Arrive(std::uint32_t host, ns3::Ptr<const ns3::Packet> frame) {
        if (ns3::Simulator::Now() < Begin()) return;
        for (int sender = 0; host == 2 && sender < 4; ++sender)
            if (m_devices.Get(static_cast<std::uint32_t>(sender))->GetAddress() == SourceOf(*frame))
                senders.push_back(sender);
        m_arrivals[host].push_back((ns3::Simulator::Now() - Begin()).GetNanoSeconds());
    }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
        ++drops[std::string(cause.reason)];
    }

    Simulation m_simulation;
    ns3::NodeContainer m_hosts{4};
    ns3::Ptr<ns3::Node> m_node = ns3::CreateObject<ns3::Node>();
    ns3::NetDeviceContainer m_devices;
    std::map<std::uint32_t, std::vector<std::int64_t>> m_arrivals;
};

}  // namespace watershed
