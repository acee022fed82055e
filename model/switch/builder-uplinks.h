// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/base/loss.h"
#include "model/frontend/module-groups.h"
#include "model/frontend/sender-ports.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// Chooses among the uplinks that lead to a frame's event builder, as UplinkSelector does among all. Builders to which
/// the same uplinks lead share them: frames that take turns do so together.
class BuilderUplinks {
  public:
    /// @param place  of the switch: it names the uplinks that lead to each builder
    BuilderUplinks(Switch parameters, const Senders& senders, const SwitchPlace& place) : choice_(senders) {
        const FrontEnd addresses = SenderPorts::addresses(senders);
        for (const std::vector<int>& uplinks : place.towards) {
            const auto same =
                std::find_if(ways_.begin(), ways_.end(), [&](const Ways& ways) { return ways.uplinks == uplinks; });
            way_of_.push_back(static_cast<std::size_t>(same - ways_.begin()));
            if (same != ways_.end()) continue;
            parameters.uplinks = std::max(1, static_cast<int>(uplinks.size()));
            ways_.push_back({uplinks, UplinkSelector(parameters, addresses, static_cast<int>(place.inputs.size()))});
        }
    }

    bool are_one() const { return ways_.empty(); }
    int next(const FrameId& frame, int input, int module) {
        Ways& ways = ways_[way_of_[static_cast<std::size_t>(choice_.of(frame))]];
        return ways.uplinks[static_cast<std::size_t>(ways.selector.next(input, module))];
    }

  private:
    struct Ways {
        std::vector<int> uplinks;
        UplinkSelector selector;
    };

    BuilderChoice choice_;
    std::vector<Ways> ways_;
    std::vector<std::size_t> way_of_;  ///< place in ways_ of each builder's
};

}  // namespace watershed
