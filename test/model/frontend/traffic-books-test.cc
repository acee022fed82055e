// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/traffic-books.h"

#include <stdexcept>

#include "test/catch.h"

namespace watershed {
namespace {

constexpr LossCause kFull{"switch", "buffer-full"};

Senders one_stream() {
    Senders senders;
    senders.front_end.traffic_class = 2;
    senders.traffic.emplace_back().name = "slow";
    senders.traffic.back().traffic_class = 6;
    return senders;
}

}  // namespace

// The camera sends frames at 10 and 20, the stream two at 10. They arrive 5, 9 and 7 later; the stream's second is
// lost.
TEST_CASE("Books tell of each stream what was sent, what arrived when, and what was lost where") {
    TrafficBooks books(one_stream(), nullptr);
    REQUIRE(books.are_kept());
    books.offered({1, 1, 0}, Time{10});
    books.offered({2, 1, 0}, Time{20});
    books.offered({1, 0, 0, 1}, Time{10});
    books.offered({2, 0, 0, 1}, Time{10});
    books.arrived({1, 1, 0}, Time{15});
    books.arrived({2, 1, 0}, Time{29});
    books.arrived({1, 0, 0, 1}, Time{17});
    CHECK(books.lost({2, 0, 0, 1}, Time{12}, kFull));
    Outcome outcome;
    outcome.frames_sent = outcome.frames_received = 2;
    books.report(outcome, {{{}, {3, Bytes{300}}}, {{}, {2, Bytes{500}}}});
    REQUIRE(outcome.streams.size() == 2);
    CHECK(outcome.streams[0].name == "camera");
    CHECK(outcome.streams[0].traffic_class == 2);
    CHECK(outcome.streams[0].latency == Time{14});
    CHECK(outcome.streams[0].latency_most == Time{9});
    CHECK(outcome.streams[1].name == "slow");
    CHECK(outcome.streams[1].traffic_class == 6);
    CHECK(outcome.streams[1].frames_sent == 2);
    CHECK(outcome.streams[1].frames_received == 1);
    CHECK(outcome.streams[1].latency_most == Time{7});
    CHECK(outcome.streams[1].peaks == std::vector<Outcome::Amount>{{3, Bytes{300}}, {2, Bytes{500}}});
    CHECK(outcome.streams[1].peak() == Outcome::Amount{3, Bytes{500}});
    CHECK(outcome.streams[1].losses == std::vector<Outcome::Loss>{{"switch", "buffer-full", 1}});
}

TEST_CASE("A loss of the camera's is its ledger's, and without streams there are no books") {
    TrafficBooks books(one_stream(), nullptr);
    books.offered({1, 1, 0}, Time{0});
    CHECK(!books.lost({1, 1, 0}, Time{5}, kFull));
    TrafficBooks none(Senders{}, nullptr);
    CHECK(!none.are_kept());
    CHECK(!none.lost({1, 1, 0}, Time{5}, kFull));
}

TEST_CASE("Books that do not balance stop the run: a frame that is nowhere, and one that arrives from nowhere") {
    TrafficBooks books(one_stream(), nullptr);
    books.offered({1, 0, 0, 1}, Time{0});
    Outcome outcome;
    CHECK_THROWS_AS(books.report(outcome, {{{}, {}}}), std::logic_error);
    CHECK_THROWS_AS(books.arrived({7, 0, 0, 1}, Time{9}), std::logic_error);
}

}  // namespace watershed
