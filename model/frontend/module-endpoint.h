// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/addresses.h"
#include "model/frontend/senders.h"

namespace watershed {

/// The sender's end of a module's flow.
/// @param module from 1
inline Endpoint module_endpoint(const FrontEnd& front_end, int module) {
    module += front_end.modules_before;
    const auto& ports = front_end.source_ports;
    const int port = ports.empty() ? kDynamicPorts + module % (0x10000 - kDynamicPorts)
                                   : static_cast<int>(ports[static_cast<std::size_t>(module - 1) % ports.size()]);
    return local_endpoint(1, module, port);
}

}  // namespace watershed
