// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/advise.h"

#include "calibrate/advice/fit-concerns.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/rate-doubt.h"
#include "calibrate/fit/report-text.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

std::string percent(double share) { return text_line("%.3g %%", share * 100); }

/// Returns "is known to +-0.5 % (95 %)". @param scale  factor from the estimate to `unit`
std::string precision_text(const TargetEstimate& estimate, const std::string& unit, double scale) {
    if (estimate.relative_half_width == 0) return " is known exactly";
    if (estimate.relative_half_width > 1)
        return " may be anything from " + number_text(std::round(estimate.low * scale)) + " to " +
               number_text(std::round(estimate.high * scale)) + " " + unit + " (95 %)";
    return " is known to +-" + percent(estimate.relative_half_width) + " (95 %)";
}

/// Returns repeats of the contradicting bursts that were measured fewer than kMostMeasured times.
std::vector<AdvisedPoint> repeats(const Fit& fit, const BurstPlanner& planner, const AdviceOptions& options) {
    std::vector<AdvisedPoint> points;
    std::set<BurstSetting> named;
    const std::vector<int>& rows = fit.best().violating;
    for (const Burst& burst : fit.bursts) {
        const BurstSetting setting = setting_of(burst);
        if (!boost::binary_search(rows, burst.row) || points.size() >= options.points) continue;
        const int times = planner.times_measured(setting);
        if (times == 0 || times >= kMostMeasured || !named.insert(setting).second) continue;
        points.push_back(
            planner.evaluate_burst(burst, "repeat: row " + std::to_string(burst.row) + " contradicts the others"));
    }
    return points;
}

/// "1 of 1 check came out as predicted, 2 are wanted"
std::string checks_text(const CheckCount& count) {
    const std::string wanted = std::to_string(count.wanted) + (count.wanted == 1 ? " is wanted" : " are wanted");
    if (count.done == 0) return "no check was made yet, " + wanted;
    return std::to_string(count.passed) + " of " + how_many(count.done, "check") + " came out as predicted" +
           (count.passed < count.wanted ? ", " + wanted : "");
}

/// "no known kind of memory fits: 5 of the last 10 predictions held; a law of the number of ports is missing…"
std::string no_kind_text(const std::string& sign, const Fit& fit, const std::vector<Burst>& odd) {
    return "no known kind of memory fits: " + sign + "; " + missing_law(fit, odd) +
           ". It takes such a kind, or a map of lengths on either side of the watershed there; do not trust the "
           "interval";
}

/// Returns the bursts that miss the model by more than two standard deviations.
std::vector<Burst> odd_bursts(const Fit& fit, const FitConcerns& concerns) {
    constexpr double kFar = 2;
    std::vector<Burst> odd;
    for (const Burst& burst : fit.bursts)
        if (boost::algorithm::any_of(concerns.residuals, [&](const Residual& one) {
                return one.row == burst.row && std::abs(one.value) > kFar;
            }))
            odd.push_back(burst);
    return odd;
}

/// Advises from what the last rows were foretold to lose: a surprise asks for new predictions, many say that no known
/// kind fits. @pre the precision is reached
void heed_predictions(Advice& advice, const BurstPlanner& planner, const Fit& fit, const Prior& prior,
                      const AdviceOptions& options) {
    const bool failed = advice.checked.passed < advice.checked.done;
    if (!advice.stop && !failed) return;
    advice.predictions = foretold_again(fit, prior);
    const PredictionScore& score = advice.predictions;
    if (score.rows.empty()) return;
    if (score.hopeless()) {
        std::vector<Burst> odd;
        for (const Prediction& one : score.rows)
            if (!one.held) odd.push_back(one.burst);
        advice.stop = true;
        advice.checks.clear(), advice.points.clear();
        advice.reason = no_kind_text(score.text(), fit, odd);
        return;
    }
    advice.reason += "; " + score.text();
    if (!advice.stop || !score.surprised()) return;
    advice.checks = new_pair_of(fit, prior, options, planner);
    advice.stop = advice.checks.empty() && advice.points.empty();
    if (!advice.checks.empty()) advice.points = advice.checks;
    const auto last = std::find_if(score.rows.rbegin(), score.rows.rend(), [](const auto& one) { return !one.held; });
    advice.reason += ", row " + std::to_string(last->burst.row) + " did not: new ones must hold first";
}

