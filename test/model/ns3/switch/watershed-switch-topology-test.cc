// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-topology.h"

#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <memory>
#include <vector>

#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-udp-frame.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

TEST_CASE("Switches in a loop end the program with that word") {
    CHECK_THAT(said_at_death([] {
                   const Simulation simulation;
                   const ns3::NodeContainer switches(3);
                   const WatershedSwitchHelper helper;
                   for (std::uint32_t i = 0; i < 3; ++i) helper.Join(switches.Get(i), switches.Get((i + 1) % 3));
                   ns3::Simulator::Run();
               }),
               Contains("part of a loop"));
}

TEST_CASE("Uplinks make no loop, whether they lead to one switch above each or two of them to the same") {
    for (const bool same : {false, true})
        CHECK(said_at_death([&] {
                  const Simulation simulation;
                  const ns3::NodeContainer lower(2), upper(2);
                  const WatershedSwitchHelper helper;
                  for (std::uint32_t i = 0; i < 2; ++i)
                      for (std::uint32_t above = 0; above < 2; ++above)
                          helper.AddUplink(lower.Get(i), upper.Get(same ? 0 : above));
                  ns3::Simulator::Run();
              }).empty());
}

TEST_CASE("Switches of a tier that do not lead to the same switches end the program with that word") {
    const auto said = [](int kind) {
        return said_at_death([&] {
            const Simulation simulation;
            const ns3::NodeContainer lower(3), upper(2), host(1);
            const WatershedSwitchHelper helper;
            for (std::uint32_t i = 0; i < 3; ++i)
                for (std::uint32_t above = 0; above < 2; ++above)
                    if (kind != 1 || i != 2 || above != 1) helper.AddUplink(lower.Get(i), upper.Get(above));
            if (kind == 2) helper.Install(host, upper.Get(0));
            ns3::Simulator::Run();
        });
    };
    CHECK(said(0).empty());
    CHECK_THAT(said(1), Contains("does not have cables to the same switches"));
    CHECK_THAT(said(2), Contains("has a port that is not for a switch below it"));
}

namespace {

/// Switches in tiers, and hosts below the lowest. Frames that are for one host are counted where they come to a port
/// without need: at another host, or at a switch by an uplink though the host is not below it.
class Fabric {
  public:
    int foreign = 0, came = 0;
    ns3::NetDeviceContainer devices;

    explicit Fabric(const char* selection = "hash") {
        m_helper.Set("UplinkSelection", ns3::StringValue(selection));
        m_helper.Set("UplinkHash", ns3::StringValue("layer3+4"));
        m_helper.SetDeviceAttribute("FifoLimit", ns3::UintegerValue(0));
    }
    static std::unique_ptr<Fabric> LeafSpine(std::uint32_t leaves, std::uint32_t spines, const char* selection) {
        auto fabric = std::make_unique<Fabric>(selection);
        const ns3::NodeContainer lower(leaves), upper(spines);
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
            fabric->AddHosts(lower.Get(leaf), 2);
            for (std::uint32_t spine = 0; spine < spines; ++spine)
                fabric->AddUplink(lower.Get(leaf), {leaf}, upper.Get(spine));
        }
        return fabric;
    }
    /// Fat tree of k = 4: four pods of two switches above two, with two hosts each, and four switches above all.
    static std::unique_ptr<Fabric> FatTree(const char* selection) {
        auto fabric = std::make_unique<Fabric>(selection);
        const ns3::NodeContainer core(4), middle(8), edge(8);
        for (std::uint32_t pod = 0; pod < 4; ++pod) {
            for (std::uint32_t i = 0; i < 2; ++i) fabric->AddHosts(edge.Get(2 * pod + i), 2);
            for (std::uint32_t i = 0; i < 2; ++i)
                for (std::uint32_t above = 0; above < 2; ++above) {
                    fabric->AddUplink(edge.Get(2 * pod + i), {2 * pod + i}, middle.Get(2 * pod + above));
                    fabric->AddUplink(middle.Get(2 * pod + i), {2 * pod, 2 * pod + 1}, core.Get(2 * i + above));
                }
        }
        return fabric;
    }
    /// Everybody sends everybody two datagrams of several flows, from this time on, at most one at a time.
    void SendAll(ns3::Time from) {
        int number = 0;
        for (std::uint32_t to = 0; to < devices.GetN(); ++to)
            for (std::uint32_t host = 0; host < devices.GetN(); ++host)
                for (int flow = 0; host != to && flow < 2; ++flow, ++number)
                    ns3::Simulator::Schedule(from + ns3::MicroSeconds(100 * number), &Fabric::Send, this, host, to,
                                             1000 + number);
    }
    void SayHello(ns3::Time from) {
        for (std::uint32_t host = 0; host < devices.GetN(); ++host)
            ns3::Simulator::Schedule(from + ns3::MicroSeconds(100 * host), [this, host] {
                devices.Get(host)->Send(ns3::Create<ns3::Packet>(100), ns3::Mac48Address::GetBroadcast(), 0x88b5);
            });
    }
    int All() const { return static_cast<int>(2 * devices.GetN() * (devices.GetN() - 1)); }

