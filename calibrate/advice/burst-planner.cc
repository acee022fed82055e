// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/burst-planner.h"

#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/report-text.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Separations nearer to saturation are not used: the watershed is steeper than clocks are accurate.
constexpr double kSteepest = 0.97;
/// Least information in bits of a useful burst.
constexpr double kLeastInformation = 0.01;
constexpr double kSigmas95 = 1.96;  // from the middle to an end of a 95 % interval
/// Stands for a burst of any length.
constexpr double kAnyLength = 1e9;
/// Lengths of countable losses, relative to the longest possible lossless burst.
constexpr double kCountAt[] = {1.02, 1.05, 1.1, 1.25, 1.6, 2.5};
/// Lengths of lossless bursts whose peak is read.
constexpr double kPeakAt[] = {0.5, 0.8, 0.95};
/// Kinds of smaller probability are not worth a burst.
constexpr double kWorthTelling = 0.01;

double quantile_of(const std::vector<double>& values, const PosteriorMixture& mixture, double share,
                   std::optional<std::size_t> kind = {}) {
    std::vector<std::pair<double, double>> sorted;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!kind || mixture.points[i].kind == *kind) sorted.emplace_back(values[i], mixture.points[i].weight);
    boost::sort(sorted);
    return empirical_quantile(sorted, share);
}

TargetEstimate estimate_from(double value, double low, double high, double whole = 0) {
    return {value, (high - low + whole) / 2 / value, low, high};
}

}  // namespace

std::optional<Burst> with_mix(const Burst& like, std::int64_t ports, std::int64_t payload,
                              const Conditions& conditions) {
    LossMapRow row{int(ports), Bytes{payload}, Time{0}, 1, 1, 1, std::nullopt};
    row.congested_uplinks = like.uplinks;
    try {
        return bursts_of({conditions.scenario, {row}}, conditions, CountUse::Flag).front();
    } catch (const InputError&) {
        return std::nullopt;
    }
}

BurstPlanner::BurstPlanner(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options)
    : fit_(fit), prior_(prior), options_(options), mixture_(posterior_mixture_of(fit, prior)), first_(prior.usual) {
    if (fit) {
        first_ = first_row(fit->bursts);
        for (const Burst& burst : fit->bursts)
            if (burst.uplinks == prior.usual.uplinks) ++measured_[setting_of(burst)];
    }
    targets_ = targets_for(options.target);
    rivals_ = find_rivals();
    resolution_ = options.precision / kSigmas95;
    const auto stated = estimate();
    if (!stated || fit->rounding) return;
    const auto at = [&](double share) { return quantile_of(targets_, mixture_, share); };
    const double spread = (at(0.975) - at(0.025)) / 2 / at(0.5);
    if (0 < spread && spread < stated->relative_half_width) resolution_ *= spread / stated->relative_half_width;
}

std::vector<double> BurstPlanner::targets_for(AdviceTarget target) const {
    return transformed_values(mixture_.points, [&](const PosteriorPoint& point) { return target_of(target, point); });
}

double BurstPlanner::target_of(AdviceTarget target, const PosteriorPoint& point) const {
    const QueueModel model = mixture_.model_at(point);
    if (target == AdviceTarget::Depth) return std::max(point.depth, 1.0) / double(model.cost(first_));
    if (target == AdviceTarget::Rate) return point.rate;
    const auto longest = longest_lossless(model, mixture_.seen(usual(), mixture_.kinds[point.kind]),
                                          std::max(options_.watershed_at, slot_of(usual())), point.depth, point.rate);
    return longest ? double(*longest) + 0.5 : kAnyLength;
}

