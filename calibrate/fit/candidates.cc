// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/candidates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "calibrate/absorption/absorption-posterior.h"
#include "calibrate/posterior/evolution.h"
#include "calibrate/posterior/start-density.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

const double kReceiver = std::log(0.1);
/// Kinds of cells that are tried, those that explain the map and are compared, and bursts of one payload that are
/// looked at to choose them.
constexpr std::size_t kMostKinds = 60, kMostAlike = 8, kMostBursts = 2000;

/// Frames of one payload that the memory holds, as far as the bursts with this payload tell.
struct Room {
    const Burst* like = nullptr;
    double least = 1;
    double most = HUGE_VAL;
};

Room room_of(const QueueModel& in_frames, const std::vector<Burst>& bursts, const FitOptions& options) {
    Room room{&bursts.front(), 1, HUGE_VAL};
    FitOptions free = options;
    free.depth.reset();
    free.depth_bounds.reset();
    const FeasibleRegion region = feasible_region(in_frames, bursts, known_box(in_frames, bursts, free));
    if (region.feasible()) {
        room.least = static_cast<double>(region.depth_low);
        if (!region.depth_open) room.most = static_cast<double>(region.depth_high);
    } else if (const auto counts = fit_counts(in_frames, bursts, std::nullopt)) {
        room.least = counts->depth - 3 * counts->depth_sigma - 1;
        room.most = counts->depth + 3 * counts->depth_sigma + 1;
    }
    return room;
}

/// Evenly some of a larger map.
std::vector<Burst> some_of(const std::vector<Burst>& bursts) {
    constexpr std::size_t kMost = 60;
    if (bursts.size() <= kMost) return bursts;
    std::vector<Burst> some;
    for (std::size_t i = 0; i < kMost; ++i) some.push_back(bursts[i * bursts.size() / kMost]);
    return some;
}

/// The largest log likelihood of a kind, with noise and single strays.
double greatest_likelihood(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options) {
    constexpr std::size_t kMembers = 18;
    constexpr int kGenerations = 15;
    constexpr double kStray = 0.02, kLeastRate = 1e-3;
    const BurstLaw law(model, bursts);
    const SearchBox box = known_box(model, bursts, options);
    const double low_depth = std::log(static_cast<double>(std::max<std::int64_t>(1, box.depth_low))),
                 depths = std::log(static_cast<double>(box.depth_high) + 1) - low_depth;
    const double low_rate = std::log(std::max(box.rate_low, kLeastRate * box.rate_high)),
                 rates = std::log(box.rate_high) - low_rate;
    const auto log_likelihood = [&](const std::array<double, 3>& at) {
        Hidden hidden;
        hidden.depth = std::exp(low_depth + at[0] * depths);
        hidden.rate = std::exp(low_rate + at[1] * rates);
        (law.counted() ? hidden.noise_frames : hidden.noise_length) =
            law.counted() ? 0.3 * std::pow(1000, at[2]) : 0.003 * std::pow(100, at[2]);
        hidden.stray = kStray;
        return law.log_likelihood(hidden);
    };
    std::vector<std::pair<double, std::array<double, 3>>> starts;
    for (const Hidden& place : exact_pairs(law, model)) {
        if (place.loss > 0) continue;
        const std::array<double, 3> at{(std::log(place.depth) - low_depth) / std::max(depths, 1e-12),
                                       (std::log(place.rate) - low_rate) / std::max(rates, 1e-12), 0.2};
        if (at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1) starts.emplace_back(-log_likelihood(at), at);
    }
    std::sort(starts.begin(), starts.end());
    std::vector<std::array<double, 3>> likeliest;
    for (std::size_t i = 0; i < starts.size() && i < kMembers / 2; ++i) likeliest.push_back(starts[i].second);
    return evolve<3>(log_likelihood, {0, 0, 0}, {1, 1, 1}, likeliest, kMembers, kGenerations).value;
}

/// Cells, and how many kinds of them look the same to the map.
struct Kind {
    QueueModel model;
    double prior = 0, most = 0;
};

/// One stands for all, and the others count as much as they are as likely.
Candidate likeliest_of(const std::vector<Kind>& kinds, const std::vector<Burst>& bursts, const FitOptions& options) {
    if (kinds.size() == 1) return {kinds.front().model, std::log(kinds.front().prior)};
    std::vector<double> logs;
    for (const Kind& kind : kinds)
        logs.push_back(greatest_likelihood(kind.model, bursts, options) + std::log(kind.prior));
    const auto best = static_cast<std::size_t>(std::max_element(logs.begin(), logs.end()) - logs.begin());
    double share = 0;
    for (const double log : logs) share += std::exp(log - logs[best]);
    return {kinds[best].model, std::log(kinds[best].prior) + std::log(share)};
}

