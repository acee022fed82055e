// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/batch-queue.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "model/base/log-sum.h"
#include "model/base/quantities.h"
#include "model/risk/work-density.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The masses of a grid, and how they go on beyond it.
class Masses {
  public:
    /// @param top  the cells that are asked for lie below it; beyond `continuation.from` they are not calculated one by
    /// one
    /// @param endless  and beyond the top, too
    Masses(const BorelLaw& law, const BatchQueue& queue, const Grid& grid, const Continuation& continuation,
           std::int64_t top, bool endless = false)
        : law_(law),
          grid_(grid),
          cell_rate_(queue.trigger_rate / static_cast<double>(grid.frame)),
          continuation_(continuation) {
        const double cells = static_cast<double>(grid.frame);
        const auto covered = static_cast<std::int64_t>(std::ceil(continuation.from * cells));
        near_top_ = top - (continuation.reach + 2) * grid.growth - grid.event;
        continued_ = near_top_ > covered;
        end_ = std::max<std::int64_t>(continued_ ? covered : endless ? std::max(covered, top) : top, 0);
        decay_ = (grid.border == 1 ? continuation.upper_decay : continuation.decay) / cells;
        SolvedDensities& solved = solved_densities();
        const auto solve = [&] {
            density_ = solved.density(queue.link_load(), queue.trigger_rate, grid);
            density_->extend(end_);
        };
        if (continued_) {
            const auto all = [&] {
                solve();
                return SolvedDensities::Beginning{sum_below(end_), log_constant()};
            };
            beginning_ = solved.beginning(SolvedDensities::key_of(queue.link_load(), queue.trigger_rate, grid), end_,
                                          continuation.reach, decay_, all);
        } else {
            solve();
            if (endless) beginning_.log_constant = log_constant();
        }
    }

    bool continued() const { return continued_; }
    double cell_rate() const { return cell_rate_; }
    /// The first cell from which a cluster may get to the top.
    std::int64_t first() const { return continued_ ? near_top_ : 0; }

    /// Mass of a cell from first() on, over exp(log_scale(reference)).
    double near(std::int64_t cell, std::int64_t reference) const {
        if (!continued_) return density_->mass(cell);
        if (by_clusters()) return cell_rate_ * law_.above(cell / grid_.growth);
        return std::exp(-decay_ * static_cast<double>(cell - reference)) * unit();
    }
    double log_scale(std::int64_t reference) const {
        return !continued_ || by_clusters() ? 0 : beginning_.log_constant - decay_ * static_cast<double>(reference);
    }

    /// The logarithm of the mass of all cells below `end`, that of finding none included.
    double log_below(std::int64_t end) const {
        const double sum = continued_ && end >= end_ ? beginning_.sum : sum_below(std::min(end, end_));
        return end <= end_ || by_clusters()
                   ? std::log(sum)
                   : log_sum(std::log(sum), beginning_.log_constant + log_exponentials(end_, end));
    }
    /// The logarithm of the mass of all cells from `begin` on. @pre made for what is beyond the top, and the decay is
    /// positive
    double log_from(std::int64_t begin) const {
        double sum = 0;
        for (std::int64_t cell = begin; cell < end_; ++cell) sum += density_->mass(cell);
        if (by_clusters()) return std::log(sum);
        return log_sum(std::log(sum), beginning_.log_constant - decay_ * static_cast<double>(std::max(begin, end_)) -
                                          std::log(decay_));
    }

  private:
    /// Below the tail of single clusters nothing can be.
    bool by_clusters() const { return !continuation_.two_sided && grid_.border == 0; }
    double unit() const { return decay_ == 0 ? 1 : -std::expm1(-decay_) / decay_; }

    double sum_below(std::int64_t end) const {
        double sum = 1;
        for (std::int64_t cell = 0; cell < end; ++cell) sum += density_->mass(cell);
        return sum;
    }

