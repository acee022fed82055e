// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/candidates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "calibrate/absorption/absorption-posterior.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

const double kReceiver = std::log(0.1);
/// Kinds of cells tried until one explains the map, and bursts of one payload that are looked at to choose them.
constexpr std::size_t kMostKinds = 60, kMostBursts = 2000;

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

/// The likeliest cells that explain all payloads, or nothing.
std::optional<Candidate> cells_of(const QueueModel& in_frames, const std::vector<Burst>& bursts, const FitOptions& options) {
    std::map<std::int64_t, std::vector<Burst>> by_payload;
    for (const Burst& burst : bursts) by_payload[burst.payload].push_back(burst);
    std::vector<Room> rooms;
    for (const auto& [payload, some] : by_payload)
        if (some.size() <= kMostBursts) rooms.push_back(room_of(in_frames, some, options));
    if (rooms.size() < 2) return std::nullopt;
    struct Kind {
        QueueModel model;
        double prior = 0, most = 0;
    };
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
    // One stands for all that hold as many frames of each payload, and may be another of them.
    double prior = 0;
    for (const Kind& kind : sorted) prior += kind.prior;
    for (std::size_t i = 0; i < sorted.size() && i < kMostKinds; ++i)
        if (feasible_region(sorted[i].model, bursts, known_box(sorted[i].model, bursts, options)).feasible()) return Candidate{sorted[i].model, std::log(prior)};
    // Where counts scatter, the straight-line fit ranks the kinds.
    const Kind* best = nullptr;
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < sorted.size() && i < kMostKinds; ++i) {
        const auto counts = fit_counts(sorted[i].model, bursts, std::nullopt);
        if (counts && counts->log_likelihood > most) most = counts->log_likelihood, best = &sorted[i];
    }
    if (!best) return std::nullopt;
    return Candidate{best->model, std::log(prior)};
}

}  // namespace

std::vector<Burst> seen_by(const QueueModel& model, const std::vector<Burst>& bursts) {
    std::vector<Burst> seen = bursts;
    if (!model.per_packet) return seen;
    const Burst first = *std::min_element(bursts.begin(), bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    for (Burst& burst : seen) burst.wire = first.wire;
    return seen;
}

std::vector<Candidate> candidates(const std::vector<Burst>& bursts, const Conditions& conditions, const FitOptions& options) {
    const bool payloads = std::any_of(bursts.begin(), bursts.end(), [&](const Burst& burst) { return burst.payload != bursts.front().payload; });
    std::vector<Candidate> all;
    const auto add_known = [&](const Candidate& candidate) {
        if (options.sharing && *options.sharing != candidate.model.sharing) return;
        if (options.kind && *options.kind != candidate.model.name()) return;
        all.push_back(candidate);
    };
    const auto add = [&](Candidate candidate) {
        if (options.depth_unit() && *options.depth_unit() != candidate.model.unit) return;
        if (!conditions.scenario.empty() && conditions.sharing == candidate.model.sharing && conditions.unit == candidate.model.unit) candidate.log_prior += std::log(kScenarioOdds);
        add_known(candidate);
        if (!payloads && !options.kind) return;
        candidate.model.per_packet = true;
        candidate.log_prior += kReceiver;
        add_known(candidate);
    };
    std::vector<Buffer::Sharing> sharings{Buffer::Sharing::Shared, Buffer::Sharing::PerInput};
    // Towards one number of uplinks, memories of the outputs are a shared one of their sum.
    if (std::any_of(bursts.begin(), bursts.end(), [&](const Burst& burst) { return burst.uplinks != bursts.front().uplinks; })) sharings.push_back(Buffer::Sharing::PerOutput);
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
        throw InputError("--fix " + (options.kind ? "kind=" + *options.kind : std::string("sharing")) + ": no such memory can be fitted to this map; cells need a scenario's switch.buffer.cell or a second payload, per-output several numbers of congested uplinks");
    if (all.empty())
        throw InputError("--fix, --bound depth: found cells, expected frames or bytes: neither a scenario's switch.buffer.cell nor a second payload size tells what a frame takes");
    return all;
}

}  // namespace watershed
