// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/transmission-time.h"

/// Trains of arrivals that keep distances, in exact times.
namespace watershed {

/// Exact times, in ticks of which a picosecond has so many.
struct Ticks {
    Wide in_picosecond = 1;

    Wide of(Time time) const { return Wide{time.count()} * in_picosecond; }
    Wide of(const TransmissionTime& slot) const { return slot.numerator * (in_picosecond / slot.denominator); }
};

/// In which each slot is whole; nothing where times would not fit.
std::optional<Ticks> ticks_for(const std::vector<TransmissionTime>& slots);

/// A distance that all triggers, or frames, keep: each is so long after the one that is so many before it; or, of a
/// token bucket, so many may come at once, and as many more as a token lets pass in each such time.
struct ArrivalSpacing {
    std::int64_t number;
    Wide apart;
    std::int64_t by_token = 0;  ///< 0: no bucket

    /// How many it admits in each such time in the long run.
    std::int64_t in_long_run() const { return by_token > 0 ? by_token : number; }
    /// Whether in the long run this one admits fewer.
    bool is_wider_than(const ArrivalSpacing& other) const {
        return static_cast<double>(apart) * static_cast<double>(other.in_long_run()) >
               static_cast<double>(other.apart) * static_cast<double>(in_long_run());
    }
};

/// Arrivals at a switch of so many frames of each trigger: a link sends one after the other.
std::vector<Wide> behind_link(const std::vector<Time>& triggers, std::int64_t each, const Ticks& ticks, Wide slot);
ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings);

/// Triggers each of which comes as early as it may.
class EarliestTrain {
  public:
    explicit EarliestTrain(const std::vector<ArrivalSpacing>& spacings);

    Wide next();
    /// Whether the last one waited for a token of the bucket that admits fewest in the long run: then each later one
    /// comes no less than the time of a token after the one before it.
    bool is_settled() const { return settled_; }

  private:
    struct Rule {
        ArrivalSpacing spacing;
        Wide token = 0;  ///< of a bucket, from which on it has one
    };
    std::vector<Rule> rules_;
    Wide slowest_ = 0;  ///< bucket's time of a token, if that admits fewest
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// How far frames of one module are from the first at least, if each trigger brings as many and a link sends one after
/// the other.
class EarliestFrames {
  public:
    /// @param jitter  of a trigger at most
    EarliestFrames(const std::vector<ArrivalSpacing>& of_triggers, std::int64_t each, Wide link, Wide jitter = 0)
        : triggers_(of_triggers), each_(each), link_(link), jitter_(jitter) {}

    const std::vector<Wide>& times() const { return times_; }
    /// Of the next one, which is then among these.
    Wide next();
    /// Whether triggers are settled, and the link has sent what was ready before.
    bool is_settled() const { return settled_; }

  private:
    EarliestTrain triggers_;
    std::int64_t each_;
    Wide link_, jitter_, ready_ = 0;
    std::vector<Wide> times_;
    bool settled_ = false;
};

/// The least distance of two of these times that are k apart, for each k.
std::vector<Wide> least_distances(const std::vector<Wide>& times);

}  // namespace watershed
