// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/advice/burst-planner.h"
#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// p-values below which a goodness of fit, and the strongest trend, are a concern.
constexpr double kLeastGoodness = 0.01, kStrongTrend = 1e-3;

/// Length of a diagnostic burst, far from the watershed.
struct DiagnosticLength {
    double of_watershed;  ///< relative to the longest lossless burst
    const char* reason;   ///< conclusion that the burst allows
};
/// Half of the factor between neighbours: a burst nearer to one than to others stands for it, as does a longer one that
/// lost nothing.
const double kNearest = std::sqrt(2);
constexpr DiagnosticLength kDiagnosticLengths[] = {
    {0.5, "a memory half full loses nothing: frames lost here are lost at random, or dropped early"},
    {2, "so far beyond the watershed each further event loses equally many frames, in a memory without further limits"},
    {0.25, "compare with half the watershed: random loss takes half as many frames"},
    {4, "compare with twice the watershed: the difference is the number lost per event"},
};

/// Probability below which an outcome is unexpected.
constexpr double kUnlikely = 0.05;
/// Factor within which the lengths of a measured pair may differ from the advised ones.
constexpr double kCloseEnough = 1.25;
/// Largest number of separations that are examined for a pair, each with a fit of the other rows.
constexpr std::size_t kMostPairs = 3;
/// Number of rows beyond which a fit is reweighted instead of repeated; if no reweighted fit shows a pair, one
/// separation is fitted after all.
constexpr std::size_t kLarge = 100;

int last_row(const std::vector<Burst>& bursts) { return largest(bursts, &Burst::row, 0); }

/// Returns how many of the last rows repeat a setting of a row before them.
std::size_t repeats_among_last(std::vector<Burst> bursts, std::size_t rows) {
    boost::sort(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
    std::set<BurstSetting> seen;
    std::size_t repeats = 0;
    for (std::size_t i = 0; i < bursts.size(); ++i)
        repeats += !seen.insert(setting_of(bursts[i])).second && i + rows >= bursts.size();
    return repeats;
}

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

std::string FitConcerns::text() const {
    if (misfit) return "no kind of memory explains the bursts";
    if (goodness && *goodness < kLeastGoodness)
        return "only " + text_line("%.2g %%", 100 * *goodness) +
               " of maps of the fitted switch look as unusual as this one" + (unusual.empty() ? "" : ", by " + unusual);
    if (trend) return "residuals keep their sign too long in the order of " + trend->order;
    return "";
}

FitConcerns fit_concerns(const Fit& fit) {
    FitConcerns concerns;
    concerns.misfit = fit.status == FitStatus::Misfit;
    const Diagnosis diagnosis = diagnose(fit, 1);
    const Goodness& goodness = diagnosis.goodness;
    concerns.residuals = goodness.residuals;
    if (goodness.replicas > 0) {
        concerns.goodness = goodness.p_value, concerns.unusual = goodness.unusual;
        for (const RunsTest& one : goodness.runs)
            if (one.p_value < kStrongTrend && (!concerns.trend || one.p_value < concerns.trend->p_value))
                concerns.trend = one;
    }
    if (fit.goodness) concerns.goodness = fit.goodness, concerns.unusual = fit.unusual;
    return concerns;
}

DiagnosticBursts diagnostic_bursts(const BurstPlanner& planner, const Fit& fit, const FitConcerns& concerns,
                                   const AdviceOptions& options) {
    DiagnosticBursts found;
    std::vector<AdvisedPoint>& points = found.points;
    const Burst& like = planner.usual();
    const Time separation = planner.separations(like).front();
    const InformationGain gain = planner.information_gain_at(like, separation);
    std::set<std::int64_t> lengths;
    if (const auto longest = gain.longest_lossless_quantile(0.5))
        for (const DiagnosticLength& length : kDiagnosticLengths) {
            const std::int64_t events = options.generator.nearest(
                std::max<std::int64_t>(1, std::llround(length.of_watershed * double(*longest))));
            if (!lengths.insert(events).second) continue;
            if (boost::algorithm::any_of(fit.bursts, [&](const Burst& one) {
                    const double ratio = double(one.events) / double(events);
                    return one.separation == separation && one.ports == like.ports && one.payload == like.payload &&
                           ((ratio > 1 / kNearest && ratio < kNearest) || (ratio >= 1 && !one.lossy));
                }))
                continue;
            points.push_back(planner.evaluate_burst(gain, like, separation, events));
            points.back().reason = length.reason;
        }
    constexpr std::size_t kLatest = 10;
    const std::size_t repeats = repeats_among_last(fit.bursts, kLatest);
    found.all_tried = points.empty() && repeats + lengths.size() >= kMostTries;
    const auto repeat = [&](int row, const std::string& why) {
        const auto burst = boost::find_if(fit.bursts, [&](const Burst& one) { return one.row == row; });
        if (burst == fit.bursts.end() || planner.times_measured(setting_of(*burst)) >= kMostMeasured) return;
        points.push_back(planner.evaluate_burst(*burst, "repeat of row " + std::to_string(row) + why));
    };
    std::vector<Residual> worst = concerns.residuals;
    boost::stable_sort(worst,
                       [](const Residual& a, const Residual& b) { return std::abs(a.value) > std::abs(b.value); });
    constexpr std::size_t kWorst = 2;
    for (std::size_t i = 0; i < std::min(kWorst, worst.size()); ++i)
        repeat(worst[i].row, ", which misses the model most: noise, or a wrong model");
    if (concerns.trend && concerns.trend->order == "row") repeat(1, ": whether switch or apparatus have drifted since");
    boost::stable_sort(points, [&](const AdvisedPoint& a, const AdvisedPoint& b) {
        return planner.times_measured(a) < planner.times_measured(b);
    });
    if (points.size() > options.points) points.resize(options.points);
    return found;
}

std::vector<AdvisedPoint> bursts_on_rate(const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options,
                                         bool separations_only) {
    std::vector<AdvisedPoint> points;
    const ModelFit& best = fit.best();
    if (!best.depth.value || !best.rate.value) return points;
    const Conditions& known = fit.conditions;
    const double rate =
        known.nominal_rate && !known.scenario.empty() ? double(known.nominal_rate->count) : *best.rate.value;
    constexpr std::int64_t kAnyLength = 2;
    std::set<BurstSetting> tried;
    for (const Burst& one : fit.bursts) tried.insert(setting_of(one, one.separation, kAnyLength));
    const auto add = [&](const Burst& like, double share, const char* reason) {
        const double asymptote = double(best.model.fullest(like)) * bit_picoseconds(like.wire) / rate;
        const Time separation =
            options.generator.at_least(std::max(planner.slot_of(like), Time{std::int64_t(share * asymptote)}));
        const auto longest =
            longest_lossless(best.model, like, std::max(separation, planner.slot_of(like)), *best.depth.value, rate);
        if (!longest || !tried.insert(setting_of(like, separation, kAnyLength)).second) return;
        constexpr std::int64_t kBeyond = 2;  // watersheds
        points.push_back(planner.evaluate_burst(planner.information_gain_at(like, separation), like, separation,
                                                options.generator.at_least(kBeyond * *longest + 1)));
        points.back().reason = reason;
    };
    const Burst& usual = planner.usual();
    for (const double share : {0.6, 0.8, 0.4}) add(usual, share, "another separation tells the rate from the depth");
    if (separations_only) return points;
    const auto other = [](const std::optional<std::vector<std::int64_t>>& settable, std::int64_t than) {
        if (!settable) return (than + 1) / 2;
        const auto found = boost::find_if(*settable, [&](std::int64_t one) { return one != than; });
        return found == settable->end() ? than : *found;
    };
    if (const auto like = with_mix(usual, other(options.ports, usual.ports), usual.payload, known))
        add(*like, 0, "fewer ports tell of flow control, and of links that are loaded unevenly");
    if (const auto like = with_mix(usual, usual.ports, other(options.payloads, usual.payload), known))
        add(*like, 0, "another payload tells of a receiver, which takes so many frames a second");
    return points;
}

Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& planner) {
    return Checker(fit, prior, options, planner).run();
}

