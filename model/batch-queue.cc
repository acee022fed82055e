// SPDX-License-Identifier: GPL-2.0-only
#include "model/batch-queue.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "model/borel-law.h"
#include "model/quantities.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Work cut into cells, and which way everything is rounded.
struct Grid {
    std::int64_t frame;    ///< cells of a frame
    std::int64_t growth;   ///< of the queue's growth(), at least one
    std::int64_t event;
    std::int64_t room;
    bool whole_room;       ///< and it is a whole number of frames
    double border;         ///< part of a cell's mass that counts as across a step of the kernel: 0 lower bound, 1 upper, 1/2 second order
};

/// A grid whose answer is below, near, or above the true one.
Grid grid_of(const BatchQueue& queue, std::int64_t frame, double border) {
    constexpr double kRounding = 1e-7;   // of the products below, far above that of doubles
    const auto round = [&](double x, double way) { return static_cast<std::int64_t>(way == 0 ? std::floor(x + kRounding) : way == 1 ? std::ceil(x - kRounding) : std::round(x)); };
    const double cells = static_cast<double>(frame);
    Grid grid{frame, std::max<std::int64_t>(round(queue.growth() * cells, border), frame), queue.modules * frame, round(queue.room * cells, 1 - border), false, border};
    grid.room = std::max(grid.room, grid.event);
    grid.whole_room = grid.room % frame == 0;
    return grid;
}

/// Masses of the work that clusters find, cell by cell, relative to the probability `empty()` of finding none.
class Recursion {
  public:
    Recursion(const BorelLaw& law, double rate, const Grid& grid)
        : law_(law), cell_rate_(rate / static_cast<double>(grid.frame)), growth_(static_cast<std::size_t>(grid.growth)), border_(grid.border) {}

    double empty() const { return empty_; }
    double mass(std::size_t cell) const { return mass_[cell]; }
    double cell_rate() const { return cell_rate_; }

    /// Appends the next cell. @return the factor by which every mass so far was multiplied, to keep numbers in range; mostly 1
    double step() {
        const std::size_t k = mass_.size();
        // A window is the mass of the `growth_` cells before a cell: the rest of one block of so many, and the beginning of the next.
        // Sums of positive numbers only; differences of running sums would drown small masses in the rounding of large ones.
        if (k % growth_ == 0) {
            rest_.assign(growth_ + 1, 0);
            if (k > 0)
                for (std::size_t i = growth_; i-- > 0;) rest_[i] = rest_[i + 1] + mass_[k - growth_ + i];
            begun_ = 0;
        }
        window_.push_back(rest_[k % growth_] + begun_);

        const auto events = static_cast<std::int64_t>(k / growth_);   // that lift an empty queue to the lower edge of cell k, or below
        double crossing = empty_ * law_.above(events);
        for (std::int64_t m = 0; m <= events; ++m) {
            const std::size_t from = k - static_cast<std::size_t>(m) * growth_;
            const double whole = law_.above(m) * window_[from];
            const double partly = m > 0 ? law_.equal(m) * mass_[from] : 0;   // m events lift some of this cell across, and some not
            crossing += whole - (1 - border_) * partly;
            if (m > 1 && whole + partly < 1e-17 * crossing) break;
        }
        mass_.push_back(crossing * std::expm1(cell_rate_));   // within a cell the density grows as an exponential
        begun_ += mass_.back();
        return mass_.back() > 1e200 ? rescale(1e-200) : 1;
    }

  private:
    double rescale(double factor) {
        for (auto* numbers : {&mass_, &window_, &rest_})
            for (double& number : *numbers) number *= factor;
        begun_ *= factor;
        empty_ *= factor;
        return factor;
    }

    const BorelLaw& law_;
    double cell_rate_;
    std::size_t growth_;
    double border_;
    double empty_ = 1;
    double begun_ = 0;
    std::vector<double> mass_, window_, rest_;
};