    double log_constant() const {
        const std::int64_t end = end_;
        const std::int64_t begin =
            std::max<std::int64_t>(0, end - std::max<std::int64_t>(continuation_.reach, 1) * grid_.growth);
        double least = kInfinity, most = 0, sum = 0;
        for (std::int64_t cell = begin; cell < end; ++cell) {
            const double constant = density_->mass(cell) * std::exp(decay_ * static_cast<double>(cell - end)) / unit();
            least = std::min(least, constant);
            most = std::max(most, constant);
            sum += constant;
        }
        // Upper limit of the change within a cell of the grid; the neglected part of the kernel adds less.
        const double open = 2 * (cell_rate_ + std::abs(decay_)) + 1e-7;
        const double constant = grid_.border == 0   ? std::log(least) - open
                                : grid_.border == 1 ? std::log(most) + open
                                                    : std::log(sum / static_cast<double>(end - begin));
        return constant + decay_ * static_cast<double>(end);
    }

    /// The logarithm of the integral of exp(-decay y) between two cells.
    double log_exponentials(std::int64_t begin, std::int64_t end) const {
        const double length = static_cast<double>(end - begin), rate = std::abs(decay_);
        const double largest = -decay_ * static_cast<double>(decay_ > 0 ? begin : end);
        return largest + std::log(rate * length < 1e-12 ? length : -std::expm1(-rate * length) / rate);
    }

    const BorelLaw& law_;
    Grid grid_;
    double cell_rate_;
    std::shared_ptr<WorkDensity> density_;  ///< may go on beyond the end; none where all is known of its continuation
    std::int64_t end_;                      ///< number of its cells that count
    Continuation continuation_;
    std::int64_t near_top_;
    bool continued_;
    double decay_;
    SolvedDensities::Beginning beginning_{};
};

/// Logarithms of sums over the cells, of which neither need fit a double.
struct LogSums {
    double lossy;  ///< mean number of incomplete events of a cluster
    double total;  ///< sum of all probabilities
};

/// Returns the logarithm of a sum of masses and tails. Those that a double does not hold count as nothing; an upper
/// bound has them all, were they a hundred million.
double log_of_sum(double sum, double log_scale, const Grid& grid) {
    constexpr double kHeld = 1e-300;
    return std::log(grid.border == 1 && log_scale == 0 ? std::max(sum, kHeld) : sum);
}

/// The stationary state of a memory of grid.room, not yet normalised.
/// Below the level that an overfull cluster leaves behind, one frame wide, a finite memory is like one without limit.
/// Every cluster that ends in that last frame comes from a full memory, or filled it exactly; where clusters change the
/// level by whole frames it ends at the fraction of a frame at which it began.
LogSums finite_memory(const BorelLaw& law, const BatchQueue& queue, const Grid& grid,
                      const Continuation& continuation) {
    const std::int64_t drain = grid.event - grid.growth, threshold = grid.room - grid.event,
                       top = grid.room - grid.frame - drain;
    const bool keeps_fraction = drain % grid.frame == 0;
    const Masses below(law, queue, grid, continuation, std::max<std::int64_t>(top, 0));
    std::vector<double> ending(static_cast<std::size_t>(grid.frame));  // probability, by the cell within the frame
    double lossy = 0, total = 0;
    std::int64_t part = ((below.first() - top) % grid.frame + grid.frame) % grid.frame;
    for (std::int64_t j = below.first(); j < top;) {
        // Incomplete events of a cluster that finds cell j or one of the next, and whether it ends in the last frame.
        const double incomplete = law.excess(j < threshold ? ceil_div(threshold - j, grid.growth) : 0),
                     overfull = law.above(ceil_div(top - j, grid.growth) - 1);
        const auto change = [&](std::int64_t level) { return j < level ? j + 1 + (level - j - 1) % grid.growth : top; };
        for (const std::int64_t end = std::min(change(threshold), change(top)); j < end; ++j) {
            const double mass = below.near(j, top);
            total += mass;
            lossy += mass * incomplete;
            ending[static_cast<std::size_t>(part)] += mass * overfull;
            if (++part == grid.frame) part = 0;
        }
    }
    // From an empty queue, which a deep memory is as good as never; all of the last frame is crossed by those who end
    // at its upper edge, if the memory is a whole number of frames.
    const double empty = below.continued() ? 0 : 1;
    lossy += empty * law.excess(threshold / grid.growth + 1);
    const double at_edge = empty * law.above(top / grid.growth) * (grid.whole_room ? 1 : grid.border);
    const double all = std::accumulate(ending.begin(), ending.end(), 0.0);
    double above = 0;
    for (auto cell = ending.rbegin(); cell != ending.rend(); ++cell) {
        const double mass =
            below.cell_rate() * (at_edge + (keeps_fraction ? above + grid.border * *cell : grid.border * all));
        above += *cell;
        total += mass;
        lossy += mass * law.excess(0);
    }
    const double scale = below.log_scale(top), log_total = std::log(total + empty) + scale;
    return {log_of_sum(lossy, scale, grid) + scale,
            below.continued() ? log_sum(log_total, below.log_below(below.first())) : log_total};
}

