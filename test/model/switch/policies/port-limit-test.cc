// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <algorithm>
#include <deque>
#include <string>

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
}

TEST_CASE("A limit in frames beside a memory of cells counts frames, however small") {
    Buffer buffer = limited(3);
    buffer.size = {100, MemorySize::Unit::Cell};
    buffer.cell = Bytes{200};
    SwitchMemory memory(buffer, 1, 2);
    CHECK_FALSE(memory.admit({0, 0, Bytes{64}}));
    CHECK_FALSE(memory.admit({0, 0, Bytes{9000}}));  // 45 cells
    CHECK_FALSE(memory.admit({0, 0, Bytes{64}}));
    CHECK(memory.admit({0, 0, Bytes{64}}));
    CHECK_FALSE(memory.admit({0, 1, Bytes{64}}));
    memory.release({0, 0, Bytes{9000}});
    CHECK_FALSE(memory.admit({0, 0, Bytes{1000}}));
    CHECK(memory.admit({0, 0, Bytes{64}}));
}

TEST_CASE("A limit in bytes beside a memory of frames counts their bytes, and one in cells is refused") {
    Buffer buffer = limited(1);
    buffer.port_limit = MemorySize{1000, MemorySize::Unit::Byte};
    SwitchMemory memory(buffer, 1, 1);
    CHECK_FALSE(memory.admit({0, 0, Bytes{936}}));
    CHECK(memory.admit({0, 0, Bytes{65}}));
    CHECK_FALSE(memory.admit({0, 0, Bytes{64}}));
    buffer.port_limit = MemorySize{3, MemorySize::Unit::Cell};
    CHECK_THROWS_WITH(SwitchMemory(buffer, 1, 1), Contains("found an amount of cells, expected one of frames"));
    buffer.size.unit = MemorySize::Unit::Byte;
    CHECK_THROWS_WITH(SwitchMemory(buffer, 1, 1), Contains("found an amount of cells, expected one of bytes"));
}

namespace {

/// A memory of which both sides decide, all with classes, or one that moves long queues to a second tier.
Buffer drawn_buffer() {
    Buffer buffer = limited(*rc::gen::inRange(1, 12));
    buffer.accounting =
        *rc::gen::element(Buffer::Accounting::Egress, Buffer::Accounting::Ingress, Buffer::Accounting::Both);
    if (*rc::gen::arbitrary<bool>()) buffer.classes = kTrafficClasses;
    if (buffer.accounting == Buffer::Accounting::Both && *rc::gen::arbitrary<bool>()) {
        buffer.egress_size = buffer.egress_lossless_size = buffer.size;
        buffer.lossless = 0b10110;
    }
    if (buffer.accounting == Buffer::Accounting::Egress && *rc::gen::arbitrary<bool>()) {
        buffer.dram = buffer.size;
        buffer.dram_from = {*rc::gen::inRange(0, 6), MemorySize::Unit::Frame};
    }
    return buffer;
}

/// The same buffer in bytes of frames of this size, its limit in the unit that is asked for.
Buffer in_bytes(Buffer buffer, std::int64_t frame, MemorySize::Unit unit) {
    const auto bytes = [&](MemorySize& size) { size = {size.amount * frame, MemorySize::Unit::Byte}; };
    bytes(buffer.size);
    bytes(buffer.dram_from);
    for (std::optional<MemorySize>* size : {&buffer.egress_size, &buffer.egress_lossless_size, &buffer.dram})
        if (*size) bytes(**size);
    if (unit == MemorySize::Unit::Byte) bytes(*buffer.port_limit);
    return buffer;
}

MemoryClaim drawn_claim(Bytes frame) {
    return {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3), frame, 0, false, true, *rc::gen::inRange(0, 8)};
}

/// Lets a frame into a memory, or takes the oldest one out of it.
struct Driven {
    SwitchMemory memory;
    std::deque<MemoryClaim> inside{};

    std::string admit(MemoryClaim claim) {
        if (const LossCause* cause = memory.refusal(claim)) return std::string(cause->reason);
        claim.in_dram = memory.goes_to_dram(claim);
        memory.take(claim);
        if (claim.in_dram) memory.written(claim);
        inside.push_back(claim);
        return "";
    }
    void release() {
        memory.release(inside.front());
        inside.pop_front();
    }
};

}  // namespace

