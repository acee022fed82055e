// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Rule on triggers: trigger number k comes at least `apart` after trigger number k - `triggers`. A token bucket lets
/// `triggers` come at once, and one more in each `apart`. A train still keeps a rule if all its times are shifted or
/// reversed.
struct TriggerSpacing {
    std::int64_t triggers = 1;
    Time apart{0};
    bool bucket = false;  ///< true: token bucket
};

/// Returns the dead time and all rules of a trigger, except almost-full rules.
std::vector<TriggerSpacing> spacings_of(const Trigger& trigger);

/// Trains of triggers that a scenario admits: either one fixed train, or every endless train that keeps its rules.
struct AdmittedTriggers {
    static constexpr std::size_t kMost = 1'000'000;  ///< largest number of triggers that a bound follows

    std::vector<Time> train;               ///< times of the fixed train; empty if many trains are admitted
    std::vector<TriggerSpacing> spacings;  ///< rules if many trains are admitted; else empty

    bool are_many() const { return train.empty(); }

    /// @param why  receives the first key that a bound does not cover
    /// @return std::nullopt in that case
    /// @throws std::invalid_argument as TriggerTrain does
    static std::optional<AdmittedTriggers> of(const Senders& senders, UnsupportedKey* why = nullptr);
};

}  // namespace watershed
