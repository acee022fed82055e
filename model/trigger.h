// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <random>

#include "model/scenario.h"

namespace watershed {

/// The times at which the camera triggers, one after the other, ascending; the first burst begins at 0.
/// Triggers within the dead time of the last accepted one are not among them.
class TriggerTrain {
  public:
    /// @throws std::invalid_argument if the trigger has neither a number of events nor a duration where it needs one
    TriggerTrain(const Trigger& trigger, std::uint64_t seed);

    /// The next trigger, or nothing after the last.
    std::optional<Time> next();

  private:
    /// The next trigger before dead time.
    std::optional<Time> raw();

    Trigger trigger_;
    std::mt19937_64 random_;
    std::int64_t drawn_ = 0;      ///< triggers given by raw()
    std::int64_t accepted_ = 0;   ///< and by next()
    Time last_{0};                ///< trigger accepted
};

/// Whether a module (from 1) sends a fragment for this trigger (from 1). All do, but with a burst beside a stream.
inline bool answers(const Trigger& trigger, std::int64_t event, int module) {
    return trigger.pattern != Trigger::Pattern::LineRatePlusBurst || module == 1 || event <= *trigger.events;
}

/// Of the first `events` triggers, those that a module answers.
std::int64_t events_answered(const Trigger& trigger, std::int64_t events, int module);

/// The k-th trigger (from 0) of a strictly periodic train, rounded to the picosecond once.
Time periodic_time(Frequency rate, std::int64_t k);

/// How many triggers the pattern has before dead time, where that is known without drawing them.
std::optional<std::int64_t> trigger_count(const Trigger& trigger);

}  // namespace watershed
