// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption-posterior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace watershed {
namespace {

/// Relative scatter of a length that memory limits: none for a simulated switch, up to 3 % in the Miercom report.
constexpr std::array<double, 6> kNoises{0.0003, 0.003, 0.007, 0.012, 0.02, 0.03};
/// Standard deviation that rounding to whole frames leaves.
constexpr double kRounding = 0.3;
/// Rooms farther from the measured ones than this are not worth a look, where memory or descriptors limit them.
constexpr double kReach = 0.08, kSameFrames = 0.03;
constexpr int kSteps = 12;
/// Log odds of points that are not kept: even thousands of them weigh nothing.
constexpr double kNegligible = 30;
/// Prior odds. Most switches count cells; a limit on frames is an exception.
const double kBytes = std::log(0.3), kCells = std::log(0.7), kDescriptors = std::log(0.25), kNoDescriptors = std::log(0.75);
/// That a FIFO lies in front of the memory, of a size likely per factor.
constexpr double kFifo = 0.4;
constexpr std::int64_t kLargestFifo = 1024;
/// Logarithms of the ranges in which a depth or a number of descriptors may lie before anything is measured.
constexpr double kDepthRange = 14, kDescriptorRange = 11;
/// Cells and headers of switch chips, by how many chips have them (OpenBCM, scenarios/data/chips.csv), and how likely a switch has
/// one of these.
struct PublishedCell {
    std::int64_t cell, header;
    double chips;
};
constexpr double kPublished = 0.6;
constexpr std::array<PublishedCell, 7> kPublishedCells{{{208, 64, 7}, {256, 64, 5}, {254, 40, 1}, {128, 0, 1}, {128, 64, 1}, {144, 0, 0.5}, {144, 64, 0.5}}};
constexpr std::int64_t kLargestCell = 1024;

double log_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

double log_normal(double residual, double sigma) { return -residual * residual / (2 * sigma * sigma) - std::log(sigma); }

}  // namespace

std::int64_t FittedResume::frames(std::int64_t room, std::int64_t cost) const {
    if (immediate) return room;
    if (gap > 0) return std::max<std::int64_t>(0, static_cast<std::int64_t>((static_cast<double>(room * cost) - gap) / static_cast<double>(cost)));
    return static_cast<std::int64_t>(fraction * static_cast<double>(room) + 1e-9);
}

std::vector<AbsorptionPosterior::Cell> AbsorptionPosterior::cells() {
    // Any size of cell, likely per factor of size, and any small header; but mostly what the published chips have.
    std::vector<Cell> all;
    double any = 0, chips = 0;
    for (std::int64_t cell = 48; cell <= kLargestCell; cell += 4)
        for (std::int64_t header = 0; header <= 128; header += 8) {
            all.push_back({cell, header, (cell > 384 ? 0.2 : 1) / static_cast<double>(cell)});
            any += all.back().prior;
        }
    for (Cell& one : all) one.prior *= (1 - kPublished) / any;
    for (const PublishedCell& published : kPublishedCells) chips += published.chips;
    for (const PublishedCell& published : kPublishedCells) all.push_back({published.cell, published.header, kPublished * published.chips / chips});
    return all;
}

std::vector<AbsorptionPosterior::Kind> AbsorptionPosterior::kinds_of(const std::vector<std::int64_t>& sizes) {
    std::map<std::vector<std::int64_t>, std::pair<double, Kind>> by_costs;
    for (const Cell& one : cells()) {
        AbsorptionModel memory;
        memory.unit = MemorySize::Unit::Cell;
        memory.cell = one.cell;
        memory.header = one.header;
        std::vector<std::int64_t> costs;
        for (const std::int64_t size : sizes) costs.push_back(memory.cost(size));
        auto& [most, kind] = by_costs[costs];
        if (one.prior > most) most = one.prior, kind.memory = memory;
        kind.log_prior += one.prior;
    }
    std::vector<Kind> kinds{{{}, kBytes}};
    for (auto& [costs, entry] : by_costs) {
        entry.second.log_prior = kCells + std::log(entry.second.log_prior);
        kinds.push_back(entry.second);
    }
    return kinds;
}

