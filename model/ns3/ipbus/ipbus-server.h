// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "model/base/server-pool.h"
#include "model/ipbus/ipbus-client.h"
#include "model/ipbus/ipbus-link.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-udp-frame.h"

namespace watershed {

/// The server: a client and ControlHub's link for each unit, whose work all threads of the processor share.
class IpbusServer : private WatershedHost {
  public:
    IpbusServer(ns3::Ptr<WatershedNetDeviceImpl> device, const Ipbus& ipbus, std::int64_t block, const Endpoint& own,
                const std::vector<Endpoint>& units)
        : WatershedHost(device), m_ipbus(ipbus), m_own(own), m_units(units), m_pool(ipbus.processor) {
        for (std::size_t unit = 0; unit < units.size(); ++unit) {
            m_unitOf[MacOf(units[unit])] = unit;
            m_seats.push_back(std::make_unique<Seat>(*this, unit, block));
        }
    }
    void Start() {
        for (int slot = 0; slot < m_ipbus.client.outstanding; ++slot)
            for (const auto& seat : m_seats) seat->Begin();
    }
    /// No more blocks; those under way are completed.
    void EndBlocks() { m_ended = true; }

    const IpbusClient& GetClient(std::size_t unit) const { return m_seats[unit]->client; }
    const IpbusLink& GetLink(std::size_t unit) const { return m_seats[unit]->link; }
    Time GetBusy() const { return m_pool.busy(Now()); }
    std::int64_t GetFramesSent() const { return m_device->GetFramesSent(); }
    std::int64_t GetFramesTaken() const { return m_framesTaken; }

  private:
    /// The server's state for one unit. The packets of a unit stay in order, since one process handles them.
    class Seat {
      public:
        Seat(IpbusServer& server, std::size_t unit, std::int64_t block)
            : client(server.m_ipbus, block),
              link(server.m_ipbus.hub, server.m_ipbus.unit.buffers),
              m_server(server),
              m_unit(unit) {}

        /// A slot of the client is free for a block.
        void Begin() {
            if (m_server.m_ended || link.given_up()) return;
            After(m_server.m_pool.serve(Now(), m_server.m_ipbus.client.block_cost) - Now(), &Seat::Ask);
        }

        void Arrived(ipbus::Words packet, Time now) {
            m_taken = std::max(m_taken, m_server.m_pool.serve(now, m_server.PacketWork(packet.size())));
            m_arrived.push_back(std::move(packet));
            After(m_taken - now, &Seat::Take);
        }

        IpbusClient client;
        IpbusLink link;

      private:
        void After(Time delay, void (Seat::*method)()) {
            ns3::Simulator::ScheduleWithContext(m_server.GetContext(), ToNs3(delay), method, this);
        }

        void Ask() {
            if (m_server.m_ended) return;
            for (const ipbus::FifoRead& read : client.next_block()) link.enqueue(read);
            Send();
        }

        void Take() {
            const ipbus::Words packet = std::move(m_arrived.front());
            m_arrived.pop_front();
            const bool answers = link.receive(packet, Now());
            Send();
            if (answers && client.receive(ipbus::parse_read_reply(packet)))
                After(m_server.m_ipbus.client.latency, &Seat::Begin);
        }

        void Send() {
            for (ipbus::Words& packet : link.outgoing(Now())) {
                m_sent = std::max(m_sent, m_server.m_pool.serve(Now(), m_server.PacketWork(packet.size())));
                m_leaving.push_back(std::move(packet));
                After(m_sent - Now(), &Seat::Emit);
            }
            Watch();
        }

        void Emit() {
            m_server.Emit(m_unit, m_leaving.front());
            m_leaving.pop_front();
        }

        void Watch() {
            const auto deadline = link.deadline();
            if (m_watching || !deadline) return;
            m_watching = true;
            m_timer.Schedule(m_server.GetContext(), *deadline - Now());
        }

        void Expired() {
            m_watching = false;
            const auto deadline = link.deadline();
            if (deadline && *deadline <= Now()) {
                link.time_out(Now());
                Send();
            } else {
                Watch();  // something has come meanwhile
            }
        }

        IpbusServer& m_server;
        std::size_t m_unit;
        std::deque<ipbus::Words> m_arrived, m_leaving;
        Time m_taken{0}, m_sent{0};
        bool m_watching = false;
        WatershedTimer<Seat, &Seat::Expired> m_timer{this};
    };

    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto payload = UdpPayload(*frame.GetPacket());
        const auto unit = m_unitOf.find(SourceOf(*frame.GetPacket()));
        if (!payload || unit == m_unitOf.end()) throw std::logic_error("a frame at the server is no reply of a unit");
        ++m_framesTaken;
        m_seats[unit->second]->Arrived(ipbus::from_bytes(*payload), now);
    }
    Time PacketWork(std::size_t words) const {
        return m_ipbus.hub.packet_cost + static_cast<std::int64_t>(words * ipbus::kWordBytes) * m_ipbus.hub.byte_cost;
    }
    void Emit(std::size_t unit, const ipbus::Words& packet) {
        m_device->SendFrame(MakeUdpFrame(m_own, m_units[unit], ipbus::to_bytes(packet)), Now());
    }

    const Ipbus& m_ipbus;
    Endpoint m_own;
    std::vector<Endpoint> m_units;
    std::map<ns3::Mac48Address, std::size_t> m_unitOf;
    ServerPool m_pool;
    std::vector<std::unique_ptr<Seat>> m_seats;
    bool m_ended = false;
    std::int64_t m_framesTaken = 0;
};

}  // namespace watershed
