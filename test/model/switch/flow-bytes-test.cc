// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/flow-bytes.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The first frames of a flow begin within its first bytes, and again once it has been silent for longer") {
    for (const Time idle : {Time{0}, Time{10}}) {
        FlowBytes<int> flows;
        const auto comes = [&](int flow, std::int64_t at) {
            return flows.is_first(flow, Bytes{60}, Bytes{100}, Time{at}, idle);
        };
        CHECK(comes(1, 0));
        CHECK(comes(1, 10));  // begins at 60 B
        CHECK_FALSE(comes(1, 20));
        CHECK(comes(2, 20));
        CHECK_FALSE(comes(1, 30));  // silent for 10, not for longer
        CHECK(comes(1, 41) == (idle > Time{0}));
    }
}

TEST_CASE("Flows that would begin anew are not kept, and none that still counts is forgotten") {
    FlowBytes<int> flows;
    const auto comes = [&](int flow, std::int64_t at) {
        return flows.is_first(flow, Bytes{60}, Bytes{60}, Time{at}, Time{10});
    };
    for (int flow = 1; flow <= 10000; ++flow) {
        CHECK(comes(flow, flow));
        CHECK(comes(0, flow) == (flow == 1));
    }
    CHECK(flows.flows() <= 64);
}
