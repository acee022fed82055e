// SPDX-License-Identifier: GPL-2.0-only
#include <boost/range/algorithm_ext/erase.hpp>
#include <numeric>
#include <set>

#include "calibrate/absorption/absorption-fit.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

constexpr const auto& kNoises = kAbsorptionNoises;
/// Log prior of no scatter, and of each other value of kNoises.
const double kExact = std::log(0.4), kScattered = std::log(0.6 / (kNoises.size() - 1));
/// Standard deviation that rounding to whole frames leaves.
constexpr double kRounding = 0.3, kHalfPrecision = 1 / (2 * kRounding * kRounding);
const double kLogRounding = std::log(kRounding);
/// Rooms farther from the measured ones than this are not worth a look, where memory or descriptors limit them.
constexpr double kReach = 0.08, kSameFrames = 0.03;
constexpr int kSteps = 12, kExactSteps = 4;
/// Log odds of points that are not kept: even thousands of them weigh nothing.
constexpr double kNegligible = 30;
/// Prior odds. Most switches count cells.
const double kBytes = std::log(0.3), kCells = std::log(0.7), kDescriptors = std::log(BalancePrior::kDescriptors);
/// Prior probability of a FIFO in front of the memory; its size is log-uniform.
constexpr double kFifo = 0.4;
constexpr std::int64_t kLargestFifo = 1024;
/// Prior probability that a frame releases its memory when its transmission begins, not when it ends. Tables may also
/// count the longest burst as if it did.
constexpr double kReleaseAtStart = 0.01;
/// Logarithm of the range in which a depth may lie before anything is measured.
constexpr double kDepthRange = 14;
/// Cells and headers of switch chips, by how many chips have them (OpenBCM, scenarios/data/chips.csv), how likely a
/// switch has one of these cells, and how likely then the header that is published with it and not any other.
struct PublishedCell {
    std::int64_t cell, header;
    double chips;
};
constexpr double kPublished = 0.6, kPublishedHeader = 0.7;
constexpr std::array<PublishedCell, 7> kPublishedCells{
    {{208, 64, 7}, {256, 64, 5}, {254, 40, 1}, {128, 0, 1}, {128, 64, 1}, {144, 0, 0.5}, {144, 64, 0.5}}};
constexpr std::int64_t kLargestCell = 1024, kLargestHeader = 128, kHeaderStep = 8;

/// Returns the width of the range that a value of a grid represents. The likelihood falls abruptly beside an exact
/// number, so its neighbour must not represent the gap behind it.
double width_at(const std::set<std::int64_t>& grid, std::set<std::int64_t>::const_iterator value) {
    const auto next = std::next(value);
    const std::int64_t above = next == grid.end() ? 1 : *next - *value,
                       below = value == grid.begin() ? above : *value - *std::prev(value);
    return double(std::min(above, below));
}

double log_normal(double residual, double sigma) {
    return -residual * residual / (2 * sigma * sigma) - std::log(sigma);
}

/// Descriptors for less than the smallest frame are wasted; those for more than the largest usual frame waste memory,
/// and are rare.
constexpr double kSmallest = 64, kUsual = 1536, kLargest = 16'384, kUsually = 0.8;
const double kUsualRange = std::log(kUsual / kSmallest), kLargeRange = std::log(kLargest / kUsual);

std::optional<std::size_t> find_any(const CsvTable& table, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (const auto column = table.find_column(name)) return column;
    return std::nullopt;
}

BurstTable::Part& part_of(BurstTable& table, const std::optional<std::string>& name) {
    for (BurstTable::Part& part : table.parts)
        if (part.name == name) return part;
    table.parts.push_back({name, {}});
    return table.parts.back();
}

std::vector<CellSize> cell_sizes() {
    // Any size of cell, likely per factor of size, and any small header; but mostly what the published chips have.
    std::vector<CellSize> all;
    double any = 0, chips = 0;
    for (std::int64_t cell = 48; cell <= kLargestCell; cell += 4)
        for (std::int64_t header = 0; header <= kLargestHeader; header += kHeaderStep) {
            all.push_back({cell, header, (cell > 384 ? 0.2 : 1) / double(cell)});
            any += all.back().prior;
        }
    for (CellSize& one : all) one.prior *= (1 - kPublished) / any;
    for (const PublishedCell& published : kPublishedCells) chips += published.chips;
    for (const PublishedCell& published : kPublishedCells) {
        const double here = kPublished * published.chips / chips;
        all.push_back({published.cell, published.header, here * kPublishedHeader});
        for (std::int64_t header = 0; header <= kLargestHeader; header += kHeaderStep)
            all.push_back(
                {published.cell, header, here * (1 - kPublishedHeader) * kHeaderStep / (kLargestHeader + kHeaderStep)});
    }
    return all;
}

