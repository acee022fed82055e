// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>

#include <map>
#include <memory>
#include <vector>

#include "model/base/server-pool.h"
#include "model/ipbus/ipbus-client.h"
#include "model/ipbus/ipbus-link.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// The server: a client and ControlHub's link for each unit, whose work all threads of the processor share.
class IpbusServer : public ns3::Application, private WatershedFrameHandler {
  public:
    static ns3::TypeId GetTypeId();
    IpbusServer();
    ~IpbusServer() override;

    /// @param ipbus outlives the application
    void Configure(ns3::Ptr<WatershedNetDevice> device, const Ipbus& ipbus, std::int64_t block,
                   const FragmentEndpoint& own, const std::vector<FragmentEndpoint>& units);
    /// No more blocks; those under way are completed.
    void EndBlocks();

    const IpbusClient& GetClient(std::size_t unit) const;
    const IpbusLink& GetLink(std::size_t unit) const;
    Time GetBusy() const { return m_pool->busy(Now()); }
    std::int64_t GetFramesSent() const { return m_framesSent; }
    std::int64_t GetFramesTaken() const { return m_framesTaken; }

  private:
    class Seat;

    void StartApplication() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t, const Moment&) override {}
    Time PacketWork(std::size_t words) const;
    void Emit(std::size_t unit, const ipbus::Words& packet);

    const Ipbus* m_ipbus = nullptr;
    ns3::Ptr<WatershedNetDevice> m_device;
    FragmentEndpoint m_own;
    std::vector<FragmentEndpoint> m_units;
    std::map<ns3::Mac48Address, std::size_t> m_unitOf;
    std::unique_ptr<ServerPool> m_pool;
    std::vector<std::unique_ptr<Seat>> m_seats;
    bool m_ended = false;
    std::int64_t m_framesSent = 0;
    std::int64_t m_framesTaken = 0;
};

}  // namespace watershed
