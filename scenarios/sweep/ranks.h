// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "scenarios/sweep/workers.h"

namespace watershed {

/// Link of this process to the other ranks that were started with it.
class RankLink {
  public:
    virtual ~RankLink() = default;
    virtual bool first() const = 0;
    /// Called by all; the pieces are those that the first names.
    virtual void do_pieces(const std::vector<std::size_t>& pieces, const DoPiece& work, const PieceDone& finished) = 0;
};

/// Joins the other processes by MPI. On all but the first it returns when the first hands out work.
/// @return nothing if there are no others after all
/// @throws std::runtime_error if the program was built without MPI
std::unique_ptr<RankLink> join_ranks();

/// This process among those that mpirun or srun started together, each a rank; alone if nobody did. Then nothing of MPI
/// is called, so that the program needs no mpirun and starts as fast as without.
class Ranks {
  public:
    /// On all ranks but the first it returns when the first hands out work: what is wrong with a command is told once.
    /// @throws std::runtime_error if there are other ranks, but the program was built without MPI
    Ranks();
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// Whether results come here, to be stored and written.
    bool first() const { return !link_ || link_->first(); }

    /// Does independent pieces of work, called by every rank: one at a time on each, the first rank included, or, if
    /// this process is alone, in `jobs` processes.
    /// @param pieces   their numbers; the first rank's list counts
    /// @param finished called on the first rank after each piece
    /// @throws std::runtime_error on the first rank if a piece fails
    void do_pieces(int jobs, const std::vector<std::size_t>& pieces, const DoPiece& work, const PieceDone& finished);

  private:
    std::unique_ptr<RankLink> link_;
};

}  // namespace watershed
