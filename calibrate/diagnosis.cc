// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/diagnosis.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <random>
#include <set>

#include "calibrate/burst-likelihood.h"

namespace watershed {
namespace {

/// Bursts left out in turn; fewer of large maps, where each takes long.
constexpr std::size_t kMostLeftOut = 12, kMostLeftOutOfLarge = 2, kLarge = 5000;
constexpr std::size_t kMostBursts = 2000;
constexpr int kReplicas = 400;
/// Bursts of each simulated map, and points among which it is fitted again.
constexpr std::size_t kMostSimulated = 400, kMostRefitPoints = 200;
/// A residual says something only where the outcome was open.
constexpr double kOpen = 0.02;
/// Odds below which the data are said not to tell two models apart.
constexpr double kInDoubt = 0.01;

double below(double sigmas) { return 0.5 * std::erfc(-sigmas * M_SQRT1_2); }

/// Uniform between 0 and 1, the same on every machine.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 12) + 0.5) * std::exp2(-52); }

/// Of one burst; the frames that the model loses beyond it where its number counts.
struct Outcome {
    bool lossy = false;
    double missing = 0;
};

/// What noise makes of one burst at one depth and rate.
class Expectation {
  public:
    Expectation(const ModelFit& one, const Burst& burst, double depth, double rate) : counted_(one.counts && burst.counted), lossy_(burst.lossy) {
        if (one.counts) {
            missing_ = kept_residual(one.model, burst, depth, rate);
            const double gaps = static_cast<double>(burst.events - 1);
            const double growth = gaps > 0 ? std::max(0.0, static_cast<double>(burst.ports) - burst.uplinks * burst.drain() * rate / gaps) : 1;
            const bool relative = one.noise && one.noise->relative;
            sigma_ = !one.noise || !one.noise->value ? one.counts->scatter
                     : relative                      ? std::hypot(*one.noise->value * growth * static_cast<double>(burst.events), 0.3)
                                                     : *one.noise->value;
            const double none = lossy_ && counted_ ? missing_ + static_cast<double>(burst.lost) : missing_;
            loss_ = below(none / sigma_);
        } else {
            const Nuisance nuisance{one.noise && one.noise->value ? *one.noise->value : 0.001, true, one.noise ? one.noise->background : 0, 0, 0};
            const double threshold = threshold_events(one.model, burst, depth, rate);
            loss_ = std::isinf(threshold) ? nuisance.background : FlagLikelihood::probability(std::log(static_cast<double>(burst.events) / threshold), nuisance);
        }
        loss_ = std::clamp(loss_, 1e-9, 1 - 1e-9);
        lossy_deviance_ = -2 * std::log(loss_);
        lossless_deviance_ = -2 * std::log(1 - loss_);
    }

    double loss() const { return loss_; }
    bool number_matters() const { return counted_ && lossy_; }
    double deviance() const { return number_matters() ? missing_ * missing_ / (sigma_ * sigma_) : lossy_ ? lossy_deviance_ : lossless_deviance_; }
    Outcome measured() const { return {lossy_, missing_}; }
    Outcome simulated(std::mt19937_64& random) const {
        const double drawn = uniform(random);
        if (!number_matters()) return {drawn < loss_, 0};
        return {true, sigma_ * boost::math::quantile(boost::math::normal(), drawn)};
    }
    /// Here, of what was seen or drawn where `origin` is expected of the same burst.
    double deviance_of(const Outcome& outcome, const Expectation& origin) const {
        if (!number_matters()) return outcome.lossy ? lossy_deviance_ : lossless_deviance_;
        const double off = (missing_ - origin.missing_ + outcome.missing) / sigma_;
        return off * off;
    }
    double residual() const {
        if (number_matters()) return missing_ / sigma_;
        return ((lossy_ ? 0 : 1) - (1 - loss_)) / std::sqrt(loss_ * (1 - loss_));
    }

