// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/bridge-helper.h>
#include <ns3/csma-helper.h>
#include <ns3/data-rate.h>
#include <ns3/flow-id-tag.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-address-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/node-container.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-helper.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/queue-disc.h>
#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>
#include <ns3/string.h>
#include <ns3/traffic-control-helper.h>
#include <ns3/traffic-control-layer.h>
#include <ns3/udp-socket-factory.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario.h"

/// The synchronous burst as users of ns-3 write it without this project: links, a node in the middle, DropTail.
namespace stock {

/// Parts of ns-3 that a network is made of.
struct Wiring {
    enum class Stack {
        Devices,  ///< PointToPoint, packets handed from device to device
        Sockets,  ///< PointToPoint, UDP sockets over IP, routed by the node in the middle
        Bridge    ///< CSMA, packets sent by devices, bridged by the node in the middle
    };
    Stack stack = Stack::Devices;
    bool queue_discs = false;                  ///< leave those that ns-3 installs with the addresses
    std::optional<std::int64_t> uplink_queue;  ///< packets beside the one being sent; nothing: what ns-3 installs
    std::int64_t slot = 0;                     ///< bytes that a frame costs a link, all told
    watershed::Time uplink_delay{0};
    watershed::Time jitter{0};  ///< each frame is sent so much later at most
    bool by_module = false;     ///< tell the modules apart
};

/// Counts of a run.
struct Result {
    std::int64_t received = 0;
    std::vector<std::int64_t> received_of;  ///< by module, if asked for
    std::optional<std::int64_t>
        first_lost_event;      ///< the event whose frames came last when the uplink first dropped one, from 1
    std::uint64_t events = 0;  ///< of the simulator
    double queued_heap = 0;    ///< bytes, when most frames wait
};

constexpr int kPppHeader = 2;
constexpr int kIpUdpHeaders = 28;
constexpr int kCsmaHeaders = 30;  // Ethernet header and FCS, and the gap that the device keeps

class Camera {
  public:
    Camera(const watershed::Scenario& scenario, const Wiring& wiring)
        : scenario_(scenario),
          wiring_(wiring),
          modules_(static_cast<std::uint32_t>(scenario.front_end.modules)),
          cameras_(modules_),
          others_(2) {
        result_.received_of.resize(modules_);
        wiring.stack == Wiring::Stack::Bridge ? wire_bridge() : wire_point_to_point();
        watch_losses();
    }
    Camera(const Camera&) = delete;
    Camera& operator=(const Camera&) = delete;

    /// @param heap          bytes in use
    /// @param stop_at_loss  run no further than the first loss
    Result run(const std::function<double()>& heap, bool stop_at_loss = false) {
        using namespace ns3;
        stop_at_loss_ = stop_at_loss;
        const std::int64_t events = *scenario_.trigger.events;
        const ns3::Time separation = PicoSeconds(static_cast<std::uint64_t>(scenario_.trigger.separation.count())),
                        begin = MilliSeconds(1);
        const auto jitter = CreateObject<UniformRandomVariable>();
        jitter->SetAttribute("Max", DoubleValue(static_cast<double>(wiring_.jitter.count())));
        std::int64_t sent = 0;
        std::function<void()> trigger = [&] {
            for (std::uint32_t i = 0; i < modules_; ++i)
                if (wiring_.jitter.count() > 0)
                    Simulator::Schedule(PicoSeconds(static_cast<std::uint64_t>(jitter->GetValue())),
                                        [this, i] { send(i); });
                else
                    send(i);
            if (++sent < events) Simulator::Schedule(separation, [&] { trigger(); });
        };
        Simulator::Schedule(begin, [&] { trigger(); });
        const double before = heap();
        Simulator::Schedule(begin + separation * (events - 1), [&] { result_.queued_heap = heap() - before; });
        Simulator::Run();
        result_.events = Simulator::GetEventCount();
        Simulator::Destroy();
        return result_;
    }

  private:
    ns3::Ptr<ns3::Node> middle() const { return others_.Get(0); }
    ns3::Ptr<ns3::Node> server() const { return others_.Get(1); }
    static ns3::StringValue rate(watershed::BitRate rate) {
        return ns3::StringValue(std::to_string(rate.count) + "bps");
    }

    void send(std::uint32_t module) {
        const auto packet = ns3::Create<ns3::Packet>(payload_);
        if (wiring_.by_module) packet->AddPacketTag(ns3::FlowIdTag(module));
        send_[module](packet);
    }

