// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/base/loss.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// Facts about the senders of the frames that a switch sees.
struct SwitchSenders {
    std::uint64_t seed = 1;                           ///< seed of the switch's random choices
    FrontEnd addresses{};                             ///< a module at every link, whose addresses the frames bear
    std::vector<int> links_of_streams{};              ///< links of the streams beside the camera, from 0
    std::vector<int> rhythms{0};                      ///< rhythms of the camera and of the streams; see Ties
    std::function<int(const FrameId&)> builder_of{};  ///< event builder of a frame, from 0; empty: there is one
};

/// Chooses among the uplinks that lead to a frame's event builder, as UplinkSelector does among all. Builders to which
/// the same uplinks lead share them: frames that take turns do so together.
class BuilderUplinks {
  public:
    BuilderUplinks(Switch parameters, const SwitchSenders& senders, const SwitchPlace& place)
        : builder_of_(senders.builder_of) {
        for (const std::vector<int>& uplinks : place.towards) {
            const auto same = std::find(uplinks_.begin(), uplinks_.end(), uplinks);
            way_of_.push_back(static_cast<std::size_t>(same - uplinks_.begin()));
            if (same != uplinks_.end()) continue;
            parameters.uplinks = std::max(1, static_cast<int>(uplinks.size()));
            uplinks_.push_back(uplinks);
            selectors_.emplace_back(parameters, senders.addresses, static_cast<int>(place.inputs.size()));
        }
    }
    bool are_one() const { return uplinks_.empty(); }
    /// Returns the uplink, or kNone if none leads to the frame's builder.
    int next(const FrameId& frame, int input, int module) {
        const std::size_t way = way_of_[static_cast<std::size_t>(builder_of_(frame))];
        if (uplinks_[way].empty()) return kNone;
        return uplinks_[way][static_cast<std::size_t>(selectors_[way].next(input, module))];
    }
    static constexpr int kNone = -1;

  private:
    std::function<int(const FrameId&)> builder_of_;
    std::vector<std::vector<int>> uplinks_;  ///< different ones
    std::vector<UplinkSelector> selectors_;  ///< selectors, by place in uplinks_
    std::vector<std::size_t> way_of_;        ///< place in uplinks_, by builder
};

}  // namespace watershed
