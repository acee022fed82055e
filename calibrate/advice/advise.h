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

/// Which burst to measure next: the one that tells most about what is wanted, for the time it takes.
namespace watershed {

/// What a burst is set to.
struct BurstSetting {
    int ports = 1;
    Bytes payload{1024};
    Time separation{0};
    std::int64_t events = 1;
    std::optional<int> uplinks{};  ///< over which the burst is spread; absent: as many as the switch has

    /// A single event is the same burst at any separation.
    bool operator<(const BurstSetting& other) const {
        const auto all = [](const BurstSetting& one) {
            return std::make_tuple(one.ports, one.payload, one.events > 1 ? one.separation : Time{0}, one.events,
                                   one.uplinks);
        };
        return all(*this) < all(other);
    }
};

/// The bursts that a pulse generator can be set to.
struct Generator {
    Time step{10'000};                  ///< separations are multiples of it
    std::vector<Time> separations;      ///< or only these, ascending, where there are any
    std::vector<std::int64_t> lengths;  ///< burst lengths in events, ascending; empty: any up to `longest`
    std::int64_t longest = 1'000'000;
    Time shortest{0};  ///< separation

    /// The setting closest to what is wanted.
    Time nearest(Time separation) const {
        if (!separations.empty()) return nearest_of(separations, separation);
        const Time wanted = std::max(separation, shortest), below = step * (wanted.count() / step.count());
        return below < shortest ? below + step : closest(below, below + step, wanted);
    }
    std::int64_t nearest(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : nearest_of(lengths, events);
    }
    /// The shortest setting that is not less than what is wanted, or the largest there is.
    Time at_least(Time separation) const {
        return separations.empty() ? step * ceil_div(std::max(separation, shortest).count(), step.count())
                                   : first_from(separations, separation);
    }
    std::int64_t at_least(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : first_from(lengths, events);
    }

  private:
    /// Of two neighbouring settings the closer one, the lower where both are as close.
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

/// What is assumed before the first burst: ports, frames, and where depth and rate may lie.
struct Prior {
    QueueModel model;
    Burst like;    ///< ports, payload and framing of the bursts to come
    Time slot{0};  ///< shortest separation that the modules' links can follow
    double depth_low = 1;
    double depth_high = 1;       ///< depth is taken as equally likely per factor in between
    double rate = 0;             ///< bit/s of one uplink
    double rate_spread = 0;      ///< standard deviation of its logarithm; from 0.5 on any rate within two is as likely
    bool rate_measured = false;  ///< else it may be far off
    bool counts = true;          ///< bursts will tell how many frames were lost
};

/// Depth up to a hundred times the scenario's, rate within 2 % of the scenario's (as far as framing conventions differ
/// within one convention), or less probably at a link speed far from it.
Prior prior_of(const Scenario& scenario, const Conditions& conditions);
/// From the first burst of a fit alone: any depth and rate that the map could have noticed.
Prior prior_of(const Fit& fit);
/// The same from bursts that cannot be fitted. @param bursts one at least
Prior prior_of(const std::vector<Burst>& bursts, const QueueModel& model, const Conditions& conditions, bool counts);

enum class AdviceTarget { Depth, Rate, Watershed };

struct AdviceOptions {
    AdviceTarget target = AdviceTarget::Depth;
    Time watershed_at{0};     ///< the separation of interest, for AdviceTarget::Watershed
    double precision = 0.01;  ///< wanted half width of the 95 % interval, relative
    Generator generator;
    Time setup{1'000'000'000'000};  ///< per burst, beside its length
    std::size_t points = 5;
    /// Other numbers of ports, and other payloads, that can be set to tell kinds of memory apart; where nothing is
    /// said, half and a quarter of the ports, and a half and an eighth of the payload, or twice and four times a small
    /// one.
    std::optional<std::vector<std::int64_t>> ports, payloads;
};

inline BurstSetting setting_of(const Burst& like, Time separation, std::int64_t events) {
    return {int(like.ports), Bytes{like.payload}, separation, events};
}
inline BurstSetting setting_of(const Burst& burst) { return setting_of(burst, burst.separation, burst.events); }

struct AdvisedPoint : BurstSetting {
    double probability_of_loss = 0;
    double information_bits = 0;        ///< about the target; each bit halves what is still possible
    double seconds = 0;                 ///< the measurement takes
    std::optional<double> frames_lost;  ///< expected where frames are lost and counted
    std::string reason;

    double bits_per_second() const { return information_bits / seconds; }
};

/// Bursts whose outcome the others foretell: repeats of those that limit the answer, and a pair at a separation of its
/// own.
struct CheckCount {
    int wanted = 0, done = 0;
    int passed = 0;  ///< came out as foretold
};

/// A value of depth is in the unit of the kind that the fit reports.
struct TargetEstimate {
    double value = 0;                ///< frames, bytes or cells, bit/s, or events
    double relative_half_width = 0;  ///< of its 95 % interval
    double low = 0, high = 0;        ///< the interval
};

struct Advice {
    std::vector<AdvisedPoint> points;  ///< best first: most bits per second, or checks, or those that must be repeated
    std::vector<AdvisedPoint> checks;  ///< once enough is known, until they are done
    CheckCount checked;                ///< counted once enough is known
    bool stop = false;                 ///< wanted precision reached and checks passed, or no burst would tell more
    std::string reason;
    std::optional<TargetEstimate> estimate;  ///< of the target, over all kinds left possible, where the bursts bound it
    std::optional<double> goodness;          ///< of the fit, where it was looked at
};

/// Says stop when the target is known well enough, whichever kind of memory it is, the checks came out as foretold, and
/// the fit has no doubts of its own: a kind of memory that explains the bursts, a goodness of 1 % at least, and no
/// trend in what is left over.
/// @param fit nothing where no burst has been measured yet
Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

}  // namespace watershed
