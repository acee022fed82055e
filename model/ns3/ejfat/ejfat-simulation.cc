// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-simulation.h"

#include <ns3/node-container.h>
#include <ns3/simulator.h>

#include <deque>

#include "model/ns3/base/ns3-session.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/ejfat/ejfat-controller.h"
#include "model/ns3/ejfat/ejfat-load-balancer.h"
#include "model/ns3/ejfat/ejfat-producer.h"
#include "model/ns3/ejfat/ejfat-worker.h"
#include "model/ns3/helper/watershed-helper.h"

namespace watershed {
namespace {

/// The switch between the balancer and its nodes: sends a frame to the node whose address it has.
class EjfatLan : private WatershedHost {
  public:
    static constexpr LossCause kPortFull{"node-port", "queue-full"};

    EjfatLan(const ns3::Ptr<WatershedNetDeviceImpl>& input, EjfatMonitor& monitor)
        : WatershedHost(input), m_monitor(monitor) {}
    /// Towards the next node.
    void AddPort(ns3::Ptr<WatershedNetDeviceImpl> device) { m_ports.push_back(device); }

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto headers = ReadAtNode(*frame.GetPacket()).value();
        if (!m_ports.at(static_cast<std::size_t>(ejfat_node_of(headers.to)))->SendFrame(std::move(frame), now))
            m_monitor.lost(headers.reassembly.event, kPortFull);
    }

    EjfatMonitor& m_monitor;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_ports;
};

}  // namespace

EjfatResult simulate_ejfat(const Ejfat& ejfat, const EjfatPoint& point, std::uint64_t seed,
                           const std::string& pcap_prefix) {
    EjfatMonitor monitor(ejfat, point);
    EjfatControlPlane plane(ejfat, seed);
    std::deque<EjfatHost> hosts;
    for (int i = 0; i < ejfat.nodes.count; ++i) hosts.emplace_back(ejfat, point, i, seed, monitor);

    const Ns3Session session;
    const auto node = [] { return ns3::CreateObject<ns3::Node>(); };
    ns3::NodeContainer worker_nodes(static_cast<std::uint32_t>(ejfat.nodes.count));
    const auto controller_node = node(), lan_node = node(), balancer_node = node();
    EjfatController controller(controller_node->GetId(), ejfat, plane, monitor);
    EjfatLoadBalancer balancer(ejfat, seed, monitor, controller);
    controller.SetBalancer([&](const EjfatEpochs::Epoch& table) { balancer.Install(table); });
    const WatershedHelper helper;
    const auto [out, in] = helper.Connect(balancer_node, lan_node, ejfat.balancer.link_rate, ejfat.balancer.delay);
    out->SetAttribute("FifoLimit", ValueOf(ejfat.balancer.queue));
    balancer.SetOutput(out);
    EjfatLan lan(in, monitor);

    WatershedPcap capture;
    std::deque<EjfatWorker> workers;
    for (int i = 0; i < ejfat.nodes.count; ++i) {
        const auto [port, device] =
            helper.Connect(lan_node, worker_nodes.Get(static_cast<std::uint32_t>(i)), ejfat.nodes.link_rate);
        port->SetAttribute("FifoLimit", ValueOf(ejfat.nodes.port_queue));
        lan.AddPort(port);
        EjfatWorker& worker =
            workers.emplace_back(device, ejfat, i, hosts[static_cast<std::size_t>(i)], controller, monitor);
        controller.Add([&worker] { return worker.GetFill(); });
        if (i == 0 && !pcap_prefix.empty()) capture.Capture(*device, pcap_prefix + "-node.pcap");
    }
    std::deque<EjfatProducer> producers;
    for (int i = 0; i < ejfat.source.count; ++i) {
        const auto [device, input] = helper.Connect(node(), balancer_node, ejfat.source.link_rate, ejfat.source.delay);
        balancer.AddInput(input);
        producers.emplace_back(device, ejfat, point, i, seed, monitor);
        if (i == 0 && !pcap_prefix.empty()) capture.Capture(*input, pcap_prefix + "-balancer.pcap");
    }
    for (EjfatWorker& worker : workers) worker.Start();
    controller.Start();
    for (EjfatProducer& producer : producers) producer.Start();

    ns3::Simulator::Run();
    capture.Commit();
    for (EjfatHost& host : hosts) host.finish();
    return monitor.result();
}

}  // namespace watershed
