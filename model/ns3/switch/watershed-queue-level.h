// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>
#include <ns3/traced-value.h>

#include <cstdint>

namespace watershed {

/// Frames of one traffic class that wait at a port of a switch or are being sent by it, as a trace source.
class WatershedQueueLevel : public ns3::Object {
  public:
    static ns3::TypeId GetTypeId();

    /// @param frames, bytes  that came, or went if they are negative
    void Change(std::int64_t frames, std::int64_t bytes) {
        m_packets += static_cast<std::uint32_t>(frames);
        m_bytes += static_cast<std::uint32_t>(bytes);
    }

  private:
    ns3::TracedValue<std::uint32_t> m_packets{0};
    ns3::TracedValue<std::uint32_t> m_bytes{0};
};

}  // namespace watershed
