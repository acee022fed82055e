// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/arp-cache.h>
#include <ns3/arp-l3-protocol.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <cstdint>

#include "model/ns3/dcqcn/watershed-dcqcn-sender.h"
#include "model/ns3/helper/watershed-switch-helper.h"

namespace watershed {

/// Hosts at a switch, all at one rate.
struct RoceHosts {
    static constexpr std::uint16_t kPort = 4791;

    explicit RoceHosts(std::uint32_t number, const WatershedSwitchHelper& helper = {}, const char* rate = "10Gbps")
        : nodes(number) {
        WatershedSwitchHelper fast = helper;
        fast.SetDeviceAttribute("DataRate", ns3::StringValue(rate));
        const auto devices = fast.Install(nodes, ns3::NodeContainer(1).Get(0));
        ns3::InternetStackHelper().Install(nodes);
        interfaces = ns3::Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        // ns-3 asks for addresses up to 10 ms late, and drops all but three packets that wait for the answer.
        for (std::uint32_t i = 0; i < number; ++i) {
            const auto node = nodes.Get(i);
            node->GetObject<ns3::ArpL3Protocol>()->SetAttribute(
                "RequestJitter", ns3::StringValue("ns3::ConstantRandomVariable[Constant=0]"));
            node->GetObject<ns3::Ipv4L3Protocol>()->GetInterface(1)->GetArpCache()->SetAttribute(
                "PendingQueueSize", ns3::UintegerValue(100));
        }
    }
    ns3::Ptr<WatershedDcqcnSender> SenderTo(std::uint32_t host, std::uint32_t from = 0) {
        const auto sender = ns3::CreateObject<WatershedDcqcnSender>();
        sender->SetAttribute("Remote", ns3::AddressValue(ns3::InetSocketAddress(interfaces.GetAddress(host), kPort)));
        nodes.Get(from)->AddApplication(sender);
        return sender;
    }

    ns3::NodeContainer nodes;
    ns3::Ipv4InterfaceContainer interfaces;
};

}  // namespace watershed
