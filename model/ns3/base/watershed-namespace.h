// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {}

/// For users of ns-3 the namespace is one of its own.
namespace ns3 {
namespace watershed = ::watershed;
}  // namespace ns3
