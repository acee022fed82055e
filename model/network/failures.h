// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/down-times.h"
#include "model/base/loss.h"
#include "model/network/network.h"

namespace watershed {

/// Failures of a network's links and switches, and the ways that are left. A switch chooses among the uplinks by which
/// a frame still reaches its event builder; what waits for a link that fails is lost with it.
class NetworkFailures {
  public:
    static constexpr LossCause kModuleLinkDown{"module link", "link-down"};

    /// @throws KeyError for a link or a switch that there is not, or a switch whose frames wait where this does not
    /// look
    NetworkFailures(const Network& network, const Senders& senders);

    bool any() const { return !links_.empty(); }
    /// @param number  of the link in Network. @pre any()
    const DownTimes& of_link(int number) const { return links_[static_cast<std::size_t>(number)]; }
    /// @param port  of SenderPorts. @pre any()
    const DownTimes& of_port(int port) const { return ports_[static_cast<std::size_t>(port)]; }
    /// Returns the changes at a switch, by its index in Network.
    std::vector<UplinkChange> changes(int number) const;

  private:
    void fail_link(const Failure& failure, const std::string& key);
    void fail_switch(const Failure& failure, const std::string& key);
    /// Whether a frame for an event builder reaches it from a switch, by switch and builder.
    std::vector<std::vector<bool>> reached(Time time) const;

    const Network& network_;
    int builders_;
    std::vector<DownTimes> links_;  ///< by link of Network; empty if nothing fails
    std::vector<DownTimes> ports_;  ///< by port of SenderPorts
    std::vector<Time> times_;       ///< all at which something changes, ascending
};

}  // namespace watershed
