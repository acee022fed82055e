// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Bursts left out in turn; fewer of large maps, where each takes long.
constexpr std::size_t kMostLeftOut = 12, kMostLeftOutOfLarge = 2, kLargeMap = 5000;
/// Odds below which the data are said not to tell two models apart.
constexpr double kInDoubt = 0.01;

/// The hard limits of the depth by these bursts alone, lossy or lossless; nothing if they contradict each other, or
/// there are none.
std::optional<Interval> depth_of(const Fit& fit, const std::vector<Burst>& bursts) {
    const FeasibleRegion region =
        feasible_region(fit.best().model, bursts, known_box(fit.best().model, fit.bursts, fit.options));
    if (!region.feasible()) return std::nullopt;
    Interval depth{double(region.depth_low), double(region.depth_high)};
    if (region.depth_open) depth.high.reset();
    return depth;
}

std::optional<Contradiction> contradiction_of(const Fit& fit) {
    if (fit.status != FitStatus::Inconsistent) return std::nullopt;
    const std::set<int> out(fit.best().violating.begin(), fit.best().violating.end());
    std::vector<Burst> rest, exceptions;
    for (const Burst& burst : as_flags(fit.bursts)) (out.count(burst.row) ? exceptions : rest).push_back(burst);
    const auto most = depth_of(fit, rest), few = depth_of(fit, exceptions);
    if (!most || !few || meet(*most, *few)) return std::nullopt;
    return Contradiction{*most, *few};
}

std::vector<LeaveOneOut> leave_one_out(const Fit& fit) {
    std::vector<LeaveOneOut> all;
    const ModelFit& best = fit.best();
    if (!best.region.feasible()) return all;
    for (const int row : best.region.binding) {
        if (all.size() == (fit.bursts.size() > kLargeMap ? kMostLeftOutOfLarge : kMostLeftOut)) break;
        std::vector<int> out = best.violating;
        out.push_back(row);
        std::vector<Burst> bursts = without(fit.bursts, out);
        if (best.scatter || !fit.counts_used || best.model.feature != Feature::None)
            bursts = as_flags(std::move(bursts));
        if (const auto depth = depth_of(fit, bursts)) all.push_back({row, *depth});
    }
    return all;
}

/// The burst as what likely lies beside the memory makes it, such as a drift.
DisturbedBurst disturbed(const ModelFit& one, const Burst& burst, const RowPlaces& places) {
    DisturbedBurst result{burst, places.of(burst)};
    constexpr double kLikely = 0.5;
    for (const NuisanceModel& law : nuisance_models())
        for (const Disturbance& there : one.disturbances)
            if (there.name == law.name && there.value && there.probability > kLikely) law.disturb(result, *there.value);
    return result;
}

void examine(Diagnosis& diagnosis, const Fit& fit) {
    const ModelFit& best = fit.best();
    const double depth = *best.depth.value, rate = *best.rate.value;
    const std::set<int> exceptions(best.violating.begin(), best.violating.end());
    const RowPlaces places(fit.bursts);
    for (const Burst& burst : fit.bursts) {
        if (exceptions.count(burst.row) == 0) continue;
        const auto drained = burst.drained(rate);
        const DisturbedBurst seen = disturbed(best, burst, places);
        const std::int64_t room = best.model.room(burst, std::int64_t(depth * seen.depth_factor));
        const double lost =
            room < 1 ? 0 : double(frames_lost(best.model, burst, room, drained)) + std::round(seen.frames);
        diagnosis.violations.push_back(
            {burst.row, lost > 0 || burst.lossy ? lost - double(burst.counted ? burst.lost : burst.lossy) : 0});
    }
    if (!best.parameters.empty()) diagnosis.goodness = fit.check;
}

