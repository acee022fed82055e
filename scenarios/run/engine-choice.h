// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/exact/engine.h"

namespace watershed {

/// Makes the engine of this name, "ns3" or "exact"; main() knows how, so that nothing else links ns-3.
/// @param pcap_prefix  where the engine writes captures; empty for none
using EngineFactory = std::function<std::unique_ptr<Engine>(const std::string& name, const std::string& pcap_prefix)>;

}  // namespace watershed
