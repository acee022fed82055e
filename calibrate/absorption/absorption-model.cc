// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption/absorption-model.h"

#include <numeric>
#include <stdexcept>

namespace watershed {

std::string AbsorptionModel::name() const {
    if (!depth) return "shared-frames";
    return std::string(unit == MemorySize::Unit::Cell ? "shared-cells" : "shared-bytes") +
           (descriptors ? "-descriptors" : "");
}

StreamAndBurst::StreamAndBurst(BitRate link, BitRate uplink) {
    if (uplink.count >= 2 * link.count)
        throw std::invalid_argument("the uplink is as fast as both inputs together: no burst is ever lost");
    const std::int64_t common = std::gcd(link.count, uplink.count);
    link_ = link.count / common;
    uplink_ = uplink.count / common;
}

std::int64_t StreamAndBurst::longest(std::int64_t room) const {
    // 2 b - floor((b - 1) u / l) <= room exactly when b (2 l - u) <= room l - u, because 2 b - room is a whole number.
    const Wide most = Wide{room} * link_ - uplink_;
    return most < 0 ? 0 : static_cast<std::int64_t>(most / (2 * Wide{link_} - uplink_));
}

}  // namespace watershed