std::optional<TargetEstimate> BurstPlanner::estimate_of(AdviceTarget target) const {
    if (!mixture_.measured) return std::nullopt;
    const ModelFit& best = fit_->best();
    const bool of_depth = target == AdviceTarget::Depth, of_watershed = target == AdviceTarget::Watershed;
    const std::vector<double> values = target == options_.target ? targets_ : targets_for(target);
    const double unit = of_depth ? double(best.model.cost(first_)) : 1,
                 event = 1;  // lengths are whole
    const auto at = [&](double share) { return unit * quantile_of(values, mixture_, share); };
    if (of_watershed) return estimate_from(at(0.5), at(0.025), at(0.975), event);
    // Never narrower than the fit states; kinds between which it compares whole switches may differ by input.
    const Estimate stated = in_known_digits(of_depth ? best.depth : best.rate, best.error_of_ends);
    Interval interval = stated.interval95;
    if (mixture_.kinds.size() > 1) widen(interval, {at(0.025), at(0.975)});
    if (!interval.low || !interval.high) return std::nullopt;
    return estimate_from(stated.value.value_or(at(0.5)), *interval.low, *interval.high);
}

bool BurstPlanner::no_watershed() const {
    return options_.target == AdviceTarget::Watershed && !targets_.empty() &&
           quantile_of(targets_, mixture_, 0.025) >= kAnyLength;
}

int BurstPlanner::times_measured(const BurstSetting& setting) const {
    const auto found = measured_.find(setting);
    return found == measured_.end() ? 0 : found->second;
}

/// Returns true if the burst was measured often enough; noise makes repeats useful.
bool BurstPlanner::known_already(const BurstSetting& setting) const {
    const bool noisy =
        boost::algorithm::any_of(mixture_.kinds, [](const MixtureKind& kind) { return kind.is_noisy(); });
    return times_measured(setting) >= (noisy ? kMostMeasured : 1);
}

Time BurstPlanner::slot_of(const Burst& like) const {
    if (like.wire == prior_.usual.wire) return prior_.slot;
    return Time{ceil_div(prior_.slot.count() * like.wire, prior_.usual.wire)};
}

InformationGain BurstPlanner::information_gain_at(const Burst& like, Time separation) const {
    Time set = separation;
    if (fit_)
        if (const auto shift = fit_->shifts.find(separation); shift != fit_->shifts.end()) set += shift->second;
    return {mixture_, like, separation, std::max(set, slot_of(like)), targets_, resolution_};
}

AdvisedPoint BurstPlanner::evaluate_burst(const InformationGain& gain, const Burst& like, Time separation,
                                          std::int64_t events) const {
    const Information information = gain.expected(events);
    AdvisedPoint point;
    static_cast<BurstSetting&>(point) = setting_of(like, separation, events);
    point.probability_of_loss = information.probability_of_loss;
    point.information_bits = information.bits;
    point.seconds =
        (double(options_.setup.count()) + double(events) * double(std::max(separation, slot_of(like)).count())) / 1e12;
    if (mixture_.counts && information.probability_of_loss > 0) point.frames_lost = information.frames_lost;
    point.reason = reason_for(like, information);
    return point;
}

AdvisedPoint BurstPlanner::evaluate_burst(const Burst& burst, const std::string& reason) const {
    AdvisedPoint point =
        evaluate_burst(information_gain_at(burst, burst.separation), burst, burst.separation, burst.events);
    point.reason = reason;
    return point;
}

std::string BurstPlanner::reason_for(const Burst& like, const Information& information) const {
    const bool ports = like.ports != prior_.usual.ports, payload = like.payload != prior_.usual.payload;
    if (payload && rivals_.size() == 1)
        return "frames of another size tell of the " + target_name() + " in other steps";
    if (ports || payload)
        return std::string("another ") + (ports ? "number of ports" : "payload") +
               " tells kinds of memory apart: " + rivals_text();
    if (information.peak_bits > information.bits / 2) return "the most that is in use tells of the " + target_name();
    const double counted = information.bits > 0 ? information.count_bits / information.bits : 0;
    return std::string(counted > 0.9   ? "how many frames it loses"
                       : counted < 0.1 ? "whether it loses frames"
                                       : "whether it loses frames, and how many,") +
           " tells of the " + target_name();
}

std::string BurstPlanner::target_name() const {
    switch (options_.target) {
        case AdviceTarget::Depth: return "depth";
        case AdviceTarget::Rate: return "service rate";
        case AdviceTarget::Watershed: return "watershed at " + to_text(options_.watershed_at);
    }
    return "";
}