struct Sums {
    double lossy;   ///< mean number of incomplete events of a cluster
    double total;   ///< of all probabilities
};

/// The stationary state of a memory of grid.room, not yet normalised.
/// Below the level that an overfull cluster leaves behind, one frame wide, a finite memory is like one without limit. Every cluster that
/// ends in that last frame comes from a full memory, or filled it exactly; where clusters change the level by whole frames it ends at the fraction of a
/// frame at which it began.
Sums finite_memory(const BorelLaw& law, double rate, const Grid& grid) {
    const std::int64_t drain = grid.event - grid.growth, threshold = grid.room - grid.event, top = grid.room - grid.frame - drain;
    const bool keeps_fraction = drain % grid.frame == 0;
    Recursion below(law, rate, grid);
    // Incomplete events of a cluster that finds cell j, and whether it ends in the last frame.
    const auto incomplete = [&](std::int64_t j) { return law.excess(j < threshold ? ceil_div(threshold - j, grid.growth) : 0); };
    const auto overfull = [&](std::int64_t j) { return law.above(ceil_div(top - j, grid.growth) - 1); };

    std::vector<double> ending(static_cast<std::size_t>(grid.frame));   // probability, by the cell within the frame
    double lossy = 0, total = 0;
    for (std::int64_t j = 0; j < top; ++j) {
        const double factor = below.step();
        if (factor != 1) {
            for (double& each : ending) each *= factor;
            lossy *= factor;
            total *= factor;
        }
        const double mass = below.mass(static_cast<std::size_t>(j));
        total += mass;
        lossy += mass * incomplete(j);
        const std::int64_t cell = ((j - top) % grid.frame + grid.frame) % grid.frame;
        ending[static_cast<std::size_t>(cell)] += mass * overfull(j);
    }
    total += below.empty();
    lossy += below.empty() * law.excess(threshold / grid.growth + 1);

    // All of the last frame is crossed by those who end at its upper edge: from an empty queue, if the memory is a whole number of frames.
    const double at_edge = below.empty() * law.above(top / grid.growth) * (grid.whole_room ? 1 : grid.border);
    const double all = std::accumulate(ending.begin(), ending.end(), 0.0);
    double above = 0;
    for (auto cell = ending.rbegin(); cell != ending.rend(); ++cell) {
        const double mass = below.cell_rate() * (at_edge + (keeps_fraction ? above + grid.border * *cell : grid.border * all));
        above += *cell;
        total += mass;
        lossy += mass * law.excess(0);
    }
    return {lossy, total};
}

/// As log_loss_probability(), for depths that can be worked through cell by cell.
Bracket log_of_depth(const BatchQueue& queue, double room, double precision) {
    BatchQueue at_depth = queue;
    at_depth.room = room;
    const BorelLaw law(queue.link_load());
    const double per_event = 1 / law.excess(0);   // of a cluster's mean size, truncated like its law
    constexpr double kMostCells = 1 << 19;
    Bracket result;
    for (auto frame = static_cast<std::int64_t>(std::clamp(kMostCells / room, 1.0, 16.0));; frame *= 4) {
        const Sums low = finite_memory(law, queue.trigger_rate, grid_of(at_depth, frame, 0));
        const Sums near = finite_memory(law, queue.trigger_rate, grid_of(at_depth, frame, 0.5));
        const Sums high = finite_memory(law, queue.trigger_rate, grid_of(at_depth, frame, 1));
        result = {std::log(low.lossy / high.total * per_event), std::log(near.lossy / near.total * per_event), std::log(high.lossy / low.total * per_event)};
        result.upper = std::min(result.upper, 0.0);
        if (result.upper - result.lower < precision || static_cast<double>(frame) * 4 * room > kMostCells) return result;
    }
}

}  // namespace

double BatchQueue::link_load() const { return trigger_rate * std::max(0.0, link_time - dead_time); }

double BatchQueue::load() const { return static_cast<double>(modules) / (dead_time + 1 / trigger_rate); }

