// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/quantities.h"
#include "model/risk/batch-queue.h"

namespace watershed {

/// Number of customers that a queue with Poisson arrivals and a constant service time serves without pause, at load
/// `load`: P(j) = exp(-load j) (load j)^(j-1) / j!  (Borel 1942). With load 0 it is always one.
class BorelLaw {
  public:
    /// @param load  at least 0 and below 1
    explicit BorelLaw(double load) : load_(load), equal_{0} {
        if (!(load >= 0) || load >= 1)
            throw std::invalid_argument("a link that gets more than it can carry never pauses");
        constexpr std::size_t kMost = 1'000'000;  // reached only within a thousandth of the link's capacity
        constexpr double kNothing = 1e-300;
        do {
            const auto j = static_cast<double>(equal_.size());
            equal_.push_back(std::exp(log_equal(j)));
        } while (equal_.back() > kNothing && equal_.size() < kMost);
        // From the far end, so that only like-sized positive numbers are added.
        above_.resize(equal_.size());
        excess_.resize(equal_.size());
        for (std::size_t j = equal_.size() - 1; j-- > 0;) {
            above_[j] = above_[j + 1] + equal_[j + 1];
            excess_[j] = excess_[j + 1] + above_[j];
        }
    }

    /// P(J = j), for j >= 1.
    double equal(std::int64_t j) const { return at(equal_, j); }
    /// The logarithm of P(J = j), however small.
    double log_equal(double j) const {
        if (load_ == 0) return j == 1 ? 0 : -std::numeric_limits<double>::infinity();
        return -load_ * j + (j - 1) * std::log(load_ * j) - std::lgamma(j + 1);
    }
    /// P(J > j), for j >= 0, accurate relative to itself however small it is.
    double above(std::int64_t j) const { return at(above_, j); }
    /// E[max(J - j, 0)], for j >= 0, likewise.
    double excess(std::int64_t j) const { return at(excess_, j); }

  private:
    static double at(const std::vector<double>& table, std::int64_t j) {
        return j < static_cast<std::int64_t>(table.size()) ? table[static_cast<std::size_t>(j)] : 0;
    }

    double load_;
    std::vector<double> equal_, above_, excess_;  ///< by j
};

/// Work cut into cells, and which way everything is rounded.
struct Grid {
    std::int64_t frame;   ///< cells of a frame
    std::int64_t growth;  ///< cells of the queue's growth(), at least one
    std::int64_t event;
    std::int64_t room;
    bool whole_room;  ///< the room is a whole number of frames
    double border;    ///< part of a cell's mass that counts as across a step of the kernel: 0 lower bound, 1 upper, 1/2
                      ///< second order

    /// A grid whose answer is below, near, or above the true one, by `border`.
    static Grid of(const BatchQueue& queue, std::int64_t frame, double border) {
        constexpr double kRounding = 1e-7;  // relative error of the products below, far above that of doubles
        const auto round = [&](double x, double way) {
            return static_cast<std::int64_t>(way == 0   ? std::floor(x + kRounding)
                                             : way == 1 ? std::ceil(x - kRounding)
                                                        : std::round(x));
        };
        const double cells = static_cast<double>(frame);
        Grid grid{frame,
                  std::max<std::int64_t>(round(queue.growth() * cells, border), frame),
                  queue.modules * frame,
                  round(queue.room * cells, 1 - border),
                  false,
                  border};
        grid.room = std::max(grid.room, grid.event);
        grid.whole_room = grid.room % frame == 0;
        return grid;
    }
};

/// Masses of the work that clusters find in a memory without limit, cell by cell, relative to the probability of
/// finding none.
///
/// The density f obeys, by counting crossings of level y,
///     f(y) = trigger_rate P(a cluster that finds at most y leaves more than y),
/// an equation of positive terms alone, solved from y = 0 upwards. Below the level at which an overfull cluster leaves
/// a finite memory, that memory has the same f, but for a factor.
class WorkDensity {
  public:
    /// @param law  which must outlive this object
    WorkDensity(const BorelLaw& law, double trigger_rate, const Grid& grid)
        : law_(law),
          cell_rate_(trigger_rate / static_cast<double>(grid.frame)),
          growth_of_cell_(std::expm1(cell_rate_)),
          growth_(static_cast<std::size_t>(grid.growth)),
          border_(grid.border) {}

    /// Appends cells until there are so many, or some more.
    void extend(std::int64_t cells) {
        if (cells > this->cells())
            for (std::vector<double>* each : {&masses_, &windows_})
                each->reserve(std::max(static_cast<std::size_t>(cells) + kAtOnce, 2 * each->size()));
        while (this->cells() < cells) append();
    }

