// SPDX-License-Identifier: GPL-2.0-only

#include <array>

#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// With a smaller share of simulated maps as unusual no kind of memory fits.
constexpr double kMisfit = 0.01;
/// And with more bursts that have nothing to do with the switch than two and 7 % of the map taken together.
constexpr double kMostStrays = 2, kMostStrayShare = 0.07;
/// And where counts scatter by more than this part of the memory, in no fewer bursts than these.
constexpr double kMostScatter = 0.1;
constexpr std::size_t kFewestScattered = 8;
/// Least number of lossy bursts of a misfit that show where losses begin.
constexpr std::size_t kFewestEarly = 3;

/// Frames that all memories which a burst fills hold.
double frames_of_memory(const ModelFit& one, const Burst& burst) {
    return double(one.model.memories(burst)) * one.model.room_as_real(burst, *one.depth.value);
}

/// Lossy bursts that fill the memory by four fifths at most.
std::size_t early_losses(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr double kFull = 0.8;
    std::size_t early = 0;
    for (const Burst& burst : seen_by(one.model, bursts))
        early += burst.lossy && overflow(one.model, burst, *one.depth.value, *one.rate.value) <
                                    (kFull - 1) * frames_of_memory(one, burst);
    return early;
}

/// Whether longer ones of the lossy bursts of a separation lose more than in proportion: a full memory loses of each
/// event more what the output leaves of it, and one that drops early drops ever more until it is full.
bool losses_grow_faster(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr double kLeast = 0.01;  // fraction of the memory
    constexpr int kFewest = 4;
    std::map<std::tuple<BurstMix, Time>, std::map<std::int64_t, const Burst*>> lossy;  // by events
    for (const Burst& burst : bursts)
        if (burst.loss_counted())
            lossy[{BurstMix{burst.ports, burst.uplinks, burst.payload}, burst.spacing}][burst.events] = &burst;
    int faster = 0, slower = 0, all = 0;
    for (const auto& [setting, by_events] : lossy) {
        if (by_events.size() < 3) continue;
        for (auto last = std::next(by_events.begin(), 2); last != by_events.end(); ++last, ++all) {
            const Burst &c = *last->second, &b = *std::prev(last)->second, &a = *std::prev(last, 2)->second;
            const double in_proportion =
                double(a.lost) + double(c.lost - a.lost) * double(b.events - a.events) / double(c.events - a.events);
            const double fewer = (in_proportion - double(b.lost)) / frames_of_memory(one, b);
            faster += fewer > kLeast, slower += fewer < -kLeast;
        }
    }
    return faster >= std::max(kFewest, 4 * slower) && 3 * faster >= all;
}

/// Returns the largest fraction of the depth that the last frame of a lossy burst waited for; a token bucket delays
/// none. std::nullopt for few bursts.
std::optional<double> part_waited_for(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr int kFew = 3;
    int lossy = 0;
    double most = 0;
    for (const Burst& burst : bursts) {
        if (!burst.lossy || !burst.delay) continue;
        const double left =
            burst.uplinks * *one.rate.value * double(burst.delay->count()) / bit_picoseconds(burst.wire);
        most = std::max(most, left / frames_of_memory(one, burst));
        ++lossy;
    }
    return lossy < kFew ? std::nullopt : std::make_optional(most);
}

/// Delays are alike from this part on, but for a frame.
constexpr double kAlike = 0.9;

