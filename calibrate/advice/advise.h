// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "calibrate/fit/fit.h"
#include "model/base/quantities.h"

/// Advice on the next burst: most information about the target per time.
namespace watershed {

/// Setting of a burst.
struct BurstSetting {
    int ports = 1;
    Bytes payload{1024};
    Time separation{0};
    std::int64_t events = 1;
    std::optional<int> uplinks{};  ///< uplinks that carry the burst; std::nullopt: all

    /// A single event is the same burst at any separation.
    bool operator<(const BurstSetting& other) const {
        const auto all = [](const BurstSetting& one) {
            return std::make_tuple(one.ports, one.payload, one.events > 1 ? one.separation : Time{0}, one.events,
                                   one.uplinks);
        };
        return all(*this) < all(other);
    }
};

/// Settings that a pulse generator supports.
struct Generator {
    Time step{10'000};                  ///< step of separations
    std::vector<Time> separations;      ///< supported separations, ascending; empty: multiples of `step`
    std::vector<std::int64_t> lengths;  ///< supported lengths in events, ascending; empty: up to `longest`
    std::int64_t longest = 1'000'000;   ///< largest length in events
    Time shortest{0};                   ///< shortest separation

    /// Returns the closest setting.
    Time nearest(Time separation) const {
        if (!separations.empty()) return nearest_of(separations, separation);
        const Time wanted = std::max(separation, shortest), below = step * (wanted.count() / step.count());
        return below < shortest ? below + step : closest(below, below + step, wanted);
    }
    std::int64_t nearest(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : nearest_of(lengths, events);
    }
    /// Returns the smallest setting of at least the wanted value, or the largest.
    Time at_least(Time separation) const {
        return separations.empty() ? step * ceil_div(std::max(separation, shortest).count(), step.count())
                                   : first_from(separations, separation);
    }
    std::int64_t at_least(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : first_from(lengths, events);
    }

  private:
    /// Returns the closer of two neighbouring settings, the lower if equal.
    template <class Value>
    static Value closest(Value below, Value above, Value wanted) {
        return wanted - below <= above - wanted ? below : above;
    }

    template <class Value>
    static Value first_from(const std::vector<Value>& settings, Value wanted) {
        const auto found = boost::lower_bound(settings, wanted);
        return found == settings.end() ? settings.back() : *found;
    }

    template <class Value>
    static Value nearest_of(const std::vector<Value>& settings, Value wanted) {
        const auto found = boost::lower_bound(settings, wanted);
        if (found == settings.begin()) return settings.front();
        if (found == settings.end()) return settings.back();
        return closest(*std::prev(found), *found, wanted);
    }
};

/// Prior of a campaign: ports, frames, and ranges of depth and rate.
struct Prior {
    QueueModel model;
    Burst usual;   ///< ports, payload and framing of future bursts
    Time slot{0};  ///< time of an event on a module's link; shorter separations act as this one
    double depth_low = 1;
    double depth_high = 1;       ///< log-uniform range of the depth
    double rate = 0;             ///< rate of one uplink, bit/s
    double rate_spread = 0;      ///< standard deviation of the log rate; from 0.5 on uniform within two of them
    bool rate_measured = false;  ///< true if `rate` was measured; else it may be far off
    bool counts = true;          ///< true if the numbers of lost frames will be measured
};

/// Returns the prior of a scenario: depth up to a hundred times the scenario's, rate within 2 %, or with small
/// probability at another link speed.
Prior prior_of(const Scenario& scenario, const Conditions& conditions);
/// Returns the prior of a fit without a scenario: any depth and rate that the map could notice.
Prior prior_of(const Fit& fit);
/// Returns the prior of bursts that cannot be fitted. @pre bursts is not empty
Prior prior_of(const std::vector<Burst>& bursts, const QueueModel& model, const Conditions& conditions, bool counts);

enum class AdviceTarget { Depth, Rate, Watershed };

struct AdviceOptions {
    AdviceTarget target = AdviceTarget::Depth;
    Time watershed_at{0};     ///< separation of AdviceTarget::Watershed
    double precision = 0.01;  ///< wanted relative half width of the 95 % interval
    Generator generator;
    Time setup{1'000'000'000'000};  ///< set-up time per burst
    std::size_t points = 5;
    /// Other ports and payloads that can be set; std::nullopt: half and a quarter of the ports, a half and an eighth of
    /// the payload, or twice and four times a small one.
    std::optional<std::vector<std::int64_t>> ports, payloads;
};

inline BurstSetting setting_of(const Burst& like, Time separation, std::int64_t events) {
    return {int(like.ports), Bytes{like.payload}, separation, events};
}
inline BurstSetting setting_of(const Burst& burst) { return setting_of(burst, burst.separation, burst.events); }

struct AdvisedPoint : BurstSetting {
    double probability_of_loss = 0;
    double information_bits = 0;        ///< information about the target; one bit halves the possibilities
    double seconds = 0;                 ///< duration of the measurement
    std::optional<double> frames_lost;  ///< expected number of lost frames, if counted
    std::string reason;

    double bits_per_second() const { return information_bits / seconds; }
};

/// Number of checks: bursts whose outcome the others predict.
struct CheckCount {
    int wanted = 0, done = 0;
    int passed = 0;  ///< ended as predicted
};

/// Outcome of a burst beside the one that the rows before it foretold.
struct Prediction {
    Burst burst;
    double probability_of_loss = 0;
    double fewest = 0, most = 0;  ///< lost frames, if any are lost, with a probability of 99 %
    bool held = true;             ///< false if the outcome had a probability below 1 %
};

/// Predictions of the last rows of a map.
struct PredictionScore {
    std::vector<Prediction> rows;  ///< in the order of the map
    int since_surprise = 0;        ///< number that held since the last surprise

    int held() const;
    /// Returns true if too few predictions have held since a surprise.
    bool surprised() const;
    /// Returns true if predictions failed again and again, also the last one.
    bool hopeless() const;
    /// "6 of the last 7 predictions held"; empty if nothing was foretold.
    std::string text() const;
};

/// Estimate of the target; a depth is in the unit of the reported kind.
struct TargetEstimate {
    double value = 0;                ///< in frames, bytes or cells, bit/s, or events
    double relative_half_width = 0;  ///< relative half width of the 95 % interval
    double low = 0, high = 0;        ///< 95 % interval
};

struct Advice {
    std::vector<AdvisedPoint> points;  ///< best first: most bits per second, checks, or repeats
    std::vector<AdvisedPoint> checks;  ///< remaining checks, once the precision is reached
    CheckCount checked;                ///< checks so far, once the precision is reached
    PredictionScore predictions;       ///< once the precision is reached, and the checks passed or failed
    bool stop = false;                 ///< true if no further burst is worth measuring, for `reason`
    std::string reason;
    std::optional<TargetEstimate> estimate;  ///< estimate over all kinds; std::nullopt if unbounded
    std::optional<double> goodness;          ///< p-value of the fit, if computed
};

/// Advises to stop once the target is known over all kinds of memory, the checks agree, no prediction failed lately,
/// and the fit raises no concern: no misfit, goodness of at least 1 %, no trend of the residuals.
/// @param fit  std::nullopt before the first burst
Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

}  // namespace watershed