/// Returns the mean number of events of a cluster that find more than grid.room less their own frames, in a memory
/// without limit, over the probability of finding none.
double log_crowded(const BorelLaw& law, const BatchQueue& queue, const Grid& grid, const Continuation& continuation) {
    const std::int64_t threshold = grid.room - grid.event;
    const Masses masses(law, queue, grid, continuation, threshold, true);
    double near = threshold < 0 || masses.continued() ? 0 : law.excess(threshold / grid.growth + 1);
    for (std::int64_t j = masses.first(); j < threshold; ++j)
        near += masses.near(j, threshold) * law.excess(ceil_div(threshold - j, grid.growth));
    const double scale = masses.log_scale(threshold);
    return log_sum(log_of_sum(near, scale, grid) + scale, std::log(law.excess(0)) + masses.log_from(threshold));
}

/// Returns how likely a cycle that begins with an empty queue brings it to grid.room less what drains between two
/// events of a cluster. The highest work of a cycle is at most y with probability 1 - f(y) / (trigger_rate F(y)), F(y)
/// being the mass up to y (Takacs, 1965).
double log_filling(const BorelLaw& law, const BatchQueue& queue, std::int64_t frame, double border,
                   const Continuation& continuation) {
    const auto level =
        static_cast<std::int64_t>(std::ceil((queue.room - queue.pace()) * static_cast<double>(frame) - 1e-7));
    const Masses less(law, queue, Grid::of(queue, frame, border), continuation, level + 1),
        more(law, queue, Grid::of(queue, frame, 1 - border), continuation, level + 1);
    return std::log(less.near(level, level)) + less.log_scale(level) - std::log(less.cell_rate()) -
           more.log_below(level + 1);
}

/// Returns the part of all events that find the uplink's queue empty, if nothing is lost. @pre load() < 1
double idle_fraction(const BatchQueue& queue) {
    return 1 - queue.trigger_rate * (static_cast<double>(queue.modules) - queue.dead_time);
}

/// Refines the grid until two numbers are as close as is wanted, or work becomes long.
/// @param numbers  gives a bracket for so many cells of a frame
template <class Numbers>
Enclosure refined(const BatchQueue& queue, const Continuation& continuation, double precision, const Numbers& numbers) {
    const double most_work = 6e5 / precision;  // cells times terms of their sums: who wants less shall not wait
    const double depth =
        std::min(queue.room, continuation.from + static_cast<double>(continuation.reach + 2) * queue.growth() +
                                 static_cast<double>(queue.modules));
    const double terms = std::min(static_cast<double>(continuation.reach) + 1, 1 + depth / queue.growth());
    for (std::int64_t frame = 4;; frame *= 4) {
        const Enclosure next = numbers(frame);
        if (next.upper - next.lower < precision || 4 * static_cast<double>(frame) * depth * terms > most_work)
            return next;
    }
}

}  // namespace

double BatchQueue::link_load() const { return trigger_rate * std::max(0.0, link_time - dead_time); }

double BatchQueue::load() const { return static_cast<double>(modules) / (dead_time + 1 / trigger_rate); }