/// Returns the least and the largest delay of last frames of one mix, without a single outlier, if they differ: two
/// queues in a row or early drop delay them differently, one full queue does not.
std::optional<std::pair<Time, Time>> delays_that_differ(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr std::size_t kFewest = 4;
    constexpr int kLate = 20;    // a part of a delay: a late trigger finds less in the queue
    constexpr int kChance = 50;  // a part of a burst that may be lost elsewhere
    if (one.model.feature != Feature::None || likely_loss(one)) return std::nullopt;
    std::map<BurstMix, std::vector<const Burst*>> delayed;
    for (const Burst& burst : bursts)
        if (burst.counted && burst.lost * kChance >= burst.sent && burst.delay &&
            burst.worst_lateness * kLate < *burst.delay)
            delayed[{burst.ports, burst.uplinks, burst.payload}].push_back(&burst);
    for (auto& [mix, bursts_of_mix] : delayed) {
        if (bursts_of_mix.size() < kFewest) continue;
        boost::sort(bursts_of_mix, [](const Burst* a, const Burst* b) { return *a->delay < *b->delay; });
        const Time least = *bursts_of_mix[1]->delay, most = *bursts_of_mix[bursts_of_mix.size() - 2]->delay;
        // A frame more or less may be in the queue.
        const double frame = bit_picoseconds(bursts_of_mix.front()->wire) / *one.rate.value;
        if (double(least.count()) < kAlike * double(most.count()) - frame) return std::make_pair(least, most);
    }
    return std::nullopt;
}

/// Returns the number of strays that lose what another one of the same setting loses: no accident repeats itself to the
/// frame.
std::size_t repeated_strays(const ModelFit& one, const std::vector<Burst>& bursts) {
    std::map<std::array<std::int64_t, 6>, std::size_t> alike;
    for (const Burst& burst : bursts)
        if (burst.lossy && burst.counted && boost::count(one.strays, burst.row) > 0)
            ++alike[{burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events, burst.lost}];
    std::size_t repeated = 0;
    for (const auto& [outcome, number] : alike) repeated += number > 1 ? number : 0;
    return repeated;
}

/// Returns words on the burst that lost nothing though the random loss of the fit surely takes some of its frames;
/// empty without one.
std::string untouched_by_loss(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr double kSurely = 9;  // frames expected: e^-9 is 1 in 8000
    const Disturbance* const loss = likely_loss(one);
    if (!loss || loss->known || bursts.empty()) return "";
    const auto expected = [&](const Burst& burst) {
        return burst.lossy ? 0 : loss->interval95.low.value_or(0) * double(burst.fragments());
    };
    const Burst& most =
        *boost::max_element(bursts, [&](const Burst& a, const Burst& b) { return expected(a) < expected(b); });
    if (expected(most) < kSurely) return "";
    return "row " + std::to_string(most.row) + " lost none of its " + how_many(most.fragments(), "frame") +
           ", of which " + text_line("%.2g", 100 * *loss->value) + " % lost at random would have taken some";
}

/// Returns why the chosen model does not explain the map; empty if it does.
std::string misfit_of(const Fit& fit) {
    const ModelFit& best = fit.best();
    if (const std::string untouched = untouched_by_loss(best, fit.bursts); !untouched.empty()) return untouched;
    if (many_strays(best, fit.bursts.size()))
        return std::to_string(best.strays.size()) + " bursts that lose what no such memory makes them lose";
    if (const std::size_t repeated = repeated_strays(best, fit.bursts); repeated > 0)
        return std::to_string(repeated) + " bursts that lose, again to the frame, what no such memory makes them lose";
    constexpr double kTooAlike = 1e-3;
    if (fit.check.alike_repeats.value_or(1) < kTooAlike) return "repeats that are more alike than its scatter";
    const double scatter = scatter_of_memory(best, fit.bursts);
    if (fit.bursts.size() >= kFewestScattered && scatter > kMostScatter)
        return "a scatter of " + std::to_string(std::lround(100 * scatter)) + " % of the memory";
    return fit.goodness && *fit.goodness < kMisfit ? fit.unusual : "";
}

/// Whether some model tells lossy from lossless bursts without exception; counts left out with single bursts do not
/// matter for this.
bool flags_explained(const Fit& fit, const FitInput& map) {
    return boost::algorithm::any_of(fit.models, [&](const ModelFit& one) {
        return one.feasible && (one.violating.empty() || map.region(one.model, map.flags).feasible());
    });
}

Estimate hard_limits_alone(const Interval& hard) { return {std::nullopt, hard, hard, hard}; }

