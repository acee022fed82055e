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
    Obstacle why;
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