std::vector<std::size_t> BurstPlanner::find_rivals() const {
    std::vector<std::size_t> all{0};
    if (!mixture_.measured || mixture_.kinds.size() == 1) return all;
    const auto log_quantile = [&](double share, std::size_t kind) {
        return std::log(quantile_of(targets_, mixture_, share, kind));
    };
    const auto spread = [&](std::size_t kind) { return (log_quantile(0.84, kind) - log_quantile(0.16, kind)) / 2; };
    for (std::size_t kind = 1; kind < mixture_.kinds.size(); ++kind) {
        const double apart = std::abs(log_quantile(0.5, kind) - log_quantile(0.5, 0));
        if (mixture_.kinds[kind].probability >= kWorthTelling &&
            apart > std::max({options_.precision, spread(0), spread(kind)}))
            all.push_back(kind);
    }
    return all;
}

std::string BurstPlanner::rivals_text() const {
    if (rivals_.size() == 1) return "";
    std::string text;
    for (const std::size_t kind : rivals_)
        text += (text.empty() ? "" : kind == rivals_.back() ? " or " : ", ") + mixture_.kinds[kind].model.name();
    return text;
}

/// Returns mixes that distinguish kinds: frame sizes distinguish units of depth and limits of the rate, ports
/// distinguish how the memory is shared.
std::vector<Burst> BurstPlanner::mixes(const std::vector<std::size_t>& rivals) const {
    std::vector<Burst> all{prior_.usual};
    if (rivals.size() == 1) return all;
    const QueueModel& mine = mixture_.kinds.front().model;
    const bool sharing = boost::algorithm::any_of(rivals, [&](std::size_t i) {
        const QueueModel& model = mixture_.kinds[i].model;
        return model.sharing != mine.sharing || model.has_reserve() != mine.has_reserve();
    });
    const bool unit = boost::algorithm::any_of(rivals, [&](std::size_t i) {
        const QueueModel& model = mixture_.kinds[i].model;
        return model.unit != mine.unit || model.per_packet != mine.per_packet || model.feature != mine.feature;
    });
    const auto add = [&](std::int64_t ports, std::int64_t payload) {
        const auto known = [&](const Burst& burst) { return burst.ports == ports && burst.payload == payload; };
        if (ports < 1 || payload < 1 || boost::algorithm::any_of(all, known)) return;
        if (auto burst = with_mix(prior_.usual, ports, payload, fit_->conditions)) all.push_back(*burst);
    };
    const std::int64_t ports = prior_.usual.ports, payload = prior_.usual.payload;
    constexpr std::int64_t kSmall = 512;
    if (sharing)
        for (const std::int64_t other :
             options_.ports.value_or(std::vector<std::int64_t>{(ports + 1) / 2, (ports + 3) / 4}))
            add(other, payload);
    if (unit)
        for (const std::int64_t other :
             options_.payloads.value_or(payload < kSmall ? std::vector<std::int64_t>{2 * payload, 4 * payload}
                                                         : std::vector<std::int64_t>{payload / 2, payload / 8}))
            add(ports, other);
    return all;
}

std::vector<AdvisedPoint> BurstPlanner::best() const {
    std::vector<AdvisedPoint> points = best(rivals_);
    if (!points.empty() || !mixture_.measured) return points;
    // Kinds of one depth may be known to a frame of one size, and better by smaller ones.
    std::vector<std::size_t> likely;
    for (std::size_t kind = 0; kind < mixture_.kinds.size(); ++kind)
        if (kind == 0 || mixture_.kinds[kind].probability >= kWorthTelling) likely.push_back(kind);
    return best(likely);
}

std::vector<AdvisedPoint> BurstPlanner::best(const std::vector<std::size_t>& rivals) const {
    std::vector<AdvisedPoint> all;
    for (const Burst& like : mixes(rivals))
        for (const Time separation : separations(like)) {
            const InformationGain gain = information_gain_at(like, separation);
            std::optional<AdvisedPoint> here;
            for (const std::int64_t events : lengths(gain)) {
                if (known_already(setting_of(like, separation, events))) continue;
                const AdvisedPoint point = evaluate_burst(gain, like, separation, events);
                if (!here || point.bits_per_second() > here->bits_per_second()) here = point;
            }
            if (here && here->information_bits >= kLeastInformation) all.push_back(*here);
        }
    boost::stable_sort(
        all, [](const AdvisedPoint& a, const AdvisedPoint& b) { return a.bits_per_second() > b.bits_per_second(); });
    if (all.size() > options_.points) all.resize(options_.points);
    return all;
}

