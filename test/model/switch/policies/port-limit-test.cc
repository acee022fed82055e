// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Buffer limited(std::int64_t frames) {
    Buffer buffer;
    buffer.size = {1000, MemorySize::Unit::Frame};
    buffer.port_limit = MemorySize{frames, MemorySize::Unit::Frame};
    return buffer;
}

}  // namespace

TEST_CASE("A port holds as much as its limit and no more, whatever another holds") {
    SwitchMemory memory(limited(3), 1, 2);
    for (const int output : {0, 1}) {
        for (int i = 0; i < 3; ++i) CHECK_FALSE(memory.admit({0, output, Bytes{100}}));
        const LossCause* cause = memory.admit({0, output, Bytes{100}});
        REQUIRE(cause);
        CHECK(*cause == SwitchMemory::kThreshold);
    }
    memory.release({0, 0, Bytes{100}});
    CHECK_FALSE(memory.admit({0, 0, Bytes{100}}));
}

TEST_CASE("All classes of a port count together") {
    Buffer buffer = limited(5);
    buffer.classes = kTrafficClasses;
    SwitchMemory memory(buffer, 1, 2);
    const auto claim = [](int output, int traffic_class) {
        return MemoryClaim{0, output, Bytes{100}, 0, false, true, traffic_class};
    };
    for (const int traffic_class : {0, 7, 3, 3, 1}) CHECK_FALSE(memory.admit(claim(1, traffic_class)));
    CHECK(memory.admit(claim(1, 5)));
    CHECK_FALSE(memory.admit(claim(0, 5)));
}

TEST_CASE("Where both sides decide, the limit is that of inputs and of outputs") {
    Buffer buffer = limited(2);
    buffer.accounting = Buffer::Accounting::Both;
    SwitchMemory memory(buffer, 4, 4);
    CHECK_FALSE(memory.admit({0, 0, Bytes{100}}));
    CHECK_FALSE(memory.admit({0, 1, Bytes{100}}));
    CHECK(memory.admit({0, 2, Bytes{100}}));  // the input holds two
    CHECK_FALSE(memory.admit({1, 1, Bytes{100}}));
    CHECK(memory.admit({2, 1, Bytes{100}}));  // the output does
    CHECK_FALSE(memory.admit({2, 2, Bytes{100}}));
}

TEST_CASE("A limit in bytes is counted in the cells of the memory, rounded down") {
    Buffer buffer = limited(1);
    buffer.size = {100'000, MemorySize::Unit::Byte};
    buffer.cell = Bytes{200};
    buffer.port_limit = MemorySize{1599, MemorySize::Unit::Byte};  // 7 cells
    SwitchMemory memory(buffer, 1, 1);
    CHECK_FALSE(memory.admit({0, 0, Bytes{600}}));  // 3
    CHECK_FALSE(memory.admit({0, 0, Bytes{601}}));  // 4
    CHECK(memory.admit({0, 0, Bytes{1}}));
    buffer.port_limit = MemorySize{3, MemorySize::Unit::Frame};
    CHECK_THROWS_WITH(SwitchMemory(buffer, 1, 1), Contains("switch.buffer.port_limit"));
}

TEST_CASE("A limit is asked before the policy, and headroom is not counted") {
    Buffer buffer = limited(1);
    buffer.size = {1, MemorySize::Unit::Frame};
    buffer.headroom = {2, MemorySize::Unit::Frame};
    SwitchMemory memory(buffer, 1, 1);
    CHECK_FALSE(memory.admit({0, 0, Bytes{100}}));
    const LossCause* cause = memory.admit({0, 0, Bytes{100}});
    REQUIRE(cause);
    CHECK(*cause == SwitchMemory::kThreshold);
    for (int i = 0; i < 2; ++i) CHECK_FALSE(memory.admit({0, 0, Bytes{100}, 0, true}));
    CHECK(memory.admit({0, 0, Bytes{100}, 0, true}));
}