    std::int64_t cells() const { return static_cast<std::int64_t>(masses_.size()); }
    double mass(std::int64_t cell) const { return masses_[static_cast<std::size_t>(cell)]; }
    /// Triggers in what a cell lasts.
    double cell_rate() const { return cell_rate_; }

  private:
    static constexpr std::size_t kAtOnce = 512;

    /// Appends cells of one block. Sums over the cells of earlier blocks run for all of them together, in the order of
    /// memory.
    void append() {
        const std::size_t begin = masses_.size(), first = begin % growth_, count = std::min(growth_ - first, kAtOnce);
        // A window is the mass of the `growth_` cells before a cell: the rest of one block of so many, and the
        // beginning of the next. Sums of positive numbers only; differences of running sums would drown small masses in
        // the rounding of large ones.
        if (first == 0) {
            rest_.assign(growth_ + 1, 0);
            if (begin > 0)
                for (std::size_t i = growth_; i-- > 0;) rest_[i] = rest_[i + 1] + masses_[begin - growth_ + i];
            begun_ = 0;
        }
        const std::size_t events = begin / growth_;  // that lift an empty queue to the block's lower edge, or below
        const double from_none = law_.above(static_cast<std::int64_t>(events));
        std::array<double, kAtOnce> crossing;
        for (std::size_t i = 0; i < count; ++i) {
            windows_.push_back(rest_[first + i] + begun_);
            crossing[i] = from_none + windows_.back();
        }
        for (std::size_t m = 1; m <= events; ++m) {
            const double above = law_.above(static_cast<std::int64_t>(m)),
                         equal = law_.equal(static_cast<std::int64_t>(m)), not_across = (1 - border_) * equal;
            const double *const window = &windows_[begin - m * growth_], *const mass = &masses_[begin - m * growth_];
            // m events lift some of a cell across, and some not.
            for (std::size_t i = 0; i < count; ++i) crossing[i] += above * window[i] - not_across * mass[i];
            std::size_t settled = 0;
            while (settled < count && above * window[settled] + equal * mass[settled] < 1e-17 * crossing[settled])
                ++settled;
            if (m > 1 && settled == count) break;
        }
        double appended = 0;
        for (std::size_t i = 0; i < count; ++i) {
            windows_[begin + i] += appended;
            masses_.push_back((crossing[i] + appended) * growth_of_cell_);
            appended += masses_.back();
        }
        begun_ += appended;
    }

    const BorelLaw& law_;
    double cell_rate_;
    double growth_of_cell_;  ///< within a cell the density grows as an exponential
    std::size_t growth_;
    double border_;
    double begun_ = 0;
    std::vector<double> masses_, windows_;  ///< by cell
    std::vector<double> rest_;
};

/// Laws and densities that were calculated last. None depends on the room of a memory, so that one search for its size
/// solves each once, as far as its largest room needs.
class SolvedDensities {
  public:
    using Key = std::tuple<double, double, std::int64_t, std::int64_t, double>;
    static Key key_of(double load, double trigger_rate, const Grid& grid) {
        return {load, trigger_rate, grid.frame, grid.growth, grid.border};
    }
    /// Numbers of the cells before a continuation that it needs.
    struct Beginning {
        double sum;           ///< sum of their masses and of the mass at 0, no work found
        double log_constant;  ///< constant of the exponential behind them
    };

    std::shared_ptr<const BorelLaw> law(double load) {
        const auto known =
            std::find_if(laws_.begin(), laws_.end(), [&](const auto& each) { return each.first == load; });
        if (known != laws_.end()) return known->second;
        if (laws_.size() == kLaws) laws_.erase(laws_.begin());
        return laws_.emplace_back(load, std::make_shared<BorelLaw>(load)).second;
    }
    /// @param load  of the law
    std::shared_ptr<WorkDensity> density(double load, double trigger_rate, const Grid& grid) {
        const Key key = key_of(load, trigger_rate, grid);
        const auto known =
            std::find_if(densities_.begin(), densities_.end(), [&](const Solved& each) { return each.key == key; });
        if (known != densities_.end()) {
            std::rotate(known, known + 1, densities_.end());  // and is forgotten last
            return densities_.back().density;
        }
        forget();
        ++solved_;
        const auto of_load = law(load);
        const auto made = std::make_shared<WithLaw>(WithLaw{of_load, WorkDensity(*of_load, trigger_rate, grid)});
        return densities_.emplace_back(Solved{key, {made, &made->density}}).density;
    }
    /// @param end    number of cells
    /// @param solve  gives the beginning if it is not known
    template <class Solve>
    Beginning beginning(const Key& of, std::int64_t end, std::int64_t reach, double decay, const Solve& solve) {
        const std::tuple key{of, end, reach, decay};
        const auto known =
            std::find_if(beginnings_.begin(), beginnings_.end(), [&](const auto& each) { return each.first == key; });
        if (known != beginnings_.end()) return known->second;
        if (beginnings_.size() == kBeginnings) beginnings_.erase(beginnings_.begin());
        return beginnings_.emplace_back(key, solve()).second;
    }
    /// Number of densities that were begun.
    std::int64_t solved() const { return solved_; }

