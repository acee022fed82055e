// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "model/frontend/senders.h"

namespace watershed {

/// Dead time and rules of a trigger system, which decide on each trigger.
///
/// Each rule delays a trigger until some time after earlier accepted ones. Consider the earliest sequence, in which
/// every trigger comes as early as the rules allow. Its n-th trigger after the first comes no later than the n-th
/// trigger after any trigger of any other sequence. So no interval of any sequence has more triggers than the interval
/// of the same length that begins with the first trigger of the earliest sequence. Almost-full rules are not included.
class TriggerRules {
  public:
    explicit TriggerRules(const Trigger& trigger) : dead_time_(trigger.dead_time) {
        for (const TriggerRule& rule : trigger.rules)
            if (rule.kind != TriggerRule::Kind::AlmostFull) rules_.push_back({rule, {}, Time{0}});
    }

    /// The next trigger is refused before this time.
    Time earliest() const { return earliest_; }
    /// @param time  not before earliest() and the last one
    void accept(Time time) {
        earliest_ = time + dead_time_;
        for (State& state : rules_) {
            const auto events = static_cast<std::size_t>(state.rule.events);
            if (state.rule.kind == TriggerRule::Kind::Count) {
                state.last.push_back(time);
                if (state.last.size() > events) state.last.pop_front();
                if (state.last.size() == events) earliest_ = std::max(earliest_, state.last.front() + state.rule.time);
            } else {
                // Until when the bucket lacks a token (ITU-T I.371, annex A: generic cell rate algorithm).
                state.full = std::max(state.full, time) + state.rule.time;
                earliest_ = std::max(earliest_, state.full - state.rule.time * (state.rule.events - 1));
            }
        }
    }

  private:
    struct State {
        TriggerRule rule;
        std::deque<Time> last;  ///< accepted, as many as the rule counts at most
        Time full{0};
    };
    Time dead_time_, earliest_{0};
    std::vector<State> rules_;
};

/// The rule that asks what the memory of the switch held; null if there is none.
inline const TriggerRule* almost_full_rule(const Trigger& trigger) {
    const auto found = std::find_if(trigger.rules.begin(), trigger.rules.end(),
                                    [](const TriggerRule& rule) { return rule.kind == TriggerRule::Kind::AlmostFull; });
    return found == trigger.rules.end() ? nullptr : &*found;
}

/// The first triggers of the sequence in which each comes as early as dead time and rules permit.
inline std::vector<Time> densest_triggers(const Trigger& trigger, std::int64_t events) {
    TriggerRules rules(trigger);
    std::vector<Time> times;
    for (Time time{0}; static_cast<std::int64_t>(times.size()) < events; time = std::max(time, rules.earliest())) {
        times.push_back(time);
        rules.accept(time);
    }
    return times;
}

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
    Time burst_begin_{0};                    ///< beginning of the last burst
    std::optional<Time> head_, burst_head_;  ///< drawn but not yet returned; used with superposed bursts
};

/// Whether a module (from 1) sends a fragment for this trigger (from 1). All do, but with a burst beside a stream.
inline bool answers(const Trigger& trigger, std::int64_t event, int module) {
    return trigger.pattern != Trigger::Pattern::LineRatePlusBurst || module == 1 || event <= *trigger.events;
}

/// Returns the number of the first `events` triggers that a module answers.
std::int64_t events_answered(const Trigger& trigger, std::int64_t events, int module);

/// The k-th trigger (from 0) of a strictly periodic train, rounded to the picosecond once.
Time periodic_time(Frequency rate, std::int64_t k);

/// Number of triggers of the pattern before dead time, if that is known without drawing them.
std::optional<std::int64_t> trigger_count(const Trigger& trigger);

/// Triggers on each of which a check of a memory decides, some time before it. At the check for one all before it are
/// decided.
class BackpressureTriggers {
  public:
    BackpressureTriggers(TriggerTrain train, Time latency) : train_(std::move(train)), latency_(latency) {}

    /// @param send  told of triggers that come so early that no frame can be there at their look
    /// @returns when to look for the next, and then decide(); nothing after the last
    template <class Send>
    std::optional<Time> next_look(Send send) {
        while ((offered_ = train_.offer())) {
            if (*offered_ >= latency_) return *offered_ - latency_;
            take(send);
        }
        return std::nullopt;
    }
    template <class Send>
    void decide(bool almost_full, Send send) {
        almost_full ? train_.refuse() : take(send);
    }

    const std::vector<Time>& taken() const { return taken_; }
    std::int64_t refused() const { return train_.refused(); }

  private:
    template <class Send>
    void take(Send send) {
        train_.take(*offered_);
        taken_.push_back(*offered_);
        send(*offered_);
    }

    TriggerTrain train_;
    Time latency_;
    std::optional<Time> offered_;  ///< time of the next look
    std::vector<Time> taken_;
};

}  // namespace watershed