/// How a queue that dropped a frame resumes, as drops tell it.
struct DropModel {
    std::optional<FittedResume> level;
    double log_evidence = 0;
};

DropModel drop_model(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model, bool by_descriptors,
                     const StreamAndBurst& test) {
    struct Seen {
        std::int64_t room, cost, drops;
    };
    std::vector<Seen> seen;
    for (const BurstTableRow& row : rows)
        if (row.drops && model.by_descriptors(row.frame) == by_descriptors)
            seen.push_back(
                {std::max<std::int64_t>(1, test.waiting(row.lossless) - model.in_fifo(row.frame) - model.leaving()),
                 model.cost(row.frame), *row.drops});
    DropModel result;
    if (seen.empty()) return result;
    constexpr double kLastBits = 1e-9;
    double best = -HUGE_VAL;
    FittedResume last;
    result.log_evidence = -HUGE_VAL;
    const auto consider = [&](const FittedResume& level, double prior) {
        double log_likelihood = 0;
        for (const Seen& one : seen) {
            const auto drops = double(StreamAndBurst::drops(one.room, level.frames(one.room, one.cost)));
            log_likelihood += log_normal(drops - double(one.drops), std::hypot(0.7, 0.01 * double(one.room)));
        }
        result.log_evidence = log_sum(result.log_evidence, log_likelihood + std::log(prior));
        if (log_likelihood > best + kLastBits) best = log_likelihood, result.level = level, last = level;
        if (std::abs(log_likelihood - best) <= kLastBits) last = level;
    };
    constexpr int kLevels = 200;
    consider({}, 0.5);
    for (int i = 0; i < kLevels; ++i) consider({false, double(i) / kLevels, 0}, 0.4 / kLevels);
    if (!result.level->immediate)
        result.level->fraction = (result.level->fraction + last.fraction) / 2;  // middle of the equally good
    if (by_descriptors) return result;
    const double most = double(seen.front().room * seen.front().cost);
    for (int i = 1; i < kLevels; ++i) consider({false, 1, most * std::pow(double(i) / kLevels, 2)}, 0.1 / kLevels);
    return result;
}

/// Points of all kinds as they are found, and their weights.
class Grid {
  public:
    Grid(const std::vector<BurstTableRow>& rows, const std::vector<AbsorptionKind>& kinds,
         const std::vector<std::int64_t>& sizes, const StreamAndBurst& test)
        : rows_(rows), test_(test) {
        for (const BurstTableRow& row : rows) {
            Row entry{row.frame, test.waiting(row.lossless), {}, {}};
            for (const double noise : kNoises) {
                const double sigma = std::hypot(noise * double(row.lossless), kRounding);
                entry.half_precisions.push_back(1 / (2 * sigma * sigma));
                entry.log_sigmas.push_back(std::log(sigma));
            }
            table_.push_back(std::move(entry));
        }
        // FIFOs that hold the same numbers of frames of all sizes count as one.
        std::map<std::vector<std::int64_t>, std::pair<std::int64_t, double>> fifos;
        double sum = 0;
        for (std::int64_t fifo = 64; fifo <= kLargestFifo; fifo += 64) {
            const auto frames = transformed_values(sizes, [&](std::int64_t size) { return fifo / size; });
            fifos.emplace(frames, std::make_pair(fifo, 0.0)).first->second.second += 1 / double(fifo);
            sum += 1 / double(fifo);
        }
        const auto try_all = [&](std::int64_t fifo, double prior) {
            for (const bool at_start : {false, true}) {
                const double log_prior = std::log(prior * (at_start ? kReleaseAtStart : 1 - kReleaseAtStart));
                const auto beside = [&](AbsorptionModel memory) {
                    memory.input_fifo = fifo;
                    memory.release_at_start = at_start;
                    return memory;
                };
                try_descriptors_alone(beside({}), log_prior);
                for (const AbsorptionKind& kind : kinds) try_memory(beside(kind.memory), log_prior + kind.log_prior);
            }
        };
        try_all(0, 1 - kFifo);
        for (const auto& [frames, fifo] : fifos) try_all(fifo.first, kFifo * fifo.second / sum);
        boost::remove_erase_if(found_.points,
                               [&](const AbsorptionPoint& point) { return point.weight < most_ - kNegligible; });
        for (AbsorptionPoint& point : found_.points) found_.total += point.weight = std::exp(point.weight - most_);
    }

