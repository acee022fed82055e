// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/frontend/sender-ports.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// Chooses among the uplinks that lead to a frame's event builder, as UplinkSelector does among all. Builders to which
/// the same uplinks lead share them: frames that take turns do so together.
class BuilderUplinks {
  public:
    BuilderUplinks(Switch parameters, const Senders& senders, const SwitchPlace& place) : choice_(senders) {
        const FrontEnd addresses = SenderPorts::addresses(senders);
        for (const std::vector<int>& uplinks : place.towards) {
            const auto same = std::find(uplinks_.begin(), uplinks_.end(), uplinks);
            way_of_.push_back(static_cast<std::size_t>(same - uplinks_.begin()));
            if (same != uplinks_.end()) continue;
            parameters.uplinks = std::max(1, static_cast<int>(uplinks.size()));
            uplinks_.push_back(uplinks);
            selectors_.emplace_back(parameters, addresses, static_cast<int>(place.inputs.size()));
        }
    }
    bool are_one() const { return uplinks_.empty(); }
    int next(const FrameId& frame, int input, int module) {
        const std::size_t way = way_of_[static_cast<std::size_t>(choice_.of(frame))];
        return uplinks_[way][static_cast<std::size_t>(selectors_[way].next(input, module))];
    }

  private:
    BuilderChoice choice_;
    std::vector<std::vector<int>> uplinks_;  ///< different ones
    std::vector<UplinkSelector> selectors_;  ///< of each of them
    std::vector<std::size_t> way_of_;        ///< place in uplinks_, by builder
};

}  // namespace watershed
