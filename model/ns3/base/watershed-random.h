// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/rng-seed-manager.h>
#include <ns3/rng-stream.h>

#include <cstdint>
#include <optional>

namespace watershed {

/// Draws what an ns3::UniformRandomVariable with the same stream draws. The stream is made when it is first drawn from:
/// ns-3's generator computes 39 million instructions of constants for its first, which a run without lots does not
/// need. Its number is kept from the beginning, so that streams of others are what they would be.
class WatershedRandom {
  public:
    WatershedRandom() { SetStream(-1); }
    /// @param stream -1: the next one of ns-3's own
    void SetStream(std::int64_t stream) {
        constexpr std::uint64_t kAssigned = std::uint64_t{1} << 63;  // ns-3 has its own streams below
        m_number =
            stream < 0 ? ns3::RngSeedManager::GetNextStreamIndex() : kAssigned + static_cast<std::uint64_t>(stream);
        m_stream.reset();
    }
    /// From 0 to this one.
    std::uint32_t GetInteger(std::uint32_t most) {
        if (!m_stream) m_stream.emplace(ns3::RngSeedManager::GetSeed(), m_number, ns3::RngSeedManager::GetRun());
        return static_cast<std::uint32_t>(m_stream->RandU01() * (static_cast<double>(most) + 1));
    }

  private:
    std::uint64_t m_number = 0;
    std::optional<ns3::RngStream> m_stream;
};

}  // namespace watershed