    const AbsorptionPosterior& found() const { return found_; }

  private:
    /// Terms of a row's log likelihood for each noise.
    struct Row {
        std::int64_t frame = 0;
        std::int64_t waiting = 0;  ///< frames that its longest lossless burst left waiting
        std::vector<double> half_precisions, log_sigmas;
    };

    /// Frames of this row that a memory with such surroundings held.
    static std::int64_t held(const AbsorptionModel& model, const Row& row) {
        return row.waiting - model.in_fifo(row.frame) - model.leaving();
    }

    /// @param model  without amounts: what lies round the memory, and its kind
    void try_descriptors_alone(AbsorptionModel model, double log_prior) {
        double low = 1, high = HUGE_VAL;
        std::set<std::int64_t> numbers;  // few that lie close, and all that explain a row exactly
        for (const Row& row : table_) {
            const std::int64_t held = this->held(model, row);
            low = std::max(low, double(held) * (1 - kReach) - 1);
            high = std::min(high, double(held) * (1 + kReach) + 1);
            for (std::int64_t near = -1; near <= 1; ++near) numbers.insert(held + near);
        }
        constexpr double kStep = 0.002;
        for (double number = std::ceil(low); number <= high; number += std::max(1.0, high * kStep))
            numbers.insert(std::int64_t(number));
        const std::vector<std::int64_t> unlimited(table_.size(), INT64_MAX);
        const auto largest = watershed::largest(table_, &Row::frame, std::int64_t{0});
        const double memory_unseen = std::log(1 - BalancePrior::below(double(largest)));
        for (auto number = numbers.begin(); number != numbers.end(); ++number) {
            if (double(*number) < low || double(*number) > high) continue;
            const double width = width_at(numbers, number);
            model.descriptors = *number;
            add(model, unlimited,
                log_prior + kDescriptors + memory_unseen + std::log(width / double(*number) / kDepthRange));
        }
    }

    void try_memory(AbsorptionModel model, double log_prior) {
        // Memory that is the limit of some row holds what it took there, and no row may need more.
        std::int64_t held = 0;
        std::vector<std::int64_t> costs, rooms;  // by row: of a frame, and frames that the memory held
        for (const Row& row : table_) {
            costs.push_back(model.cost(row.frame)), rooms.push_back(this->held(model, row));
            held = std::max(held, rooms.back() * costs.back());
        }
        if (held <= 0) return;
        bool all = true;                     // rows may be limited by memory
        double fewest = 1, most = HUGE_VAL;  // descriptors, in frames
        for (std::size_t r = 0; r < table_.size(); ++r) {
            const auto cost = double(costs[r]), room = double(rooms[r]);
            fewest = std::max(fewest, room * (1 - kSameFrames) - 1);
            if (room * cost < double(held) * (1 - 2 * kReach) - 2 * cost)
                all = false, most = std::min(most, room * (1 + kSameFrames) + 1);
        }
        if (!all && fewest > most) return;
        std::set<std::int64_t> depths{held}, descriptors;
        for (int i = -kSteps; i <= kSteps; ++i) depths.insert(std::int64_t(double(held) * (1 + kReach * i / kSteps)));
        // All depths of an exact table lie between two of these steps.
        std::int64_t exact = INT64_MAX;
        for (std::size_t r = 0; r < table_.size(); ++r) {
            const std::int64_t too_many =
                test_.waiting(rows_[r].lossless - model.in_fifo(table_[r].frame) + 1) - model.leaving();
            const std::int64_t most_here = too_many * costs[r] - 1;
            if (most_here < std::int64_t(double(held) * (1 + kReach)))
                exact = std::min(exact, std::max(held, most_here));
        }
        if (exact != INT64_MAX)
            for (int i = 1; i <= kExactSteps; ++i) depths.insert(held + (exact - held) * i / kExactSteps);
        for (const std::int64_t held_here : rooms)
            for (const std::int64_t room : {held_here - 1, held_here, held_here + 1})
                if (room > 0 && double(room) >= fewest && double(room) <= most) descriptors.insert(room);
        std::vector<std::int64_t> in_memory(table_.size());  // frames of each row that the memory holds
        for (auto depth = depths.begin(); depth != depths.end(); ++depth) {
            if (*depth < 1) continue;
            model.depth = *depth;
            model.descriptors.reset();
            bool enough = true;
            for (std::size_t r = 0; r < table_.size(); ++r) {
                const Row& row = table_[r];
                in_memory[r] = *depth / costs[r];
                enough &= double(in_memory[r] + model.leaving() + model.in_fifo(row.frame)) >=
                          double(row.waiting) * (1 - kReach) - 2;
            }
            if (!enough) continue;
            const double width = width_at(depths, depth) / double(*depth);
            const double here = log_prior + std::log(width / kDepthRange);
            const auto memory = double(*depth * model.cell);
            if (all) {
                // Descriptors that no row reaches are as good as none.
                const auto most_held = double(std::max<std::int64_t>(1, *boost::max_element(in_memory)));
                add(model, in_memory,
                    here + std::log(1 - BalancePrior::kDescriptors +
                                    BalancePrior::kDescriptors * BalancePrior::below(memory / most_held)));
            }
            for (const std::int64_t room : descriptors) {
                model.descriptors = room;
                // Descriptors that are the limit of no row are as good as none; those that leave memory without a row
                // come by themselves.
                const auto limited = boost::count_if(in_memory, [&](std::int64_t frames) { return room <= frames; });
                const double density = BalancePrior::density(memory / double(room));
                if (density > 0 && limited > 0 && limited < std::ptrdiff_t(table_.size()))
                    add(model, in_memory, here + kDescriptors + std::log(density / double(room)));
            }
        }
    }

