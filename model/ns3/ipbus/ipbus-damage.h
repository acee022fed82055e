// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/error-model.h>

#include <cstdint>

#include "model/base/loss.h"
#include "model/base/random.h"

namespace watershed {

/// Damages frames on the links of a switch at random, one in so many, in the order in which they arrive there.
class IpbusDamage : public ns3::ErrorModel {
  public:
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::IpbusDamage").SetParent<ns3::ErrorModel>();
        return tid;
    }

    IpbusDamage(std::int64_t one_in, std::uint64_t seed) : m_oneIn(one_in), m_seed(seed) {}

  private:
    bool DoCorrupt(ns3::Ptr<ns3::Packet>) override {
        return uniform_up_to(random_bits(m_seed, Stream::IpbusLoss, ++m_arrived), m_oneIn - 1) == 0;
    }
    void DoReset() override { m_arrived = 0; }

    std::int64_t m_oneIn;
    std::uint64_t m_seed;
    std::uint64_t m_arrived = 0;
};

}  // namespace watershed
