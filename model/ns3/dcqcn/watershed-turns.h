// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/object.h>
#include <ns3/packet.h>
#include <ns3/queue-item.h>

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace watershed {

/// The turns of a node's flows at its links, as an adapter of RoCE gives them to its queue pairs. A link takes one
/// packet of a traffic class at a time: the next one once the last bit of that has left. Flows that wait for it are
/// served round robin. So a port that is paused stops its flows, and no queue disc holds their packets. For devices
/// with the trace source "PhyTxEnd"; at others a flow need not wait.
class WatershedTurns : public ns3::Object {
    struct Lane;

  public:
    static ns3::TypeId GetTypeId();
    /// Returns the turns of a node, which are made when they are first asked for.
    static ns3::Ptr<WatershedTurns> Of(const ns3::Ptr<ns3::Node>& node);

    class Flow {
      public:
        virtual ~Flow() = default;
        /// Gives a packet to its socket, and tells Sends() before. @return false if it has none
        virtual bool TakeTurn() = 0;
        /// The packet has left, or was lost within the node: the flow may ask again.
        virtual void Left() = 0;

      private:
        friend class WatershedTurns;
        Lane* m_lane = nullptr;
        bool m_isKnown = false;  ///< a packet has left, and so its address was found
    };
    void Enter(Flow& flow, const ns3::Ptr<ns3::NetDevice>& device, int trafficClass);
    void Leave(const Flow& flow);
    /// @param flow  has no packet on its way to the link
    void Ask(Flow& flow);
    void Sends(Flow& flow, const ns3::Packet& packet);
    void Left(ns3::Ptr<const ns3::Packet> packet);

  private:
    struct Lane {
        std::uint32_t mtu = 0;
        bool isTaken = false;
        std::deque<Flow*> waiting;
    };
    struct OnItsWay {
        Flow* flow;            ///< none once it has left its place
        Lane* lane;            ///< none if it holds up no other
        std::uint32_t frames;  ///< still to leave: more than one if it is longer than the MTU
    };

    void Dropped(ns3::Ptr<const ns3::QueueDiscItem> item) { Left(item->GetPacket()); }
    void Next(Lane* lane);

    std::map<std::pair<const ns3::NetDevice*, int>, Lane> m_lanes;  ///< by link and traffic class
    std::unordered_map<std::uint64_t, OnItsWay> m_onTheirWay;       ///< by the number of the packet
};

}  // namespace watershed
