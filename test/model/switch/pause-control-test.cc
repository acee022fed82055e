// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/pause-control.h"

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr BitRate kGigabit{1'000'000'000};
constexpr MemorySize frames(std::int64_t n) { return {n, MemorySize::Unit::Frame}; }

/// A memory of frames, and who is told to pause as it fills.
struct Inputs {
    SwitchMemory memory;
    PauseControl control;

    Inputs(std::int64_t room, const FlowControl& flow_control)
        : memory(buffer(room), 2, 1), control(flow_control, kGigabit, 2, memory) {}

    static Buffer buffer(std::int64_t room) {
        Buffer buffer;
        buffer.size = frames(room);
        return buffer;
    }
    void take(int input, int n) {
        for (int i = 0; i < n; ++i) REQUIRE(memory.admit({input, 0, Bytes{1070}}) == nullptr);
    }
    void release(int input, int n) {
        for (int i = 0; i < n; ++i) memory.release({input, 0, Bytes{1070}});
    }
    std::optional<std::int64_t> order(int input) { return control.order(input, memory, Time{0}); }
};

}  // namespace

TEST_CASE("A pause lasts 512 bit times a quantum") {
    CHECK(pause_length(kGigabit, 1) == Time{512'000});
    CHECK(pause_length(kGigabit * 10, 65535) == Time{65535LL * 51'200});
}

TEST_CASE("An input above xoff is told once to pause, and once to go on when it has fallen to xon") {
    Inputs inputs(100, {FlowControl::Kind::Pause, frames(4), frames(2), 100});
    inputs.take(0, 4);
    CHECK(inputs.order(0) == std::nullopt);
    inputs.take(0, 1);
    CHECK(inputs.order(0) == 100);
    CHECK(inputs.order(0) == std::nullopt);
    CHECK(inputs.order(1) == std::nullopt);
    inputs.release(0, 2);
    CHECK(inputs.order(0) == std::nullopt);
    CHECK(inputs.control.is_paused(0));
    inputs.release(0, 1);
    CHECK(inputs.order(0) == 0);
    CHECK(!inputs.control.is_paused(0));
    CHECK(inputs.control.pauses() == 1);
}

TEST_CASE("A pause is renewed when half of it has passed, or once the link has carried the frame that told it") {
    // 100 quanta are 51.2 us; one quantum is 0.512 us, less than the 0.672 us of an 84 B frame.
    for (const auto& [quanta, after] : {std::pair<std::int64_t, Time>{100, Time{25'600'000}}, {1, Time{672'000}}}) {
        Inputs inputs(100, {FlowControl::Kind::Pause, frames(0), frames(0), quanta});
        inputs.take(0, 1);
        REQUIRE(inputs.order(0) == quanta);
        CHECK(inputs.control.renewal(0) == after);
        CHECK(inputs.control.renew(0, after) == quanta);
        CHECK(inputs.control.renewal(0) == after * 2);
        CHECK(inputs.control.pauses() == 1);
    }
}

TEST_CASE("A renewal that a later pause has overtaken is not sent") {
    Inputs inputs(100, {FlowControl::Kind::Pause, frames(0), frames(0), 100});
    inputs.take(0, 1);
    inputs.order(0);
    inputs.release(0, 1);
    REQUIRE(inputs.order(0) == 0);
    CHECK(inputs.control.renew(0, Time{25'600'000}) == std::nullopt);
    inputs.take(0, 1);
    REQUIRE(inputs.control.order(0, inputs.memory, Time{1'000'000}) == 100);
    CHECK(inputs.control.renew(0, Time{25'600'000}) == std::nullopt);
    CHECK(inputs.control.renew(0, Time{26'600'000}) == 100);
}

TEST_CASE("With an alpha the threshold falls as others fill the memory") {
    // Memory of 30 frames, alpha 1/2: input 0 alone is paused where q >= (30 - q) / 2, at 10; beside 15 of input 1
    // where q >= (15 - q) / 2, at 5.
    FlowControl control{FlowControl::Kind::Pfc};
    control.alpha = Ratio{1, 2};
    control.xon_offset = frames(2);
    Inputs alone(30, control);
    alone.take(0, 9);
    CHECK(alone.order(0) == std::nullopt);
    alone.take(0, 1);
    CHECK(alone.order(0) == 65535);

    Inputs beside(30, control);
    beside.take(0, 5);
    CHECK(beside.order(0) == std::nullopt);
    beside.take(1, 15);
    CHECK(beside.order(0) == 65535);
    // It goes on 2 below the threshold: of 30 - 15 - q, half of which less 2 is at least q where q <= 3.
    beside.release(0, 1);
    CHECK(beside.order(0) == std::nullopt);
    beside.release(0, 1);
    CHECK(beside.order(0) == 0);
}

TEST_CASE("No input is paused for an empty memory, however small it is") {
    FlowControl control{FlowControl::Kind::Pfc};
    control.alpha = Ratio{1, 1};
    Inputs inputs(0, control);
    CHECK(inputs.order(0) == std::nullopt);
}

// Input 0 has classes 0 and 5. Five frames of class 5 are above its XOFF of 4; two of class 0 are not. PAUSE would
// count all seven of the link.
TEST_CASE("Priority flow control tells one class on a link to pause, by what the input holds of it") {
    SwitchMemory memory(Inputs::buffer(100), 2, 1);
    const FlowControl pfc{FlowControl::Kind::Pfc, frames(4), frames(2), 100};
    PauseControl control(pfc, {{0, 0, kGigabit}, {0, 5, kGigabit}}, memory);
    const auto take = [&](int traffic_class, int n) {
        MemoryClaim claim{0, 0, Bytes{1070}};
        claim.traffic_class = traffic_class;
        for (int i = 0; i < n; ++i) REQUIRE(memory.admit(claim) == nullptr);
    };
    take(0, 2);
    take(5, 5);
    CHECK(control.order(0, memory, Time{0}) == std::nullopt);
    CHECK(control.order(1, memory, Time{0}) == 100);
    CHECK(control.is_paused(0, 5));
    CHECK(!control.is_paused(0, 0));
    CHECK(!control.is_paused(1, 5));
    PauseControl of_link({FlowControl::Kind::Pause, frames(4), frames(2), 100}, kGigabit, 2, memory);
    CHECK(of_link.order(0, memory, Time{0}) == 100);
    CHECK(of_link.is_paused(0, 0));
    CHECK(of_link.is_paused(0, 5));
}

TEST_CASE("With a fixed XON an input goes on once so much has left since its pause began, whatever became free") {
    // alpha 1 of 20 frames: XOFF at 10. A moving threshold would rise by one for each frame that leaves, and let the
    // input go on after 2 of them; fixed, it takes 4.
    FlowControl control;
    control.kind = FlowControl::Kind::Pfc;
    control.alpha = Ratio{1, 1};
    control.xon_offset = frames(4);
    for (const bool fixed : {false, true}) {
        control.xon_fixed = fixed;
        Buffer buffer;
        buffer.size = frames(20);
        buffer.accounting = Buffer::Accounting::Ingress;
        SwitchMemory memory(buffer, 2, 1);
        PauseControl pauses(control, kGigabit, 2, memory);
        int held = 0;
        while (!pauses.is_paused(0)) {
            REQUIRE(memory.admit({0, 0, Bytes{64}}) == nullptr);
            ++held;
            pauses.order(0, memory, Time{0});
        }
        CHECK(held == 10);
        int left = 0;
        while (pauses.is_paused(0)) {
            memory.release({0, 0, Bytes{64}});
            ++left;
            pauses.order(0, memory, Time{0});
        }
        CHECK(left == (fixed ? 4 : 2));
    }
}

TEST_CASE("An input uses up what is reserved for it before its threshold counts, even where nothing is free") {
    FlowControl control;
    control.kind = FlowControl::Kind::Pfc;
    control.alpha = Ratio{1, 1};
    Buffer buffer;
    buffer.size = frames(4);
    buffer.reserved = frames(3);
    buffer.accounting = Buffer::Accounting::Ingress;
    SwitchMemory memory(buffer, 2, 1);
    PauseControl pauses(control, kGigabit, 2, memory);
    while (memory.admit({0, 0, Bytes{64}}) == nullptr) continue;
    CHECK(memory.held_by_input(0) == 3 + 4);
    for (int held = 1; held <= 3; ++held) {
        REQUIRE(memory.admit({1, 0, Bytes{64}}) == nullptr);
        pauses.order(1, memory, Time{0});
        CHECK(pauses.is_paused(1) == (held == 3));
    }
}
