// SPDX-License-Identifier: GPL-2.0-only
#include "model/calculus/calculus-network.h"

#include <algorithm>

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

}  // namespace watershed