  private:
    void AddHosts(const ns3::Ptr<ns3::Node>& edge, std::uint32_t hosts) {
        const auto added = m_helper.Install(ns3::NodeContainer(hosts), edge);
        for (std::uint32_t i = 0; i < hosts; ++i)
            added.Get(i)->TraceConnectWithoutContext("PhyRxEnd",
                                                     ns3::MakeBoundCallback(&Fabric::AtHost, this, added.Get(i)));
        m_below.emplace_back(added);
        devices.Add(added);
    }
    /// @param below  the edge switches below the lower one, or itself
    void AddUplink(const ns3::Ptr<ns3::Node>& lower, const std::vector<std::uint32_t>& below,
                   const ns3::Ptr<ns3::Node>& upper) {
        m_helper.AddUplink(lower, upper)
            .Get(0)
            ->TraceConnectWithoutContext("MacRx", ns3::MakeBoundCallback(&Fabric::FromAbove, this, below));
    }
    void Send(std::uint32_t from, std::uint32_t to, int port) {
        const auto end_of = [&](std::uint32_t host, int at) {
            Endpoint end{{}, 0x0a000000 + host, static_cast<std::uint16_t>(at)};
            ns3::Mac48Address::ConvertFrom(devices.Get(host)->GetAddress()).CopyTo(end.mac.data());
            return end;
        };
        ns3::DynamicCast<WatershedNetDeviceImpl>(devices.Get(from))
            ->SendFrame(MakeUdpFrame(end_of(from, port), end_of(to, 9), std::vector<std::uint8_t>(100)), Now());
    }
    static void AtHost(Fabric* self, ns3::Ptr<ns3::NetDevice> host, ns3::Ptr<const ns3::Packet> frame) {
        const auto to = DestinationOf(*frame);
        if (to.IsGroup()) return;
        (to == host->GetAddress() ? self->came : self->foreign)++;
    }
    static void FromAbove(Fabric* self, std::vector<std::uint32_t> below, ns3::Ptr<const ns3::Packet> frame) {
        const auto to = DestinationOf(*frame);
        if (to.IsGroup()) return;
        for (const std::uint32_t edge : below)
            for (std::uint32_t host = 0; host < self->m_below[edge].GetN(); ++host)
                if (self->m_below[edge].Get(host)->GetAddress() == to) return;
        ++self->foreign;
    }

    Simulation m_simulation;
    WatershedSwitchHelper m_helper;
    std::vector<ns3::NetDeviceContainer> m_below;  ///< hosts, by edge switch
};

/// Frames that came where they were not to, of all to all, after tables were filled, or each host has said something.
int ForeignFrames(const std::unique_ptr<Fabric>& fabric, bool fills) {
    if (fills)
        WatershedSwitchHelper::PopulateTables();
    else
        fabric->SayHello(ns3::MilliSeconds(1));
    fabric->SendAll(ns3::MilliSeconds(100));
    ns3::Simulator::Run();
    CHECK(fabric->came == fabric->All());
    return fabric->foreign;
}

}  // namespace

TEST_CASE("In a leaf-spine and a fat tree no frame for one host comes to a port that has no need of it") {
    for (const bool fills : {true, false})
        for (const char* selection : {"hash", "round-robin"}) {
            for (const std::uint32_t leaves : {3, 4, 8})
                CHECK(ForeignFrames(Fabric::LeafSpine(leaves, 2, selection), fills) == 0);
            CHECK(ForeignFrames(Fabric::FatTree(selection), fills) == 0);
        }
}

TEST_CASE("Tables that were filled from the topology do not expire, and hold where nothing is learned") {
    const ns3::Time after = ns3::Seconds(1000);
    WatershedSwitchHelper helper;
    helper.Set("EnableLearning", ns3::StringValue("false"));
    const Simulation simulation;
    const ns3::NodeContainer hosts(3);
    const auto node = ns3::CreateObject<ns3::Node>();
    const auto devices = helper.Install(hosts, node);
    WatershedSwitchHelper::PopulateTables();
    int came = 0;
    devices.Get(2)->TraceConnectWithoutContext("PhyRxEnd",
                                               ns3::MakeBoundCallback(
                                                   +[](int* count, ns3::Ptr<const ns3::Packet>) { ++*count; }, &came));
    ns3::Simulator::Schedule(
        after, [&] { devices.Get(0)->Send(ns3::Create<ns3::Packet>(100), devices.Get(1)->GetAddress(), 0x88b5); });
    ns3::Simulator::Run();
    CHECK(came == 0);
}

