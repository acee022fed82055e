// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/advice/burst-planner.h"
#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Factor within which the lengths of a measured pair may differ from the advised ones.
constexpr double kCloseEnough = 1.25;
/// Largest number of separations that are examined for a pair, each with a fit of the other rows.
constexpr std::size_t kMostPairs = 3;
/// Number of rows beyond which a fit is reweighted instead of repeated; if no reweighted fit shows a pair, one
/// separation is fitted after all.
constexpr std::size_t kLarge = 100;

int last_row(const std::vector<Burst>& bursts) { return largest(bursts, &Burst::row, 0); }

/// Two bursts at one separation, on either side of the watershed, whose outcome the rows of other separations predict.
struct Pair {
    std::vector<int> rows;                ///< rows of the measured bursts of the pair, at most two
    int passed = 0;                       ///< number of these that ended as predicted
    std::optional<AdvisedPoint> missing;  ///< second burst, if only one was measured
};

/// Search of the checks of one fit; see checks_of().
class Checker {
  public:
    Checker(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& planner)
        : fit_(fit), prior_(prior), options_(options), planner_(planner), bursts_(as_sent(fit)) {}

    Checks run() {
        check_repeats({});
        // A pair costs further fits. So it is sought only once at most the last two rows, which may be the pair, must
        // be repeated.
        const int last = last_row(bursts_);
        Pair pair;
        if (boost::algorithm::none_of(repeated_, [&](int row) { return row <= last - kPair; })) {
            pair = best_pair();
            checks_ = {};
            check_repeats(pair);
        }
        std::vector<AdvisedPoint> wanted;
        if (pair.passed == 1 && pair.missing)
            wanted = {*pair.missing};
        else if (pair.passed < kPair)
            wanted = new_pair();
        if (pair.rows.empty() && wanted.empty()) return checks_;
        if (pair.passed < kPair && wanted.empty()) wanted = repeats_of(pair);
        checks_.count.wanted += kPair, checks_.count.done += int(pair.rows.size()), checks_.count.passed += pair.passed;
        checks_.left.insert(checks_.left.end(), wanted.begin(), wanted.end());
        return checks_;
    }

    /// Returns a pair as far as possible from measured separations, with the usual ports and payload or those of the
    /// first row.
    std::vector<AdvisedPoint> new_pair() const {
        const std::vector<AdvisedPoint> found = new_pair(planner_.usual());
        return found.empty() ? new_pair(first_row(fit_.bursts)) : found;
    }

  private:
    static constexpr int kPair = 2;  ///< bursts of a pair

    /// Checks repeats of the bursts that limit the answer, except those of a pair that passed.
    void check_repeats(const Pair& pair) {
        if (planner_.mixture().kinds.front().is_noisy() || (fit_.options.noise && fit_.options.noise->none()) ||
            strays_seen())
            return;
        const std::vector<int>& rows = fit_.best().region.binding;
        std::set<BurstSetting> seen;
        for (const Burst& burst : bursts_) {
            const bool predicted = pair.passed == kPair && boost::range::find(pair.rows, burst.row) != pair.rows.end();
            if (predicted || !boost::binary_search(rows, burst.row) || burst.uplinks != prior_.usual.uplinks ||
                !seen.insert(setting_of(burst)).second)
                continue;
            ++checks_.count.wanted;
            const int times = planner_.times_measured(setting_of(burst));
            checks_.count.done += times > 1;
            if (times >= kMostMeasured && !repeats_agree(burst)) continue;
            if (times > 1 && repeats_agree(burst)) {
                ++checks_.count.passed;
                continue;
            }
            repeated_.push_back(burst.row);
            checks_.left.push_back(planner_.evaluate_burst(
                burst, "repeat of row " + std::to_string(burst.row) + ", which limits the answer: should " +
                           (burst.lossy ? "lose frames again" : "lose nothing again")));
        }
    }

    /// Returns true if the map is large and the fit finds strays more probable than not.
    bool strays_seen() const {
        constexpr std::size_t kManyBursts = 60;
        const auto& all = fit_.best().disturbances;
        return bursts_.size() >= kManyBursts && boost::algorithm::any_of(all, [](const Disturbance& one) {
                   return one.name == "stray-bursts" && one.probability >= 0.5;
               });
    }

