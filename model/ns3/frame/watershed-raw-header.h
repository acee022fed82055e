// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/header.h>

namespace watershed {

/// Puts bytes that are complete already in front of a packet.
class WatershedRawHeader final : public ns3::Header {
  public:
    WatershedRawHeader() = default;  // for ns-3, which makes one to print a packet
    WatershedRawHeader(const std::uint8_t* bytes, std::uint32_t size) : m_bytes(bytes), m_size(size) {}
    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::WatershedRawHeader")
                                           .SetParent<ns3::Header>()
                                           .SetGroupName("Watershed")
                                           .AddConstructor<WatershedRawHeader>();
        return tid;
    }
    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    std::uint32_t GetSerializedSize() const override { return m_size; }
    void Serialize(ns3::Buffer::Iterator start) const override { start.Write(m_bytes, m_size); }
    std::uint32_t Deserialize(ns3::Buffer::Iterator) override { return 0; }
    void Print(std::ostream&) const override {}

  private:
    const std::uint8_t* m_bytes = nullptr;
    std::uint32_t m_size = 0;
};

}  // namespace watershed
