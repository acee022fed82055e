// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/device/watershed-channel.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

/// Hosts whose frames say when they were sent, and who counts what becomes of them. A frame takes 1000 B of a link.
class FailingNetwork {
  public:
    FailingNetwork(std::uint32_t hosts, std::uint32_t switches) : m_hosts(hosts), m_switches(switches) {}

    ns3::Ptr<ns3::Node> Switch(std::uint32_t number) const { return m_switches.Get(number); }
    void Install(std::uint32_t host, std::uint32_t at) { devices.Add(helper.Install(m_hosts.Get(host), Switch(at))); }
    /// Call it when all is cabled.
    void Begin() {
        WatershedSwitchHelper::PopulateTables();
        std::map<ns3::Ptr<ns3::Channel>, bool> seen;
        for (std::uint32_t each = 0; each < m_switches.GetN(); ++each) {
            const auto here = WatershedSwitchImpl::Of(Switch(each));
            here->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&FailingNetwork::Drop, this));
            for (std::uint32_t port = 0; port < here->GetNBridgePorts(); ++port)
                if (const auto cable = here->GetBridgePort(port)->GetChannel(); !std::exchange(seen[cable], true))
                    cable->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&FailingNetwork::LoseOnCable, this));
        }
        for (std::uint32_t host = 0; host < devices.GetN(); ++host)
            devices.Get(host)->TraceConnectWithoutContext("MacRx",
                                                          ns3::MakeCallback(&FailingNetwork::Receive, this, host));
    }
    void Send(std::uint32_t from, const ns3::Address& to, int at, int number = 1) {
        ns3::Simulator::Schedule(ns3::MicroSeconds(at), [this, from, to, at, number] {
            for (int i = 0; i < number; ++i, ++sent) {
                std::vector<std::uint8_t> payload(962);
                std::copy_n(reinterpret_cast<const std::uint8_t*>(&at), sizeof at, payload.begin());
                devices.Get(from)->Send(ns3::Create<ns3::Packet>(payload.data(), 962), to, 0x88b5);
            }
        });
    }
    void Send(std::uint32_t from, std::uint32_t to, int at, int number = 1) {
        Send(from, devices.Get(to)->GetAddress(), at, number);
    }
    static void Fail(ns3::Ptr<ns3::NetDevice> port, int at, int until) {
        for (const auto& [time, up] : {std::pair{at, false}, {until, true}})
            ns3::Simulator::Schedule(ns3::MicroSeconds(time), &WatershedChannel::SetUp,
                                     ns3::DynamicCast<WatershedChannel>(port->GetChannel()), up);
    }
    static int FramesSent(ns3::Ptr<ns3::NetDevice> port) {
        return static_cast<int>(ns3::DynamicCast<WatershedNetDeviceImpl>(port)->GetFramesSent());
    }

    WatershedSwitchHelper helper;
    ns3::NetDeviceContainer devices;  ///< hosts'
    int sent = 0, received = 0, onCables = 0, lastLoss = 0;
    std::map<std::string, int> drops;
    std::map<std::uint32_t, int> latest;  ///< microseconds at which a host last received

  private:
    /// When a frame of a host was sent, in microseconds, or -1 if it tells to pause.
    static int SentAt(const ns3::Packet& frame) {
        std::vector<std::uint8_t> bytes(frame.GetSize());
        frame.CopyData(bytes.data(), frame.GetSize());
        int at = -1;
        if (frame.GetSize() == 976) std::copy_n(bytes.begin() + 14, sizeof at, reinterpret_cast<std::uint8_t*>(&at));
        return at;
    }
    bool Lost(const ns3::Packet& frame) {
        lastLoss = std::max(lastLoss, SentAt(frame));
        return SentAt(frame) >= 0;
    }
    void Drop(ns3::Ptr<const ns3::Packet> frame, std::uint32_t, std::uint32_t, const LossCause& cause) {
        drops[std::string(cause.reason)] += Lost(*frame);
    }
    void LoseOnCable(ns3::Ptr<const ns3::Packet> frame) { onCables += Lost(*frame); }
    void Receive(std::uint32_t host, ns3::Ptr<const ns3::Packet>) {
        ++received;
        latest[host] = static_cast<int>(ns3::Simulator::Now().GetMicroSeconds());
    }

    Simulation m_simulation;
    ns3::NodeContainer m_hosts, m_switches;
};

using Drops = std::map<std::string, int>;

}  // namespace

TEST_CASE("Of parallel cables the one that is cut loses what is on it and waits for it, and its flow comes back") {
    FailingNetwork network(2, 2);
    network.Install(0, 0);
    network.Install(1, 1);
    network.helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
    const ns3::Ptr<ns3::NetDevice> cables[] = {network.helper.Bundle(network.Switch(0), network.Switch(1)).Get(0),
                                               network.helper.Bundle(network.Switch(0), network.Switch(1)).Get(0)};
    network.Begin();
    network.Send(0, 1, 0);
    ns3::Simulator::Stop(ns3::MicroSeconds(500));
    ns3::Simulator::Run();
    const auto used = FailingNetwork::FramesSent(cables[0]) == 1 ? cables[0] : cables[1];
    // Frames come to the switch each 8 us from 1008 us on, and take 80 us on. When it is cut, at 1100 us, the first has
    // gone, the second is on the cable and ten wait; eight are yet to come.
    network.Send(0, 1, 1000, 20);
    FailingNetwork::Fail(used, 1100, 3000);
    network.Send(0, 1, 4000, 3);
    ns3::Simulator::Run();
    CHECK(network.drops == Drops{{"link-down", 10}});
    CHECK(network.onCables == 1);
    CHECK(network.received == 1 + 1 + 8 + 3);
    CHECK(FailingNetwork::FramesSent(used) == 1 + 2 + 3);
    CHECK(FailingNetwork::FramesSent(used == cables[0] ? cables[1] : cables[0]) == 8);
}

