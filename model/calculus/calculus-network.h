// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/rational.h"

/// Network calculus (Le Boudec and Thiran, Network Calculus, LNCS 2050, 2001): what holds for every arrival that its
/// curve admits, in exact rationals.
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

/// What has been checked of a network, and which flows pass where.
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

}  // namespace watershed