  private:
    bool counted_, lossy_;
    double missing_ = 0, sigma_ = 1, loss_ = 0;
    double lossy_deviance_ = 0, lossless_deviance_ = 0;
};

RunsTest runs_test(const std::string& order, const std::vector<double>& values) {
    RunsTest test;
    test.order = order;
    test.residuals = values.size();
    const auto positive = static_cast<double>(std::count_if(values.begin(), values.end(), [](double value) { return value > 0; })), n = static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) test.runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
    const double both = 2 * positive * (n - positive);
    if (both <= 0 || n < 10) return test;
    const double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    if (variance > 0) test.p_value = 2 * below(-std::max(0.0, std::abs(static_cast<double>(test.runs) - mean) - 0.5) / std::sqrt(variance));
    test.p_value = std::min(1.0, test.p_value);
    return test;
}

/// The hard limits of the depth by these bursts alone, lossy or lossless; nothing if they contradict each other.
std::optional<Interval> depth_of(const Fit& fit, const std::vector<Burst>& bursts) {
    if (bursts.empty()) return std::nullopt;
    const FeasibleRegion region = feasible_region(fit.best().model, bursts, known_box(fit.best().model, fit.bursts, fit.options));
    if (!region.feasible()) return std::nullopt;
    Interval depth{static_cast<double>(region.depth_low), static_cast<double>(region.depth_high)};
    if (region.depth_open) depth.high.reset();
    return depth;
}

std::optional<Contradiction> contradiction_of(const Fit& fit) {
    if (fit.status != FitStatus::Inconsistent) return std::nullopt;
    const std::set<int> out(fit.best().violating.begin(), fit.best().violating.end());
    std::vector<Burst> rest, exceptions;
    for (Burst burst : fit.bursts) {
        burst.counted = false;
        (out.count(burst.row) ? exceptions : rest).push_back(burst);
    }
    const auto most = depth_of(fit, rest), few = depth_of(fit, exceptions);
    if (!most || !few) return std::nullopt;
    return Contradiction{*most, *few};
}

std::vector<LeaveOneOut> leave_one_out(const Fit& fit) {
    std::vector<LeaveOneOut> all;
    const ModelFit& best = fit.best();
    if (!best.region.feasible()) return all;
    const std::set<int> out(best.violating.begin(), best.violating.end());
    for (const int row : best.region.binding) {
        if (all.size() == (fit.bursts.size() > kLarge ? kMostLeftOutOfLarge : kMostLeftOut)) break;
        std::vector<Burst> bursts;
        for (const Burst& burst : fit.bursts)
            if (burst.row != row && out.count(burst.row) == 0) bursts.push_back(burst);
        if (bursts.empty()) continue;
        if (best.counts || !fit.counts_used)
            for (Burst& burst : bursts) burst.counted = false;
        if (const auto depth = depth_of(fit, bursts)) all.push_back({row, *depth});
    }
    return all;
}

/// Maps simulated at the estimate, each fitted again: the least deviance over the points of the posterior, at the noise that was
/// fitted, beside the same of the measured map.
void bootstrap(Diagnosis& diagnosis, const ModelFit& best, const std::vector<const Burst*>& all) {
    std::vector<const Burst*> bursts;
    for (std::size_t i = 0; i < all.size(); i += all.size() / kMostSimulated + 1) bursts.push_back(all[i]);
    std::vector<SupportPoint> points = best.support;
    std::stable_sort(points.begin(), points.end(), [](const SupportPoint& a, const SupportPoint& b) { return a.weight > b.weight; });
    points.resize(std::min(points.size(), kMostRefitPoints));
    std::vector<Expectation> truth;
    std::vector<std::vector<Expectation>> expected(points.size());
    for (const Burst* burst : bursts) {
        truth.emplace_back(best, *burst, *best.depth.value, *best.rate.value);
        for (std::size_t p = 0; p < points.size(); ++p) expected[p].emplace_back(best, *burst, points[p].depth, points[p].rate);
    }
    const auto least = [&](const std::vector<Outcome>& outcomes) {
        double smallest = HUGE_VAL;
        for (const std::vector<Expectation>& point : expected) {
            double sum = 0;
            for (std::size_t b = 0; b < outcomes.size() && sum < smallest; ++b) sum += point[b].deviance_of(outcomes[b], truth[b]);
            smallest = std::min(smallest, sum);
        }
        return smallest;
    };
    std::vector<Outcome> outcomes;
    for (const Expectation& one : truth) outcomes.push_back(one.measured());
    const double measured = least(outcomes);
    std::mt19937_64 random(diagnosis.seed);
    int as_far = 0;
    for (int replica = 0; replica < kReplicas; ++replica) {
        for (std::size_t b = 0; b < truth.size(); ++b) outcomes[b] = truth[b].simulated(random);
        as_far += least(outcomes) >= measured;
    }
    diagnosis.replicas = kReplicas;
    diagnosis.p_value = static_cast<double>(as_far + 1) / (kReplicas + 1);
}

void examine(Diagnosis& diagnosis, const Fit& fit) {
    const ModelFit& best = fit.best();
    const double depth = *best.depth.value, rate = *best.rate.value;
    const std::set<int> exceptions(best.violating.begin(), best.violating.end());
    const std::size_t stride = fit.bursts.size() / kMostBursts + 1;
    std::vector<const Burst*> bursts;
    std::vector<std::pair<const Burst*, double>> open;
    for (std::size_t i = 0; i < fit.bursts.size(); ++i) {
        const Burst& burst = fit.bursts[i];
        if (exceptions.count(burst.row)) {
            const auto drained = static_cast<std::int64_t>(burst.drain() * rate * (1 + 1e-12));
            const std::int64_t room = best.model.room(burst, static_cast<std::int64_t>(depth));
            const double lost = room < 1 ? 0 : static_cast<double>(frames_lost(best.model, burst, room, drained));
            diagnosis.violations.push_back({burst.row, lost > 0 || burst.lossy ? lost - static_cast<double>(burst.counted ? burst.lost : burst.lossy) : 0});
        }
        // Wild counts are listed by themselves and must not be all of the deviance.
        if (i % stride != 0 || (best.counts && exceptions.count(burst.row))) continue;
        bursts.push_back(&burst);
        if (!best.noise || !best.noise->value) continue;
        const Expectation expected(best, burst, depth, rate);
        diagnosis.deviance += expected.deviance();
        if (!expected.number_matters() && (expected.loss() < kOpen || expected.loss() > 1 - kOpen)) continue;
        diagnosis.residuals.push_back({burst.row, expected.residual()});
        if (std::abs(expected.residual()) < 5) open.emplace_back(&burst, expected.residual());
    }
    if (!best.noise || !best.noise->value) return;
    const auto in_order = [&](const std::string& name, auto key) {
        std::stable_sort(open.begin(), open.end(), [&](const auto& a, const auto& b) { return key(*a.first) < key(*b.first); });
        std::vector<double> values;
        for (const auto& [burst, value] : open) values.push_back(value);
        diagnosis.runs.push_back(runs_test(name, values));
    };
    // Ties keep the order of rows, in which repeats are neighbours only where they were measured so.
    in_order("row", [](const Burst& burst) { return static_cast<double>(burst.row); });
    in_order("separation", [](const Burst& burst) { return static_cast<double>(burst.spacing.count()); });
    in_order("events", [](const Burst& burst) { return static_cast<double>(burst.events); });

    bootstrap(diagnosis, best, bursts);
}

void check_framing(Diagnosis& diagnosis, const Fit& fit) {
    const ModelFit& best = fit.best();
    const Burst& first = *std::min_element(fit.bursts.begin(), fit.bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    const double frames = *best.rate.value / (8 * static_cast<double>(first.wire));
    const auto rate_with = [&](std::int64_t overhead) { return frames * 8 * static_cast<double>(first.payload + overhead); };
    if (fit.conditions.nominal_rate) {
        diagnosis.nominal_rate = static_cast<double>(fit.conditions.nominal_rate->count);
    } else {
        // A rate that Ethernet has, if the wire slot comes near one.
        for (const double standard : {10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9})
            if (std::abs(rate_with(66) / standard - 1) < 0.1) diagnosis.nominal_rate = standard;
    }
    if (diagnosis.nominal_rate == 0) return;
    std::vector<std::pair<std::string, std::int64_t>> conventions{{"payload", 0}, {"IP packet", 28}, {"Ethernet frame", 46}, {"wire slot", 66}};
    const std::int64_t own = first.wire - first.payload;
    if (std::none_of(conventions.begin(), conventions.end(), [&](const auto& one) { return one.second == own; })) conventions.emplace_back("as the scenario says", own);
    for (const auto& [name, overhead] : conventions) {
        const double rate = rate_with(overhead), scale = rate / *best.rate.value;
        const bool inside = best.rate.interval95.low && best.rate.interval95.high && *best.rate.interval95.low * scale <= diagnosis.nominal_rate && diagnosis.nominal_rate <= *best.rate.interval95.high * scale;
        const double off = rate / diagnosis.nominal_rate - 1;
        diagnosis.framing.push_back({name, overhead, rate, off, inside || std::abs(off) < 0.001});
    }
}

/// What the measured bursts have in common, and so cannot show.
void find_indistinguishable(Diagnosis& diagnosis, const Fit& fit) {
    std::set<std::int64_t> payloads, ports;
    for (const Burst& burst : fit.bursts) payloads.insert(burst.payload), ports.insert(burst.ports);
    std::vector<std::string> doubtful;
    bool sharing = false, unit = false;
    for (const ModelFit& one : fit.models) {
        if (one.probability < kInDoubt * fit.best().probability) continue;
        doubtful.push_back(one.model.name());
        sharing |= one.model.sharing != fit.best().model.sharing;
        unit |= one.model.unit != fit.best().model.unit;
    }
    if (doubtful.size() > 1) {
        std::string how;
        if (unit) how = payloads.size() == 1 ? "a second payload size" : "longer bursts, closer to the watershed, at both ends of the payload sizes";
        if (sharing) how += std::string(how.empty() ? "" : ", and ") + (ports.size() == 1 ? "a second number of ports" : "bursts closer to the watershed at different numbers of ports");
        diagnosis.indistinguishable.push_back({doubtful, how});
    }
    const std::string name = fit.best().model.name();
    if (std::any_of(fit.bursts.begin(), fit.bursts.end(), [](const Burst& burst) { return burst.uplinks > 1; }))
        diagnosis.indistinguishable.push_back({{name, name + "-uneven-uplinks"}, "frames received, counted for each uplink: with uneven shares one queue fills, and loses, before the others"});
    if (payloads.size() == 1 && fit.best().model.sharing == Buffer::Sharing::Shared)
        diagnosis.indistinguishable.push_back({{name, name + "-descriptors"}, "a second, smaller payload: a limit on descriptors holds as many small frames as large ones, memory holds more"});
    if (fit.best().model.sharing == Buffer::Sharing::Shared)
        diagnosis.indistinguishable.push_back({{name, name + "-dynamic-threshold", name + "-queue-split"},
                                               "a burst that congests two ports at once: of a pool B, one queue may take alpha B / (1 + alpha), each of two alpha B / (1 + 2 alpha)"});
    if (payloads.size() == 1 && !fit.best().model.per_packet)
        diagnosis.indistinguishable.push_back({{name, name + "-receiver-limited"}, "a second payload size: a link takes bytes, a receiver with a cost per packet takes frames per second"});
    if (!fit.counts_used) diagnosis.indistinguishable.push_back({{name, name + "-resume"}, "the number of frames lost in bursts beyond the watershed: a resume level makes it jump"});
}

}  // namespace

Diagnosis diagnose(const Fit& fit, std::uint64_t seed) {
    Diagnosis diagnosis;
    diagnosis.seed = seed;
    find_indistinguishable(diagnosis, fit);
    const ModelFit& best = fit.best();
    if (!best.depth.value || !best.rate.value || *best.rate.value <= 0) return diagnosis;
    diagnosis.leave_one_out = leave_one_out(fit);
    diagnosis.contradiction = contradiction_of(fit);
    examine(diagnosis, fit);
    if (!fit.options.service_rate) check_framing(diagnosis, fit);
    double least = 1;   // of the saturation separation
    for (const Burst& burst : fit.bursts) {
        const double inputs = static_cast<double>(ceil_div<std::int64_t>(burst.ports, burst.uplinks));
        least = std::min(least, static_cast<double>(burst.spacing.count()) * *best.rate.value / (8e12 * static_cast<double>(burst.wire) * inputs));
    }
    diagnosis.sensitivity = least < 1 ? -least / (1 - least) : 0;
    return diagnosis;
}

}  // namespace watershed
