// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/ranks.h"

namespace watershed {

Ranks::Ranks() {
    if (ranks_started() > 1) link_ = join_ranks();
}

Ranks::~Ranks() = default;

void Ranks::do_pieces(int jobs, const std::vector<std::size_t>& pieces, const DoPiece& work,
                      const PieceDone& finished) {
    if (link_) {
        link_->do_pieces(pieces, work, finished);
        return;
    }
    do_in_processes(
        jobs, pieces.size(), [&](std::size_t i) { return work(pieces[i]); },
        [&](std::size_t i, const std::string& result) { finished(pieces[i], result); });
}

}  // namespace watershed
