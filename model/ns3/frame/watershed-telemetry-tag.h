// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/tag.h>

#include <vector>

#include "model/base/rate-law.h"
#include "model/ns3/frame/watershed-frame.h"

namespace watershed {

/// Telemetry of a packet whose sender asks for it, and of the answer that brings it back. It adds no byte: sender and
/// receiver make room for those that it would have.
class WatershedTelemetryTag : public ns3::Tag {
  public:
    static ns3::TypeId GetTypeId();
    explicit WatershedTelemetryTag(Time at = Time{0}) : sent(at) {}

    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::TagBuffer buffer) const override;
    void Deserialize(ns3::TagBuffer buffer) override;
    void Print(std::ostream& out) const override { out << links.size() << " links"; }

    Time sent;                      ///< time at which the packet was sent
    bool isAnswer = false;          ///< on its way back, where nobody writes to it
    std::vector<LinkReport> links;  ///< links that it has left by, kTelemetryLinks at most
};

/// Returns a frame with one report more, if it asks for reports and has room.
WatershedFrame WithReport(const WatershedFrame& frame, const LinkReport& report);

}  // namespace watershed