    /// Returns true if all bursts of this setting agree, or three in four of at least four.
    bool repeats_agree(const Burst& burst) const {
        std::vector<const Burst*> repeats;
        for (const Burst& other : bursts_)
            if (!(setting_of(burst) < setting_of(other)) && !(setting_of(other) < setting_of(burst)) &&
                other.uplinks == burst.uplinks)
                repeats.push_back(&other);
        std::ptrdiff_t alike = 0;
        for (const Burst* const one : repeats)
            alike = std::max(alike, boost::count_if(repeats, [&](const Burst* other) {
                                 return other->lossy == one->lossy &&
                                        (!other->counted || !one->counted || std::abs(other->lost - one->lost) <= 1);
                             }));
        const auto times = std::ptrdiff_t(repeats.size());
        constexpr std::ptrdiff_t kMany = 4;
        return alike == times || (times >= kMany && 4 * alike >= 3 * times);
    }

    /// Returns repeats of the measured bursts of a pair.
    std::vector<AdvisedPoint> repeats_of(const Pair& pair) const {
        std::vector<AdvisedPoint> points;
        for (const Burst& burst : bursts_) {
            if (boost::range::find(pair.rows, burst.row) == pair.rows.end() ||
                planner_.times_measured(setting_of(burst)) >= kMostMeasured)
                continue;
            points.push_back(
                planner_.evaluate_burst(burst, "repeat of row " + std::to_string(burst.row) +
                                                   ": one burst of its pair did not end as the other rows predict"));
        }
        return points;
    }

    /// Returns the pair that agreed best with the prediction; ties go to the one measured last.
    Pair best_pair() const {
        std::map<std::tuple<std::int64_t, std::int64_t, Time>, std::vector<Burst>> by_separation;
        for (const Burst& burst : bursts_)
            if (burst.uplinks == prior_.usual.uplinks)
                by_separation[{burst.ports, burst.payload, burst.separation}].push_back(burst);
        std::vector<std::vector<Burst>> groups;
        for (auto& [setting, bursts] : by_separation)
            if (bursts.size() < bursts_.size() && may_hold_pair(bursts)) groups.push_back(std::move(bursts));
        boost::sort(groups, [](const auto& a, const auto& b) { return last_row(a) > last_row(b); });
        if (groups.size() > kMostPairs) groups.resize(kMostPairs);
        Pair best;
        const auto consider = [&](const std::vector<Burst>& group, const std::optional<Fit>& others) {
            const Pair pair = pair_in(group, others);
            if (pair.passed > best.passed || best.rows.empty()) best = pair;
        };
        const bool large = bursts_.size() > kLarge;
        for (auto group = groups.begin(); group != groups.end() && best.passed < kPair; ++group) {
            const auto reweighted = fit_without(fit_, bursts_, group->front().separation);
            if (reweighted || !large) consider(*group, reweighted ? reweighted : fit_of_others(*group));
        }
        if (large && best.rows.empty() && !groups.empty()) consider(groups.front(), fit_of_others(groups.front()));
        return best;
    }

    /// Range of lengths, in events, that are close enough to those of an advised pair.
    struct Lengths {
        double least = 0, watershed = 0, most = 0;  ///< limits, and the geometric mean of the pair
        /// Returns true if a burst is longer than the watershed; std::nullopt if too far from it.
        std::optional<bool> is_longer(const Burst& burst) const {
            const auto events = double(burst.events);
            return events >= least && events <= most ? std::make_optional(events > watershed) : std::nullopt;
        }
    };
    static Lengths lengths_of(const std::pair<AdvisedPoint, AdvisedPoint>& pair) {
        const double shorter = double(pair.first.events), longer = double(pair.second.events);
        return {shorter / kCloseEnough - 1, std::sqrt(shorter * longer), longer * kCloseEnough + 1};
    }

    /// Returns true if the group has a burst near the watershed, by the fit of all rows.
    bool may_hold_pair(const std::vector<Burst>& group) const {
        const auto expected = planner_.pair_at(group.front(), group.front().separation);
        if (!expected) return false;
        const Lengths lengths = lengths_of(*expected);
        return boost::algorithm::any_of(group,
                                        [&](const Burst& burst) { return lengths.is_longer(burst).has_value(); });
    }

    /// Returns a fit of the rows of all other separations.
    std::optional<Fit> fit_of_others(const std::vector<Burst>& group) const {
        LossMap others{fit_.map.source, {}};
        for (const LossMapRow& row : fit_.map.rows)
            if (row.separation != group.front().separation) others.rows.push_back(row);
        FitOptions options = fit_.options;
        const bool counted = boost::algorithm::any_of(fit_.bursts, [](const Burst& burst) { return burst.counted; });
        options.counts = counted ? CountUse::Count : CountUse::Flag;
        return fit_so_far(others, fit_.conditions, options).fit;
    }

