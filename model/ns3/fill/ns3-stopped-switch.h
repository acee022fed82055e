// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/fill/fill-test.h"

namespace watershed {

/// A TxDisabledSwitch of ns-3: nodes, devices, cables and packets, and uplinks so slow that none of them has sent its
/// first frame while it is filled. It owns ns-3's simulator while it lives.
std::unique_ptr<TxDisabledSwitch> stop_in_ns3(const NetworkScenario& scenario, std::int64_t frames);

}  // namespace watershed
