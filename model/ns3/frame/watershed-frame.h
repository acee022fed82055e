// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>
#include <ns3/ptr.h>

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstdint>
#include <cstring>
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
/// capture, a protocol stack, the camera server - and stays with the frame from there on. So is the header of a packet
/// that a node sends, which stands beside it until then.
class WatershedFrame {
  public:
    WatershedFrame() = default;
    WatershedFrame(const ns3::Ptr<ns3::Packet>& packet) : m_packet(ns3::PeekPointer(packet)) {}
    /// Wraps a packet in Ethernet.
    WatershedFrame(const ns3::Ptr<ns3::Packet>& packet, const ns3::Mac48Address& from, const ns3::Mac48Address& to,
                   std::uint16_t protocol)
        : m_apart{EthernetHead{to, from, protocol}}, m_packet(ns3::PeekPointer(packet)) {
        if (m_packet->GetSize() + kEthernetHead < kShortestFrame)
            WrapInEthernet(*packet, from, to, protocol);
        else
            m_apart.kind = Kind::Beside;
    }
    /// @param fragment must outlive the frame
    WatershedFrame(const WatershedFragmentFrame* fragment, std::uint32_t event) {
        const OfModule of{fragment, event};
        m_apart.kind = Kind::Fragment;
        std::memcpy(m_apart.lead.raw.data(), &of, kOfModule);
    }

    /// Bytes without FCS.
    std::uint32_t GetSize() const {
        return m_apart.kind == Kind::Fragment ? Of().fragment->GetSize() : Read().GetSize();
    }
    /// The identity in the data taking, if the frame is a fragment of an event.
    std::optional<FrameId> Identify() const {
        return m_apart.kind == Kind::Fragment ? Of().fragment->Identify(Of().event) : IdentifyFrame(*GetPacket());
    }
    /// Its traffic class.
    int GetClass() const {
        if (m_apart.kind == Kind::Fragment) return Of().fragment->GetClass();
        if (m_apart.traffic_class == kUnread) m_apart.traffic_class = static_cast<std::int8_t>(ClassOf(Read()));
        return m_apart.traffic_class;
    }
    /// Returns true if it serves the network itself, and carries no data.
    bool IsOfNetwork() const { return m_apart.kind != Kind::Fragment && watershed::IsOfNetwork(Read()); }
    /// Its bytes, until somebody asks for its packet.
    FrameBytes GetBytes() const { return m_apart.kind == Kind::Fragment ? FrameBytes(*GetPacket()) : Read(); }
    ns3::Ptr<ns3::Packet> GetPacket() const {
        if (m_apart.kind == Kind::Beside) {
            Own();
            WrapInEthernet(*m_packet, m_apart.lead.head.from, m_apart.lead.head.to, m_apart.lead.head.protocol);
            m_apart.kind = Kind::Whole;
        } else if (m_apart.kind == Kind::Fragment && (!m_packet || m_packet->GetSize() != Of().fragment->GetSize())) {
            if (!m_packet) MakePacket();
            Of().fragment->PutHeaders(*m_packet, Of().event);
        }
        return m_packet.get();
    }
    /// Payload behind the header, in a packet that is nobody else's; the frame has none then.
    ns3::Ptr<const ns3::Packet> TakeBehind() {
        if (m_apart.kind == Kind::Fragment) GetPacket();
        Own();
        if (m_apart.kind != Kind::Beside) m_packet->RemoveAtStart(kEthernetHead);
        return {m_packet.detach(), false};
    }
    /// Makes the packet of a fragment now, still without its headers: GetPacket() puts them in front.
    void MakePacket() const { m_packet.reset(ns3::PeekPointer(Of().fragment->MakeBehind())); }

  private:
    enum class Kind : std::uint8_t { Whole, Beside, Fragment };
    static constexpr std::int8_t kUnread = -1;

    struct OfModule {
        const WatershedFragmentFrame* fragment;
        std::uint32_t event;
    };
    static constexpr std::size_t kOfModule = sizeof(void*) + sizeof(std::uint32_t);

    OfModule Of() const {
        OfModule of{};
        std::memcpy(&of, m_apart.lead.raw.data(), kOfModule);
        return of;
    }
    FrameBytes Read() const { return {*m_packet, m_apart.kind == Kind::Beside ? &m_apart.lead.head : nullptr}; }
    /// Makes the packet one that nobody else looks at.
    void Own() const {
        if (m_packet->GetReferenceCount() > 1) m_packet.reset(ns3::PeekPointer(m_packet->Copy()));
    }

    /// Header that stands beside the packet, or fragment and event: millions of frames may wait.
    union Lead {
        Lead() : raw{} {}
        Lead(const EthernetHead& of) : head(of) {}
        EthernetHead head;
        std::array<std::uint8_t, kEthernetHead> raw;
    };
    /// Beside the packet; 16 bytes that move at once.
    struct alignas(void*) Apart {
        Lead lead{};
        Kind kind = Kind::Whole;
        std::int8_t traffic_class = kUnread;
    };
    mutable Apart m_apart;
    mutable boost::intrusive_ptr<ns3::Packet>
        m_packet;  ///< counted here, since ns-3's pointer would touch the packet wherever a frame moves
};

}  // namespace watershed
