// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <iterator>
#include <map>

#include "model/base/quantities.h"

namespace watershed {

/// Bytes that have come of each flow, for memories that prefer the first frames of a flow (Apostolaki, Addanki,
/// Ghobadi and Vanbever, Workshop on Buffer Sizing 2019: FAB).
template <class Flow>
class FlowBytes {
  public:
    /// A frame comes. @return whether it begins within the first bytes of its flow
    /// @param idle  a flow of which nothing has come for longer than this begins anew; 0: none does
    bool is_first(const Flow& flow, Bytes frame, Bytes first, Time now, Time idle) {
        if (idle > Time{0} && came_.size() >= room_) forget(now - idle);
        Came& its = came_[flow];
        if (idle > Time{0} && now - its.last > idle) its.bytes = Bytes{0};
        its.last = now;
        its.bytes += frame;
        return its.bytes - frame < first;
    }

    std::size_t flows() const { return came_.size(); }

  private:
    struct Came {
        Bytes bytes{0};
        Time last{0};
    };

    /// Flows that begin anew are not kept: those of one `idle` are in memory, and at most as many others.
    void forget(Time before) {
        for (auto it = came_.begin(); it != came_.end();)
            it = it->second.last < before ? came_.erase(it) : std::next(it);
        room_ = 2 * came_.size() + 1;
    }

    std::map<Flow, Came> came_;
    std::size_t room_ = 64;
};

}  // namespace watershed