/// The likeliest cells that explain all payloads, or nothing.
std::optional<Candidate> cells_of(const QueueModel& in_frames, const std::vector<Burst>& bursts,
                                  const FitOptions& options) {
    std::map<std::int64_t, std::vector<Burst>> by_payload;
    for (const Burst& burst : bursts) by_payload[burst.payload].push_back(burst);
    std::vector<Room> rooms;
    for (const auto& [payload, some] : by_payload)
        if (some.size() <= kMostBursts) rooms.push_back(room_of(in_frames, some, options));
    if (rooms.size() < 2) return std::nullopt;
    std::map<std::vector<std::int64_t>, Kind> kinds;
    for (const AbsorptionPosterior::Cell& one : AbsorptionPosterior::cells()) {
        QueueModel model = in_frames;
        model.unit = MemorySize::Unit::Cell;
        model.cell = one.cell;
        model.header = one.header;
        std::vector<std::int64_t> costs;
        double least = 0, most = HUGE_VAL;
        for (const Room& room : rooms) {
            costs.push_back(model.cost(*room.like));
            least = std::max(least, room.least * static_cast<double>(costs.back()));
            most = std::min(most, (room.most + 1) * static_cast<double>(costs.back()) - 1);
        }
        if (least > most) continue;
        Kind& kind = kinds[costs];
        if (one.prior > kind.most) kind.most = one.prior, kind.model = model;
        kind.prior += one.prior;
    }
    if (kinds.empty()) return std::nullopt;
    std::vector<Kind> sorted;
    for (const auto& [costs, kind] : kinds) sorted.push_back(kind);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Kind& a, const Kind& b) { return a.prior > b.prior; });
    if (sorted.size() > kMostKinds) sorted.resize(kMostKinds);
    std::vector<Kind> alike;
    const std::size_t most_alike = bursts.size() > kMostBursts ? 1 : kMostAlike;
    for (std::size_t i = 0; i < sorted.size() && alike.size() < most_alike; ++i)
        if (feasible_region(sorted[i].model, bursts, known_box(sorted[i].model, bursts, options)).feasible())
            alike.push_back(sorted[i]);
    // Where bursts scatter, no kind explains all of them.
    return likeliest_of(alike.empty() ? sorted : alike, some_of(bursts), options);
}

}  // namespace

std::vector<Burst> seen_by(const QueueModel& model, const std::vector<Burst>& bursts) {
    std::vector<Burst> seen = bursts;
    if (!model.per_packet) return seen;
    const Burst first =
        *std::min_element(bursts.begin(), bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    for (Burst& burst : seen) burst.wire = first.wire;
    return seen;
}

std::vector<Candidate> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                  const FitOptions& options) {
    const bool payloads = std::any_of(bursts.begin(), bursts.end(),
                                      [&](const Burst& burst) { return burst.payload != bursts.front().payload; });
    std::vector<Candidate> all;
    const auto add_known = [&](const Candidate& candidate) {
        if (options.sharing && *options.sharing != candidate.model.sharing) return;
        if (options.kind && *options.kind != candidate.model.name()) return;
        all.push_back(candidate);
    };
    const auto add = [&](Candidate candidate) {
        if (options.depth_unit() && *options.depth_unit() != candidate.model.unit) return;
        if (!conditions.scenario.empty() && conditions.sharing == candidate.model.sharing &&
            conditions.unit == candidate.model.unit)
            candidate.log_prior += std::log(kScenarioOdds);
        add_known(candidate);
        if (!payloads && !options.kind) return;
        candidate.model.per_packet = true;
        candidate.log_prior += kReceiver;
        add_known(candidate);
    };
    std::vector<Buffer::Sharing> sharings{Buffer::Sharing::Shared, Buffer::Sharing::PerInput};
    // Towards one number of uplinks, memories of the outputs are a shared one of their sum.
    if (std::any_of(bursts.begin(), bursts.end(),
                    [&](const Burst& burst) { return burst.uplinks != bursts.front().uplinks; }))
        sharings.push_back(Buffer::Sharing::PerOutput);
    for (const auto sharing : sharings) {
        const QueueModel in_frames{sharing, MemorySize::Unit::Frame};
        QueueModel other = in_frames;
        add({in_frames, 0});
        other.unit = MemorySize::Unit::Byte;
        add({other, 0});
        if (conditions.cell > 0) {
            other.unit = MemorySize::Unit::Cell;
            other.cell = conditions.cell;
            other.header = conditions.cell_header;
            add({other, 0});
        } else if (payloads) {
            if (const auto cells = cells_of(in_frames, bursts, options)) add(*cells);
        }
    }
    if (all.empty() && (options.kind || options.sharing))
        throw InputError("--fix " + (options.kind ? "kind=" + *options.kind : std::string("sharing")) +
                         ": no such memory can be fitted to this map; cells need a scenario's switch.buffer.cell or a "
                         "second payload, per-output several numbers of congested uplinks");
    if (all.empty())
        throw InputError(
            "--fix, --bound depth: found cells, expected frames or bytes: neither a scenario's switch.buffer.cell nor "
            "a second payload size tells what a frame takes");
    return all;
}

}  // namespace watershed
