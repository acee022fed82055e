// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/queue-source.h"
#include "model/guarantee/switch-analysis.h"

/// Links from one tier of switches to the next.
namespace watershed {

/// Frames of one link from one tier to the next. Times are in ticks.
struct TierLink {
    int modules = 0;                   ///< number of modules behind the link
    Wide slot = 1;                     ///< transmission time of a frame
    std::vector<Wide> distances;       ///< least distance of two frames that are k apart in order, from k = 0
    std::vector<QueueSource> sources;  ///< the frames as sources, used in place of `distances` by mixed queues
    bool bounded = true;               ///< true if the distances of the sources are known; false: only their rates
};

/// Links between the switches of a scenario. The switches must be visited in the order of Network.
class TierLinks {
  public:
    static constexpr std::size_t kMost = 4'000'000;  ///< largest number of frames that a bound follows

    /// @param horizon  longest distance that is kept, ticks; 0: all distances of a train that ends
    TierLinks(const Network& network, const Ticks& ticks, Wide horizon)
        : network_(network), ticks_(ticks), horizon_(horizon), links_(network.links().size()) {}

    /// Adds the modules behind incoming links to those of the queues, and counts those behind the switch's uplinks.
    void count(SwitchAnalysis& analysis);
    /// Returns the number of the switch's own modules that send to a queue.
    int own_modules(const SwitchAnalysis& analysis, std::size_t queue) const;
    /// Adds the frames of incoming links to the sources of a queue. @return true if all of these links have bounds
    bool add_sources(const SwitchAnalysis& analysis, std::size_t queue, std::vector<QueueSource>& sources) const;
    /// Stores what a queue sends to the next switch. @param bounded  true if the queue has a bound
    void pass(const SwitchAnalysis& analysis, std::size_t queue, const std::vector<QueueSource>& sources, bool bounded);
    /// Returns the largest number of frames that come to a queue per `rule.apart` in the long run, if one module's
    /// frames keep the rule.
    Wide brought(const SwitchAnalysis& analysis, std::size_t queue, const ArrivalSpacing& rule) const;
    /// Bounds the queues of a switch if other switches feed it, and stores what its uplinks send to the next switch.
    /// @param triggers  distances of the arrivals from one module, ticks
    /// @return longest time from the beginning of a busy period until a queue holds its maximum, ticks
    Wide pass(SwitchAnalysis& analysis, const std::vector<Wide>& triggers);

  private:
    const Network& network_;
    Ticks ticks_;
    Wide horizon_;
    std::vector<TierLink> links_;
};

}  // namespace watershed
