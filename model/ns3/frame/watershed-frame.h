// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>
#include <ns3/ptr.h>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <optional>

#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace ns3 {
inline void intrusive_ptr_add_ref(const Packet* packet) { packet->Ref(); }
inline void intrusive_ptr_release(const Packet* packet) { packet->Unref(); }
}  // namespace ns3

namespace watershed {

/// A frame on its way: any packet, or a fragment, which is its module's template and an event number and takes a third
/// of the memory. The packet of a fragment is made where it is first looked at - by a listener of a trace source, a
/// capture, a protocol stack, the camera server - and stays with the frame from there on.
class WatershedFrame {
  public:
    WatershedFrame() = default;
    WatershedFrame(const ns3::Ptr<ns3::Packet>& packet) : m_packet(ns3::PeekPointer(packet)) {}
    /// @param fragment must outlive the frame
    WatershedFrame(const WatershedFragmentFrame* fragment, std::uint32_t event)
        : m_fragment(fragment), m_event(event) {}

    /// Bytes without FCS.
    std::uint32_t GetSize() const { return m_fragment ? m_fragment->GetSize() : m_packet->GetSize(); }
    /// The identity in the data taking, if the frame is a fragment of an event.
    std::optional<FrameId> Identify() const {
        return m_fragment ? m_fragment->Identify(m_event) : IdentifyFrame(*m_packet);
    }
    /// Its traffic class.
    int GetClass() const { return m_fragment ? m_fragment->GetClass() : ClassOf(*m_packet); }
    /// Returns true if it serves the network itself, and carries no data.
    bool IsOfNetwork() const { return !m_fragment && watershed::IsOfNetwork(*m_packet); }
    ns3::Ptr<ns3::Packet> GetPacket() const {
        if (!HasBytes()) {
            if (!m_packet) MakePacket();
            m_fragment->PutHeaders(*m_packet, m_event);
        }
        return m_packet.get();
    }
    /// Makes the packet of a fragment now, still without its headers: GetPacket() puts them in front.
    void MakePacket() const { m_packet.reset(ns3::PeekPointer(m_fragment->MakeBehind())); }

  private:
    bool HasBytes() const { return m_packet && (!m_fragment || m_packet->GetSize() == m_fragment->GetSize()); }

    const WatershedFragmentFrame* m_fragment = nullptr;
    std::uint32_t m_event = 0;
    mutable boost::intrusive_ptr<ns3::Packet>
        m_packet;  ///< counted here, since ns-3's pointer would touch the packet wherever a frame moves
};

}  // namespace watershed
