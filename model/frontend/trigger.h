// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "model/frontend/senders.h"
#include "model/frontend/trigger-rules.h"

namespace watershed {

/// A trigger rate that changes with time, linear between its rows, as the number of triggers to be expected until a
/// time. Its inverse turns evenly spaced numbers into regular triggers, and sums of exponential waits into those of a
/// Poisson process of that rate (Cinlar's inversion).
class RateProfile {
  public:
    /// @throws std::invalid_argument unless there are two rows or more, in ascending order and the first at 0
    explicit RateProfile(const std::vector<RatePoint>& rows);

    /// Triggers expected before this time; no more come after the last row.
    double expected(Time time) const;
    /// When so many are expected for the first time, to the picosecond; nothing if that is never.
    std::optional<Time> when(double triggers) const;
    Time end() const { return end_; }

  private:
    struct Piece {
        Time begin;
        double before;  ///< triggers expected until then
        double rate;    ///< per second, at its beginning
        double slope;   ///< per second, each second
    };

    std::vector<Piece> pieces_;
    double all_ = 0;
    Time end_{0};
};

/// The times at which the camera triggers, one after the other, ascending; the first burst begins at 0.
/// Triggers that dead time or a rule refuses are not among them.
class TriggerTrain {
  public:
    /// @throws std::invalid_argument if the trigger has neither a number of events nor a duration where it needs one
    TriggerTrain(const Trigger& trigger, std::uint64_t seed);

    /// The next trigger, or nothing after the last.
    /// @throws KeyError if a rule asks for the level of a memory: then whoever knows that takes or refuses
    std::optional<Time> next();
    /// The next one that dead time and rules on earlier triggers let pass, or nothing after the last. take() it, or
    /// refuse() it, before the next.
    std::optional<Time> offer();
    void take(Time time);
    void refuse() { ++refused_; }
    /// Triggers that came so far and were refused. Random ones within the dead time are not drawn, and not counted.
    std::int64_t refused() const { return refused_; }

  private:
    /// The next trigger before dead time.
    std::optional<Time> raw();
    /// The next one of the pattern, without the bursts that come on top.
    std::optional<Time> of_pattern();
    /// The next one of these bursts.
    Time of_burst();
    /// An exponential wait with the mean 1.
    static double wait(std::mt19937_64& random);
    /// When the wait for the next random trigger begins. The exponential law has no memory: after the dead time it is a
    /// fresh one.
    Time wait_from() const;

    Trigger trigger_;
    std::optional<RateProfile> profile_;
    std::mt19937_64 random_;
    std::mt19937_64 burst_random_;
    std::int64_t drawn_ = 0;        ///< triggers given by of_pattern()
    std::int64_t burst_drawn_ = 0;  ///< and by of_burst()
    std::int64_t accepted_ = 0;     ///< taken
    std::int64_t refused_ = 0;
    TriggerRules rules_;
    bool asks_level_;
    Time last_{0};                           ///< trigger accepted
    Time last_drawn_{0};                     ///< by of_pattern()
    Time burst_begin_{0};                    ///< of the last burst
    std::optional<Time> head_, burst_head_;  ///< drawn and not given yet, where there are bursts on top
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