    /// @param in_memory frames of each row that the memory holds
    void add(const AbsorptionModel& model, const std::vector<std::int64_t>& in_memory, double log_prior) {
        constexpr double kFar = 20;  // log likelihood of one row
        const std::int64_t descriptors = model.descriptors.value_or(INT64_MAX);
        std::array<double, kNoises.size()> logs;
        logs.fill(kScattered);
        logs.front() = kExact;
        std::size_t limited = 0;
        for (std::size_t r = 0; r < table_.size(); ++r) {
            const Row& row = table_[r];
            const bool counted =
                descriptors <= in_memory[r] && model.descriptors;  // a number of frames has no reason to scatter
            limited += counted;
            const std::int64_t room = std::min(descriptors, in_memory[r]) + model.leaving();
            const auto residual = double(test_.longest(room) + model.in_fifo(row.frame) - rows_[r].lossless);
            const double square = residual * residual;
            if (square * (counted ? kHalfPrecision : row.half_precisions.back()) > kFar) return;
            for (std::size_t i = 0; i < kNoises.size(); ++i)
                logs[i] -= counted ? square * kHalfPrecision + kLogRounding
                                   : square * row.half_precisions[i] + row.log_sigmas[i];
        }
        const auto likeliest = boost::max_element(logs);
        const double drops = drop_evidence(model, limited), least = most_ - kNegligible - log_prior - drops;
        if (*likeliest + std::log(double(kNoises.size())) < least) return;
        double sum = 0;
        for (const double log : logs) sum += std::exp(log - *likeliest);
        const double log_likelihood = *likeliest + std::log(sum);
        if (log_likelihood < least) return;
        const double weight = log_prior + log_likelihood + drops;  // a logarithm until all are known
        most_ = std::max(most_, weight);
        AbsorptionPoint point{model, weight, kNoises[std::size_t(likeliest - logs.begin())], {}};
        for (std::size_t i = 0; i < kNoises.size(); ++i) point.noise_shares[i] = std::exp(logs[i] - *likeliest) / sum;
        found_.points.push_back(point);
    }

    double drop_evidence(const AbsorptionModel& model, std::size_t limited) {
        const auto [known, first] = drop_evidence_.try_emplace({limited, model.release_at_start});
        if (first)
            known->second = drop_model(rows_, model, true, test_).log_evidence +
                            drop_model(rows_, model, false, test_).log_evidence;
        return known->second;
    }

    const std::vector<BurstTableRow>& rows_;
    const StreamAndBurst& test_;
    std::vector<Row> table_;
    std::map<std::pair<std::size_t, bool>, double> drop_evidence_;  ///< by rows that descriptors limit, and release
    double most_ = -HUGE_VAL;                                       ///< log weight so far
    AbsorptionPosterior found_;
};

}  // namespace

