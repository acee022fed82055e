// SPDX-License-Identifier: GPL-2.0-only
#include "model/calculus/flow-bounds.h"

#include <rapidcheck.h>

#include <algorithm>
#include <deque>

#include "test/catch.h"

using namespace watershed;

namespace {

using Analysis = std::vector<FlowBound> (*)(const FeedForward&, Multiplexing);
constexpr Analysis kAnalyses[] = {total_flow_analysis, separate_flow_analysis};
constexpr Multiplexing kOrders[] = {Multiplexing::Fifo, Multiplexing::Arbitrary};

struct Path {
    std::vector<std::size_t> servers;
    ArrivalCurve arrival;
};

CalculusNetwork network_of(const std::vector<ServiceCurve>& servers, const std::vector<Path>& flows) {
    CalculusNetwork network;
    for (const ServiceCurve& server : servers)
        network.servers.push_back({"s" + std::to_string(network.servers.size()), server});
    for (const Path& flow : flows)
        network.flows.push_back({"f" + std::to_string(network.flows.size()), flow.servers, flow.arrival});
    return network;
}

/// Servers 0, 1, …, and flows that pass some of them upwards, all of which the servers can do.
CalculusNetwork random_network() {
    const int servers = *rc::gen::inRange(1, 5), flows = *rc::gen::inRange(1, 5);
    CalculusNetwork network;
    for (int i = 0; i < servers; ++i)
        network.servers.push_back({"s" + std::to_string(i), {*rc::gen::inRange(0, 6), 0}});
    for (int i = 0; i < flows; ++i) {
        CalculusNetwork::Flow flow{"f" + std::to_string(i), {}, {*rc::gen::inRange(0, 9), *rc::gen::inRange(0, 5)}};
        for (int server = 0; server < servers; ++server)
            if (*rc::gen::inRange(0, 3) > 0) flow.path.push_back(static_cast<std::size_t>(server));
        if (flow.path.empty()) flow.path.push_back(0);
        for (const std::size_t server : flow.path) network.servers[server].service.rate += flow.arrival.rate;
        network.flows.push_back(flow);
    }
    for (auto& server : network.servers) server.service.rate += Rational(*rc::gen::inRange(1, 8), 2);
    return network;
}

/// Data of all flows on a link, at an even rate from one time to another, or all at once; each flow's was born, as
/// evenly, outside of the network.
struct Piece {
    struct Part {
        Rational amount, born_from, born_to;
    };
    Rational from, to;
    std::vector<Part> parts;

