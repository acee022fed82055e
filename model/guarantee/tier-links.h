// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/mixed-queue.h"
#include "model/guarantee/switch-part.h"

/// Links from one tier of switches to the next.
namespace watershed {

/// The least distances of one link's frames: two that are k apart in order have the k-th distance or more between them.
struct TierLink {
    int modules = 0;
    Wide slot = 1;
    std::vector<Wide> distances;
    std::vector<QueueSource> sources;  ///< sources, in place of distances
    bool bounded = true;               ///< the distances of a source are known; else only how many frames come in all
};

/// The queues of a scenario's switches, to be asked in the order of Network.
class TierLinks {
  public:
    static constexpr std::size_t kMost = 4'000'000;  ///< frames that are followed

    /// @param horizon  up to which all distances are told; 0: of one train, all of them
    TierLinks(const Network& network, const Ticks& ticks, Wide horizon)
        : network_(network), ticks_(ticks), horizon_(horizon), links_(network.links().size()) {}

    /// Adds the modules behind links to those of queues.
    void count(SwitchAnalysis& part);
    /// Returns the number of the switch's own modules that send to a queue.
    int own_modules(const SwitchAnalysis& part, std::size_t queue) const;
    /// Adds what links bring to a queue. @return whether all of that has a bound
    bool add_sources(const SwitchAnalysis& part, std::size_t queue, std::vector<QueueSource>& sources) const;
    /// Notes what a queue sends to the next switch. @param bounded  else what it holds has no bound, nor have these
    void pass(const SwitchAnalysis& part, std::size_t queue, const std::vector<QueueSource>& sources, bool bounded);
    /// Returns the most frames that come to a queue in the time of a rule, whenever it begins.
    Wide brought(const SwitchAnalysis& part, std::size_t queue, const ArrivalSpacing& rule) const;
    /// Bounds the queues of a switch that others feed, and tells what its uplinks bring to the next one.
    /// @param triggers  distances of arrivals from one module
    /// @return the longest time that a queue takes to hold its most
    Wide pass(SwitchAnalysis& part, const std::vector<Wide>& triggers);

  private:
    const Network& network_;
    Ticks ticks_;
    Wide horizon_;
    std::vector<TierLink> links_;
};

}  // namespace watershed
