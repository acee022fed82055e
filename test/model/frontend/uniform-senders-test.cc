// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/uniform-senders.h"

#include "test/catch.h"

using namespace watershed;

namespace {

/// The key that is in the way of fast paths; empty if nothing is.
std::string obstacle(const Senders& senders) {
    UnsupportedKey why;
    return UniformSenders::of(senders, &why) ? "" : why.key;
}

}  // namespace

TEST_CASE("Modules send at the same instants if lists of skews and clocks say the same of all") {
    Senders senders;
    senders.front_end.skew = {Time{5}, Time{5}};
    senders.front_end.clock = {ClockTolerance{7}, ClockTolerance{7}};
    CHECK(obstacle(senders) == "");
    senders.front_end.clock.back() = ClockTolerance{8};
    CHECK(obstacle(senders) == "front_end.clock");
    senders.front_end.clock.clear();
    senders.front_end.skew.back() = Time{6};
    CHECK(obstacle(senders) == "front_end.skew");
}

TEST_CASE("A fragment may be split where it is one frame all the same") {
    Senders senders;
    senders.frame.split = true;
    CHECK(obstacle(senders) == "");
    senders.frame.payload = Bytes{2000};  // beyond 1500 B with its headers
    CHECK_FALSE(obstacle(senders).empty());
}
