// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/frontend/senders.h"
#include "model/switch/switch.h"

namespace watershed {

/// A UDP source port for each module, the lowest dynamic one not yet taken with which the hash lets modules take turns.
/// @throws std::invalid_argument naming the key, if the hash does not look at ports
std::vector<std::int64_t> balanced_source_ports(const Switch& network_switch, const FrontEnd& front_end);

}  // namespace watershed