double decay_rate(const BatchQueue& queue) {
    // x = s / rate solves a x = ln(1 + x) with a = rate (modules - dead_time): a line and a concave curve, which meet
    // at 0 and once more.
    const double a = queue.trigger_rate * (static_cast<double>(queue.modules) - queue.dead_time);
    if (a <= 0) return kInfinity;
    if (a == 1) return 0;
    const auto gap = [a](double x) { return std::log1p(x) - a * x; };
    double inner = a < 1 ? 1 / a - 1 : 0,
           outer = inner;  // the gap is largest where the slopes are equal, at x = 1/a - 1
    if (a < 1) do
            outer = 2 * outer + 1;
        while (gap(outer) > 0);
    else {
        inner = 1 / a - 1;
        outer = -1 + 1e-300;
        if (gap(-1 + 1e-15) > 0) return -queue.trigger_rate;  // beyond any tail that a memory could show
        outer = -1 + 1e-15;
    }
    std::uintmax_t steps = 200;
    const auto [low, high] = boost::math::tools::toms748_solve(gap, std::min(inner, outer), std::max(inner, outer),
                                                               boost::math::tools::eps_tolerance<double>(50), steps);
    return queue.trigger_rate * (low + high) / 2;
}

Enclosure log_loss_probability(const BatchQueue& queue, double precision) {
    const double modules = static_cast<double>(queue.modules);
    if (queue.room < modules) return {0, 0, 0};
    if (queue.growth() <= 0) return {-kInfinity, -kInfinity, -kInfinity};
    if (queue.link_load() >= 1) return {0, 0, 0};  // the links never pause, and each event brings more than drains

    const auto law_of_load = solved_densities().law(queue.link_load());
    const BorelLaw& law = *law_of_load;
    const double per_event = -std::log(law.excess(0));  // share of a cluster's mean size, truncated like its law
    const Continuation continuation = Continuation::of(queue);
    // If single clusters are the likely way to a full memory: from an empty queue, in a memory of any depth.
    const auto long_enough = static_cast<double>((queue.room - modules) / queue.growth()) + 2;
    const double single = continuation.two_sided || queue.load() >= 1
                              ? -kInfinity
                              : law.log_equal(std::ceil(long_enough)) + std::log(idle_fraction(queue));
    Enclosure log = refined(queue, continuation, precision, [&](std::int64_t frame) {
        const auto sums = [&](double border) {
            return finite_memory(law, queue, Grid::of(queue, frame, border), continuation);
        };
        const LogSums low = sums(0), near = sums(0.5), high = sums(1);
        return Enclosure{std::max(single, low.lossy - high.total + per_event), near.lossy - near.total + per_event,
                         std::min(0.0, high.lossy - low.total + per_event)};
    });
    log.estimate = std::clamp(log.estimate, log.lower, std::max(log.lower, log.upper));
    return log;
}

double log_loss_upper_bound(const BatchQueue& queue, double precision) {
    if (queue.room < static_cast<double>(queue.modules) || (queue.growth() > 0 && queue.load() >= 1)) return 0;
    if (queue.growth() <= 0) return -kInfinity;
    const auto law_of_load = solved_densities().law(queue.link_load());
    const BorelLaw& law = *law_of_load;
    const Continuation continuation = Continuation::of(queue);
    return refined(queue, continuation, precision,
                   [&](std::int64_t frame) {
                       const auto found = [&](double border) {
                           return log_crowded(law, queue, Grid::of(queue, frame, border), continuation) +
                                  std::log(idle_fraction(queue));
                       };
                       const double near = found(0.5);
                       return Enclosure{near, near, std::min(0.0, found(1))};
                   })
        .upper;
}

double log_loss_lower_bound(const BatchQueue& queue, const BatchQueue& busiest, double precision) {
    if (queue.room < static_cast<double>(queue.modules)) return 0;
    // A camera that gives an uplink more than it carries loses the rest, and no event loses more than all of its
    // frames.
    if (busiest.growth() > 0 && busiest.load() >= 1) return std::log(1 - 1 / busiest.load());
    if (queue.growth() < 1 || busiest.growth() < 1) return -kInfinity;
    const auto law_of_load = solved_densities().law(queue.link_load());
    const BorelLaw& law = *law_of_load;
    const Continuation continuation = Continuation::of(queue);
    return refined(queue, continuation, precision,
                   [&](std::int64_t frame) {
                       const auto lost = [&](double border) {
                           return log_filling(law, queue, frame, border, continuation) +
                                  std::log(idle_fraction(busiest));
                       };
                       const double near = lost(0.5);
                       return Enclosure{lost(0), near, near};
                   })
        .lower;
}

}  // namespace watershed
