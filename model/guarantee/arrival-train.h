// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/timestamp.h"

/// Trains of arrivals that keep distances, in exact times.
namespace watershed {

/// A unit of exact times.
struct Ticks {
    Wide in_picosecond = 1;  ///< ticks of a picosecond

    Wide of(Time time) const { return Wide{time.count()} * in_picosecond; }
    Wide of(const TransmissionTime& slot) const { return slot.numerator * (in_picosecond / slot.denominator); }
};

/// Returns the coarsest ticks in which each slot is whole; std::nullopt if times would not fit.
std::optional<Ticks> ticks_for(const std::vector<TransmissionTime>& slots);

/// A distance that all triggers, or frames, keep: each comes at least `apart` after the one that is `number` before it.
/// A token bucket lets `number` come at once, and `by_token` more in each `apart`.
struct ArrivalSpacing {
    std::int64_t number;
    Wide apart;
    std::int64_t by_token = 0;  ///< those that a token lets pass; 0: no bucket

    /// Returns the number that it admits in each `apart` in the long run.
    std::int64_t in_long_run() const { return by_token > 0 ? by_token : number; }
    /// Returns whether it admits fewer than `other` in the long run.
    bool is_wider_than(const ArrivalSpacing& other) const {
        return static_cast<double>(apart) * static_cast<double>(other.in_long_run()) >
               static_cast<double>(other.apart) * static_cast<double>(in_long_run());
    }
};

/// Returns the arrivals at a switch of `each` frames of each trigger, which a link sends one after the other.
std::vector<Wide> behind_link(const std::vector<Time>& triggers, std::int64_t each, const Ticks& ticks, Wide slot);
/// Returns the spacing that admits fewest in the long run; the last one of equals.
ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings);

/// A train in which each trigger comes as early as it may.
class EarliestTrain {
  public:
    explicit EarliestTrain(const std::vector<ArrivalSpacing>& spacings);

    Wide next();
    /// Returns whether the last trigger waited for a token of the bucket that admits fewest in the long run: then each
    /// later one comes no less than the time of a token after the one before it.
    bool is_settled() const { return settled_; }

  private:
    struct Rule {
        ArrivalSpacing spacing;
        Wide token = 0;  ///< time from which on a bucket has a token
    };
    std::vector<Rule> rules_;
    Wide slowest_ = 0;  ///< time of a token of the bucket, if a bucket admits fewest
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// The least distances of one module's frames from the first, if each trigger brings `each` frames and a link sends one
/// after the other.
class EarliestFrames {
  public:
    /// @param jitter  the largest of a trigger
    EarliestFrames(const std::vector<ArrivalSpacing>& of_triggers, std::int64_t each, Wide link, Wide jitter = 0)
        : triggers_(of_triggers), each_(each), link_(link), jitter_(jitter) {}

    const std::vector<Wide>& times() const { return times_; }
    /// Returns the distance of the next frame, and appends it to times().
    Wide next();
    /// Returns whether triggers are settled, and the link has sent what was ready before.
    bool is_settled() const { return settled_; }

  private:
    EarliestTrain triggers_;
    std::int64_t each_;
    Wide link_, jitter_, ready_ = 0;
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// Returns for each k the least distance of two of these times that are k apart.
std::vector<Wide> least_distances(const std::vector<Wide>& times);

}  // namespace watershed
