// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <vector>

#include "model/base/loss.h"
#include "model/network/network.h"

namespace watershed {

/// The copies of modules' frames, where each event builder gets one. A switch makes them where the ways to the builders
/// part: those to which the same of its uplinks lead still share a frame.
///
/// FrameId::copy names the builders that a frame is for by a number: 0 are all of M, and n are some of which the first
/// is builder n mod M, from 0.
class FrameCopies {
  public:
    FrameCopies(const Network& network, const Senders& senders);

    bool are_made() const { return !builders_.empty(); }
    /// Returns the copies that a switch makes of a frame, in the order of their first builders; itself if it makes
    /// none.
    const std::vector<int>& at(int number, int copy) const {
        return made_[static_cast<std::size_t>(number)].find(copy)->second;
    }
    /// Calls `each` with the frame of each builder that this frame is for, whose `copy` is the builder's number; with
    /// itself where no copies are made.
    template <class Each>
    void for_builders(FrameId frame, const Each& each) const {
        if (!are_made() || frame.stream != 0) return each(frame);
        for (const int builder : builders_[static_cast<std::size_t>(frame.copy)]) {
            frame.copy = builder;
            each(frame);
        }
    }

  private:
    /// Returns the number of some builders, which ascend.
    int number_of(const std::vector<int>& builders);

    int count_;
    std::vector<std::vector<int>> builders_;             ///< by number; empty where that has not been given
    std::vector<std::map<int, std::vector<int>>> made_;  ///< copies, by switch and by the number of what arrives
};

}  // namespace watershed
