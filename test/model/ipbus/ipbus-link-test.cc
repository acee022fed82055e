// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-link.h"

#include "test/catch.h"

using namespace watershed;
using namespace watershed::ipbus;

namespace {

IpbusLink link_of(int in_flight, int buffers) {
    IpbusHubFormat format;
    format.in_flight = in_flight;
    format.timeout = Time{100};
    format.attempts = 2;
    return IpbusLink(format, buffers);
}

Words reply_to(std::uint16_t id) { return read_reply(id, {7}); }

}  // namespace

TEST_CASE("As many packets are in flight as ControlHub and the unit's buffers allow") {
    for (const auto& [in_flight, buffers, expected] : {std::tuple{16, 4, 4}, {4, 16, 4}, {1, 1, 1}}) {
        IpbusLink link = link_of(in_flight, buffers);
        for (int i = 0; i < 10; ++i) link.enqueue({0, 1});
        CHECK(link.outgoing(Time{0}).size() == static_cast<std::size_t>(expected));
        CHECK(link.outgoing(Time{0}).empty());
        CHECK(link.receive(reply_to(1), Time{1}));
        CHECK(link.outgoing(Time{1}).size() == 1);
    }
}

TEST_CASE("Replies count in the order of the requests only") {
    IpbusLink link = link_of(4, 4);
    for (int i = 0; i < 3; ++i) link.enqueue({0, 1});
    link.outgoing(Time{0});
    CHECK_FALSE(link.receive(reply_to(2), Time{1}));
    CHECK(link.receive(reply_to(1), Time{2}));
    CHECK_FALSE(link.receive(reply_to(1), Time{3}));
    CHECK(link.counts().ignored == 2);
    CHECK(link.deadline() == Time{103});
}

TEST_CASE("A lost request is sent again, with those that the unit refused behind it") {
    IpbusLink link = link_of(4, 4);
    for (int i = 0; i < 3; ++i) link.enqueue({0, 1});
    const auto sent = link.outgoing(Time{0});
    CHECK(link.receive(reply_to(1), Time{10}));
    REQUIRE(link.deadline() == Time{110});
    link.time_out(Time{110});
    CHECK(link.outgoing(Time{110}) == std::vector<Words>{status_request()});
    CHECK_FALSE(link.receive(status_reply(Bytes{1400}, 4, 2), Time{120}));  // it never saw packet 2
    CHECK(link.outgoing(Time{120}) == std::vector<Words>{sent[1], sent[2]});
    CHECK(link.receive(reply_to(2), Time{130}));
    CHECK(link.receive(reply_to(3), Time{131}));
    CHECK_FALSE(link.deadline());
    CHECK(link.counts().answered == 3);
    CHECK(link.counts().timeouts == 1);
    CHECK(link.counts().sent_again == 2);
}

TEST_CASE("A lost reply is asked for again") {
    IpbusLink link = link_of(4, 4);
    for (int i = 0; i < 2; ++i) link.enqueue({0, 1});
    link.outgoing(Time{0});
    CHECK_FALSE(link.receive(reply_to(2), Time{5}));
    link.time_out(Time{105});
    link.outgoing(Time{105});
    link.receive(status_reply(Bytes{1400}, 4, 3), Time{110});  // it has both
    CHECK(link.outgoing(Time{110}) == std::vector<Words>{{resend_header(1)}, {resend_header(2)}});
    CHECK(link.receive(reply_to(1), Time{120}));
    CHECK(link.receive(reply_to(2), Time{121}));
    CHECK(link.counts().asked_again == 2);
}

TEST_CASE(
    "A unit that says nothing is given up after as many attempts as are allowed, and its requests are abandoned") {
    IpbusLink link = link_of(2, 2);
    for (int i = 0; i < 5; ++i) link.enqueue({0, 1});
    link.outgoing(Time{0});
    Time now{0};
    int status_requests = 0;
    while (const auto deadline = link.deadline()) {
        now = *deadline;
        link.time_out(now);
        status_requests += static_cast<int>(link.outgoing(now).size());
    }
    CHECK(status_requests == 2);
    CHECK(now == Time{300});  // the time-out, and one for each status request
    CHECK(link.given_up());
    link.enqueue({0, 1});
    CHECK(link.counts().abandoned == 6);
    CHECK(link.counts().requests == 6);
    CHECK(link.outgoing(now).empty());
}

TEST_CASE("A unit that answers status requests only is given up, too") {
    IpbusLink link = link_of(1, 1);
    link.enqueue({0, 1});
    link.outgoing(Time{0});
    for (int attempt = 0; attempt < 2; ++attempt) {
        link.time_out(*link.deadline());
        link.receive(status_reply(Bytes{1400}, 1, 2), *link.deadline());
        CHECK(link.outgoing(Time{0}).size() == 2);  // the status request, and the wish for the reply
    }
    link.time_out(*link.deadline());
    CHECK(link.given_up());
}
