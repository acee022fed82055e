// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/ingress-headroom-queues.h"

#include "model/switch/pause-control.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr MemorySize bytes(std::int64_t n) { return {n, MemorySize::Unit::Byte}; }
constexpr std::optional<std::int64_t> kPause = 65535, kGoOn = 0, kNothing;

/// Memory of 1000 B for two inputs, with 300 B of headroom each.
struct Diverting {
    SwitchMemory memory;
    PauseControl control;

    explicit Diverting(const FlowControl& flow_control, std::int64_t reserved = 0)
        : memory(Buffer_of(reserved), 2, 1), control(flow_control, BitRate{1'000'000'000}, 2, memory) {}
    static Buffer Buffer_of(std::int64_t reserved) {
        Buffer buffer;
        buffer.size = bytes(1000);
        buffer.reserved = bytes(reserved);
        buffer.accounting = Buffer::Accounting::Ingress;
        buffer.headroom = bytes(300);
        return buffer;
    }
    static FlowControl Rule(FlowControl::Rule rule, std::int64_t xon = 0, std::int64_t offset = 0) {
        FlowControl control;
        control.kind = FlowControl::Kind::Pfc;
        control.alpha = Ratio{1, 4};
        control.xon = bytes(xon);
        control.xon_offset = bytes(offset);
        control.rule = rule;
        return control;
    }
    std::optional<std::int64_t> come(int input, std::int64_t size) {
        REQUIRE(memory.admit({input, 0, Bytes{size}}) == nullptr);
        return control.order(input, memory, Time{0});
    }
    /// @return what is told to this input
    std::optional<std::int64_t> leave(int input, std::int64_t size, int told) {
        memory.release({input, 0, Bytes{size}});
        return control.order(told, memory, Time{0});
    }
};

}  // namespace

TEST_CASE("By HPCC's rule a frame that would exceed the threshold goes to headroom, which is given back first") {
    // alpha 1/4 of 1000 B: 100 B fit (<= 250), then 150 B (250 <= 225 is wrong).
    Diverting d(Diverting::Rule(FlowControl::Rule::Hpcc));
    CHECK(d.come(0, 100) == kNothing);
    CHECK(d.come(0, 150) == kPause);
    CHECK(d.memory.headroom_of_input(0) == 150);
    CHECK(d.come(0, 150) == kNothing);
    CHECK(*d.memory.refusal({0, 0, Bytes{200}}) == SwitchMemory::kHeadroomFull);
    // The first frame was of the memory that all share; what it gives back is headroom.
    CHECK(d.leave(0, 100, 0) == kNothing);
    CHECK(d.memory.headroom_of_input(0) == 200);
    CHECK(d.memory.accounts().held(0) == 100);
    CHECK(d.leave(0, 150, 0) == kNothing);
    // 50 B of headroom and 100 B of the memory.
    CHECK(d.leave(0, 150, 0) == kGoOn);
    CHECK(d.memory.frames() == 0);
    CHECK(d.memory.bytes() == Bytes{0});
}

TEST_CASE("By HPCC's rule an input goes on when a frame of its own leaves, not when another's does") {
    // Beside 200 B of input 1, input 0 is at the threshold with 160 B: 640 / 4. Once those have left it is 210.
    for (const bool diverts : {true, false}) {
        Diverting d(Diverting::Rule(diverts ? FlowControl::Rule::Hpcc : FlowControl::Rule::Memory, 0, 10));
        CHECK(d.come(0, 100) == kNothing);
        d.come(1, 200);
        CHECK(d.come(0, 60) == kPause);
        CHECK(d.memory.headroom_of_input(0) == 0);
        CHECK(d.leave(1, 200, 0) == (diverts ? kNothing : kGoOn));
        CHECK(d.leave(0, 60, 0) == (diverts ? kGoOn : kNothing));
    }
}

TEST_CASE("A queue uses up its reserve before its threshold counts") {
    Diverting d(Diverting::Rule(FlowControl::Rule::Hpcc), 200);
    d.memory.set_headroom(0, 0, 380);   // where there is less, a frame above 250 B is lost
    CHECK(d.come(0, 380) == kNothing);  // 180 of 250, and then of 205
    CHECK(d.come(0, 50) == kPause);
    CHECK(d.memory.headroom_of_input(0) == 50);
}

TEST_CASE("By HPCC's rule a frame that exceeds the threshold is lost within its reserve, too, if headroom is full") {
    // The threshold is 250 B; without headroom a frame must be below it, whatever is left of 400 B of reserve.
    Diverting d(Diverting::Rule(FlowControl::Rule::Hpcc), 400);
    CHECK(d.memory.refusal({0, 0, Bytes{251}}) == nullptr);
    d.memory.set_headroom(0, 0, 0);
    CHECK(*d.memory.refusal({0, 0, Bytes{251}}) == SwitchMemory::kHeadroomFull);
    CHECK(d.come(0, 250) == kNothing);
    CHECK(*d.memory.refusal({0, 0, Bytes{251}}) == SwitchMemory::kHeadroomFull);
    CHECK(d.come(0, 250) == kNothing);
    CHECK(d.memory.headroom_of_input(0) == 0);
}

TEST_CASE("By ns3-datacenter's rule the first frame on headroom need not fit there, but in the whole memory") {
    {
        Diverting d(Diverting::Rule(FlowControl::Rule::Sonic));
        for (const int input : {0, 1}) d.memory.set_headroom(input, 0, 100);
        CHECK(d.come(0, 200) == kNothing);
        CHECK(d.come(0, 40) == kPause);
        CHECK(d.memory.refusal({0, 0, Bytes{60}}) == nullptr);
        CHECK(*d.memory.refusal({0, 0, Bytes{61}}) == SwitchMemory::kHeadroomFull);
        // 400 B on 100 B of headroom: now the first input's part of it is used up as well.
        CHECK(d.come(1, 400) == kPause);
        CHECK(*d.memory.refusal({0, 0, Bytes{1}}) == SwitchMemory::kHeadroomFull);
        CHECK(*d.memory.refusal({1, 0, Bytes{1}}) == SwitchMemory::kHeadroomFull);
    }
    Diverting d(Diverting::Rule(FlowControl::Rule::Sonic));
    for (const int input : {0, 1}) d.memory.set_headroom(input, 0, 0);
    CHECK(d.come(0, 200) == kNothing);
    CHECK(*d.memory.refusal({1, 0, Bytes{801}}) == SwitchMemory::kHeadroomFull);
    CHECK(d.come(1, 800) == kPause);
    CHECK(*d.memory.refusal({0, 0, Bytes{1}}) == SwitchMemory::kHeadroomFull);
    CHECK(d.leave(1, 800, 1) == kGoOn);
    CHECK(d.memory.headroom_of_input(1) == 0);
}

TEST_CASE("By ns3-datacenter's rule headroom takes all that comes until it is empty, and xon lets an input go on") {
    // 200 B leave 800: 200 <= 200. With 1 B more 201 > 199 would be.
    Diverting d(Diverting::Rule(FlowControl::Rule::Sonic, 150, 1000));
    CHECK(d.come(0, 200) == kNothing);
    CHECK(d.come(0, 40) == kPause);
    CHECK(d.come(0, 40) == kNothing);
    CHECK(d.leave(0, 40, 0) == kNothing);
    CHECK(d.memory.headroom_of_input(0) == 40);
    CHECK(d.come(0, 1) == kNothing);
    CHECK(d.memory.headroom_of_input(0) == 41);
    // 199 B are left on none, and then 149.
    CHECK(d.leave(0, 41, 0) == kNothing);
    CHECK(d.leave(0, 51, 0) == kGoOn);
    // At the threshold itself it is not paused.
    CHECK(d.come(0, 51) == kNothing);
}

TEST_CASE("An input whose last frame has left goes on, even where it would still be above its threshold") {
    for (const auto rule : {FlowControl::Rule::Hpcc, FlowControl::Rule::Sonic}) {
        Diverting d(Diverting::Rule(rule, 0, 2000));
        CHECK(d.come(0, 300) == kPause);
        CHECK(d.leave(0, 300, 0) == kGoOn);
    }
}

TEST_CASE("Classes may have headroom of their own, beside what the others of their input share") {
    Buffer buffer = Diverting::Buffer_of(0);
    buffer.classes = kTrafficClasses;
    buffer.class_headrooms = {bytes(100), bytes(0)};
    SwitchMemory memory(buffer, 2, 1);
    memory.set_headroom(1, 0, 50);
    const auto room = [&](int input, int traffic_class) {
        MemoryClaim claim{input, 0, Bytes{10}};
        claim.traffic_class = traffic_class;
        claim.on_headroom = true;
        std::int64_t frames = 0;
        while (!memory.admit(claim)) ++frames;
        return frames;
    };
    CHECK(room(0, 0) == 10);
    CHECK(room(0, 1) == 0);
    CHECK(room(0, 2) + room(0, 7) == 30);
    CHECK(room(1, 0) == 5);
}

TEST_CASE("Lossless classes may have a pool of their own at the outputs, with its own thresholds") {
    Buffer buffer;
    buffer.size = bytes(1000);
    buffer.accounting = Buffer::Accounting::Both;
    buffer.egress_size = bytes(100);
    buffer.egress_lossless_size = bytes(400);
    buffer.classes = kTrafficClasses;
    buffer.lossless = 1u << 3;
    const auto room = [&](SwitchMemory& memory, int traffic_class) {
        MemoryClaim claim{0, 0, Bytes{10}};
        claim.traffic_class = traffic_class;
        std::int64_t frames = 0;
        while (!memory.admit(claim)) ++frames;
        return frames;
    };
    SwitchMemory pools(buffer, 1, 1);
    CHECK(room(pools, 0) == 10);
    CHECK(room(pools, 1) == 0);
    CHECK(room(pools, 3) == 40);
    buffer.egress_lossless_alpha = Ratio{1, 1};
    SwitchMemory thresholds(buffer, 1, 1);
    CHECK(room(thresholds, 3) == 20);
    CHECK(room(thresholds, 0) == 10);
}

TEST_CASE("In mixed books lossless classes are queues of their inputs and others of their outputs, in one pool") {
    Buffer buffer;
    buffer.size = bytes(1000);
    buffer.accounting = Buffer::Accounting::Mixed;
    buffer.sharing = Sharing::named("reverie");
    buffer.alpha = Ratio{1, 1};
    buffer.filter = Ratio{0, 1};
    buffer.congested_from = bytes(1000);
    buffer.classes = kTrafficClasses;
    buffer.lossless = 1u << 3;
    buffer.headroom = bytes(300);
    SwitchMemory memory(buffer, 2, 2);
    FlowControl control = Diverting::Rule(FlowControl::Rule::Sonic);
    PauseControl pauses(control, {{0, 3, BitRate{1'000'000'000}}, {1, 3, BitRate{1'000'000'000}}}, memory);
    const auto claim = [](int input, int output, int traffic_class, std::int64_t size) {
        MemoryClaim of{input, output, Bytes{size}};
        of.traffic_class = traffic_class;
        return of;
    };
    // Class 0 holds 400 B at output 1 from both inputs; class 3 holds 200 B at input 1 for both outputs.
    for (const int input : {0, 1}) REQUIRE(!memory.admit(claim(input, 1, 0, 200)));
    for (const int output : {0, 1}) REQUIRE(!memory.admit(claim(1, output, 3, 100)));
    CHECK(memory.held(claim(0, 1, 0, 0)) == 400);
    CHECK(memory.held(claim(0, 0, 0, 0)) == 0);
    CHECK(memory.held(claim(1, 0, 3, 0)) == 200);
    CHECK(memory.accounts().free() == 400);
    // A frame of 100 B leaves: its filter of weight 0 stands at the 100 B that are left. Another leaves 400 free, of a
    // quarter of which that is no more; a further byte would leave 399.
    memory.release(claim(1, 0, 3, 100));
    CHECK(!pauses.order(1, memory, Time{0}));
    REQUIRE(!memory.admit(claim(1, 0, 3, 100)));
    CHECK(!pauses.order(1, memory, Time{0}));
    REQUIRE(!memory.admit(claim(1, 0, 3, 1)));
    CHECK(pauses.order(1, memory, Time{0}) == kPause);
    CHECK(memory.headroom_of_input(1) == 1);
    // A frame that leaves its headroom moves its filter, too: to the 200 B that are held, which are above the threshold
    // of 100.
    memory.release(claim(1, 0, 3, 1));
    CHECK(memory.headroom_of_input(1) == 0);
    CHECK(!pauses.order(1, memory, Time{0}));
    memory.release(claim(1, 0, 3, 100));
    CHECK(pauses.order(1, memory, Time{0}) == kGoOn);  // 100 <= 500 / 4
    buffer.slices = 2;
    CHECK_THROWS_AS(SwitchMemory(buffer, 2, 2), KeyError);
}

TEST_CASE("A rule that diverts frames is refused where outputs decide alone") {
    Buffer buffer;
    buffer.size = bytes(1000);
    SwitchMemory memory(buffer, 1, 1);
    CHECK_THROWS_AS(PauseControl(Diverting::Rule(FlowControl::Rule::Hpcc), BitRate{1'000'000'000}, 1, memory),
                    KeyError);
}
