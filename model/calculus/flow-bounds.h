// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/calculus/calculus-network.h"

/// How both analyses bound what comes to a server: flows that come from the same one are as one flow from where all of
/// them began to go together, and there all others delay them. (The Deterministic Network Calculator takes the farthest
/// server that all of them pass, also if some have gone another way since: less for flows that part and meet again, and
/// no bound for those.)
namespace watershed {

/// What a flow meets at most on its way.
struct FlowBound {
    std::optional<Rational> delay = Rational(0);  ///< absent: infinite, of a server that others may take for ever
    Rational backlog;
};

/// Of each flow, by total flow analysis: all flows of a server wait as one; delays add up, the backlog is the largest
/// of all servers on its path. @throws NoBound
std::vector<FlowBound> total_flow_analysis(const FeedForward& network, Multiplexing multiplexing);

/// Of each flow, by separate flow analysis: what other flows leave of each server, one behind the other; the backlog is
/// that of the flow itself, in all servers. As the Deterministic Network Calculator does (its arrival bound is
/// AggregatePboo_Concatenation), the flow of interest delays no other flow before it meets it. For servers in arbitrary
/// order this is proven, since what is served last of all delays nobody; for FIFO it is not: there these are the
/// published numbers, and no guarantee where a flow meets another at two servers or more. @throws NoBound
std::vector<FlowBound> separate_flow_analysis(const FeedForward& network, Multiplexing multiplexing);

}  // namespace watershed
