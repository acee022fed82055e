// SPDX-License-Identifier: GPL-2.0-only
#include "model/calculus/flow-bounds.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace watershed {

FeedForward::FeedForward(CalculusNetwork network) : network_(std::move(network)), at_(network_.servers.size()) {
    for (std::size_t i = 0; i < flows(); ++i)
        for (const std::size_t server : flow(i).path) at_[server].insert(i);
    refuse_circle();
    refuse_overload();
}

std::size_t FeedForward::before(std::size_t i, std::size_t server) const {
    const std::vector<std::size_t>& path = flow(i).path;
    const auto at = std::find(path.begin(), path.end(), server);
    return at == path.begin() ? kOutside : *(at - 1);
}

void FeedForward::refuse_overload() const {
    for (std::size_t i = 0; i < at_.size(); ++i) {
        Rational rate;
        for (const std::size_t each : at_[i]) rate += flow(each).arrival.rate;
        const Rational& served = server(i).service.rate;
        if (rate > served)
            throw NoBound(server(i).name, "overloaded: its flows bring " + Rational(rate / served).str() +
                                              " of what it serves, expected at most 1");
    }
}

void FeedForward::refuse_circle() const {
    // Servers are taken away when all before them are; what is left lies on a circle, or behind one.
    std::set<std::size_t> left;
    for (std::size_t i = 0; i < at_.size(); ++i) left.insert(i);
    const auto is_free = [&](std::size_t i) {
        return std::all_of(at_[i].begin(), at_[i].end(),
                           [&](std::size_t each) { return left.count(before(each, i)) == 0; });
    };
    for (;;) {
        const auto free = std::find_if(left.begin(), left.end(), is_free);
        if (free == left.end()) break;
        left.erase(free);
    }
    if (!left.empty())
        throw NoBound(
            server(*left.begin()).name,
            "its load depends on itself: the paths of the flows form a circle on it or before it, which these "
            "analyses do not cover");
}

namespace {

using Flows = std::set<std::size_t>;

constexpr std::size_t kNoFlow = static_cast<std::size_t>(-1);

Flows without(Flows flows, const Flows& others) {
    for (const std::size_t each : others) flows.erase(each);
    return flows;
}

/// Arrivals of sets of flows at servers.
class Arrivals {
  public:
    Arrivals(const FeedForward& network, Multiplexing multiplexing) : network_(network), multiplexing_(multiplexing) {}

    /// Returns the arrival curve of some flows at a server.
    /// @param last  flow that is served after all others, so that it neither counts nor delays them; kNoFlow: none
    ArrivalCurve at(std::size_t server, const Flows& flows, std::size_t last = kNoFlow) {
        std::map<std::size_t, Flows> groups;
        for (const std::size_t each : flows)
            if (each != last) groups[network_.before(each, server)].insert(each);
        ArrivalCurve sum;
        for (const auto& [before, group] : groups)
            if (before == FeedForward::kOutside) {
                for (const std::size_t each : group) add(sum, network_.flow(each).arrival);
            } else {
                add(sum, from(before, server, group, last));
            }
        return sum;
    }

    /// Returns the left-over service of a server for a group of flows that come to it together, or for one flow.
    /// @return std::nullopt if other flows take its whole rate: then these have no rate, and bring no more than their
    /// bursts
    std::optional<ServiceCurve> left_over(std::size_t server, const Flows& group, std::size_t last = kNoFlow) {
        Flows others = without(network_.flows_at(server), group);
        others.erase(last);
        // Only those that come to it by the way of the last one have not been delayed by it before.
        const bool here = last != kNoFlow && network_.flows_at(server).count(last) == 1;
        const std::size_t whence = here ? network_.before(last, server) : FeedForward::kOutside;
        Flows beside, elsewhere;
        for (const std::size_t each : others)
            (whence != FeedForward::kOutside && network_.before(each, server) == whence ? beside : elsewhere)
                .insert(each);
        ArrivalCurve cross = at(server, beside, last);
        add(cross, at(server, elsewhere));
        return left_over(server, cross);
    }

  private:
    static void add(ArrivalCurve& sum, const ArrivalCurve& more) {
        sum.burst += more.burst;
        sum.rate += more.rate;
    }