StreamAndBurst::StreamAndBurst(BitRate link, BitRate uplink) {
    if (uplink.count >= 2 * link.count)
        throw std::invalid_argument("the uplink is as fast as both inputs together: no burst is ever lost");
    const std::int64_t common = std::gcd(link.count, uplink.count);
    link_ = link.count / common;
    uplink_ = uplink.count / common;
}

std::int64_t AbsorptionModel::longest(std::int64_t frame, const StreamAndBurst& test) const {
    return test.longest(room(frame)) + in_fifo(frame);
}

std::vector<CellsAlike> cells_alike(const std::vector<std::int64_t>& sizes) {
    std::map<std::vector<std::int64_t>, CellsAlike> by_costs;
    for (const CellSize& one : cell_sizes()) {
        const auto costs =
            transformed_values(sizes, [&](std::int64_t size) { return ceil_div(size + one.header, one.cell); });
        CellsAlike& alike = by_costs[costs];
        alike.costs = costs;
        if (one.prior > alike.likeliest.prior) alike.likeliest = one;
        alike.prior += one.prior;
        alike.all.push_back(one);
    }
    return transformed_values(by_costs, [](const auto& alike) { return alike.second; });
}

std::vector<AbsorptionKind> kinds_of(const std::vector<std::int64_t>& sizes) {
    std::vector<AbsorptionKind> kinds{{{}, kBytes}};
    for (const CellsAlike& alike : cells_alike(sizes)) {
        AbsorptionModel memory;
        memory.unit = MemorySize::Unit::Cell;
        memory.cell = alike.likeliest.cell;
        memory.header = alike.likeliest.header;
        kinds.push_back({memory, kCells + std::log(alike.prior)});
    }
    return kinds;
}

AbsorptionPosterior absorption_posterior(const std::vector<BurstTableRow>& rows,
                                         const std::vector<AbsorptionKind>& kinds,
                                         const std::vector<std::int64_t>& sizes, const StreamAndBurst& test) {
    return Grid(rows, kinds, sizes, test).found();
}

std::optional<FittedResume> resume_level(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model,
                                         bool by_descriptors, const StreamAndBurst& test) {
    return drop_model(rows, model, by_descriptors, test).level;
}

double BalancePrior::density(double bytes) {
    if (bytes < kSmallest || bytes > kLargest) return 0;
    return bytes < kUsual ? kUsually / kUsualRange : (1 - kUsually) / kLargeRange;
}

double BalancePrior::below(double bytes) {
    const double usual = std::log(std::clamp(bytes, kSmallest, kUsual) / kSmallest) / kUsualRange;
    const double large = std::log(std::clamp(bytes, kUsual, kLargest) / kUsual) / kLargeRange;
    return kUsually * usual + (1 - kUsually) * large;
}

BurstTable burst_table_from(const CsvTable& table) {
    BurstTable result;
    const auto frame = table.column("frame_bytes");
    const auto found = find_any(table, {"max_burst_lossless_frames", "lossless"});
    const std::size_t lossless = found ? *found : table.column("max_burst_lossless_frames");
    const auto drops = find_any(table, {"drops_at_burst_plus_1", "drops"}), name = table.find_column("switch");
    for (std::size_t i = 0; i < table.rows().size(); ++i) {
        const CsvTable::Row& cells = table.rows()[i];
        BurstTableRow row;
        row.row = int(i) + 1;
        row.line = cells.line;
        row.frame = table.integer(cells, frame, 1);
        if (row.frame > 65'535) table.refuse(cells, frame, "a whole Ethernet frame of at most 65535 B");
        row.lossless = table.integer(cells, lossless, 0);
        if (row.lossless > 1'000'000'000) table.refuse(cells, lossless, "at most 1000000000 frames");
        if (drops && !cells.cells[*drops].empty()) {
            row.drops = table.integer(cells, *drops, 1);
            if (*row.drops > 2 * (row.lossless + 2))
                table.refuse(cells, *drops,
                             "at most the " + std::to_string(2 * (row.lossless + 2)) + " frames that were sent");
        }
        if (name && cells.cells[*name].empty()) table.refuse(cells, *name, "the name of a switch");
        part_of(result, name ? std::make_optional(cells.cells[*name]) : std::nullopt).rows.push_back(row);
    }
    if (result.parts.empty())
        throw InputError(table.name() + ": the table is empty, expected at least one frame size below the header");
    return result;
}

}  // namespace watershed
