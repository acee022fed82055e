// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/rational.h"

/// Network calculus (Le Boudec and Thiran, Network Calculus, LNCS 2050, 2001): what holds for every arrival that its
/// curve admits, in exact rationals.
///
/// Both analyses bound what comes to a server alike: flows that come from the same one are as one flow from where all
/// of them began to go together, and there all others delay them. (The Deterministic Network Calculator takes the
/// farthest server that all of them pass, also if some have gone another way since: less for flows that part and meet
/// again, and no bound for those.)
namespace watershed {

/// A flow brings at most `burst` + `rate` x t in any time t.
struct ArrivalCurve {
    Rational burst, rate;
};

/// A server that is never idle with work to do serves at least `rate` x (t - `latency`) of it in a time t.
struct ServiceCurve {
    Rational latency, rate;
};

/// In which order a server serves flows; those of one flow, and of flows that are treated as one, in that of arrival.
enum class Multiplexing { Fifo, Arbitrary };

/// Flows over servers, which never form a circle.
struct CalculusNetwork {
    struct Flow {
        std::string name;
        std::vector<std::size_t> path;  ///< servers, from 0
        ArrivalCurve arrival;
    };
    struct Server {
        std::string name;
        ServiceCurve service;
    };
    std::vector<Flow> flows;
    std::vector<Server> servers;
};

/// No bound is known, or none exists: `server` is the name of one where this shows.
struct NoBound : std::invalid_argument {
    NoBound(std::string at_server, const std::string& why) : std::invalid_argument(why), server(std::move(at_server)) {}
    std::string server;
};

/// Network that has been checked to be stable and free of cycles, with the flows of each server.
class FeedForward {
  public:
    /// @throws NoBound for a server with more to do than it can, or on a circle
    explicit FeedForward(CalculusNetwork network);

    const CalculusNetwork::Flow& flow(std::size_t i) const { return network_.flows[i]; }
    const CalculusNetwork::Server& server(std::size_t i) const { return network_.servers[i]; }
    std::size_t flows() const { return network_.flows.size(); }
    const std::set<std::size_t>& flows_at(std::size_t server) const { return at_[server]; }
    /// Whence a flow comes to a server of its path. @return kOutside at its first
    std::size_t before(std::size_t flow, std::size_t server) const;
    static constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

  private:
    void refuse_overload() const;
    void refuse_circle() const;

    CalculusNetwork network_;
    std::vector<std::set<std::size_t>> at_;
};

/// Bounds of one flow on its path.
struct FlowBound {
    std::optional<Rational> delay =
        Rational(0);  ///< std::nullopt: infinite, since other flows may occupy a server for ever
    Rational backlog;
};

/// Returns the bounds of each flow by total flow analysis: all flows of a server wait as one; delays add up, the
/// backlog is the largest of all servers on its path. @throws NoBound
std::vector<FlowBound> total_flow_analysis(const FeedForward& network, Multiplexing multiplexing);

/// Returns the bounds of each flow by separate flow analysis: the left-over service of each server, one behind the
/// other; the backlog is that of the flow itself, in all servers. As the Deterministic Network Calculator does (its
/// arrival bound is AggregatePboo_Concatenation), the flow of interest delays no other flow before it meets it. For
/// servers in arbitrary order this is proven, since what is served last of all delays nobody; for FIFO it is not: there
/// these are the published numbers, and no guarantee where a flow meets another at two servers or more. @throws NoBound
std::vector<FlowBound> separate_flow_analysis(const FeedForward& network, Multiplexing multiplexing);

}  // namespace watershed
