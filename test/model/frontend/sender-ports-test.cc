// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/sender-ports.h"

#include "test/catch.h"

namespace watershed {

// Modules 1 to 3 are links 0 to 2. "own" has link 3; "shared" comes by module 2's, which then has classes 1 and 4.
TEST_CASE("Streams take the links behind the modules', or a module's, which then carries their classes too") {
    Senders senders;
    senders.front_end.modules = 3;
    senders.front_end.traffic_class = 4;
    senders.front_end.obeys_pause = false;
    TrafficStream own, shared;
    own.link_rate = BitRate{10'000'000'000};
    own.traffic_class = 7;
    shared.module = 2;
    shared.traffic_class = 1;
    senders.traffic = {own, shared};
    const SenderPorts ports(senders);
    REQUIRE(ports.count() == 4);
    CHECK(ports.of_stream(1) == 3);
    CHECK(ports.of_stream(2) == 1);
    CHECK(ports.rate(1).count == 1'000'000'000);
    CHECK(ports.rate(3).count == 10'000'000'000);
    CHECK(ports[0].classes == std::vector<int>{4});
    CHECK(ports[1].classes == std::vector<int>{1, 4});
    CHECK(ports[3].classes == std::vector<int>{7});
    CHECK(!ports[1].obeys_pause);
    CHECK(ports[3].obeys_pause);
    CHECK(SenderPorts::addresses(senders).modules == 4);
}

}  // namespace watershed