    Rational amount() const {
        Rational sum;
        for (const Part& part : parts) sum += part.amount;
        return sum;
    }
    /// Part of it from the share `a` to the share `b` of its time.
    Piece between(const Rational& a, const Rational& b) const {
        Piece piece{from + (to - from) * a, from + (to - from) * b, parts};
        for (Part& part : piece.parts) {
            const Rational born = part.born_from, lasts = part.born_to - part.born_from;
            part = {part.amount * (b - a), born + lasts * a, born + lasts * b};
        }
        return piece;
    }
};
using Stream = std::vector<Piece>;

/// Streams of different flows on one link.
Stream merged(const std::vector<Stream>& streams, std::size_t flows) {
    std::set<Rational> times;
    for (const Stream& stream : streams)
        for (const Piece& piece : stream) times.insert({piece.from, piece.to});
    Stream all;
    const auto collect = [&](const Rational& from, const Rational& to) {
        Piece sum{from, to, std::vector<Piece::Part>(flows)};
        for (const Stream& stream : streams)
            for (const Piece& piece : stream) {
                const bool at_once = piece.from == piece.to;
                if (at_once ? piece.from != from || from != to : from == to || piece.from > from || piece.to < to)
                    continue;
                const Rational lasts = piece.to - piece.from;
                const Piece share =
                    at_once ? piece : piece.between((from - piece.from) / lasts, (to - piece.from) / lasts);
                for (std::size_t i = 0; i < flows; ++i)
                    if (share.parts[i].amount > 0) sum.parts[i] = share.parts[i];
            }
        if (sum.amount() > 0) all.push_back(sum);
    };
    for (auto time = times.begin(); time != times.end(); ++time) {
        collect(*time, *time);
        if (std::next(time) != times.end()) collect(*time, *std::next(time));
    }
    return all;
}

/// First come, first served at an even rate, and then on its way for the latency.
Stream served(const Stream& stream, const ServiceCurve& service) {
    Stream out;
    Rational free = 0;
    std::deque<Piece> waiting(stream.begin(), stream.end());
    while (!waiting.empty()) {
        Piece piece = waiting.front();
        waiting.pop_front();
        const Rational amount = piece.amount(), lasts = piece.to - piece.from;
        const Rational start = std::max(free, piece.from);
        Rational end = start + amount / service.rate;
        if (amount < service.rate * lasts) {
            // It comes more slowly than it is served: from when no more waits, it passes.
            const Rational rate = amount / lasts;
            const Rational passes = (service.rate * start - rate * piece.from) / (service.rate - rate);
            if (passes <= piece.from) {
                end = piece.to;
            } else if (passes < piece.to) {
                const Rational share = (passes - piece.from) / lasts;
                waiting.push_front(piece.between(share, 1));
                piece = piece.between(0, share);
                end = passes;
            }
        }
        piece.from = start + service.latency;
        piece.to = end + service.latency;
        free = end;
        out.push_back(piece);
    }
    return out;
}

Rational amount_until(const Stream& stream, const Rational& time) {
    Rational sum;
    for (const Piece& piece : stream)
        if (piece.to <= time)
            sum += piece.amount();
        else if (piece.from < time)
            sum += piece.amount() * (time - piece.from) / (piece.to - piece.from);
    return sum;
}

/// Arrivals that a token bucket lets pass, some as soon as it can: bursts, and pauses in which tokens gather.
Stream random_arrivals(const ArrivalCurve& bucket, std::size_t flow, std::size_t flows) {
    Stream stream;
    Rational time = *rc::gen::inRange(0, 5), tokens = bucket.burst;
    const auto send = [&](const Rational& amount, const Rational& lasts) {
        if (amount == 0) return;
        Piece piece{time, time + lasts, std::vector<Piece::Part>(flows)};
        piece.parts[flow] = {amount, time, time + lasts};
        stream.push_back(piece);
    };
    for (int i = 0; i < 4; ++i) {
        const Rational now = tokens * *rc::gen::element(0, 1, 2, 2) / 2;
        send(now, 0);
        tokens -= now;
        const Rational lasts = Rational(*rc::gen::inRange(1, 12), 2);
        const bool sends = *rc::gen::inRange(0, 3) > 0;
        if (sends) send(bucket.rate * lasts, lasts);
        time += lasts;
        if (!sends) tokens = std::min(bucket.burst, Rational(tokens + bucket.rate * lasts));
    }
    return stream;
}

/// Backlogs and delays of arrivals in the servers.
struct Seen {
    std::vector<Rational> delay;    ///< of each flow, the longest
    std::vector<Rational> backlog;  ///< of each server, the largest
};

Seen simulate(const CalculusNetwork& network, const std::vector<Stream>& arrivals) {
    const std::size_t flows = network.flows.size();
    std::vector<Stream> now = arrivals;
    Seen seen{std::vector<Rational>(flows), {}};
    for (std::size_t server = 0; server < network.servers.size(); ++server) {
        std::vector<Stream> here;
        const auto passes = [&](std::size_t i) {
            const auto& path = network.flows[i].path;
            return std::find(path.begin(), path.end(), server) != path.end();
        };
        for (std::size_t i = 0; i < flows; ++i)
            if (passes(i)) here.push_back(now[i]);
        const Stream in = merged(here, flows), out = served(in, network.servers[server].service);
        Rational& backlog = seen.backlog.emplace_back();
        for (const Stream* stream : {&in, &out})
            for (const Piece& piece : *stream)
                for (const Rational& time : {piece.from, piece.to})
                    backlog = std::max(backlog, Rational(amount_until(in, time) - amount_until(out, time)));
        for (std::size_t i = 0; i < flows; ++i) {
            if (!passes(i)) continue;
            now[i].clear();
            for (const Piece& piece : out) {
                if (piece.parts[i].amount == 0) continue;
                Piece own{piece.from, piece.to, std::vector<Piece::Part>(flows)};
                own.parts[i] = piece.parts[i];
                now[i].push_back(own);
            }
        }
    }
    for (std::size_t i = 0; i < flows; ++i)
        for (const Piece& piece : now[i]) {
            const Piece::Part& part = piece.parts[i];
            seen.delay[i] =
                std::max({seen.delay[i], Rational(piece.from - part.born_from), Rational(piece.to - part.born_to)});
        }
    return seen;
}

std::string message_of(const CalculusNetwork& network, Analysis analysis, Multiplexing order) {
    try {
        analysis(FeedForward(network), order);
    } catch (const NoBound& none) {
        return none.server + ": " + none.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Flows that come from one server and met there with nobody else have the burst of both, and grew together") {
    // f0 and f1 go over s0 and s2, f2 over s1 and s2. At s0, with rate 10 and latency 1, f0 and f1 bring 3 + 4 and
    // 1 + 2 a time; together they come to s2 with 7 + 3 x 1 = 10, f2 with 5 + 2 x (latency 2) = 9.
    const CalculusNetwork tree =
        network_of({{1, 10}, {2, 8}, {3, 20}}, {{{0, 2}, {3, 1}}, {{0, 2}, {4, 2}}, {{1, 2}, {5, 2}}});
    const FeedForward network(tree);
    SECTION("TFA, FIFO: each waits 1 + 7/10 at s0, 2 + 5/8 at s1 and 3 + 19/20 at s2") {
        const auto bounds = total_flow_analysis(network, Multiplexing::Fifo);
        CHECK(bounds[0].delay == Rational(17, 10) + Rational(79, 20));
        CHECK(bounds[1].delay == bounds[0].delay);
        CHECK(bounds[2].delay == Rational(21, 8) + Rational(79, 20));
        for (const FlowBound& bound : bounds) CHECK(bound.backlog == 19 + 5 * 3);  // s2 holds most
    }
    SECTION("TFA, arbitrary: (7 + 10 x 1) / (10 - 3) at s0, f2 alone at s1 as before, (19 + 20 x 3) / (20 - 5) at s2") {
        const auto bounds = total_flow_analysis(network, Multiplexing::Arbitrary);
        CHECK(bounds[0].delay == Rational(17, 7) + Rational(79, 15));
        CHECK(bounds[2].delay == Rational(21, 8) + Rational(79, 15));
    }
    SECTION("SFA, FIFO, of f2: nobody at s1; at s2 3 + 10/20 and rate 20 - 3 are left over") {
        const auto bounds = separate_flow_analysis(network, Multiplexing::Fifo);
        CHECK(bounds[2].delay == 2 + Rational(7, 2) + Rational(5, 8));
        CHECK(bounds[2].backlog == 5 + 2 * (2 + Rational(7, 2)));
    }
    SECTION("SFA, FIFO, of f0: f1 alone grows at s0 by 2 x 1, since f0 does not count; 1 + 4/10 and 3 + (6 + 9)/20") {
        const auto bounds = separate_flow_analysis(network, Multiplexing::Fifo);
        CHECK(bounds[0].delay == Rational(14, 10) + Rational(75, 20) + Rational(3, 8));  // rates 8 and 16 are left
    }
}

TEST_CASE("Flows part and meet again: each is bounded by its own way") {
    // f0 goes s0, s1, s3, f1 s0, s2, s3. At s3 they come from two servers, each alone, and each met the other at s0:
    // left over there are latency 1 + 2/4 for f1 and 1 + 3/4 for f0; s1 has latency 5, s2 none.
    const CalculusNetwork rhombus =
        network_of({{1, 4}, {5, 4}, {0, 4}, {0, 4}}, {{{0, 1, 3}, {2, 1}}, {{0, 2, 3}, {3, 1}}});
    const auto bounds = total_flow_analysis(FeedForward(rhombus), Multiplexing::Fifo);
    const Rational f0 = 2 + Rational(7, 4) + 5, f1 = 3 + Rational(3, 2);
    CHECK(bounds[0].delay == (1 + Rational(5, 4)) + (5 + (2 + Rational(7, 4)) / 4) + (f0 + f1) / 4);
    // Flow f0 is asked for: f1 comes to s3 by another way, on which f0 has delayed it at s0.
    const auto separate = separate_flow_analysis(FeedForward(rhombus), Multiplexing::Fifo);
    CHECK(separate[0].delay == (1 + Rational(3, 4)) + 5 + f1 / 4 + Rational(2, 3));
}

TEST_CASE("A server with too much to do, or whose load depends on itself, has no bound, and is named") {
    const auto refused = [](const CalculusNetwork& network) {
        return message_of(network, total_flow_analysis, Multiplexing::Fifo);
    };
    CHECK_THAT(refused(network_of({{0, 9}, {0, 2}}, {{{0, 1}, {1, 2}}, {{1}, {1, 1}}})),
               StartsWith("s1: overloaded: its flows bring 3/2 of what it serves"));
    CHECK_THAT(refused(network_of({{0, 9}, {0, 9}, {0, 9}}, {{{2}, {1, 1}}, {{0, 1}, {1, 1}}, {{1, 0}, {1, 1}}})),
               StartsWith("s0: its load depends on itself"));
}

TEST_CASE("Of a server with just as much to do as it can the backlog is bounded, and the delay in FIFO order") {
    // Data that come before the latency ends, and the bursts, wait: 9 + 3 x 1, in any order.
    const CalculusNetwork full = network_of({{1, 3}}, {{{0}, {4, 1}}, {{0}, {5, 2}}});
    CHECK(total_flow_analysis(FeedForward(full), Multiplexing::Fifo)[0].delay == 1 + Rational(9, 3));
    for (const FlowBound& bound : total_flow_analysis(FeedForward(full), Multiplexing::Arbitrary)) {
        CHECK_FALSE(bound.delay);
        CHECK(bound.backlog == 12);
    }
    CHECK(separate_flow_analysis(FeedForward(full), Multiplexing::Fifo)[0].delay == 1 + Rational(5, 3) + 4);
    // The published S_1SC_10F of the Deterministic Network Calculator: 10 flows of burst 5 and rate 1 at rate 10,
    // latency 10.
    const CalculusNetwork ten = network_of({{10, 10}}, std::vector<Path>(10, Path{{0}, {5, 1}}));
    CHECK_FALSE(total_flow_analysis(FeedForward(ten), Multiplexing::Arbitrary)[0].delay);
    CHECK(total_flow_analysis(FeedForward(ten), Multiplexing::Arbitrary)[0].backlog == 150);
    // A flow without a rate, beside one that takes all: it may wait for ever, with its 5; behind it comes no more.
    const FeedForward starved(network_of({{1, 3}, {2, 1}}, {{{0}, {4, 3}}, {{0, 1}, {5, 0}}}));
    for (const Multiplexing order : kOrders) {
        CHECK_FALSE(separate_flow_analysis(starved, order)[1].delay);
        CHECK(separate_flow_analysis(starved, order)[1].backlog == 5);
    }
    CHECK(total_flow_analysis(starved, Multiplexing::Fifo)[1].delay == (1 + Rational(9, 3)) + (2 + 5));
}

TEST_CASE("One server in FIFO order: when all bursts come at once, the last waits as long as the bound says") {
    CHECK(rc::check([] {
        CalculusNetwork network = random_network();
        network.servers.resize(1);
        for (auto& flow : network.flows) flow.path = {0};
        Rational rate, burst;
        for (const auto& flow : network.flows) rate += flow.arrival.rate, burst += flow.arrival.burst;
        network.servers[0].service.rate = rate + 1;
        std::vector<Stream> arrivals;
        const std::size_t flows = network.flows.size();
        for (std::size_t i = 0; i < flows; ++i) {
            Piece piece{0, 0, std::vector<Piece::Part>(flows)};
            piece.parts[i] = {network.flows[i].arrival.burst, 0, 0};
            Piece after{0, 20, std::vector<Piece::Part>(flows)};
            after.parts[i] = {network.flows[i].arrival.rate * 20, 0, 20};
            arrivals.push_back({piece, after});
        }
        const auto bounds = total_flow_analysis(FeedForward(network), Multiplexing::Fifo);
        const Seen seen = simulate(network, arrivals);
        for (std::size_t i = 0; i < flows; ++i) {
            const ArrivalCurve& arrival = network.flows[i].arrival;
            if (arrival.burst > 0) RC_ASSERT((seen.delay[i] == bounds[i].delay));
            RC_ASSERT((seen.backlog[0] == bounds[i].backlog));
        }
    }));
}

TEST_CASE("No delay and no backlog of simulated FIFO servers exceeds the bounds of TFA") {
    CHECK(rc::check([] {
        const CalculusNetwork network = random_network();
        const std::size_t flows = network.flows.size();
        std::vector<Stream> arrivals;
        for (std::size_t i = 0; i < flows; ++i) arrivals.push_back(random_arrivals(network.flows[i].arrival, i, flows));
        const Seen seen = simulate(network, arrivals);
        const auto bounds = total_flow_analysis(FeedForward(network), Multiplexing::Fifo);
        for (std::size_t i = 0; i < flows; ++i) {
            RC_ASSERT((seen.delay[i] <= bounds[i].delay));
            for (const std::size_t server : network.flows[i].path)
                RC_ASSERT((seen.backlog[server] <= bounds[i].backlog));
        }
    }));
}

TEST_CASE("FIFO is no worse than arbitrary order, and more data, a later or slower server is no better") {
    CHECK(rc::check([] {
        const CalculusNetwork network = random_network();
        CalculusNetwork worse = network;
        const auto changed =
            static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(network.flows.size())));
        const auto slower = network.flows[changed].path.front();
        switch (*rc::gen::inRange(0, 3)) {
            case 0: worse.flows[changed].arrival.burst += 1; break;
            case 1: worse.servers[slower].service.latency += 1; break;
            default: worse.servers[slower].service.rate -= Rational(1, 4);
        }
        for (const Analysis analysis : kAnalyses) {
            const auto fifo = analysis(FeedForward(network), Multiplexing::Fifo);
            const auto arbitrary = analysis(FeedForward(network), Multiplexing::Arbitrary);
            for (const Multiplexing order : kOrders) {
                const auto before = order == Multiplexing::Fifo ? fifo : arbitrary;
                const auto after = analysis(FeedForward(worse), order);
                for (std::size_t i = 0; i < before.size(); ++i) {
                    RC_ASSERT((fifo[i].delay <= arbitrary[i].delay));
                    RC_ASSERT((fifo[i].backlog <= arbitrary[i].backlog));
                    RC_ASSERT((before[i].delay <= after[i].delay));
                    RC_ASSERT((before[i].backlog <= after[i].backlog));
                }
            }
        }
    }));
}