/// Asks for bursts that would explain a rate which no port of the scenario has; once they are measured no known kind
/// fits, if enough is known.
void explain_rate(Advice& advice, const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options,
                  bool known) {
    const std::vector<AdvisedPoint> tries = bursts_on_rate(planner, fit, options, false);
    if (tries.empty() && !known) return;
    advice.stop = tries.empty();
    if (!advice.stop) advice.points = tries;
    const RateMismatch doubt = rate_doubt(fit);
    const std::string sign = doubt.off + ", which no such port has, usually by " + doubt.reasons;
    advice.reason = advice.stop ? no_kind_text(sign, fit, {})
                                : sign + ": these bursts would tell; until then do not trust the interval";
}

/// Asks for another separation where all bursts have one, from which the rate is fitted, too.
/// @pre the advice is to stop
void ask_for_separation(Advice& advice, const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options) {
    if (fit.options.service_rate || boost::algorithm::any_of(fit.bursts, [&](const Burst& one) {
            return one.separation != fit.bursts.front().separation;
        }))
        return;
    const std::vector<AdvisedPoint> tries = bursts_on_rate(planner, fit, options, true);
    advice.stop = tries.empty();
    if (!advice.stop) advice.points = tries;
    advice.reason += std::string(", but one separation hardly tells rate and depth apart") +
                     (advice.stop ? ", and no other can be set" : ": measure another first");
}

/// Asks for a burst that no memory near the fitted one loses frames of, where much is lost at random: such a loss, and
/// no ring or early drop, takes of it, too. @pre the advice is to stop
void ask_for_short_burst(Advice& advice, const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options) {
    constexpr double kLarge = 0.02, kTelling = 12;  // part that is lost; frames lost of a burst that tells
    constexpr std::int64_t kFar = 3;                // lengths that are too short for a full memory
    const Disturbance* const loss = likely_loss(fit.best());
    if (!loss || loss->known || *loss->value < kLarge) return;
    const Burst& like = planner.usual();
    const Time separation = planner.separations(like).front();
    const InformationGain gain = planner.information_gain_at(like, separation);
    const std::int64_t events =
        options.generator.at_least(std::int64_t(std::ceil(kTelling / *loss->value / double(like.ports))));
    const auto longest = gain.longest_lossless_quantile(0.5);
    if (!longest || kFar * events > *longest || boost::algorithm::any_of(fit.bursts, [&](const Burst& one) {
            return kFar * one.fragments() <= *longest * like.ports;
        }))
        return;
    advice.stop = false;
    advice.points = {planner.evaluate_burst(gain, like, separation, events)};
    advice.points.front().reason = "frames lost at random are lost of a short burst, too";
    advice.reason += ", but only a much shorter burst tells " + percent(*loss->value) +
                     " of random loss from a ring or early drop: measure one first";
}

