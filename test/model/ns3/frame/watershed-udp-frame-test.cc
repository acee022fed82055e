// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-udp-frame.h"

#include <ns3/ethernet-header.h>
#include <ns3/ipv4-header.h>
#include <ns3/udp-header.h>
#include <rapidcheck.h>

#include "model/frontend/module-ports.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("ns-3 finds its own headers valid, and the payload behind them") {
    for (const std::size_t size : {0U, 1U, 17U, 18U, 1400U, 8972U}) {
        std::vector<std::uint8_t> payload(size);
        for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<std::uint8_t>(31 * i + 7);
        const auto from = module_endpoint({}, 300), to = server_endpoint(0);
        const auto frame = MakeUdpFrame(from, to, payload);
        CHECK(frame->GetSize() == std::max<std::size_t>(42 + size, 60));
        CHECK(UdpPayload(*frame) == payload);
        CHECK(DestinationOf(*frame) == MacOf(to));
        CHECK(SourceOf(*frame) == MacOf(from));

        const auto packet = frame->Copy();
        ns3::EthernetHeader ethernet(false);
        packet->RemoveHeader(ethernet);
        CHECK(ethernet.GetLengthType() == 0x0800);
        ns3::Ipv4Header ip;
        ip.EnableChecksum();
        packet->RemoveHeader(ip);
        CHECK(ip.IsChecksumOk());
        CHECK(ip.GetSource() == ns3::Ipv4Address(from.ip));
        CHECK(ip.GetPayloadSize() == 8 + size);
        packet->RemoveAtEnd(packet->GetSize() - ip.GetPayloadSize());
        ns3::UdpHeader udp;
        udp.EnableChecksums();
        udp.InitializeChecksum(ip.GetSource(), ip.GetDestination(), ip.GetProtocol());
        packet->RemoveHeader(udp);
        CHECK(udp.IsChecksumOk());
        CHECK(udp.GetDestinationPort() == to.port);
    }
}

TEST_CASE("What is no UDP, or less than it says, has no payload") {
    const auto frame = MakeUdpFrame(module_endpoint({}, 1), server_endpoint(0), std::vector<std::uint8_t>(100));
    CHECK_FALSE(UdpPayload(*frame->CreateFragment(0, 30)));
    CHECK_FALSE(UdpPayload(*frame->CreateFragment(0, 141)));
    CHECK_FALSE(UdpPayload(*ns3::Create<ns3::Packet>(100)));
}
