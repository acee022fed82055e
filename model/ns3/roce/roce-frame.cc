// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/roce-frame.h"

#include <ns3/header.h>

namespace watershed {
namespace {

/// Puts headers that are complete already in front of a packet.
class RoceHeader final : public ns3::Header {
  public:
    explicit RoceHeader(const roce::Headers& headers)
        : m_bytes(roce::to_bytes(headers)), m_size(static_cast<std::uint32_t>(headers.size())) {}
    ns3::TypeId GetInstanceTypeId() const override { return Header::GetTypeId(); }
    std::uint32_t GetSerializedSize() const override { return m_size; }
    void Serialize(ns3::Buffer::Iterator start) const override { start.Write(m_bytes.data(), m_size); }
    std::uint32_t Deserialize(ns3::Buffer::Iterator) override { return 0; }
    void Print(std::ostream&) const override {}

  private:
    std::array<std::uint8_t, roce::kLongestHeaders> m_bytes;
    std::uint32_t m_size;
};

}  // namespace

ns3::Ptr<ns3::Packet> MakeRoceFrame(const roce::Headers& headers) {
    const auto frame = ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(headers.data.count + roce::kIcrc));
    frame->AddHeader(RoceHeader(headers));
    return frame;
}

std::optional<roce::Headers> ReadRoceFrame(const ns3::Packet& frame) {
    std::array<std::uint8_t, roce::kLongestHeaders> bytes{};
    return roce::from_bytes(bytes.data(), frame.CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size())));
}

}  // namespace watershed