void check_framing(Diagnosis& diagnosis, const Fit& fit) {
    const ModelFit& best = fit.best();
    // The shortest frames tell framings apart best.
    const Burst& shortest =
        *boost::min_element(fit.bursts, [](const Burst& a, const Burst& b) { return a.wire < b.wire; });
    const double frames = *best.rate.value / (8 * double(shortest.wire));
    const auto rate_with = [&](std::int64_t overhead) { return frames * 8 * double(shortest.payload + overhead); };
    if (fit.conditions.nominal_rate) {
        diagnosis.nominal_rate = double(fit.conditions.nominal_rate->count);
    } else {
        // A rate that Ethernet has, if the wire slot comes near one.
        for (const double standard : {10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9})
            if (std::abs(rate_with(66) / standard - 1) < 0.1) diagnosis.nominal_rate = standard;
    }
    if (diagnosis.nominal_rate == 0) return;
    std::vector<std::pair<std::string, std::int64_t>> conventions{
        {"payload", 0}, {"IP packet", 28}, {"Ethernet frame", 46}, {"wire slot", 66}};
    const std::int64_t own = shortest.wire - shortest.payload;
    if (boost::algorithm::none_of(conventions, [&](const auto& one) { return one.second == own; }))
        conventions.emplace_back("as the scenario says", own);
    for (const auto& [name, overhead] : conventions) {
        const double rate = rate_with(overhead), scale = rate / *best.rate.value;
        const bool inside = best.rate.interval95.low && best.rate.interval95.high &&
                            *best.rate.interval95.low * scale <= diagnosis.nominal_rate &&
                            diagnosis.nominal_rate <= *best.rate.interval95.high * scale;
        const double off = rate / diagnosis.nominal_rate - 1;
        diagnosis.framing.push_back({name, overhead, rate, off, inside || std::abs(off) < 0.001});
    }
}

/// The measurement that shows a feature.
std::string shown_by(Feature feature) {
    switch (feature) {
        case Feature::None: return "";
        case Feature::Descriptors:
            return "a second, smaller payload: a limit on descriptors holds as many small frames as large ones, memory "
                   "holds more";
        case Feature::Resume:
            return "the number of frames lost in bursts beyond the watershed: a resume level makes it jump";
        case Feature::DynamicThreshold:
            return "bursts that congest one and two ports at once (column congested_uplinks): of a pool B, one queue "
                   "may take alpha B / (1 + alpha), each of two alpha B / (1 + 2 alpha)";
        case Feature::UnevenUplinks:
            return "frames received, counted for each uplink: with uneven shares one queue fills, and loses, before "
                   "the others";
    }
    return "";
}

/// Adds the kinds that the measured bursts cannot distinguish, because of what they have in common.
void find_indistinguishable(Diagnosis& diagnosis, const Fit& fit) {
    std::set<std::int64_t> payloads, ports;
    std::set<int> uplinks;
    for (const Burst& burst : fit.bursts)
        payloads.insert(burst.payload), ports.insert(burst.ports), uplinks.insert(burst.uplinks);
    const QueueModel& best = fit.best().model;
    std::vector<std::string> doubtful;
    bool sharing = false, unit = false;
    std::set<Feature> features;
    for (const ModelFit& one : fit.models) {
        if (one.probability < kInDoubt * fit.best().probability) continue;
        doubtful.push_back(one.model.name());
        sharing |= one.model.sharing != best.sharing;
        unit |= one.model.unit != best.unit;
        if (one.model.feature != best.feature)
            features.insert(one.model.feature == Feature::None ? best.feature : one.model.feature);
    }
    if (doubtful.size() > 1) {
        std::string how;
        const auto add = [&](const std::string& text) { how += (how.empty() ? "" : ", and ") + text; };
        if (unit)
            add(payloads.size() == 1 ? "a second payload size"
                                     : "longer bursts, closer to the watershed, at both ends of the payload sizes");
        if (sharing)
            add(ports.size() == 1 ? "a second number of ports"
                                  : "bursts closer to the watershed at different numbers of ports");
        for (const Feature feature : features) add("more of what shows it best: " + shown_by(feature));
        diagnosis.indistinguishable.push_back({doubtful, how});
    }
    const std::string name = best.name();
    if (best.feature != Feature::None) return;  // one at a time is fitted
    const auto unseen = [&](Feature feature) {
        diagnosis.indistinguishable.push_back({{name, name + "-" + to_text(feature)}, shown_by(feature)});
    };
    if (*uplinks.rbegin() > 1) unseen(Feature::UnevenUplinks);
    if (payloads.size() == 1 && best.sharing == Buffer::Sharing::Shared) unseen(Feature::Descriptors);
    if (payloads.size() == 2 && best.unit == MemorySize::Unit::Cell && fit.conditions.cell == 0)
        diagnosis.indistinguishable.push_back({{name, "shared-bytes-" + to_text(Feature::Descriptors)},
                                               "a third payload size: cells of some size explain any two"});
    if (uplinks.size() == 1 && best.sharing == Buffer::Sharing::Shared)
        diagnosis.indistinguishable.push_back(
            {{name, name + "-" + to_text(Feature::DynamicThreshold), name + "-queue-split"},
             shown_by(Feature::DynamicThreshold)});
    if (payloads.size() == 1 && !best.per_packet)
        diagnosis.indistinguishable.push_back(
            {{name, name + "-receiver-limited"},
             "a second payload size: a link takes bytes, a receiver with a cost per packet takes frames per second"});
    if (!fit.counts_used) unseen(Feature::Resume);
}