  private:
    struct WithLaw {
        std::shared_ptr<const BorelLaw> law;
        WorkDensity density;
    };
    struct Solved {
        Key key;
        std::shared_ptr<WorkDensity> density;
    };
    static constexpr std::size_t kLaws = 4, kDensities = 32, kBeginnings = 64;
    static constexpr std::int64_t kCells = 6'000'000;  // cells of all densities, 96 MB

    /// Makes room for another density.
    void forget() {
        std::int64_t cells = 0;
        for (const Solved& each : densities_) cells += each.density->cells();
        auto end = densities_.begin();
        while (end != densities_.end() && (cells > kCells || densities_.end() - end >= std::ptrdiff_t{kDensities}))
            cells -= end++->density->cells();
        densities_.erase(densities_.begin(), end);
    }

    std::vector<std::pair<double, std::shared_ptr<const BorelLaw>>> laws_;
    std::vector<Solved> densities_;  ///< the last asked for is the last
    std::vector<std::pair<std::tuple<Key, std::int64_t, std::int64_t, double>, Beginning>> beginnings_;
    std::int64_t solved_ = 0;
};

/// Returns the solved densities of this thread.
inline SolvedDensities& solved_densities() {
    thread_local SolvedDensities solved;
    return solved;
}

/// The continuation of the density beyond the cells: c(y) exp(-decay y), where Cramer's root is the decay. Then c(y) is
/// a weighted mean of earlier c (the renewal equation, its kernel tilted until it sums to one), so that it stays
/// between the least and the largest of as many cells as the kernel is long.
struct Continuation {
    double decay;        ///< per frame; of the lower bound and the estimate
    double upper_decay;  ///< decay of the upper bound: the same, or less where clusters have no such moment
    std::int64_t reach;  ///< growths of the kernel, beyond which nothing counts
    double from;         ///< frames of work that the cells must cover first
    bool two_sided;  ///< otherwise the front ends' links, not the uplink, are the likely way to a full memory, and the
                     ///< tail is that of single clusters

    static Continuation of(const BatchQueue& queue) {
        constexpr double kPi = 3.14159265358979323846, kKernel = 32, kMixed = 16,
                         kMost = 450;  // e-folds; doubles hold 700
        constexpr std::int64_t kLongest = 400;
        const double growth = queue.growth(), load = queue.link_load(), root = decay_rate(queue);
        // P(J > j) of the Borel law falls as exp(-steepest j).
        const double steepest = load > 0 ? load - 1 - std::log(load) : 1e9;
        const auto reach_of = [&](double decay) {
            return 1 + static_cast<std::int64_t>(
                           std::ceil(std::min(kKernel / std::max(steepest - decay * growth, 1e-9), 1e6)));
        };
        Continuation tail{root, root, reach_of(root), 0, true};
        if (tail.reach > kLongest || static_cast<double>(tail.reach) * root * growth > kMost) {
            tail.two_sided = false;
            // Less steep, so that the kernel has an end within the reach of doubles.
            const double less = std::max(steepest * kKernel / kMost, kKernel / kLongest);
            tail.decay = tail.upper_decay = std::min(root, std::max(0.0, (steepest - less) / growth));
            tail.reach = std::min(reach_of(tail.decay), kLongest);
        }
        // By how much a harmonic of the growth's period is smaller after each step of the tilted kernel, as of a single
        // event.
        const double tilt = std::max(tail.decay * growth, 2.0), wave = 2 * kPi / tilt;
        const double steps = std::clamp(kMixed / (0.5 * std::log1p(wave * wave)), 10.0, 120.0);
        const double within = kMost / std::max(std::abs(tail.decay) * growth, 1e-9);  // growths
        tail.from = static_cast<double>(queue.modules) +
                    std::min(steps + static_cast<double>(tail.reach), std::max(within, 3.0)) * growth;
        return tail;
    }
};

}  // namespace watershed
