// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/exact/engine.h"

/// Two measurements that testers of switches make on one congested output.
namespace watershed {

/// Result of a burst beside a stream at line rate.
struct NPlusOne {
    std::optional<std::int64_t> lossless;  ///< longest burst without loss; std::nullopt if no burst tried has lost
    std::int64_t drops = 0;  ///< frames lost, stream and burst together, when the burst is one frame longer
};

/// Searches the longest lossless burst, exactly.
/// @param scenario of pattern line-rate-plus-burst; `events` is replaced
/// @param limit    longest burst tried
NPlusOne find_n_plus_one(Engine& engine, NetworkScenario scenario, std::int64_t limit);

/// The cells that one queue holds when its first frame is dropped, while nothing leaves and nobody else wants memory.
/// @throws std::invalid_argument if the memory is not counted in cells
std::int64_t drop_threshold_cells(const NetworkScenario& scenario);

}  // namespace watershed