AbsorptionPosterior::AbsorptionPosterior(const std::vector<BurstTableRow>& rows, const std::vector<Kind>& kinds, const std::vector<std::int64_t>& sizes,
                                         const StreamAndBurst& test)
    : rows_(rows), test_(test) {
    for (const BurstTableRow& row : rows) {
        Row entry{row.frame, test.waiting(row.lossless), {}, {}};
        for (const double noise : kNoises) {
            const double sigma = std::hypot(noise * static_cast<double>(row.lossless), kRounding);
            entry.half_precisions.push_back(1 / (2 * sigma * sigma));
            entry.log_sigmas.push_back(std::log(sigma));
        }
        table_.push_back(std::move(entry));
    }
    // FIFOs that hold the same numbers of frames of all sizes count as one.
    std::map<std::vector<std::int64_t>, std::pair<std::int64_t, double>> fifos;
    double sum = 0;
    for (std::int64_t fifo = 64; fifo <= kLargestFifo; fifo += 64) {
        std::vector<std::int64_t> frames;
        for (const std::int64_t size : sizes) frames.push_back(fifo / size);
        fifos.emplace(frames, std::make_pair(fifo, 0.0)).first->second.second += 1 / static_cast<double>(fifo);
        sum += 1 / static_cast<double>(fifo);
    }
    const auto try_all = [&](std::int64_t fifo, double log_prior) {
        try_descriptors_alone(fifo, log_prior);
        for (const Kind& kind : kinds) try_memory(kind, fifo, log_prior);
    };
    try_all(0, std::log(1 - kFifo));
    for (const auto& [frames, fifo] : fifos) try_all(fifo.first, std::log(kFifo * fifo.second / sum));
    double most = -HUGE_VAL;
    for (const AbsorptionPoint& point : points_) most = std::max(most, point.weight);
    points_.erase(std::remove_if(points_.begin(), points_.end(), [&](const AbsorptionPoint& point) { return point.weight < most - kNegligible; }), points_.end());
    for (AbsorptionPoint& point : points_) total_ += point.weight = std::exp(point.weight - most);
}

void AbsorptionPosterior::try_descriptors_alone(std::int64_t fifo, double log_prior) {
    double low = 1, high = HUGE_VAL;
    for (const Row& row : table_) {
        const auto room = static_cast<double>(row.waiting - fifo / row.frame);
        low = std::max(low, room * (1 - kReach) - 1);
        high = std::min(high, room * (1 + kReach) + 1);
    }
    const double step = std::max(1.0, high * 0.002);
    for (double room = std::ceil(low); room <= high; room += step) {
        AbsorptionModel model;
        model.input_fifo = fifo;
        model.descriptors = static_cast<std::int64_t>(room);
        add(model, log_prior + kDescriptors + std::log(step / room / kDescriptorRange));
    }
}

void AbsorptionPosterior::try_memory(const Kind& kind, std::int64_t fifo, double log_prior) {
    // Memory that is the limit of some row holds what it took there, and no row may need more.
    std::int64_t held = 0;
    for (const Row& row : table_) held = std::max(held, (row.waiting - fifo / row.frame) * kind.memory.cost(row.frame));
    if (held <= 0) return;
    bool all = true;              // rows may be limited by memory
    double fewest = 1, most = HUGE_VAL;   // descriptors, in frames
    for (const Row& row : table_) {
        const auto cost = static_cast<double>(kind.memory.cost(row.frame)), room = static_cast<double>(row.waiting - fifo / row.frame);
        fewest = std::max(fewest, room * (1 - kSameFrames) - 1);
        if (room * cost < static_cast<double>(held) * (1 - 2 * kReach) - 2 * cost) all = false, most = std::min(most, room * (1 + kSameFrames) + 1);
    }
    if (!all && fewest > most) return;
    std::set<std::int64_t> depths{held}, descriptors;
    for (int i = -kSteps; i <= kSteps; ++i) depths.insert(static_cast<std::int64_t>(static_cast<double>(held) * (1 + kReach * i / kSteps)));
    for (const Row& row : table_)
        for (std::int64_t near = -1; near <= 1; ++near) {
            const std::int64_t room = row.waiting - fifo / row.frame + near;
            if (room > 0 && static_cast<double>(room) >= fewest && static_cast<double>(room) <= most) descriptors.insert(room);
        }
    AbsorptionModel model = kind.memory;
    model.input_fifo = fifo;
    for (auto depth = depths.begin(); depth != depths.end(); ++depth) {
        if (*depth < 1) continue;
        model.depth = *depth;
        model.descriptors.reset();
        const bool enough = std::all_of(table_.begin(), table_.end(), [&](const Row& row) {
            return static_cast<double>(model.room(row.frame) + fifo / row.frame) >= static_cast<double>(row.waiting) * (1 - kReach) - 2;
        });
        if (!enough) continue;
        const auto next = std::next(depth) == depths.end() ? depth : std::next(depth);
        const double width = std::max(1.0, static_cast<double>(*next - *depth)) / static_cast<double>(*depth);
        const double here = log_prior + kind.log_prior + std::log(width / kDepthRange);
        if (all) add(model, here + kNoDescriptors);
        for (const std::int64_t room : descriptors) {
            model.descriptors = room;
            // Descriptors that are the limit of no row are as good as none; those that leave memory without a row come by themselves.
            std::size_t limited = 0;
            for (const Row& row : table_) limited += model.by_descriptors(row.frame);
            if (limited > 0 && limited < table_.size()) add(model, here + kDescriptors + std::log(1 / static_cast<double>(room) / kDescriptorRange));
        }
    }
}