double decay_rate(const BatchQueue& queue) {
    // x = s / rate solves a x = ln(1 + x) with a = rate (modules - dead_time): a line and a concave curve, which meet at 0 and once more.
    const double a = queue.trigger_rate * (static_cast<double>(queue.modules) - queue.dead_time);
    if (a <= 0) return kInfinity;
    if (a == 1) return 0;
    const auto gap = [a](double x) { return std::log1p(x) - a * x; };
    double inner = a < 1 ? 1 / a - 1 : 0, outer = inner;   // the gap is largest where the slopes are equal, at x = 1/a - 1
    if (a < 1)
        do outer = 2 * outer + 1;
        while (gap(outer) > 0);
    else {
        inner = 1 / a - 1;
        outer = -1 + 1e-300;
        if (gap(-1 + 1e-15) > 0) return -queue.trigger_rate;   // beyond any tail that a memory could show
        outer = -1 + 1e-15;
    }
    std::uintmax_t steps = 200;
    const auto [low, high] = boost::math::tools::toms748_solve(gap, std::min(inner, outer), std::max(inner, outer), boost::math::tools::eps_tolerance<double>(50), steps);
    return queue.trigger_rate * (low + high) / 2;
}

Bracket log_loss_probability(const BatchQueue& queue, double precision) {
    const double modules = static_cast<double>(queue.modules);
    if (queue.room < modules) return {0, 0, 0};
    if (queue.growth() <= 0) return {-kInfinity, -kInfinity, -kInfinity};
    if (queue.link_load() >= 1) return {0, 0, 0};   // the links never pause, and each event brings more than drains

    const double decay = decay_rate(queue);
    const double enough = modules + std::max(60 * queue.growth(), 25 / std::max(decay, 1e-9));
    if (queue.room <= 1.5 * enough) return log_of_depth(queue, queue.room, precision);

    // Whole events less, so that the fraction of a frame stays what it is.
    const auto shallower = [&](double depth) { return std::ceil((queue.room - depth) / queue.growth()) * queue.growth(); };
    const double less = shallower(enough), still_less = shallower(enough / 2);
    const Bracket deep = log_of_depth(queue, queue.room - less, precision);
    const Bracket half = log_of_depth(queue, queue.room - still_less, precision);
    // Where the front ends' links are the narrower way to a full memory, the tail is theirs, and measured.
    const double measured = (half.estimate - deep.estimate) / (still_less - less);
    const double slope = decay < 1 / std::max(queue.link_time - queue.dead_time, 1e-9) - queue.trigger_rate ? decay : measured;
    const double open = std::abs(slope - measured) * (still_less - less);
    return {deep.lower - slope * less - open, deep.estimate - slope * less, std::min(0.0, deep.upper - slope * less + open)};
}

Bracket waiting_tail(const BatchQueue& queue, double y, double precision) {
    BatchQueue deep = queue;
    deep.room = y + static_cast<double>(queue.modules);
    const BorelLaw law(queue.link_load());
    const double empty = 1 - queue.trigger_rate * queue.growth() * law.excess(0);
    const auto sum = [&](std::int64_t frame, double border) {
        const Grid grid = grid_of(deep, frame, border);
        Recursion queued(law, queue.trigger_rate, grid);
        double tail = 0;
        for (std::size_t cell = 0;; ++cell) {
            queued.step();
            if (static_cast<std::int64_t>(cell) < grid.room - grid.event) continue;
            tail += queued.mass(cell);
            if (cell % static_cast<std::size_t>(grid.growth) == 0 && queued.mass(cell) < 1e-12 * tail / static_cast<double>(grid.growth)) return empty * tail;
        }
    };
    for (std::int64_t frame = 16;; frame *= 2) {
        const Bracket result{sum(frame, 0), sum(frame, 0.5), sum(frame, 1)};
        if (result.upper - result.lower < precision * result.upper || frame >= 4096) return result;
    }
}

}  // namespace watershed