    void receive(const ns3::Ptr<const ns3::Packet>& packet) {
        ++result_.received;
        ns3::FlowIdTag tag;
        if (wiring_.by_module && packet->PeekPacketTag(tag)) ++result_.received_of[tag.GetFlowId()];
    }

    template <class Helper>
    void set_queues(Helper& link, Helper& uplink) {
        link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue("1000000p"));
        if (wiring_.uplink_queue)
            uplink.SetQueue("ns3::DropTailQueue", "MaxSize",
                            ns3::StringValue(std::to_string(*wiring_.uplink_queue) + "p"));
    }

    void wire_point_to_point() {
        using namespace ns3;
        PointToPointHelper link, uplink;
        link.SetDeviceAttribute("DataRate", rate(scenario_.front_end.link_rate));
        uplink.SetDeviceAttribute("DataRate", rate(scenario_.network_switch.uplink_rate));
        uplink.SetChannelAttribute("Delay",
                                   TimeValue(PicoSeconds(static_cast<std::uint64_t>(wiring_.uplink_delay.count()))));
        set_queues(link, uplink);
        for (auto* each : {&link, &uplink}) each->SetDeviceAttribute("Mtu", UintegerValue(9000));
        std::vector<NetDeviceContainer> links;
        for (std::uint32_t i = 0; i < modules_; ++i) {
            links.push_back(link.Install(cameras_.Get(i), middle()));
            inputs_.Add(links.back().Get(1));
        }
        const NetDeviceContainer up = uplink.Install(middle(), server());
        uplink_ = up.Get(0);
        if (wiring_.stack == Wiring::Stack::Sockets)
            connect_sockets(links, up);
        else
            connect_devices(links, up);
    }

    void connect_devices(const std::vector<ns3::NetDeviceContainer>& links, const ns3::NetDeviceContainer& up) {
        using namespace ns3;
        payload_ = static_cast<std::uint32_t>(wiring_.slot - kPppHeader);
        const Ptr<NetDevice> out = up.Get(0);
        for (const NetDeviceContainer& link : links) {
            link.Get(1)->SetReceiveCallback(
                [out](Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t protocol, const Address&) {
                    out->Send(packet->Copy(), out->GetBroadcast(), protocol);
                    return true;
                });
            const Ptr<NetDevice> device = link.Get(0);
            send_.push_back([device](Ptr<Packet> packet) { device->Send(packet, device->GetBroadcast(), 0x0800); });
        }
        up.Get(1)->SetReceiveCallback([this](Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&) {
            receive(packet);
            return true;
        });
    }