void AbsorptionPosterior::add(const AbsorptionModel& model, double log_prior) {
    std::array<double, kNoises.size()> logs{};
    for (std::size_t r = 0; r < table_.size(); ++r) {
        const Row& row = table_[r];
        const bool counted = model.by_descriptors(row.frame);   // a number of frames has no reason to scatter
        const auto residual = static_cast<double>(test_.longest(model.room(row.frame)) + model.in_fifo(row.frame) - rows_[r].lossless);
        const double square = residual * residual;
        for (std::size_t i = 0; i < kNoises.size(); ++i) logs[i] -= square * row.half_precisions[counted ? 0 : i] + row.log_sigmas[counted ? 0 : i];
        if (square * row.half_precisions[counted ? 0 : kNoises.size() - 1] > 20) return;
    }
    AbsorptionPoint point{model, 0, -HUGE_VAL, 0};
    double sum = 0;
    for (std::size_t i = 0; i < kNoises.size(); ++i) {
        if (logs[i] > point.log_likelihood) point.log_likelihood = logs[i], point.noise = kNoises[i];
        sum += std::exp(logs[i]);
    }
    if (sum == 0) return;
    const double drops = drop_evidence(model);
    point.log_likelihood += drops;
    point.weight = log_prior + std::log(sum) + drops;   // a logarithm until all are known
    points_.push_back(point);
}

double AbsorptionPosterior::drop_evidence(const AbsorptionModel& model) {
    std::vector<bool> limits;
    for (const BurstTableRow& row : rows_) limits.push_back(model.by_descriptors(row.frame));
    for (const auto& [known, evidence] : drop_evidence_)
        if (known == limits) return evidence;
    const double evidence = drop_model(model, true).log_evidence + drop_model(model, false).log_evidence;
    drop_evidence_.emplace_back(limits, evidence);
    return evidence;
}

AbsorptionPosterior::DropModel AbsorptionPosterior::drop_model(const AbsorptionModel& model, bool by_descriptors) const {
    struct Seen {
        std::int64_t room, cost, drops;
    };
    std::vector<Seen> seen;
    for (const BurstTableRow& row : rows_)
        if (row.drops && model.by_descriptors(row.frame) == by_descriptors)
            seen.push_back({std::max<std::int64_t>(1, test_.waiting(row.lossless) - model.in_fifo(row.frame)), model.cost(row.frame), *row.drops});
    DropModel result;
    if (seen.empty()) return result;
    constexpr double kLastBits = 1e-9;
    double best = -HUGE_VAL;
    FittedResume last;
    result.log_evidence = -HUGE_VAL;
    const auto consider = [&](const FittedResume& level, double prior) {
        double log_likelihood = 0;
        for (const Seen& one : seen) {
            const auto drops = static_cast<double>(StreamAndBurst::drops(one.room, level.frames(one.room, one.cost)));
            log_likelihood += log_normal(drops - static_cast<double>(one.drops), std::hypot(0.7, 0.01 * static_cast<double>(one.room)));
        }
        result.log_evidence = log_sum(result.log_evidence, log_likelihood + std::log(prior));
        if (log_likelihood > best + kLastBits) best = log_likelihood, result.level = level, last = level;
        if (std::abs(log_likelihood - best) <= kLastBits) last = level;
    };
    constexpr int kLevels = 200;
    consider({}, 0.5);
    for (int i = 0; i < kLevels; ++i) consider({false, static_cast<double>(i) / kLevels, 0}, 0.4 / kLevels);
    if (!result.level->immediate) result.level->fraction = (result.level->fraction + last.fraction) / 2;   // middle of the equally good
    if (by_descriptors) return result;
    const double most = static_cast<double>(seen.front().room * seen.front().cost);
    for (int i = 1; i < kLevels; ++i) consider({false, 1, most * std::pow(static_cast<double>(i) / kLevels, 2)}, 0.1 / kLevels);
    return result;
}

std::optional<FittedResume> AbsorptionPosterior::resume(const AbsorptionModel& model, bool by_descriptors) const {
    return drop_model(model, by_descriptors).level;
}

}  // namespace watershed
