// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/scenario.h"

namespace watershed {

/// A synchronous camera with rates, times and memories near those at which something changes.
Scenario random_camera(std::uint64_t seed);

}  // namespace watershed
