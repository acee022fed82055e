// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/ping/ping.h"

namespace watershed {

/// Sends the packet through ns-3.
PingResult simulate_ping(const Ping& ping);

}  // namespace watershed
