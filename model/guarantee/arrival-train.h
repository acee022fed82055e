// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/timestamp.h"
#include "model/base/unsupported-key.h"

/// Trains of arrivals with least distances, in exact integer times.
namespace watershed {

/// Unit of exact times: a fraction of a picosecond.
struct Ticks {
    Wide in_picosecond = 1;  ///< ticks per picosecond

    Wide of(Time time) const { return Wide{time.count()} * in_picosecond; }
    Wide of(const TransmissionTime& slot) const { return slot.numerator * (in_picosecond / slot.denominator); }
};

/// Returns the coarsest ticks in which each slot is whole; std::nullopt if times would not fit.
std::optional<Ticks> ticks_for(const std::vector<TransmissionTime>& slots);

/// Rule on arrivals (triggers or frames): arrival number k comes at least `apart` after arrival number k - `number`. A
/// token bucket lets `number` come at once, and `by_token` more in each `apart`.
struct ArrivalSpacing {
    std::int64_t number;
    Wide apart;                 ///< ticks
    std::int64_t by_token = 0;  ///< arrivals per token; 0: no token bucket

    /// Returns the number of arrivals per `apart` that the rule admits in the long run.
    std::int64_t in_long_run() const { return by_token > 0 ? by_token : number; }
    /// Returns true if the rule admits a lower rate than `other` in the long run.
    bool is_wider_than(const ArrivalSpacing& other) const {
        return double(apart) * double(other.in_long_run()) > double(other.apart) * double(in_long_run());
    }
};

/// Returns the times, in ticks, at which a link has sent its frames: `each` frames per trigger, one after the other.
/// @param slot  transmission time of a frame, ticks
std::vector<Wide> behind_link(const std::vector<Time>& triggers, std::int64_t each, const Ticks& ticks, Wide slot);
/// Returns the spacing with the lowest rate in the long run; the last one if several are equal. @pre not empty
ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings);

/// Earliest train: it begins at 0, and each trigger comes as early as the rules allow.
class EarliestTrain {
  public:
    explicit EarliestTrain(const std::vector<ArrivalSpacing>& spacings);

    /// Returns the time of the next trigger, ticks.
    Wide next();
    /// Returns true if the last trigger waited for a token of the widest rule (see widest_of()), a bucket. From then on
    /// the distance of neighbouring triggers is at least the time of a token.
    bool is_settled() const { return settled_; }

  private:
    struct Rule {
        ArrivalSpacing spacing;
        Wide token = 0;  ///< earliest time that the rule allowed the last trigger: when its token came, for a bucket
    };
    std::vector<Rule> rules_;
    Wide slowest_ = 0;  ///< time per token if the widest rule is a bucket; else 0
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// Least distances of a module's frames from its first frame, if each trigger brings `each` frames and a link sends
/// them one after the other. Times are in ticks.
class EarliestFrames {
  public:
    /// @param of_triggers  rules of the triggers
    /// @param link         slot of the link
    /// @param jitter       largest jitter of a trigger
    EarliestFrames(const std::vector<ArrivalSpacing>& of_triggers, std::int64_t each, Wide link, Wide jitter = 0)
        : triggers_(of_triggers), each_(each), link_(link), jitter_(jitter) {}

    const std::vector<Wide>& times() const { return times_; }
    /// Returns the distance of the next frame, and appends it to times().
    Wide next();
    /// Returns true if the triggers are settled and the link had sent all earlier frames when the last trigger came.
    bool is_settled() const { return settled_; }

  private:
    EarliestTrain triggers_;
    std::int64_t each_;
    Wide link_, jitter_, ready_ = 0;
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// Returns the least distance of two times that are k apart in order, for each k from 0. @pre ascending times
std::vector<Wide> least_distances(const std::vector<Wide>& times);
/// Returns the same of the triggers of one train. @param why  receives the reason if there are too many of them
std::optional<std::vector<Wide>> least_distances_of(const std::vector<Time>& train, const Ticks& ticks,
                                                    UnsupportedKey* why);

}  // namespace watershed