    /// Returns the arrival curve of flows that come to `server` from `before`. From the server on where they all join,
    /// they count as one flow, which waits for all other flows.
    ArrivalCurve from(std::size_t before, std::size_t server, const Flows& group, std::size_t last) {
        const auto key = std::make_tuple(before, server, group, last);
        const auto known = known_.find(key);
        if (known != known_.end()) return known->second;
        std::size_t first = before;
        Rational rate, latency;
        for (const std::size_t each : group) rate += network_.flow(each).arrival.rate;
        for (;;) {
            // Without a rate no latency makes a burst larger.
            if (rate > 0) latency += left_over(first, group, last)->latency;
            const std::size_t next = network_.before(*group.begin(), first);
            const bool all = next != FeedForward::kOutside &&
                             std::all_of(group.begin(), group.end(),
                                         [&](std::size_t each) { return network_.before(each, first) == next; });
            if (!all) break;
            first = next;
        }
        ArrivalCurve result = at(first, group, last);
        result.burst += result.rate * latency;
        return known_.emplace(key, result).first->second;
    }

    /// Returns the left-over service of a server beside the cross-traffic `cross`.
    std::optional<ServiceCurve> left_over(std::size_t server, const ArrivalCurve& cross) const {
        const auto& [latency, rate] = network_.server(server).service;
        const Rational left = rate - cross.rate;
        if (left == 0) return std::nullopt;
        if (multiplexing_ == Multiplexing::Fifo) return ServiceCurve{latency + cross.burst / rate, left};
        return ServiceCurve{(cross.burst + rate * latency) / left, left};
    }

    const FeedForward& network_;
    Multiplexing multiplexing_;
    std::map<std::tuple<std::size_t, std::size_t, Flows, std::size_t>, ArrivalCurve> known_;
};

}  // namespace

std::vector<FlowBound> total_flow_analysis(const FeedForward& network, Multiplexing multiplexing) {
    Arrivals arrivals(network, multiplexing);
    std::map<std::size_t, FlowBound> of_server;
    const auto bound_at = [&](std::size_t server) {
        const auto known = of_server.find(server);
        if (known != of_server.end()) return known->second;
        const ArrivalCurve all = arrivals.at(server, network.flows_at(server));
        const auto& [latency, rate] = network.server(server).service;
        const Rational backlog = all.burst + all.rate * latency;
        std::optional<Rational> delay = latency + all.burst / rate;
        if (multiplexing == Multiplexing::Arbitrary && network.flows_at(server).size() > 1) {
            // Any other may be served before, as long as the server is busy.
            delay.reset();
            if (rate > all.rate) delay = (all.burst + rate * latency) / (rate - all.rate);
        }
        return of_server[server] = {delay, backlog};
    };
    std::vector<FlowBound> bounds;
    for (std::size_t i = 0; i < network.flows(); ++i) {
        FlowBound& bound = bounds.emplace_back();
        for (const std::size_t server : network.flow(i).path) {
            const FlowBound here = bound_at(server);
            if (bound.delay && here.delay)
                *bound.delay += *here.delay;
            else
                bound.delay.reset();
            bound.backlog = std::max(bound.backlog, here.backlog);
        }
    }
    return bounds;
}

std::vector<FlowBound> separate_flow_analysis(const FeedForward& network, Multiplexing multiplexing) {
    Arrivals arrivals(network, multiplexing);
    std::vector<FlowBound> bounds;
    for (std::size_t i = 0; i < network.flows(); ++i) {
        const auto& [burst, rate] = network.flow(i).arrival;
        const std::vector<std::size_t>& path = network.flow(i).path;
        std::optional<ServiceCurve> service = arrivals.left_over(path.front(), {i}, i);
        for (auto server = path.begin() + 1; service && server != path.end(); ++server) {
            const auto here = arrivals.left_over(*server, {i}, i);
            if (here) service = ServiceCurve{service->latency + here->latency, std::min(service->rate, here->rate)};
            if (!here) service.reset();
        }
        bounds.push_back(service ? FlowBound{service->latency + burst / service->rate, burst + rate * service->latency}
                                 : FlowBound{std::nullopt, burst});
    }
    return bounds;
}

}  // namespace watershed
