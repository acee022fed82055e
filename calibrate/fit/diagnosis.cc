// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Bursts left out in turn; fewer of large maps, where each takes long.
constexpr std::size_t kMostLeftOut = 12, kMostLeftOutOfLarge = 2, kLargeMap = 5000;
/// Odds below which the data are said not to tell two models apart.
constexpr double kInDoubt = 0.01;
constexpr const char* kServices = "a link takes bytes, a receiver with a cost per packet takes frames per second";

/// Returns the hard limits of the depth by these bursts alone; std::nullopt if they contradict each other, or there are
/// none.
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

void examine(Diagnosis& diagnosis, const Fit& fit) {
    const ModelFit& best = fit.best();
    const std::set<int> exceptions(best.violating.begin(), best.violating.end());
    const BurstLikelihood likelihood(best.model, fit.bursts, best.mixes);
    // Bursts that are taken at their word have no samples, and nothing that disturbs them.
    const BurstParameters at = best.parameters.empty() ? BurstParameters{*best.depth.value, *best.rate.value}
                                                       : likeliest_sample(best, likelihood);
    for (std::size_t i = 0; i < fit.bursts.size(); ++i) {
        const Burst& burst = fit.bursts[i];
        if (exceptions.count(burst.row) == 0) continue;
        const double lost = frames_lost_by(likelihood, i, at);
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

/// Returns the measurement that shows a feature.
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
        case Feature::Reserve: return "bursts that lose frames from few ports and from many: each has its own reserve";
        case Feature::OutputReserve:
            return "bursts that congest one, two and four ports at once (column congested_uplinks): each has its own "
                   "reserve";
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
    bool sharing = false, unit = false, service = false;
    std::set<Feature> features;
    for (const ModelFit& one : fit.models) {
        if (one.probability < kInDoubt * fit.best().probability) continue;
        doubtful.push_back(one.model.name());
        sharing |= one.model.sharing != best.sharing;
        unit |= one.model.unit != best.unit || one.model.header != best.header;
        service |= one.model.per_packet != best.per_packet;
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
        if (service) add(std::string("long bursts of payload sizes further apart: ") + kServices);
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
            {{name, name + "-receiver-limited"}, std::string("a second payload size: ") + kServices});
    if (!fit.counts_used) unseen(Feature::Resume);
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
    double least = 1;  // fraction of the saturation separation
    for (const Burst& burst : fit.bursts) {
        const double inputs = double(best.model.fullest(burst));
        least =
            std::min(least, double(burst.spacing.count()) * *best.rate.value / (bit_picoseconds(burst.wire) * inputs));
    }
    diagnosis.sensitivity = least < 1 ? -least / (1 - least) : 0;
    return diagnosis;
}

}  // namespace watershed
