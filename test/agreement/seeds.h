// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "test/catch.h"

namespace watershed {

/// Returns the first seed of a search and their number. A longer search by hand: WATERSHED_SEEDS=FIRST:COUNT
inline std::pair<std::uint64_t, std::uint64_t> seeds(std::uint64_t count) {
    std::uint64_t first = 1;
    char colon;
    if (const char* text = std::getenv("WATERSHED_SEEDS");
        text && !(std::istringstream(text) >> first >> colon >> count))
        FAIL("WATERSHED_SEEDS: expected FIRST:COUNT");
    return {first, count};
}

}  // namespace watershed