/// Odds below which the data are said not to tell two models apart; and where the likeliest has a feature, or cells
/// that no scenario names, of which the best of many was chosen.
const double kIndistinguishable = std::log(3.0), kOfFeatures = std::log(10.0), kOfCells = std::log(20.0);

/// The simplest first, as digits of one number.
int preference(const QueueModel& model, const Conditions& conditions) {
    return (model.feature == Feature::None ? 16 : 0) + (model.per_packet ? 0 : 8) +
           (model.sharing == conditions.sharing ? 4 : 0) + (model.unit == conditions.unit ? 2 : 0) +
           (model.unit == MemorySize::Unit::Cell ? 0 : 1);
}

}  // namespace

std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts) {
    const BurstLikelihood likelihood(one.model, seen_by(one.model, bursts), one.mixes);
    std::vector<double> means;
    for (const BurstParameters& parameters : one.parameters) {
        double sum = 0, n = 0;
        for (std::size_t i = 0; i < likelihood.size(); ++i)
            if (likelihood.burst(i).loss_counted()) sum += likelihood.deviation(i, parameters), ++n;
        means.push_back(n > 0 ? sum / n : 0);
    }
    const double middle = median(std::move(means));
    constexpr double kRounding = 0.3;  // frames
    return middle < kRounding || !one.depth.value ? std::nullopt : std::make_optional(middle);
}

bool many_strays(const ModelFit& one, std::size_t bursts) {
    return !one.parameters.empty() && double(one.strays.size()) > kMostStrays + kMostStrayShare * double(bursts);
}

double scatter_of_memory(const ModelFit& one, const std::vector<Burst>& bursts) {
    if (!one.scatter || !one.depth.value || (one.noise && one.noise->known)) return 0;
    std::vector<double> rooms;
    for (const Burst& burst : bursts)
        if (burst.loss_counted()) rooms.push_back(frames_of_memory(one, burst));
    if (rooms.empty()) return 0;
    return *one.scatter / std::max(1.0, median(std::move(rooms)));
}

std::string differing_delays(const std::pair<Time, Time>& delays) {
    return "bursts that lose many frames delay their last one by " + rounded(delays.first) + " to " +
           rounded(delays.second) + ", and one full queue delays it always alike";
}

void judge(Fit& fit, const FitInput& map) {
    const ModelFit& best = fit.best();
    if (map.one_sided()) fit.misfit = fit.outdone = outdone_row(fit.bursts);
    if (!best.depth.value || !best.rate.value || best.parameters.empty()) return;
    const auto check = [&] {
        constexpr int kReplicas = 200;
        fit.check = predictive_check(best, map.seen(best.model, map.sample), 1, kReplicas);
    };
    const auto state_goodness = [&] {
        if (fit.check.replicas > 0) fit.goodness = fit.check.p_value;
        fit.unusual = fit.check.unusual;
    };
    if (!fit.outdone.empty()) {
        check();
        return state_goodness();
    }
    constexpr double kNoQueue = 0.1;
    const auto waited = part_waited_for(best, fit.bursts);
    fit.policed = waited && *waited <= kNoQueue;
    if (fit.policed) fit.misfit = "frames that come without delay beside lost ones: this is a policer";
    if (fit.policed) return;
    fit.delays = delays_that_differ(best, fit.bursts);
    if (waited && *waited < kAlike - 1 / frames_of_memory(best, first_row(fit.bursts)) &&
        best.model.feature == Feature::None && !likely_loss(best))
        fit.queued = waited;
    check();
    // Nothing is left over that could be unusual, if not by the named kind then by another that may be.
    constexpr double kMayBe = 0.05;
    if (map.to_the_frame && !fit.delays && boost::algorithm::any_of(fit.models, [](const ModelFit& one) {
            return one.feasible && one.probability >= kMayBe;
        })) {
        fit.check.replicas = 0;
        return;
    }
    state_goodness();
    fit.misfit = misfit_of(fit);
    if (fit.misfit.empty() && !fit.delays) return;
    const bool early = early_losses(best, fit.bursts) >= kFewestEarly, faster = losses_grow_faster(best, fit.bursts);
    fit.losses_begin_early = !fit.misfit.empty() && (early || faster);
    if (fit.losses_begin_early)
        fit.misfit +=
            std::string(early ? "; losses begin long before the memory is full: early drop or random loss"
                              : "; longer bursts of one separation lose more than in proportion: early drop") +
            ", which counters of WRED or RED in the switch would show";
    if (fit.delays) fit.misfit += (fit.misfit.empty() ? "" : "; ") + differing_delays(*fit.delays);
}