TEST_CASE("A frame for which no cable is up is lost by name where the way ends, and so is the copy of one for all") {
    FailingNetwork network(3, 2);
    for (const std::uint32_t host : {0, 1, 2}) network.Install(host, host / 2);
    const auto cable = network.helper.Join(network.Switch(0), network.Switch(1)).Get(0);
    network.Begin();
    FailingNetwork::Fail(cable, 10, 1000);
    FailingNetwork::Fail(network.devices.Get(2), 2000, 3000);
    for (const int at : {100, 1100, 2100, 3100}) network.Send(0, 2, at);
    network.Send(0, ns3::Mac48Address::GetBroadcast(), 200);
    ns3::Simulator::Run();
    CHECK(network.drops == Drops{{"link-down", 3}});
    CHECK(network.onCables == 0);
    CHECK(network.received == 2 + 1);
}

TEST_CASE("Flows go by the other spine while a leaf's cable is cut, from both sides, and what is lost has a name") {
    FailingNetwork network(4, 4);
    network.helper.Set("MaxSize", ns3::StringValue("10MB"));
    for (const std::uint32_t host : {0, 1, 2, 3}) network.Install(host, host / 2);
    network.helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
    std::vector<ns3::Ptr<ns3::NetDevice>> cables;
    for (const std::uint32_t leaf : {0, 1})
        for (const std::uint32_t spine : {2, 3})
            cables.push_back(network.helper.AddUplink(network.Switch(leaf), network.Switch(spine)).Get(0));
    network.Begin();
    for (int at = 1000; at < 4000; at += 200)
        for (const auto& [one, other] : {std::pair{0, 2}, {0, 3}, {1, 2}, {1, 3}})
            for (const auto& [from, to] : {std::pair{one, other}, {other, one}})
                network.Send(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), at);
    for (const auto& [from, to] : {std::pair{0u, 2u}, {0u, 3u}, {1u, 2u}, {1u, 3u}}) network.Send(from, to, 1900, 8);
    for (const std::uint32_t host : {0, 1, 2, 3}) network.Send(host, ns3::Mac48Address::GetBroadcast(), 2500);
    int before = 0, down = 0;
    const auto note = [&](int at, int* to) {
        ns3::Simulator::Schedule(ns3::MicroSeconds(at), [&, to] { *to = FailingNetwork::FramesSent(cables[0]); });
    };
    FailingNetwork::Fail(cables[0], 2000, 3000);
    note(2100, &before);
    note(3000, &down);
    ns3::Simulator::Run();
    CHECK(network.drops.size() == 1);
    CHECK(network.drops["link-down"] > 10);
    CHECK(network.onCables > 0);
    CHECK(network.onCables <= 2);  // one each way
    CHECK(network.lastLoss < 2000);
    // The copies of a frame for all are three.
    CHECK(network.received + network.drops["link-down"] + network.onCables == network.sent + 4 * 2);
    CHECK(before > 0);
    CHECK(down == before);
    CHECK(FailingNetwork::FramesSent(cables[0]) > down);
}

TEST_CASE("After a cable has failed no pause holds from before, and a sender that must pause is told again") {
    // Two hosts fill the switches before a slow one: each switch tells those behind it to pause, for 33 ms at 1 Gb/s.
    const auto run = [](bool host, int at, int until) {
        FailingNetwork network(3, 2);
        for (const auto& [name, value] :
             {std::pair{"FlowControl", "pfc"}, {"Xoff", "10p"}, {"Xon", "5p"}, {"Headroom", "10p"}, {"MaxSize", "40p"}})
            network.helper.Set(name, ns3::StringValue(value));
        network.helper.SetDeviceAttribute("FifoLimit", ns3::StringValue("1000"));
        network.Install(0, 0);
        network.Install(1, 0);
        const auto cable = network.helper.Join(network.Switch(0), network.Switch(1)).Get(0);
        network.helper.SetDeviceAttribute("DataRate", ns3::StringValue("100Mbps"));
        network.Install(2, 1);
        network.Begin();
        for (const std::uint32_t from : {0, 1}) network.Send(from, 2, 0, host ? 200 : 600);
        FailingNetwork::Fail(host ? network.devices.Get(0) : cable, at, until);
        ns3::Simulator::Stop(ns3::Seconds(1));
        ns3::Simulator::Run();
        CAPTURE(host, at, until);
        if (!host) CHECK(network.drops["link-down"] > 0);
        CHECK(network.drops["headroom-full"] + network.drops["buffer-full"] == 0);
        CHECK(network.received + network.onCables + network.drops["link-down"] == network.sent);
        // The slow link has hardly been idle but while nothing came.
        CHECK(network.latest[2] < 80 * network.received + (until - at) + 500);
        return network.received;
    };
    CHECK(run(false, 3000, 3030) > 1100);
    CHECK(run(false, 3000, 5000) > 500);
    CHECK(run(true, 3000, 3030) > 390);
    CHECK(run(true, 3000, 8000) > 390);
}

}  // namespace watershed