TEST_CASE("For frames of one size a limit says the same in frames and in bytes, beside a memory of either") {
    CHECK(rc::check("whatever accounts there are", [] {
        const std::int64_t frame = *rc::gen::inRange(64, 9000);
        const Buffer frames = drawn_buffer();
        Buffer mixed = frames;  // a memory of frames, its limit in bytes
        mixed.port_limit = MemorySize{frames.port_limit->amount * frame, MemorySize::Unit::Byte};
        const Buffer bytes = in_bytes(frames, frame, MemorySize::Unit::Byte);
        std::deque<Driven> all;
        for (const Buffer& each : {frames, mixed, bytes, in_bytes(frames, frame, MemorySize::Unit::Frame)})
            all.push_back({SwitchMemory(each, 3, 3)});
        int refused = 0;
        for (int step = 0; step < 100; ++step) {
            if (!all.front().inside.empty() && *rc::gen::inRange(0, 3) == 0) {
                for (Driven& each : all) each.release();
                continue;
            }
            const MemoryClaim claim = drawn_claim(Bytes{frame});
            const std::string fate = all.front().admit(claim);
            for (auto each = all.begin() + 1; each != all.end(); ++each) RC_ASSERT(each->admit(claim) == fate);
            refused += !fate.empty();
        }
        RC_TAG(refused > 0);
    }));
}

TEST_CASE("Unlike frames count as a list of each port's frames counts them") {
    CHECK(rc::check("of outputs, of inputs and of both", [] {
        Buffer buffer = limited(1);
        const bool in_frames = *rc::gen::arbitrary<bool>();
        buffer.size = {1'000'000'000, in_frames ? MemorySize::Unit::Byte : MemorySize::Unit::Frame};
        if (in_frames && *rc::gen::arbitrary<bool>()) buffer.cell = Bytes{*rc::gen::inRange(1, 300)};
        buffer.port_limit = in_frames ? MemorySize{*rc::gen::inRange(1, 8), MemorySize::Unit::Frame}
                                      : MemorySize{*rc::gen::inRange(64, 20'000), MemorySize::Unit::Byte};
        buffer.accounting =
            *rc::gen::element(Buffer::Accounting::Egress, Buffer::Accounting::Ingress, Buffer::Accounting::Both);
        if (*rc::gen::arbitrary<bool>()) buffer.classes = kTrafficClasses;
        Driven driven{SwitchMemory(buffer, 3, 3)};
        for (int step = 0; step < 100; ++step) {
            if (!driven.inside.empty() && *rc::gen::inRange(0, 3) == 0) {
                driven.release();
                continue;
            }
            const MemoryClaim claim = drawn_claim(Bytes{*rc::gen::inRange(64, 9000)});
            const auto counted = [&](const MemoryClaim& each) { return in_frames ? 1 : each.buffer.count; };
            std::int64_t at_input = counted(claim), at_output = counted(claim);
            for (const MemoryClaim& each : driven.inside) {
                if (each.input == claim.input) at_input += counted(each);
                if (each.output == claim.output) at_output += counted(each);
            }
            if (buffer.accounting == Buffer::Accounting::Egress) at_input = 0;
            if (buffer.accounting == Buffer::Accounting::Ingress) at_output = 0;
            const bool fits = std::max(at_input, at_output) <= buffer.port_limit->amount;
            RC_ASSERT(driven.admit(claim) == (fits ? "" : "threshold"));
        }
    }));
}

TEST_CASE("Where frames give back parts of themselves to headroom, a limit in another unit is refused") {
    Buffer buffer = limited(3);
    buffer.accounting = Buffer::Accounting::Ingress;
    SwitchMemory(buffer, 1, 1).divert(0, 0, FlowControl::Rule::Hpcc, {});
    buffer.size.unit = MemorySize::Unit::Byte;
    SwitchMemory memory(buffer, 1, 1);
    CHECK_THROWS_WITH(memory.divert(0, 0, FlowControl::Rule::Hpcc, {}), Contains("switch.buffer.port_limit"));
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