TEST_CASE("A flow alone pays its burst once by SFA, and at each server by TFA; no order is then worse") {
    CHECK(rc::check([] {
        CalculusNetwork network = random_network();
        network.flows.resize(1);
        const auto& [burst, rate] = network.flows[0].arrival;
        Rational latency, slowest = 1000, total, grown = burst;
        for (const std::size_t server : network.flows[0].path) {
            const ServiceCurve& service = network.servers[server].service;
            total += service.latency + grown / service.rate;
            grown += rate * service.latency;
            latency += service.latency;
            slowest = std::min(slowest, service.rate);
        }
        for (const Multiplexing order : kOrders) {
            RC_ASSERT((separate_flow_analysis(FeedForward(network), order)[0].delay == latency + burst / slowest));
            RC_ASSERT((separate_flow_analysis(FeedForward(network), order)[0].backlog == burst + rate * latency));
            RC_ASSERT((total_flow_analysis(FeedForward(network), order)[0].delay == total));
        }
    }));
}

TEST_CASE("Other units of time and of data give the same bounds in these units") {
    CHECK(rc::check([] {
        const CalculusNetwork network = random_network();
        const Rational data(7, 3), time(2, 5);
        CalculusNetwork other = network;
        for (auto& flow : other.flows) flow.arrival.burst *= data, flow.arrival.rate *= data / time;
        for (auto& server : other.servers) server.service.latency *= time, server.service.rate *= data / time;
        for (const Analysis analysis : kAnalyses)
            for (const Multiplexing order : kOrders) {
                const auto bounds = analysis(FeedForward(network), order), same = analysis(FeedForward(other), order);
                for (std::size_t i = 0; i < bounds.size(); ++i) {
                    RC_ASSERT((same[i].delay == *bounds[i].delay * time));
                    RC_ASSERT((same[i].backlog == bounds[i].backlog * data));
                }
            }
    }));
}
