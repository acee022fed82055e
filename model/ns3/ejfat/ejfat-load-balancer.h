// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <stdexcept>

#include "model/base/random.h"
#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/ejfat/ejfat-controller.h"
#include "model/ns3/ejfat/ejfat-packet.h"

namespace watershed {

/// The balancer's data plane: looks each packet's event up in the calendar of its epoch, readdresses it to the node
/// that it finds there, and takes its own header off.
class EjfatLoadBalancer : private WatershedFrameHandler {
  public:
    static constexpr LossCause kNoNode{"balancer", "no-node"};
    static constexpr LossCause kQueueFull{"balancer", "queue-full"};
    static constexpr LossCause kDamaged{"path", "damaged"};

    EjfatLoadBalancer(const Ejfat& ejfat, std::uint64_t seed, EjfatMonitor& monitor, EjfatController& controller)
        : m_ejfat(ejfat), m_seed(seed), m_monitor(monitor), m_controller(controller) {}
    void AddInput(ns3::Ptr<WatershedNetDeviceImpl> device) { device->SetFrameHandler(this, m_inputs++); }
    void SetOutput(ns3::Ptr<WatershedNetDeviceImpl> device) { m_output = device; }
    void Install(EjfatEpochs::Epoch epoch) {
        if (m_furthest > 0 && epoch.first_event <= m_furthest) m_monitor.epoch_late();
        m_epochs.add(std::move(epoch));
    }

  private:
    void FrameArrived(std::uint32_t, WatershedFrame&& frame, const Timestamp& moment) override {
        const Time now = moment.time;
        const ns3::Ptr<ns3::Packet>& packet = frame.GetPacket();
        const auto headers = ReadAtBalancer(*packet);
        if (!headers) {
            const auto sync = ReadSync(*packet);
            if (!sync) throw std::logic_error("a packet at the balancer is neither of an event nor of synchronisation");
            return m_controller.Synced(*sync);
        }
        const std::uint64_t event = headers->balancer.event;
        const std::int64_t one_in = m_ejfat.source.loss_one_in;
        if (one_in > 0 && uniform_up_to(random_bits(m_seed, Stream::EjfatLoss, ++m_arrived), one_in - 1) == 0)
            return m_monitor.lost(event, kDamaged);
        const int node = m_epochs.node_of(event);
        if (node == watershed::kNoNode) return m_monitor.lost(event, kNoNode);
        m_monitor.at_balancer(event, node, now);
        m_furthest = std::max(m_furthest, event);

        Readdress(*packet, *headers, ejfat_node_end(node, headers->balancer.entropy % m_ejfat.nodes.receive_threads));
        if (!m_output->SendFrame(packet, now + m_ejfat.balancer.latency, now)) m_monitor.lost(event, kQueueFull);
    }

    const Ejfat& m_ejfat;
    std::uint64_t m_seed;
    EjfatMonitor& m_monitor;
    EjfatController& m_controller;
    std::uint32_t m_inputs = 0;
    ns3::Ptr<WatershedNetDeviceImpl> m_output;
    EjfatEpochs m_epochs;
    std::uint64_t m_arrived = 0;
    std::uint64_t m_furthest = 0;  ///< event number that has been given to a node
};

}  // namespace watershed