constexpr int kPoints = 80;
constexpr std::int64_t kEndless = INT64_MAX;

std::optional<std::int64_t> finite(std::int64_t events) {
    return events == kEndless ? std::nullopt : std::make_optional(events);
}

}  // namespace

Diagnosis diagnose(const Fit& fit, std::uint64_t seed) {
    Diagnosis diagnosis;
    diagnosis.seed = seed;
    find_indistinguishable(diagnosis, fit);
    if (fit.goodness) diagnosis.goodness = fit.check;  // also of a map that leaves the depth open
    const ModelFit& best = fit.best();
    if (!best.depth.value || !best.rate.value || *best.rate.value <= 0) return diagnosis;
    diagnosis.leave_one_out = leave_one_out(fit);
    diagnosis.contradiction = contradiction_of(fit);
    examine(diagnosis, fit);
    if (!fit.options.service_rate) check_framing(diagnosis, fit);
    double least = 1;  // of the saturation separation
    for (const Burst& burst : fit.bursts) {
        const double inputs = double(best.model.fullest(burst));
        least =
            std::min(least, double(burst.spacing.count()) * *best.rate.value / (bit_picoseconds(burst.wire) * inputs));
    }
    diagnosis.sensitivity = least < 1 ? -least / (1 - least) : 0;
    return diagnosis;
}

