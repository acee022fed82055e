// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/synchronous-camera.h"

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Accounts of inputs and outputs add up to the same in a shared memory, and both decide in a divided one") {
    Scenario s;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    s.network_switch.buffer.accounting = Buffer::Accounting::Both;
    CHECK(SynchronousCamera::of(s));
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    UnsupportedKey why;
    CHECK_FALSE(SynchronousCamera::of(s, &why));
    CHECK(why.key == "switch.buffer.accounting");
}

TEST_CASE("Descriptors limit a memory that holds more frames than there are of them, and are named then") {
    Scenario s;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    const auto full = [&](std::int64_t descriptors) {
        s.network_switch.buffer.descriptors = descriptors;
        const auto camera = SynchronousCamera::of(s);
        return std::to_string(camera->room) + " " + std::string(camera->full.reason);
    };
    CHECK(full(9) == "9 descriptors");
    CHECK(full(10) == "10 buffer-full");
}

// A queue of q frames grows while q < alpha (S - q), so up to the first q that is no less than S alpha / (1 + alpha).
TEST_CASE("The only queue of a dynamic threshold has room for alpha / (1 + alpha) of the memory, rounded up") {
    Scenario s;
    s.network_switch.buffer.size = {30, MemorySize::Unit::Frame};
    s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    const auto room = [&](Ratio alpha) {
        s.network_switch.buffer.alpha = alpha;
        const auto camera = SynchronousCamera::of(s);
        return std::to_string(camera->room) + " " + std::string(camera->full.reason);
    };
    CHECK(room({1, 1}) == "15 threshold");
    CHECK(room({1, 2}) == "10 threshold");
    CHECK(room({8, 1}) == "27 threshold");      // 26.7
    CHECK(room({100, 1}) == "30 buffer-full");  // 29.7
}