std::vector<Time> BurstPlanner::separations(const Burst& like) const {
    auto rates =
        transformed_values(mixture_.points, [](const auto& point) { return std::make_pair(point.rate, point.weight); });
    boost::sort(rates);
    std::vector<double> asymptotes;
    double sum = 0;
    const double modules = double(mixture_.kinds.front().model.fullest(like));
    for (const auto& [rate, weight] : rates) {
        sum += weight;
        if (rate <= 0 || sum < 0.1 + 0.4 * double(asymptotes.size())) continue;
        const double asymptote = modules * bit_picoseconds(like.wire) / rate;
        constexpr double kSame = 0.9;  // fraction of the previous, longer asymptote
        asymptotes.push_back(asymptotes.empty() || asymptote < kSame * asymptotes.back() ? asymptote
                                                                                         : asymptotes.back());
    }
    const Generator& generator = options_.generator;
    const double last = asymptotes.empty() ? 0 : kSteepest * asymptotes.front() * (1 + 1e-9);
    std::set<Time> result;
    const auto add = [&](Time separation) {
        if (double(separation.count()) <= last) result.insert(separation);
    };
    for (const Time separation : generator.separations) add(separation);
    for (const double asymptote : generator.separations.empty() ? asymptotes : std::vector<double>())
        for (const double share : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, kSteepest})
            add(generator.at_least(std::max(Time{std::int64_t(share * asymptote)}, slot_of(like))));
    if (result.empty()) result.insert(generator.at_least(slot_of(like)));
    return {result.begin(), result.end()};
}

/// Returns lengths just above quantiles of the watershed, and longer ones whose losses are counted.
std::set<std::int64_t> BurstPlanner::lengths(const InformationGain& gain) const {
    constexpr int kQuantiles = 20;
    std::set<std::int64_t> result;
    const Generator& generator = options_.generator;
    for (int i = 0; i < kQuantiles; ++i)
        if (const auto longest = gain.longest_lossless_quantile((i + 0.5) / kQuantiles))
            result.insert(generator.at_least(*longest + 1));
    if (mixture_.peak)
        if (const auto longest = gain.longest_lossless_quantile(0.025))
            for (const double factor : kPeakAt)
                result.insert(generator.nearest(std::max<std::int64_t>(1, std::llround(double(*longest) * factor))));
    if (!mixture_.counts) return result;
    for (const double share : {0.5, 0.975})
        if (const auto longest = gain.longest_lossless_quantile(share))
            for (const double factor : kCountAt)
                result.insert(generator.nearest(std::int64_t(std::ceil(double(*longest + 1) * factor))));
    return result;
}

std::optional<std::pair<AdvisedPoint, AdvisedPoint>> BurstPlanner::pair_at(const Burst& like, Time separation) const {
    const InformationGain gain = information_gain_at(like, separation);
    const auto low = gain.longest_lossless_quantile(0.025), high = gain.longest_lossless_quantile(0.975);
    if (!low || !high || *low < 1) return std::nullopt;
    // Beyond the noise and the wanted precision.
    const double scale = largest(
        mixture_.kinds, [](const MixtureKind& kind) { return kind.noise.length; }, 0.0);
    const double margin = std::min(0.5, std::max(options_.precision, 3 * scale));
    const Generator& generator = options_.generator;
    const std::int64_t shorter = generator.nearest(std::int64_t(std::floor(double(*low) * (1 - margin))));
    const std::int64_t longer = generator.at_least(std::int64_t(std::ceil(double(*high + 1) * (1 + margin))));
    if (shorter > *low || longer <= *high) return std::nullopt;
    constexpr std::int64_t kFarApart = 10;  // a wider pair agrees with any prediction
    if (longer > kFarApart * shorter) return std::nullopt;
    return std::make_pair(evaluate_burst(gain, like, separation, shorter),
                          evaluate_burst(gain, like, separation, longer));
}

}  // namespace watershed