std::vector<Burst> mixes_of(const Fit& fit) {
    constexpr std::size_t kMost = 6;
    struct Mix {
        std::size_t bursts = 0;
        Burst first;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, int>, Mix> all;
    for (const Burst& burst : fit.bursts) {
        Mix& mix = all.try_emplace({burst.ports, burst.payload, burst.uplinks}, Mix{0, burst}).first->second;
        ++mix.bursts;
        if (burst.row < mix.first.row) mix.first = burst;
    }
    std::vector<Mix> mixes = transformed_values(all, [](const auto& one) { return one.second; });
    boost::sort(mixes, [](const Mix& a, const Mix& b) {  // as largest_row
        return std::make_tuple(-a.first.payload, a.first.row) < std::make_tuple(-b.first.payload, b.first.row);
    });
    std::stable_sort(std::next(mixes.begin()), mixes.end(),
                     [](const Mix& a, const Mix& b) { return a.bursts > b.bursts; });
    std::vector<Burst> firsts;
    for (std::size_t i = 0; i < std::min(mixes.size(), kMost); ++i) firsts.push_back(mixes[i].first);
    return firsts;
}

Curve fitted_curve(const Fit& fit, const Burst& like) {
    Curve curve;
    const ModelFit& best = fit.best();
    if (!best.rate.value || *best.rate.value <= 0) return curve;
    const double inputs = double(best.model.fullest(like));
    const double asymptote = inputs * bit_picoseconds(like.wire) / *best.rate.value;
    curve.asymptote = Time{std::int64_t(std::ceil(asymptote))};
    if (!best.depth.value) return curve;
    const double slot = std::ceil(bit_picoseconds(like.wire) / double(fit.conditions.link_rate.count));
    double least = asymptote;
    for (const Burst& burst : fit.bursts) least = std::min(least, double(burst.spacing.count()));
    const double first = std::max(slot, std::min(least, asymptote / 10));
    if (first >= asymptote) return curve;
    for (int i = 0; i < kPoints; ++i) {
        // Denser towards the asymptote, where the curve is steep.
        const double rest = 1 - double(i) / kPoints;
        CurvePoint point;
        point.separation = Time{std::int64_t(asymptote - (asymptote - first) * rest * rest)};
        const auto longest = [&](double depth, double rate, double value) {
            QueueModel model = best.model;
            model.value = value;
            return longest_lossless(model, like, point.separation, depth, rate).value_or(kEndless);
        };
        point.events = finite(longest(*best.depth.value, *best.rate.value, best.model.value));
        std::vector<std::pair<std::int64_t, double>> lengths;
        for (const SupportPoint& support : best.support)
            lengths.emplace_back(longest(support.depth, support.rate, support.value), support.weight);
        boost::sort(lengths);
        point.events_low = finite(empirical_quantile(lengths, 0.025));
        point.events_high = finite(empirical_quantile(lengths, 0.975));
        curve.points.push_back(point);
    }
    return curve;
}

namespace {

constexpr std::size_t kMostOfSample = 150, kMostPoints = 24;
/// A burst says something only where its outcome was open.
constexpr double kOpenOutcome = 0.01;

using Settings = std::tuple<std::int64_t, int, std::int64_t, std::int64_t, std::int64_t>;
Settings settings_of(const Burst& burst) {
    return {burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), burst.events};
}

/// @param values  in that order
RunsTest wald_wolfowitz(const std::string& order, const std::vector<double>& values) {
    RunsTest test;
    test.order = order;
    test.residuals = values.size();
    const auto positive = double(boost::count_if(values, [](double value) { return value > 0; })),
               n = double(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) test.runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
    const double both = 2 * positive * (n - positive);
    if (both <= 0 || n < 10) return test;
    const double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    if (variance > 0)
        test.p_value = 2 * normal_cdf(-std::max(0.0, std::abs(double(test.runs) - mean) - 0.5) / std::sqrt(variance));
    test.p_value = std::min(1.0, test.p_value);
    return test;
}

/// Bursts in some order, those of which the outcome was open.
struct OpenOrder {
    std::string name;
    std::vector<std::size_t> bursts;
};

class Check {
  public:
    Check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed)
        : law_(one.model, bursts, one.mixes), random_(seed) {
        const std::size_t step = one.parameters.size() / kMostPoints + 1;
        for (std::size_t i = 0; i < one.parameters.size(); i += step) points_.push_back(one.parameters[i]);
        for (std::size_t i = 0; i < law_.size(); ++i) {
            const Burst& burst = law_.burst(i);
            shares_.push_back(uniform(random_));
            const double none = below(i, 0), seen = burst.lossy ? 1 - none : none;
            if ((none > kOpenOutcome && none < 1 - kOpenOutcome) || burst.loss_counted() || seen < kOpenOutcome)
                open_.push_back(i);
        }
        orders_ = {{"a trend with the separation", in_order(by_separation)},
                   {"a trend with the number of events", in_order(by_events)},
                   {"a trend among bursts of the same ports and payload", in_order([](const Burst& burst) {
                        return std::make_tuple(burst.ports, burst.payload, burst.separation, burst.events);
                    })}};
    }

    void run(Goodness& goodness, int replicas) {
        std::vector<double> measured;
        for (std::size_t i = 0; i < law_.size(); ++i) measured.push_back(residual(i, outcome(law_.burst(i))));
        for (const std::size_t i : open_)
            goodness.residuals.push_back({law_.burst(i).row, measured[i]}),
                goodness.deviance += measured[i] * measured[i];
        goodness.runs = {runs_test("row", measured, [](const Burst& burst) { return burst.row; }),
                         runs_test("separation", measured, by_separation), runs_test("events", measured, by_events)};
        constexpr std::size_t kFewest = 5;
        if (goodness.residuals.size() < kFewest) return;
        std::vector<std::vector<double>> columns(3 + 2 * orders_.size());
        const auto note = [&](const std::vector<double>& residuals) {
            const std::vector<double> values = statistics(residuals);
            for (std::size_t s = 0; s < values.size(); ++s) columns[s].push_back(values[s]);
        };
        note(measured);
        std::vector<double> simulated(law_.size());
        for (int replica = 0; replica < replicas; ++replica) {
            const BurstParameters& truth = points_[std::size_t(uniform(random_) * double(points_.size()))];
            for (const std::size_t i : open_) simulated[i] = residual(i, draw(i, truth));
            note(simulated);
        }
        rank(goodness, columns, replicas);
    }

  private:
    static std::int64_t outcome(const Burst& burst) { return !burst.lossy ? 0 : burst.counted ? burst.lost : -1; }

    double below(std::size_t i, std::int64_t frames) const {
        double sum = 0;
        for (const BurstParameters& point : points_) sum += law_.at_most(i, frames, point);
        return sum / double(points_.size());
    }

    /// @param lost -1: some frames, nobody knows how many. Positive: fewer frames lost than expected.
    double residual(std::size_t i, std::int64_t lost) const {
        constexpr double kFarthest = 1e-6;
        const double high = lost < 0 ? 1 : below(i, lost), low = lost < 0    ? below(i, 0)
                                                                 : lost == 0 ? 0
                                                                             : below(i, lost - 1);
        return -normal_quantile(std::clamp(low + shares_[i] * (high - low), kFarthest, 1 - kFarthest));
    }

    std::int64_t draw(std::size_t i, const BurstParameters& truth) {
        const Burst& burst = law_.burst(i);
        const double share = uniform(random_);
        if (share <= law_.at_most(i, 0, truth)) return 0;
        if (burst.lossy && !burst.counted) return -1;
        return first_of(1, burst.fragments(),
                        [&](std::int64_t frames) { return law_.at_most(i, frames, truth) >= share; });
    }

    /// The larger, the more unusual. But for the first two they have no scale: noise of the wrong size hides no shape.
    std::vector<double> statistics(const std::vector<double>& residuals) const {
        double worst = 0, squares = 0, fourth = 0, n = 0;
        for (const std::size_t i : open_)
            worst = std::max(worst, std::abs(residuals[i])), squares += residuals[i] * residuals[i],
            fourth += std::pow(residuals[i], 4), ++n;
        const double mean_square = std::max(squares / n, 1e-12), scale = std::sqrt(mean_square);
        std::vector<double> all{worst, squares, -fourth / n / (mean_square * mean_square)};
        for (const OpenOrder& order : orders_) {
            // By how much less neighbours differ than others do (von Neumann, 1941), and the longest run to one side in
            // windows of several lengths.
            double most = 0, steps = 0;
            for (std::size_t i = 1; i < order.bursts.size(); ++i)
                steps += std::pow(residuals[order.bursts[i]] - residuals[order.bursts[i - 1]], 2);
            for (std::size_t window = 3; window <= order.bursts.size() / 2; window *= 2) {
                double sum = 0;
                for (std::size_t i = 0; i < order.bursts.size(); ++i) {
                    sum += residuals[order.bursts[i]];
                    if (i >= window) sum -= residuals[order.bursts[i - window]];
                    if (i + 1 >= window) most = std::max(most, std::abs(sum) / std::sqrt(double(window)));
                }
            }
            all.push_back(-steps / (n * mean_square));
            all.push_back(most / scale);
        }
        return all;
    }

    void rank(Goodness& goodness, const std::vector<std::vector<double>>& columns, int replicas) const {
        static const char* const kMarginShapes[] = {"its worst burst", "more scatter than expected",
                                                    "residuals that lie too evenly"};
        std::vector<double> least(std::size_t(replicas) + 1, 1);
        for (std::size_t s = 0; s < columns.size(); ++s) {
            std::vector<double> sorted = columns[s];
            boost::sort(sorted);
            for (std::size_t i = 0; i < least.size(); ++i) {
                const auto [first, last] = boost::equal_range(sorted, columns[s][i]);
                const double share = (double(sorted.end() - last) + 0.5 * double(last - first)) / double(sorted.size());
                if (share >= least[i]) continue;
                least[i] = share;
                if (i == 0) goodness.unusual = s < 3 ? kMarginShapes[s] : orders_[(s - 3) / 2].name;
            }
        }
        const auto as_unusual =
            std::count_if(least.begin() + 1, least.end(), [&](double value) { return value <= least.front(); });
        goodness.replicas = replicas;
        goodness.p_value = double(as_unusual + 1) / (replicas + 1);
    }

    static std::int64_t by_separation(const Burst& burst) { return burst.spacing.count(); }
    static std::int64_t by_events(const Burst& burst) { return burst.events; }

    /// Bursts whose outcome was open.
    template <class Key>
    std::vector<std::size_t> in_order(const Key& key) const {
        std::vector<std::size_t> order = open_;
        boost::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return key(law_.burst(a)) < key(law_.burst(b)); });
        return order;
    }

    template <class Key>
    RunsTest runs_test(const std::string& name, const std::vector<double>& residuals, const Key& key) const {
        // Repeats share their rounding, and would miss to the same side for that alone.
        std::vector<double> values;
        std::map<Settings, std::size_t> known;
        for (const std::size_t i : in_order(key)) {
            const auto [found, added] = known.try_emplace(settings_of(law_.burst(i)), values.size());
            if (added)
                values.push_back(residuals[i]);
            else
                values[found->second] += residuals[i];
        }
        return wald_wolfowitz(name, values);
    }

    BurstLikelihood law_;
    RandomBits random_;
    std::vector<BurstParameters> points_;
    std::vector<double> shares_;
    std::vector<std::size_t> open_;  ///< bursts
    std::vector<OpenOrder> orders_;
};

}  // namespace

Goodness predictive_check(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas) {
    std::vector<Burst> sample;
    for (std::size_t i = 0, stride = bursts.size() / kMostOfSample + 1; i < bursts.size(); i += stride)
        sample.push_back(bursts[i]);
    Goodness goodness;
    if (!sample.empty() && !one.parameters.empty()) Check(one, sample, seed).run(goodness, replicas);
    return goodness;
}

}  // namespace watershed