/// Puts bursts that would explain the concerns before the advised ones.
void put_diagnosis_first(Advice& advice, const BurstPlanner& planner, const Fit& fit, const FitConcerns& concerns,
                         const AdviceOptions& options) {
    advice.stop = false;
    advice.reason = concerns.text() + ": these bursts would tell why; until then do not trust the interval";
    const DiagnosticBursts found = diagnostic_bursts(planner, fit, concerns, options);
    if (found.all_tried) {
        advice.stop = true;
        advice.reason = no_kind_text(concerns.text(), fit, odd_bursts(fit, concerns));
        return;
    }
    std::vector<AdvisedPoint> points = found.points;
    points.insert(points.end(), advice.points.begin(), advice.points.end());
    if (points.size() > options.points) points.resize(options.points);
    advice.points = points;
}

}  // namespace

Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options) {
    const BurstPlanner planner(fit, prior, options);
    Advice advice;
    advice.estimate = planner.estimate();
    const std::string name = "the " + planner.target_name();
    if (fit && (fit->policed || fit->delays)) {
        advice.stop = true;
        advice.reason =
            fit->policed
                ? "this is no queue but a policer: frames are lost, and those that arrive come without delay"
                : "these are several queues in a row, or one that drops early: " + differing_delays(*fit->delays);
        return advice;
    }
    if (fit && fit->status == FitStatus::Inconsistent) {
        advice.points = repeats(*fit, planner, options);
        if (!advice.points.empty()) {
            advice.reason = "the map contradicts itself: repeat what contradicts the rest first";
            return advice;
        }
    }
    const bool nowhere = fit && planner.no_watershed(),
               narrow = advice.estimate && advice.estimate->relative_half_width <= options.precision;
    std::optional<FitConcerns> concerns;
    // Concerns take time to compute, and a small map raises none.
    constexpr std::size_t kFew = 10;
    if (fit && (nowhere || narrow || fit->goodness || fit->status == FitStatus::Misfit || fit->bursts.size() >= kFew))
        concerns = fit_concerns(*fit), advice.goodness = concerns->goodness;
    if (concerns && concerns->any()) {
        if (!nowhere) advice.points = planner.best();
        put_diagnosis_first(advice, planner, *fit, *concerns, options);
        return advice;
    }
    if (nowhere) {
        advice.stop = true;
        advice.estimate.reset();
        advice.reason = "at " + to_text(options.watershed_at) +
                        " no burst of any length loses frames: there is no watershed to measure";
        return advice;
    }
    const bool of_rate = options.target == AdviceTarget::Rate;
    const std::string unit = of_rate                                     ? "Mb/s"
                             : options.target == AdviceTarget::Watershed ? "events"
                             : fit                                       ? unit_of(fit->best().model)
                                                                         : "",
                      known = advice.estimate ? name + precision_text(*advice.estimate, unit, of_rate ? 1e-6 : 1) : "";
    const std::string rivals = planner.rivals_text();
    constexpr std::size_t kTell = 4;  // fewer bursts may leave any rate
    const bool impossible = fit && (narrow || fit->bursts.size() >= kTell) && rate_doubt(*fit).of_no_port;
    if (!narrow || impossible) advice.points = planner.best();
    std::vector<AdvisedPoint> of_rounding;
    if (!narrow && advice.points.empty() && fit && fit->rounding)
        of_rounding = bursts_on_rate(planner, *fit, options, true);
    if (narrow && !impossible) {
        Checks checks = checks_of(*fit, prior, options, planner);
        advice.checked = checks.count;
        advice.checks = std::move(checks.left);
        advice.stop = advice.checks.empty();
        advice.points = advice.stop ? planner.best() : advice.checks;
        advice.reason = known + ", better than the wanted " + percent(options.precision) +
                        (!advice.stop              ? ", but " + checks_text(checks.count)
                         : checks.count.wanted > 0 ? "; " + checks_text(checks.count)
                                                   : "");
        heed_predictions(advice, planner, *fit, prior, options);
    } else if (advice.points.empty() && fit && !advice.estimate) {
        // The prior is narrower than the bursts prove.
        advice.points = diagnostic_bursts(planner, *fit, {}, options).points;
        advice.reason = "the bursts so far limit " + name + " on one side only";
    } else if (!of_rounding.empty()) {
        advice.points = of_rounding;
        advice.reason = known + ", wanted is " + percent(options.precision) + ": separations are written to " +
                        to_text(fit->map.separation_step) + ", and others show how far they are off";
    } else if (advice.points.empty()) {
        advice.stop = true;
        advice.reason =
            "no burst that can be set would tell more about " + name + (known.empty() ? "" : "; " + known) +
            (fit && fit->rounding ? ", with separations that are written to " + to_text(fit->map.separation_step)
                                  : "") +
            (rivals.empty() ? ""
                            : ". It may be " + rivals +
                                  ": say which, by --fix kind or sharing, or allow other --ports or --payloads");
    } else if (advice.estimate) {
        advice.reason = known + ", wanted is " + percent(options.precision) +
                        (rivals.empty() ? "" : "; the memory may be " + rivals);
    } else {
        advice.reason = fit ? "the bursts so far limit " + name + " on one side only"
                            : "nothing is measured yet: the advice comes from the scenario alone";
    }
    if (impossible)
        explain_rate(advice, planner, *fit, options, narrow || advice.stop || fit->bursts.size() >= kTell + kMostTries);
    else if (fit && advice.stop && !advice.predictions.hopeless())
        ask_for_separation(advice, planner, *fit, options);
    if (fit && advice.stop && !advice.predictions.hopeless()) ask_for_short_burst(advice, planner, *fit, options);
    return advice;
}

}  // namespace watershed
