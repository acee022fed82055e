// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption-model.h"

#include <numeric>
#include <stdexcept>

namespace watershed {

std::string AbsorptionModel::name() const {
    if (!depth) return "shared-frames";
    return std::string(unit == MemorySize::Unit::Cell ? "shared-cells" : "shared-bytes") + (descriptors ? "-descriptors" : "");
}

StreamAndBurst::StreamAndBurst(BitRate link, BitRate uplink) {
    if (uplink.count >= 2 * link.count) throw std::invalid_argument("the uplink is as fast as both inputs together: no burst is ever lost");
    const std::int64_t common = std::gcd(link.count, uplink.count);
    link_ = link.count / common;
    uplink_ = uplink.count / common;
}

std::int64_t StreamAndBurst::longest(std::int64_t room) const {
    std::int64_t low = 0, high = 1;   // fits, does not fit
    while (waiting(high) <= room) low = high, high *= 2;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (waiting(middle) <= room ? low : high) = middle;
    }
    return low;
}

}  // namespace watershed
