// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/burst-planner.h"
#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Number of predictions that must hold after a surprise.
constexpr int kMustHold = 3;
/// Number of blocks and, without a surprise, of rows that are foretold anew.
constexpr int kMostBlocks = 5, kMostRows = 8;
/// Number of rows beyond which one block alone is foretold: a fit takes long.
constexpr std::size_t kLargeMap = 100;
/// Probability of an outcome that is a surprise.
constexpr double kSurprise = 0.01;

bool alike(const Burst& a, const Burst& b) {
    return a.separation == b.separation && a.ports == b.ports && a.payload == b.payload && a.uplinks == b.uplinks;
}

/// Returns the prediction of a burst; std::nullopt if either outcome was plausible and its number, too.
std::optional<Prediction> compared(const PosteriorMixture& before, const Burst& burst) {
    const PredictedLoss foretold = predict_loss(before, burst);
    const double loss = foretold.probability_of_loss, lost = double(burst.lost);
    const bool flag = loss < kSurprise || loss > 1 - kSurprise, counted = burst.counted && burst.lossy,
               outside = counted && (lost < foretold.fewest || lost > foretold.most);
    if (!flag && !outside) return std::nullopt;
    const bool held = !outside && (!flag || burst.lossy == (loss > 0.5));
    return Prediction{burst, loss, std::max(0.0, std::ceil(foretold.fewest)), std::floor(foretold.most), held};
}

}  // namespace

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

bool PredictionScore::surprised() const { return since_surprise < kMustHold && held() < int(rows.size()); }

bool PredictionScore::hopeless() const {
    return since_surprise == 0 && rows.size() - std::size_t(held()) >= kMostTries;
}

int PredictionScore::held() const {
    return int(boost::count_if(rows, [](const Prediction& one) { return one.held; }));
}

std::string PredictionScore::text() const {
    if (rows.empty()) return "";
    return std::to_string(held()) + " of the last " + how_many(rows.size(), "prediction") + " held";
}

PredictionScore foretold_again(const Fit& fit, const Prior& prior) {
    std::vector<Burst> bursts = as_sent(fit);
    boost::sort(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
    FitOptions known = fit.options;
    if (boost::algorithm::none_of(bursts, [](const Burst& burst) { return burst.counted; }))
        known.counts = CountUse::Flag;
    PredictionScore score;
    int blocks = 0, rows = 0;
    bool surprise = false;
    for (std::size_t end = bursts.size(), begin; end > 0; end = begin) {
        for (begin = end - 1; begin > 0 && alike(bursts[begin - 1], bursts[end - 1]);) --begin;
        std::set<BurstSetting> seen;
        for (std::size_t i = 0; i < begin; ++i) seen.insert(setting_of(bursts[i]));
        std::vector<Burst> fresh;  // a repeat tells nothing of the law
        for (std::size_t i = begin; i < end; ++i)
            if (seen.insert(setting_of(bursts[i])).second) fresh.push_back(bursts[i]);
        if (fresh.empty()) continue;
        if (begin == 0 || blocks == kMostBlocks || (!surprise && rows >= kMostRows) ||
            (blocks > 0 && bursts.size() > kLargeMap))
            break;
        LossMap before{fit.map.source, {}};
        before.rows.assign(fit.map.rows.begin(), fit.map.rows.begin() + (fresh.front().row - 1));
        const PartialFit earlier = fit_so_far(before, fit.conditions, known);
        const PosteriorMixture mixture = posterior_mixture_of(earlier.fit, prior);
        if (!mixture.measured) break;
        ++blocks, rows += int(fresh.size());
        bool all_held = true;
        for (auto burst = fresh.rbegin(); burst != fresh.rend(); ++burst) {
            const auto one = compared(mixture, *burst);
            if (!one) continue;
            all_held = all_held && one->held;
            surprise = surprise || !one->held;
            score.since_surprise += !surprise;
            score.rows.insert(score.rows.begin(), *one);
        }
        // Only where the last prediction failed do surprises before it matter.
        if (score.since_surprise >= kMustHold || (surprise && (score.since_surprise > 0 || all_held))) break;
    }
    return score;
}

std::string missing_law(const Fit& fit, const std::vector<Burst>& odd) {
    if (fit.losses_begin_early) return "a law is missing by which frames are lost before the memory is full";
    if (odd.empty()) return "a law is missing";
    const Burst first = first_row(fit.bursts);
    const auto all_have_another = [&](auto member) {
        return boost::algorithm::all_of(odd, [&](const Burst& one) { return one.*member != first.*member; });
    };
    if (all_have_another(&Burst::payload))
        return "a law of the size of frames is missing: no known kind foretells another payload";
    if (all_have_another(&Burst::ports))
        return "a law of the number of ports is missing: no known kind foretells fewer or more";
    const auto [low, high] = std::minmax_element(
        odd.begin(), odd.end(), [](const Burst& a, const Burst& b) { return a.separation < b.separation; });
    const std::string longest = low->separation < high->separation ? " to " + to_text(high->separation) : "";
    return "a law of the time between triggers is missing: no known kind foretells bursts " + to_text(low->separation) +
           longest + " apart";
}

}  // namespace watershed