std::vector<AdvisedPoint> new_pair_of(const Fit& fit, const Prior& prior, const AdviceOptions& options,
                                      const BurstPlanner& planner) {
    return Checker(fit, prior, options, planner).new_pair();
}

std::vector<Burst> as_sent(const Fit& fit) {
    std::vector<Burst> bursts = fit.bursts;
    if (!fit.best().model.per_packet) return bursts;
    std::map<int, Burst> sent;
    for (const Burst& burst : bursts_of(fit.map, fit.conditions, CountUse::Flag)) sent[burst.row] = burst;
    for (Burst& burst : bursts) {
        burst.wire = sent[burst.row].wire, burst.spacing = sent[burst.row].spacing;
        burst.held_before_ring.reset();
    }
    return bursts;
}

bool PredictedLoss::certain_by_flag() const {
    return probability_of_loss < kUnlikely || probability_of_loss > 1 - kUnlikely;
}

bool PredictedLoss::certain() const { return by_number || certain_by_flag(); }

bool PredictedLoss::agrees(const Burst& burst) const {
    if (certain_by_flag() && burst.lossy != (probability_of_loss > 0.5)) return false;
    const auto lost = double(burst.lost);
    const bool number = burst.counted && (burst.lossy || !certain_by_flag());
    return !number || (lost >= fewest && lost <= most);
}

PredictedLoss predict_loss(const PosteriorMixture& mixture, const Burst& burst) {
    PredictedLoss predicted;
    const std::vector<double> targets(mixture.points.size(), 1);
    predicted.probability_of_loss = InformationGain(mixture, burst, burst.separation, burst.spacing, targets, 1)
                                        .expected(burst.events)
                                        .probability_of_loss;
    predicted.by_number = mixture.counts && mixture.kinds.front().loss > 0;
    std::vector<std::pair<double, double>> low, high;
    for (const PosteriorPoint& point : mixture.points) {
        const MixtureKind& kind = mixture.kinds[point.kind];
        const QueueModel model = mixture.model_at(point);
        const double lost = expected_loss(mixture, point, burst), frames = double(burst.fragments());
        // One frame of rounding, three standard deviations of scatter, and the closed form's uncertainty.
        const double scatter = std::sqrt(kind.noise.frames * kind.noise.frames + kind.loss * (1 - kind.loss) * frames +
                                         std::pow(kind.noise.length * frames, 2));
        const double open = 1 + 3 * scatter + count_uncertainty(model, burst, point.depth, point.rate);
        low.emplace_back(lost - open, point.weight);
        high.emplace_back(lost + open + double(excess_loss(model, burst)), point.weight);
    }
    constexpr double kTail = 0.005;
    predicted.fewest = weighted_quantile(low, kTail), predicted.most = weighted_quantile(high, 1 - kTail);
    return predicted;
}

}  // namespace watershed
