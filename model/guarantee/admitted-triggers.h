// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/frontend/senders.h"

namespace watershed {

/// A trigger comes at least so long after the one that is so many before it; or, of a token bucket, so many may come at
/// once, and one more in each such time. Such rules do not change if all times are shifted, or run backwards.
struct TriggerSpacing {
    std::int64_t triggers = 1;
    Time apart{0};
    bool bucket = false;
};

/// Dead time and rules, but for levels of a memory.
std::vector<TriggerSpacing> spacings_of(const Trigger& trigger);

/// The trains of triggers that a scenario admits: one alone, or all that keep their distances, without end.
struct AdmittedTriggers {
    static constexpr std::size_t kMost = 1'000'000;  ///< triggers that are followed

    std::vector<Time> train;               ///< empty where there are many
    std::vector<TriggerSpacing> spacings;  ///< of these

    bool are_many() const { return train.empty(); }

    /// @param why  the first key that is not understood
    /// @throws std::invalid_argument as TriggerTrain does
    static std::optional<AdmittedTriggers> of(const Senders& senders, UnsupportedKey* why = nullptr);
};

}  // namespace watershed