TEST_CASE("A frame for another host, which a switch floods, ends at the device: its node is given none") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(3);
    const auto devices = WatershedSwitchHelper().Install(hosts, ns3::CreateObject<ns3::Node>());
    int ended = 0, came = 0;
    const auto count = +[](int* frames, ns3::Ptr<const ns3::Packet>) { ++*frames; };
    devices.Get(2)->TraceConnectWithoutContext("PhyRxEnd", ns3::MakeBoundCallback(count, &ended));
    devices.Get(2)->TraceConnectWithoutContext("MacRx", ns3::MakeBoundCallback(count, &came));
    for (const auto& to : {devices.Get(1)->GetAddress(), devices.Get(2)->GetAddress(), devices.Get(2)->GetBroadcast()})
        ns3::Simulator::Schedule(ns3::MilliSeconds(1),
                                 [&, to] { devices.Get(0)->Send(ns3::Create<ns3::Packet>(100), to, 0x88b5); });
    ns3::Simulator::Run();
    CHECK(ended == 3);
    CHECK(came == 2);
}

TEST_CASE("Of two cables to one switch above a frame to all takes one, and comes once to each host") {
    const Simulation simulation;
    const ns3::NodeContainer hosts(4), lower(2), upper(1);
    const WatershedSwitchHelper helper;
    ns3::NetDeviceContainer devices;
    for (std::uint32_t i = 0; i < 2; ++i) {
        devices.Add(helper.Install(ns3::NodeContainer(hosts.Get(2 * i), hosts.Get(2 * i + 1)), lower.Get(i)));
        for (int cable = 0; cable < 2; ++cable) helper.AddUplink(lower.Get(i), upper.Get(0));
    }
    std::vector<int> came(4);
    for (std::uint32_t host = 0; host < 4; ++host)
        devices.Get(host)->TraceConnectWithoutContext(
            "MacRx", ns3::MakeBoundCallback(
                         +[](int* count, ns3::Ptr<const ns3::Packet>) { ++*count; }, &came[host]));
    ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&] {
        devices.Get(0)->Send(ns3::Create<ns3::Packet>(100), ns3::Mac48Address::GetBroadcast(), 0x88b5);
    });
    ns3::Simulator::Schedule(ns3::MilliSeconds(2), [&] {
        devices.Get(3)->Send(ns3::Create<ns3::Packet>(100), devices.Get(0)->GetAddress(), 0x88b5);
    });
    ns3::Simulator::Run();
    CHECK(came == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE("A flow comes down by one of several cables, though answers go up by others, and keeps its order") {
    // Host 0 sends 200 frames of a flow to host 2, whose frames go up by a cable that is another each time.
    const Simulation simulation;
    const ns3::NodeContainer hosts(4), lower(2), upper(1);
    WatershedSwitchHelper helper;
    helper.Set("UplinkSelection", ns3::StringValue("round-robin"));
    helper.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
    ns3::NetDeviceContainer devices, cables;
    for (std::uint32_t i = 0; i < 2; ++i) {
        devices.Add(helper.Install(ns3::NodeContainer(hosts.Get(2 * i), hosts.Get(2 * i + 1)), lower.Get(i)));
        for (int cable = 0; cable < 4; ++cable) cables.Add(helper.AddUplink(lower.Get(i), upper.Get(0)));
    }
    WatershedSwitchHelper::PopulateTables();
    for (int i = 0; i < 200; ++i)
        for (const auto& [from, to] : {std::pair{0, 2}, {2, 0}})
            ns3::Simulator::Schedule(ns3::MilliSeconds(1) + ns3::MicroSeconds(10 * i), [&, from = from, to = to] {
                devices.Get(from)->Send(ns3::Create<ns3::Packet>(1000), devices.Get(to)->GetAddress(), 0x88b5);
            });
    ns3::Simulator::Run();
    std::vector<std::int64_t> used;  // frames that came down to each of the lower switches' cables
    for (std::uint32_t each = 1; each < cables.GetN(); each += 2)
        if (const auto sent = ns3::DynamicCast<WatershedNetDeviceImpl>(cables.Get(each))->GetFramesSent(); sent > 0)
            used.push_back(sent);
    CHECK(used == std::vector<std::int64_t>{200, 200});
}

}  // namespace watershed
