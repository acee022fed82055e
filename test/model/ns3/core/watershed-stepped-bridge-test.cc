// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-stepped-bridge.h"

#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/core/watershed-switch-helper.h"
#include "model/ns3/core/watershed-udp-frame.h"
#include "simulation.h"
#include "test/catch.h"

namespace watershed {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// Four hosts at 1 Gb/s, whose frames take 976 + 24 B = 8 us; when the test begins the switch knows their addresses.
class FourHosts {
  public:
    explicit FourHosts(const Values& values) {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
        m_devices = helper.Install(m_hosts, m_node);
        WatershedSwitch::Of(m_node)->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&FourHosts::Drop, this));
        for (std::uint32_t host = 0; host < 4; ++host) {
            m_devices.Get(host)->TraceConnectWithoutContext("MacRx", ns3::MakeCallback(&FourHosts::Arrive, this, host));
            ns3::Simulator::Schedule(ns3::MilliSeconds(host), &FourHosts::Frame, this, host, (host + 1) % 4, 0);
        }
    }
    /// @param at microseconds
    /// @param priority  in a VLAN tag; 0: there is none
    void Send(std::uint32_t from, std::uint32_t to, int at = 0, int priority = 0) {
        ns3::Simulator::Schedule(Begin() + ns3::MicroSeconds(at), &FourHosts::Frame, this, from, to, priority);
    }
    /// Nanoseconds at which frames come to a host.
    std::vector<std::int64_t> Run(std::uint32_t host) {
        ns3::Simulator::Run();
        return m_arrivals[host];
    }
    std::map<std::string, int> drops;
    std::vector<int> senders;  ///< of the frames that came to host 2, in their order

  private:
    static ns3::Time Begin() { return ns3::Seconds(1); }

    void Frame(std::uint32_t from, std::uint32_t to, int priority) {
        std::vector<std::uint8_t> payload(976 - 14);
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

using Arrivals = std::vector<std::int64_t>;

/// Sender and receiver of frames that are all begun to be sent at once.
using Frames = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// When they come to a host, and how many are lost for which reason.
struct Came {
    Arrivals at;
    std::map<std::string, int> drops;

    Came(const Values& values, const Frames& frames, std::uint32_t host) {
        FourHosts hosts(values);
        for (const auto& [from, to] : frames) hosts.Send(from, to);
        at = hosts.Run(host);
        drops = hosts.drops;
    }
};

}  // namespace

TEST_CASE("In one queue for each input the first frame holds up those behind it, as it does not in output queues") {
    // Inputs 0 and 1 send to host 2 at once, and input 1 then to host 3, which is idle: it gets its frame 16 us after
    // it was begun to be sent, or behind the one before it, which waits for that of input 0 until 16 us and leaves
    // until 24.
    const auto arrival = [](const char* queueing) {
        FourHosts hosts(Values{{"Queueing", queueing}});
        hosts.Send(0, 2);
        hosts.Send(1, 2);
        hosts.Send(1, 3);
        return hosts.Run(3);
    };
    CHECK(arrival("output") == Arrivals{24'000});
    CHECK(arrival("virtual-output") == Arrivals{24'000});
    CHECK(arrival("input-fifo") == Arrivals{32'000});
}

TEST_CASE("Virtual output queues are served in turn, so that a late input does not wait behind all others") {
    // Inputs 0 and 1 send three frames each to host 2, of which one has left at 16, 24, … us; that of input 3 comes at
    // 26 us. In turn of inputs it is sent from 40 us on, in the order of arrivals from 56.
    const auto late = [](const char* queueing) {
        FourHosts hosts(Values{{"Queueing", queueing}});
        for (int i = 0; i < 3; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
        hosts.Send(3, 2, 18);
        CHECK(hosts.Run(2) == Arrivals{16'000, 24'000, 32'000, 40'000, 48'000, 56'000, 64'000});
        const auto from = hosts.senders;
        return std::find(from.begin(), from.end(), 3) - from.begin();
    };
    CHECK(late("output") == 6);
    CHECK(late("virtual-output") == 4);
}

TEST_CASE("A class that the scheduler prefers passes the others by, and the tag of its frames arrives with them") {
    // As above, but the late frame has priority 5: when it comes at 26 us a frame is being sent until 32.
    const auto late = [](const Values& values) {
        FourHosts hosts(values);
        for (int i = 0; i < 3; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
        hosts.Send(3, 2, 18, 5);
        CHECK(hosts.Run(2) == Arrivals{16'000, 24'000, 32'000, 40'000, 48'000, 56'000, 64'000});
        const auto from = hosts.senders;
        return std::find(from.begin(), from.end(), 3) - from.begin();
    };
    CHECK(late({{"Scheduler", "fifo"}}) == 6);
    CHECK(late({{"Scheduler", "strict-priority"}}) == 3);
    CHECK(late({{"Scheduler", "wrr"}}) == 3);
    CHECK(late({{"Scheduler", "drr"}, {"Quantum", "1000"}}) == 3);
}

TEST_CASE("A class has the limit that ClassLimits gives it") {
    // Of three frames of class 1 that come at 8 us, its queue holds one; those of class 0 have no limit.
    const auto lost = [](int priority) {
        FourHosts hosts(Values{{"Scheduler", "strict-priority"}, {"ClassLimits", "1000p,1p"}});
        for (const std::uint32_t host : {0, 1, 3}) hosts.Send(host, 2, 0, priority);
        hosts.Run(2);
        return hosts.drops["threshold"];
    };
    CHECK(lost(0) == 0);
    CHECK(lost(1) == 2);
}

TEST_CASE("A frame that finds its output idle cuts through after 64 B, and one that finds it busy is stored") {
    CHECK(Came({{"CutThrough", "true"}}, {{0, 1}}, 1).at == Arrivals{8'000 + 512});
    // 1000 ns of header, 1 us of latency, 8 us; then the other one, whole by then
    const Came two({{"CutThrough", "true"}, {"CutThroughAfter", "125"}, {"Latency", "1us"}}, {{0, 2}, {1, 2}}, 2);
    CHECK(two.at == Arrivals{10'000, 18'000});
}

TEST_CASE("A frame crosses the fabric at its rate, one of a port group at a time") {
    Values fabric{{"FabricRate", "2Gbps"}, {"InputFifo", "4p"}};
    CHECK(Came(fabric, {{0, 1}}, 1).at == Arrivals{8'000 + 4'000 + 8'000});
    const Frames two{{0, 2}, {1, 3}};  // for different outputs
    CHECK(Came(fabric, two, 3).at == Arrivals{8'000 + 8'000 + 8'000});
    fabric.emplace_back("PortGroups", "4");
    CHECK(Came(fabric, two, 3).at == Arrivals{8'000 + 4'000 + 8'000});
}

TEST_CASE("A frame that the memory does not take waits in its input's FIFO, and is lost without one") {
    const Frames two{{0, 2}, {1, 2}};
    const Came without({{"Queueing", "virtual-output"}, {"MaxSize", "1p"}}, two, 2);
    CHECK(without.at == Arrivals{16'000});
    // and two of three copies of each of the first three frames, whose addresses are not yet known
    CHECK(without.drops == std::map<std::string, int>{{"buffer-full", 1 + 3 * 2}});
    const Came with({{"InputFifo", "4p"}, {"MaxSize", "1p"}}, two, 2);
    CHECK(with.at == Arrivals{16'000, 24'000});
    CHECK(with.drops.empty());
}

}  // namespace watershed
