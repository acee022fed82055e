// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/net-device.h>

#include <cstdint>

#include "model/ns3/base/watershed-namespace.h"

namespace watershed {

/// A full-duplex Ethernet port of a host or of a switch: an output FIFO in front of a link at a fixed rate. Made by
/// WatershedSwitchHelper, or by an ObjectFactory of its name.
class WatershedNetDevice : public ns3::NetDevice {
  public:
    static ns3::TypeId GetTypeId();  ///< @return the id of this class, with attributes and trace sources

    virtual std::int64_t GetFramesSent() const = 0;  ///< @return frames that have left, pauses not counted

    /// Pause. @param quanta, trafficClass  for which the port stops
    using PauseTracedCallback = void (*)(std::uint32_t quanta, std::uint32_t trafficClass);
};

}  // namespace watershed