    void connect_sockets(const std::vector<ns3::NetDeviceContainer>& links, const ns3::NetDeviceContainer& up) {
        using namespace ns3;
        payload_ = static_cast<std::uint32_t>(wiring_.slot - kPppHeader - kIpUdpHeaders);
        InternetStackHelper().InstallAll();
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
        TrafficControlHelper control;
        const Ipv4InterfaceContainer server_addresses = addresses.Assign(up);
        if (!wiring_.queue_discs) control.Uninstall(up);
        const Ptr<Socket> sink = Socket::CreateSocket(server(), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        sink->SetRecvCallback([this](Ptr<Socket> socket) {
            while (const Ptr<Packet> packet = socket->Recv()) receive(packet);
        });
        for (std::uint32_t i = 0; i < modules_; ++i) {
            addresses.NewNetwork();
            const Ipv4InterfaceContainer ends = addresses.Assign(links[i]);
            if (!wiring_.queue_discs) control.Uninstall(links[i]);
            Ipv4StaticRoutingHelper()
                .GetStaticRouting(cameras_.Get(i)->GetObject<Ipv4>())
                ->SetDefaultRoute(ends.GetAddress(1), 1);
            const Ptr<Socket> socket = Socket::CreateSocket(cameras_.Get(i), UdpSocketFactory::GetTypeId());
            socket->Connect(InetSocketAddress(server_addresses.GetAddress(1), 9));
            send_.push_back([socket](Ptr<Packet> packet) { socket->Send(packet); });
        }
    }

    void wire_bridge() {
        using namespace ns3;
        payload_ = static_cast<std::uint32_t>(wiring_.slot - kCsmaHeaders);
        CsmaHelper link, uplink;
        link.SetChannelAttribute("DataRate", rate(scenario_.front_end.link_rate));
        uplink.SetChannelAttribute("DataRate", rate(scenario_.network_switch.uplink_rate));
        uplink.SetChannelAttribute("Delay",
                                   TimeValue(PicoSeconds(static_cast<std::uint64_t>(wiring_.uplink_delay.count()))));
        set_queues(link, uplink);
        const NetDeviceContainer up = uplink.Install(NodeContainer(middle(), server()));
        uplink_ = up.Get(0);
        NetDeviceContainer ports(uplink_);
        const Address to = up.Get(1)->GetAddress();
        for (std::uint32_t i = 0; i < modules_; ++i) {
            const NetDeviceContainer ends = link.Install(NodeContainer(cameras_.Get(i), middle()));
            inputs_.Add(ends.Get(1));
            ports.Add(ends.Get(1));
            const Ptr<NetDevice> device = ends.Get(0);
            send_.push_back([device, to](Ptr<Packet> packet) { device->Send(packet, to, 0x0800); });
        }
        BridgeHelper().Install(middle(), ports);
        // Else the bridge does not know where the server is, and floods.
        Simulator::Schedule(Seconds(0),
                            [up] { up.Get(1)->Send(Create<Packet>(100), up.Get(1)->GetBroadcast(), 0x0800); });
        up.Get(1)->SetReceiveCallback([this](Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&) {
            receive(packet);
            return true;
        });
    }

    void watch_losses() {
        using namespace ns3;
        const auto arrived = [this](Ptr<const Packet>) { ++arrived_; };
        for (std::uint32_t i = 0; i < inputs_.GetN(); ++i)
            inputs_.Get(i)->TraceConnectWithoutContext("PhyRxEnd", Callback<void, Ptr<const Packet>>(arrived));
        const auto lose = [this] {
            if (!result_.first_lost_event) result_.first_lost_event = (arrived_ - 1) / modules_ + 1;
            if (stop_at_loss_) Simulator::Stop();
        };
        uplink_->TraceConnectWithoutContext("MacTxDrop",
                                            Callback<void, Ptr<const Packet>>([lose](Ptr<const Packet>) { lose(); }));
        uplink_->TraceConnectWithoutContext("PhyTxDrop",
                                            Callback<void, Ptr<const Packet>>([lose](Ptr<const Packet>) { lose(); }));
        const auto layer = middle()->GetObject<TrafficControlLayer>();
        // Without a queue disc it is this layer that drops what finds the device's queue full.
        if (layer)
            layer->TraceConnectWithoutContext("TcDrop",
                                              Callback<void, Ptr<const Packet>>([lose](Ptr<const Packet>) { lose(); }));
        const auto disc = layer ? layer->GetRootQueueDiscOnDevice(uplink_) : nullptr;
        if (disc)
            disc->TraceConnectWithoutContext(
                "Drop", Callback<void, Ptr<const QueueDiscItem>>([lose](Ptr<const QueueDiscItem>) { lose(); }));
    }

    const watershed::Scenario& scenario_;
    const Wiring wiring_;
    const std::uint32_t modules_;
    ns3::NodeContainer cameras_, others_;
    ns3::NetDeviceContainer inputs_;  // of the node in the middle
    ns3::Ptr<ns3::NetDevice> uplink_;
    std::uint32_t payload_ = 0;
    std::vector<std::function<void(ns3::Ptr<ns3::Packet>)>> send_;
    bool stop_at_loss_ = false;
    std::int64_t arrived_ = 0;
    Result result_;
};

/// Network that the scenario describes: the memory as a queue of packets, each of which costs a link its whole slot.
inline Wiring wiring_of(const watershed::Scenario& scenario, Wiring::Stack stack) {
    Wiring wiring;
    wiring.stack = stack;
    wiring.uplink_queue =
        scenario.network_switch.buffer.size.amount - 1;  // the packet being sent is not in the device's queue
    wiring.slot = (scenario.frame.payload + scenario.frame.wire_overhead).count;
    return wiring;
}

/// The same with the queue discs, and on the uplink the queue, that ns-3 installs by itself.
inline Wiring as_installed(const watershed::Scenario& scenario) {
    Wiring wiring = wiring_of(scenario, Wiring::Stack::Sockets);
    wiring.queue_discs = true;
    wiring.uplink_queue.reset();
    return wiring;
}

inline Result run(const watershed::Scenario& scenario, const Wiring& wiring, const std::function<double()>& heap) {
    return Camera(scenario, wiring).run(heap);
}

}  // namespace stock
