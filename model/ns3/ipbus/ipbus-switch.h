// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "model/frontend/ledger.h"
#include "model/ns3/core/watershed-frame-handler.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// A store-and-forward switch between a server and its units, both ways. What goes to the server waits in the switch
/// memory and is lost where that is full; what goes to a unit, short requests from a link that is faster than all of
/// them need, waits without limit.
class IpbusSwitch : public ns3::Object, private WatershedFrameHandler {
  public:
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId();

    /// @param damaged_one_in  frames of either direction; 0: none
    void Configure(ns3::Ptr<WatershedNetDevice> server, std::unique_ptr<SwitchMemory> memory,
                   std::int64_t damaged_one_in, std::uint64_t seed, Ledger& ledger);
    /// Units count from 0 in the order in which they are added.
    void AddUnit(ns3::Ptr<WatershedNetDevice> device, ns3::Mac48Address address);

    const SwitchMemory& GetMemory() const { return *m_memory; }

  private:
    static constexpr std::uint32_t kServerPort = 0;  ///< unit i is at i + 1

    void DoDispose() override;
    void FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t port, const Moment& now) override;
    bool IsDamaged();

    ns3::Ptr<WatershedNetDevice> m_server;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_units;
    std::map<ns3::Mac48Address, std::size_t> m_unitOf;
    std::unique_ptr<SwitchMemory> m_memory;
    std::deque<MemoryClaim> m_stored;  ///< in the order of leaving
    std::int64_t m_damagedOneIn = 0;
    std::uint64_t m_seed = 1;
    std::uint64_t m_arrived = 0;
    Ledger* m_ledger = nullptr;
};

}  // namespace watershed