FitStatus status_of(const Fit& fit, const FitInput& map) {
    // Bursts of one outcome are no misfit by it, but numbers of lost frames may be.
    if (!fit.misfit.empty() && (fit.counts_used || !map.one_sided())) return FitStatus::Misfit;
    if (map.one_sided()) return FitStatus::Unbounded;
    if (flags_explained(fit, map) && (fit.counts_used || fit.best().feasible)) return FitStatus::Separated;
    return are_noise(fit.best(), map, fit.counts_used) ? FitStatus::Overlap : FitStatus::Inconsistent;
}

void discard_unidentified_depths(std::vector<ModelFit>& kinds, const FitInput& map, bool counts_used) {
    for (ModelFit& one : kinds) {
        if (!map.one_sided() || map.options.depth_prior) continue;
        // Numbers of lost frames alone may still determine depth and rate.
        if (map.lossy == 0 || !(counts_used || map.peaks) || one.parameters.empty())
            one.depth = hard_limits_alone(one.depth.hard);
        else if (!one.depth.interval95.low || !one.depth.interval95.high)
            one.depth.value.reset();
    }
    // The line through numbers of lost frames may want less than a frame of memory: then it is none.
    for (ModelFit& one : kinds) {
        if (!one.depth.value || *one.depth.value >= 1) continue;
        one.depth = hard_limits_alone(one.depth.hard);
        one.support.clear();
    }
}

void choose_model(std::vector<ModelFit>& models, const Conditions& conditions, bool to_the_frame) {
    double most = -HUGE_VAL, sum = 0;
    const auto weight = [](const ModelFit& one) { return one.log_evidence + one.log_prior; };
    const bool hard =
        boost::algorithm::any_of(models, [](const ModelFit& one) { return one.feasible && !one.scatter; });
    for (ModelFit& one : models) {
        if (hard && !one.feasible && !one.noise) one.log_evidence = -HUGE_VAL;
        most = std::max(most, weight(one));
    }
    for (ModelFit& one : models) sum += one.probability = std::exp(weight(one) - most);
    for (ModelFit& one : models) one.probability /= sum;
    const auto likeliest = boost::find_if(models, [&](const ModelFit& one) { return weight(one) == most; });
    for (ModelFit& one : models) {
        const ModelFit* other = nullptr;
        for (const ModelFit& each : models)
            if (&each != &one && (!other || weight(each) > weight(*other))) other = &each;
        if (other) one.error_of_log_odds = std::hypot(one.error_of_log_evidence, other->error_of_log_evidence);
    }
    const bool cells =
        likeliest->model.header_found || (likeliest->model.unit == MemorySize::Unit::Cell && conditions.cell == 0);
    const double doubt = cells                                       ? kOfCells
                         : likeliest->model.feature != Feature::None ? kOfFeatures
                                                                     : kIndistinguishable;
    const auto rank = [&](const ModelFit& one) {
        const bool in_doubt = weight(one) >= most - doubt && (one.feasible || !likeliest->feasible || !to_the_frame);
        return (in_doubt ? 32 : 0) + preference(one.model, conditions);
    };
    const auto chosen =
        boost::max_element(models, [&](const ModelFit& a, const ModelFit& b) { return rank(a) < rank(b); });
    std::rotate(models.begin(), chosen, chosen + 1);
    std::stable_sort(models.begin() + 1, models.end(),
                     [](const ModelFit& a, const ModelFit& b) { return a.probability > b.probability; });
}

}  // namespace watershed
