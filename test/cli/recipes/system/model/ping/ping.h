// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/quantities.h"

namespace watershed {

/// A packet that crosses links, one after the other.
struct Ping {
    std::int64_t hops = 1;
};

struct PingResult {
    Time arrived{0};
};

inline constexpr Time kPingHop{1'000'000};

}  // namespace watershed
