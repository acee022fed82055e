// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/quantities.h"

namespace watershed {

/// Some of a memory, by frames and by their buffer sizes.
struct Amount {
    std::int64_t frames = 0;
    Bytes bytes{0};
    friend bool operator==(const Amount& a, const Amount& b) { return a.frames == b.frames && a.bytes == b.bytes; }
};

}  // namespace watershed