    /// Returns the pair among the bursts of one separation. @param others  fit of the rows of all other separations
    Pair pair_in(const std::vector<Burst>& group, const std::optional<Fit>& others) const {
        const BurstPlanner of_rest(others, prior_, options_);
        const auto expected = of_rest.pair_at(group.front(), group.front().separation);
        if (!expected) return {};
        const Lengths lengths = lengths_of(*expected);
        std::optional<bool> shorter, longer;  // true if the burst ended as predicted; std::nullopt if not measured
        Pair pair;
        for (const Burst& burst : group) {
            const auto is_longer = lengths.is_longer(burst);
            if (!is_longer) continue;
            const PredictedLoss predicted = predict_loss(of_rest.mixture(), burst);
            std::optional<bool>& side = *is_longer ? longer : shorter;
            if (side || !predicted.certain()) continue;
            side = predicted.agrees(burst);
            pair.rows.push_back(burst.row);
            pair.passed += *side;
        }
        if (shorter && !longer) pair.missing = expected->second;
        if (longer && !shorter) pair.missing = expected->first;
        if (pair.missing) pair.missing->reason = reason_for(*pair.missing, longer.has_value());
        return pair;
    }

    std::vector<AdvisedPoint> new_pair(const Burst& like) const {
        std::vector<AdvisedPoint> found;
        std::int64_t most = 0;
        const std::vector<Time> all = planner_.separations(like);
        for (const Time separation : all) {
            std::int64_t distance = INT64_MAX;
            for (const Burst& burst : bursts_)
                distance = std::min(distance, std::abs((burst.separation - separation).count()));
            if (distance <= most || separation == all.back()) continue;
            const auto pair = planner_.pair_at(like, separation);
            // With random loss any burst may lose frames: only their number shows whether it ended as predicted.
            const bool decides = pair && (pair->first.probability_of_loss < kUnlikely ||
                                          (planner_.mixture().counts && planner_.mixture().kinds.front().loss > 0));
            if (decides) found = {pair->first, pair->second}, most = distance;
        }
        if (found.empty()) return found;
        found[0].reason = reason_for(found[0], true);
        found[1].reason = reason_for(found[1], false);
        return found;
    }

    std::string reason_for(const AdvisedPoint& point, bool shorter) const {
        if (!shorter) return "should lose frames";
        if (point.probability_of_loss < kUnlikely) return "should lose nothing";
        return "should lose no more than random loss takes, about " +
               std::to_string(
                   std::llround(planner_.mixture().kinds.front().loss * double(point.ports * point.events))) +
               " frames";
    }

    const Fit& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    const BurstPlanner& planner_;
    std::vector<Burst> bursts_;
    Checks checks_;
    std::vector<int> repeated_;  ///< rows to be repeated
};

}  // namespace

std::optional<Fit> fit_without(const Fit& fit, const std::vector<Burst>& bursts, Time separation) {
    constexpr double kFewest = 40;  // least effective number of samples (Kish)
    if (bursts.size() <= kLarge) return std::nullopt;
    Fit rest = fit;
    double most = -HUGE_VAL, sum = 0, squares = 0;
    for (ModelFit& one : rest.models) {
        one.support.clear();
        if (one.probability < kLeastProbable) continue;
        if (one.parameters.empty() || !one.noise || !one.noise->value) return std::nullopt;
        const BurstLikelihood likelihood(one.model, seen_by(one.model, bursts), one.mixes);
        const double log_weight = std::log(one.probability / double(one.parameters.size()));
        for (const BurstParameters& point : one.parameters) {
            double log_share = log_weight;
            for (std::size_t row = 0; row < bursts.size(); ++row)
                if (bursts[row].separation == separation) log_share -= std::log(likelihood.likelihood(row, point));
            one.support.push_back(
                {point.depth + point.bucket * likelihood.depth_per_bucket(), point.rate, log_share, point.feature});
            most = std::max(most, log_share);
        }
    }
    for (ModelFit& one : rest.models) {
        one.probability = 0;
        for (SupportPoint& point : one.support) {
            point.weight = std::exp(point.weight - most);
            one.probability += point.weight, sum += point.weight, squares += point.weight * point.weight;
        }
    }
    if (sum * sum < kFewest * squares) return std::nullopt;
    for (ModelFit& one : rest.models) one.probability /= sum;
    return rest;
}

Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& planner) {
    return Checker(fit, prior, options, planner).run();
}

std::vector<AdvisedPoint> new_pair_of(const Fit& fit, const Prior& prior, const AdviceOptions& options,
                                      const BurstPlanner& planner) {
    return Checker(fit, prior, options, planner).new_pair();
}

}  // namespace watershed
