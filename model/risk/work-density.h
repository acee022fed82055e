// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/risk/batch-queue.h"

namespace watershed {

/// How many customers a queue with Poisson arrivals and a constant service time serves without pause, if its load is
/// `load`: P(j) = exp(-load j) (load j)^(j-1) / j!  (Borel 1942). With load 0 it is always one.
class BorelLaw {
  public:
    /// @param load  at least 0 and below 1
    explicit BorelLaw(double load);

    /// P(J = j), for j >= 1.
    double equal(std::int64_t j) const { return at(equal_, j); }
    /// The logarithm of P(J = j), however small.
    double log_equal(double j) const;
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
    std::int64_t growth;  ///< of the queue's growth(), at least one
    std::int64_t event;
    std::int64_t room;
    bool whole_room;  ///< and it is a whole number of frames
    double border;    ///< part of a cell's mass that counts as across a step of the kernel: 0 lower bound, 1 upper, 1/2
                      ///< second order

    /// A grid whose answer is below, near, or above the true one, by `border`.
    static Grid of(const BatchQueue& queue, std::int64_t frame, double border);
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
    WorkDensity(const BorelLaw& law, double trigger_rate, const Grid& grid);

    /// Appends a cell.
    void step();
    /// Appends cells until there are so many.
    void extend(std::int64_t cells) {
        while (this->cells() < cells) step();
    }

    std::int64_t cells() const { return static_cast<std::int64_t>(mass_.size()); }
    double mass(std::int64_t cell) const { return mass_[static_cast<std::size_t>(cell)]; }
    /// Triggers in what a cell lasts.
    double cell_rate() const { return cell_rate_; }

  private:
    const BorelLaw& law_;
    double cell_rate_;
    std::size_t growth_;
    double border_;
    double begun_ = 0;
    std::vector<double> mass_, window_, rest_;
};

/// How the density goes on beyond the cells: as c(y) exp(-decay y), where Cramer's root is the decay. Then c(y) is a
/// weighted mean of earlier c (the renewal equation, its kernel tilted until it sums to one), so that it stays between
/// the least and the largest of as many cells as the kernel is long.
struct Continuation {
    double decay;        ///< per frame; of the lower bound and the estimate
    double upper_decay;  ///< of the upper bound: the same, or less where clusters have no such moment
    std::int64_t reach;  ///< growths of the kernel, beyond which nothing counts
    double from;         ///< frames of work that the cells must cover first
    bool two_sided;  ///< otherwise the front ends' links, not the uplink, are the likely way to a full memory, and the
                     ///< tail is that of single clusters

    static Continuation of(const BatchQueue& queue);
};

}  // namespace watershed
