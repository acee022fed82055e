// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-memory.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

using Sharing = Buffer::Sharing;

namespace {

constexpr MemorySize frames(std::int64_t n) { return {n, MemorySize::Unit::Frame}; }
constexpr MemorySize bytes(std::int64_t n) { return {n, MemorySize::Unit::Byte}; }

/// Offers frames until one is lost. @return how many were taken
std::int64_t fill(SwitchMemory& memory, const MemoryClaim& claim, const LossCause** cause = nullptr) {
    std::int64_t taken = 0;
    for (;; ++taken)
        if (const LossCause* refused = memory.admit(claim)) {
            if (cause) *cause = refused;
            return taken;
        }
}

}  // namespace

TEST_CASE("A frame takes ceil((frame + header) / cell) cells") {
    Buffer buffer;
    buffer.size = {442, MemorySize::Unit::Cell};
    buffer.cell = Bytes{256};
    buffer.cell_header = Bytes{64};
    // 64 + 64 -> 1, 256 + 64 -> 2, 1024 + 64 -> 5, 1518 + 64 -> 7 cells
    for (const auto& [frame, room] : {std::pair{64, 442}, {256, 221}, {1024, 88}, {1518, 63}}) {
        SwitchMemory memory(buffer, 2, 1);
        CHECK(fill(memory, {0, 0, Bytes{frame}}) == room);
    }
}

TEST_CASE("A size in bytes is rounded down to whole cells, slices and classes each take their part") {
    Buffer buffer;
    buffer.size = bytes(100 * 208 + 207);
    buffer.cell = Bytes{208};
    buffer.slices = 3;
    buffer.queues = 2;
    buffer.queue_split = true;
    SwitchMemory memory(buffer, 1, 3);
    CHECK(memory.accounts().layout().pool_size == 16);  // 100 / 2 / 3
    CHECK(fill(memory, {0, 2, Bytes{64}}) == 16);
    CHECK(fill(memory, {0, 0, Bytes{64}}) == 16);
}

TEST_CASE("Descriptors limit small frames, memory limits large ones") {
    Buffer buffer;
    buffer.size = bytes(10'000);
    buffer.descriptors = 20;
    const LossCause* cause = nullptr;
    SwitchMemory small(buffer, 1, 1);
    CHECK(fill(small, {0, 0, Bytes{64}}, &cause) == 20);
    CHECK(*cause == SwitchMemory::kDescriptors);
    SwitchMemory large(buffer, 1, 1);
    CHECK(fill(large, {0, 0, Bytes{1518}}, &cause) == 6);
    CHECK(*cause == SwitchMemory::kBufferFull);
}

TEST_CASE("After a drop a queue refuses until it has fallen to its resume level, by the level of what it lacked") {
    Buffer buffer;
    buffer.size = frames(100);
    const MemoryClaim claim{0, 0, Bytes{64}};
    const auto refusals = [&](const Buffer& with) {  // while one frame leaves for each that comes
        SwitchMemory memory(with, 1, 1);
        fill(memory, claim);
        std::int64_t count = 0;
        for (memory.release(claim); memory.admit(claim); memory.release(claim)) ++count;
        return count;
    };
    CHECK(refusals(buffer) == 0);
    buffer.resume = Ratio{1, 2};
    CHECK(refusals(buffer) == 49);  // from 99 to 50
    buffer.resume = frames(75);
    CHECK(refusals(buffer) == 24);
    buffer.descriptors = 80;
    CHECK(refusals(buffer) == 4);  // from 79 to 75
    buffer.descriptors_resume = Ratio{0, 1};
    CHECK(refusals(buffer) == 79);
}

TEST_CASE("Per output each uplink owns its memory, and both sides must agree where both account") {
    Buffer buffer;
    buffer.sharing = Sharing::PerOutput;
    buffer.size = frames(10);
    SwitchMemory per_output(buffer, 4, 2);
    CHECK(fill(per_output, {0, 0, Bytes{64}}) == 10);
    CHECK(fill(per_output, {0, 1, Bytes{64}}) == 10);

    buffer.sharing = Sharing::DynamicThreshold;
    buffer.size = frames(30);
    buffer.accounting = Buffer::Accounting::Both;
    SwitchMemory both(buffer, 2, 1);
    CHECK(fill(both, {0, 0, Bytes{64}}) == 15);
    CHECK(fill(both, {1, 0, Bytes{64}}) == 0);  // the output has had its half, the input nothing
    buffer.accounting = Buffer::Accounting::Ingress;
    SwitchMemory ingress(buffer, 2, 1);
    CHECK(fill(ingress, {0, 0, Bytes{64}}) == 15);
    CHECK(fill(ingress, {1, 0, Bytes{64}}) == 8);
}

TEST_CASE("A queue moves to the second tier at its limit, stays until it has nothing left there, and moves back") {
    Buffer buffer;
    buffer.size = frames(10);
    buffer.dram = frames(5);
    buffer.dram_from = frames(3);
    SwitchMemory memory(buffer, 1, 2);
    const auto offer = [&](int output, bool to_dram) {
        MemoryClaim claim{0, output, Bytes{64}};
        claim.in_dram = memory.goes_to_dram(claim);
        CHECK(claim.in_dram == to_dram);
        return memory.admit(claim);
    };
    MemoryClaim on_chip{0, 0, Bytes{64}}, in_dram = on_chip;
    in_dram.in_dram = true;
    for (int i = 1; i <= 8; ++i) CHECK(offer(0, i > 3) == nullptr);
    CHECK(*offer(0, true) == SwitchMemory::kDramFull);
    // The five frames in the second tier have room in both until they have been written.
    CHECK(memory.accounts().held(0) == 8);
    for (int i = 0; i < 5; ++i) memory.written(in_dram);
    CHECK(memory.accounts().held(0) == 3);
    CHECK(memory.frames() == 8);
    for (int i = 0; i < 3; ++i) memory.release(on_chip);
    for (int i = 0; i < 4; ++i) memory.release(in_dram);
    CHECK(memory.accounts().held(0) == 0);
    CHECK(offer(0, true) == nullptr);  // one is still there
    CHECK(offer(1, false) == nullptr);
    memory.written(in_dram);
    for (int i = 0; i < 2; ++i) memory.release(in_dram);
    CHECK(offer(0, false) == nullptr);
    CHECK(memory.frames_to_dram() == 6);
    CHECK(memory.frames() == 2);
    // The first tier may be full of what is yet to be written.
    buffer.dram = frames(100);
    SwitchMemory slow(buffer, 1, 1);
    MemoryClaim claim{0, 0, Bytes{64}};
    for (int i = 0; i < 10; ++i) {
        claim.in_dram = slow.goes_to_dram(claim);
        CHECK(slow.admit(claim) == nullptr);
    }
    CHECK(*slow.admit(claim) == SwitchMemory::kBufferFull);
}

TEST_CASE("A resume level counts what lies on the chip, in frames as in bytes, and after a want of descriptors all") {
    const auto offer = [](SwitchMemory& memory) {
        MemoryClaim claim{0, 0, Bytes{64}};
        claim.in_dram = memory.goes_to_dram(claim);
        return memory.admit(claim);
    };
    MemoryClaim on_chip{0, 0, Bytes{64}}, in_dram = on_chip;
    in_dram.in_dram = true;
    for (const bool in_frames : {true, false}) {
        const auto amount = [&](std::int64_t count) {
            return in_frames ? frames(count) : MemorySize{count * 64, MemorySize::Unit::Byte};
        };
        Buffer buffer;
        buffer.size = amount(4);
        buffer.dram = amount(100);
        buffer.dram_from = amount(2);
        buffer.resume = amount(2);
        SwitchMemory memory(buffer, 1, 1);
        for (int i = 0; i < 4; ++i) CHECK(offer(memory) == nullptr);
        CHECK(*offer(memory) == SwitchMemory::kBufferFull);
        memory.written(in_dram);
        CHECK(*offer(memory) == SwitchMemory::kResume);  // 3 on the chip
        memory.written(in_dram);
        CHECK(memory.frames() == 4);
        CHECK(offer(memory) == nullptr);  // 2 there, and 2 in the second tier
    }
    // Frames in the second tier keep their descriptors.
    Buffer buffer;
    buffer.size = frames(100);
    buffer.dram = frames(100);
    buffer.dram_from = frames(2);
    buffer.resume = frames(2);
    buffer.descriptors = 4;
    SwitchMemory memory(buffer, 1, 1);
    for (int i = 0; i < 4; ++i) CHECK(offer(memory) == nullptr);
    for (int i = 0; i < 2; ++i) memory.written(in_dram);
    CHECK(*offer(memory) == SwitchMemory::kDescriptors);
    memory.release(on_chip);
    CHECK(*offer(memory) == SwitchMemory::kResume);  // 1 on the chip, and 2 in the second tier
    memory.release(on_chip);
    CHECK(offer(memory) == nullptr);
}

TEST_CASE("Random early detection begins at its first level and is certain at its second; marking loses nothing") {
    Buffer buffer;
    buffer.size = frames(100);
    buffer.wred_from = frames(20);
    buffer.wred_to = frames(60);
    buffer.wred_probability = {1, 2};
    MemoryClaim lucky{0, 0, Bytes{64}}, unlucky = lucky, middling = lucky;
    lucky.lot = ~std::uint64_t{0};
    middling.lot =
        std::uint64_t{1} << 62;  // a quarter: refused from the middle of the range on, where probability is 1/4
    SwitchMemory memory(buffer, 1, 1);
    for (int i = 0; i < 21; ++i) REQUIRE(memory.admit(i < 20 ? unlucky : lucky) == nullptr);
    CHECK(*memory.admit(unlucky) == SwitchMemory::kEarlyDrop);
    for (int i = 21; i <= 40; ++i) REQUIRE(memory.admit(middling) == nullptr);
    CHECK(*memory.admit(unlucky) == SwitchMemory::kEarlyDrop);
    CHECK(*memory.admit(middling) == SwitchMemory::kEarlyDrop);
    CHECK(fill(memory, lucky) == 60 - 41);

    buffer.ecn = true;
    SwitchMemory marking(buffer, 1, 1);
    CHECK(fill(marking, lucky) == 100);
    CHECK(marking.frames_marked() == 40);
}

TEST_CASE("A class may have levels of random early detection of its own, or none, beside those of all") {
    Buffer buffer;
    buffer.size = frames(100);
    buffer.classes = kTrafficClasses;
    buffer.wred_from = buffer.wred_to = frames(9);  // steps
    buffer.class_wred_from = {frames(9), frames(4), frames(0)};
    buffer.class_wred_to = {frames(9), frames(4), frames(0)};
    for (const auto& [traffic_class, most] : {std::pair{0, 9}, {1, 4}, {2, 100}, {3, 9}}) {
        SwitchMemory memory(buffer, 1, 1);
        MemoryClaim claim{0, 0, Bytes{64}};
        claim.traffic_class = traffic_class;
        CHECK(fill(memory, claim) == most);
    }
    // A probability of a quarter where that of all is a half, in the middle of the range.
    buffer.wred_from = frames(0);
    buffer.wred_to = frames(80);
    buffer.wred_probability = {1, 1};
    buffer.class_wred_from = buffer.class_wred_to = {};
    buffer.class_wred_probability = {{1, 2}};
    for (const auto& [traffic_class, most] : {std::pair{0, 40}, {1, 20}}) {
        SwitchMemory memory(buffer, 1, 1);
        MemoryClaim claim{0, 0, Bytes{64}};
        claim.traffic_class = traffic_class;
        claim.lot = std::uint64_t{1} << 62;
        CHECK(fill(memory, claim) == most + 1);
    }
}

TEST_CASE("Where early frames are marked, those of senders that answer to no marks are dropped") {
    Buffer buffer;
    buffer.size = frames(100);
    buffer.wred_from = buffer.wred_to = frames(3);  // a step
    buffer.ecn = true;
    SwitchMemory memory(buffer, 1, 1);
    MemoryClaim claim{0, 0, Bytes{64}};
    claim.can_be_marked = false;
    const LossCause* cause = nullptr;
    CHECK(fill(memory, claim, &cause) == 3);
    CHECK(*cause == SwitchMemory::kEarlyDrop);
    CHECK_FALSE(memory.marks(claim));
    claim.can_be_marked = true;
    CHECK(memory.marks(claim));
    CHECK(memory.admit(claim) == nullptr);
    CHECK(memory.frames_marked() == 1);
}

TEST_CASE("Headroom is each input's own, beside the memory") {
    Buffer buffer;
    buffer.size = frames(3);
    buffer.headroom = frames(2);
    SwitchMemory memory(buffer, 2, 1);
    MemoryClaim claim{0, 0, Bytes{64}};
    CHECK(fill(memory, claim) == 3);
    claim.on_headroom = true;
    const LossCause* cause = nullptr;
    CHECK(fill(memory, claim, &cause) == 2);
    CHECK(*cause == SwitchMemory::kHeadroomFull);
    claim.input = 1;
    CHECK(fill(memory, claim) == 2);
    CHECK(memory.held_by_input(0) == 5);
    memory.release({0, 0, Bytes{64}, 0, true});
    CHECK(memory.held_by_input(0) == 4);
    CHECK(memory.frames() == 6);
}

TEST_CASE("Amounts that do not convert are refused by the name of their key") {
    Buffer buffer;
    buffer.size = frames(3);
    buffer.reserved = bytes(1518);
    CHECK_THROWS_WITH(SwitchMemory(buffer, 1, 1),
                      Contains("switch.buffer.reserved: found an amount of bytes, expected one of frames"));
    buffer = Buffer{};
    buffer.size = {100, MemorySize::Unit::Cell};
    CHECK_THROWS_WITH(SwitchMemory(buffer, 1, 1), Contains("switch.buffer.cell: missing"));
}

namespace {

/// Frames that the queues of these classes hold at output 0 when none of them is granted another.
std::vector<std::int64_t> at_rest(const Buffer& buffer, const std::vector<int>& classes) {
    SwitchMemory memory(buffer, 2, 2);
    std::vector<std::int64_t> taken(classes.size());
    for (bool grew = true; grew;) {
        grew = false;
        for (std::size_t i = 0; i < classes.size(); ++i) {
            MemoryClaim claim{0, 0, Bytes{1070}};
            claim.traffic_class = classes[i];
            if (memory.admit(claim)) continue;
            ++taken[i];
            grew = true;
        }
    }
    return taken;
}

}  // namespace

// n queues that fill together come to rest at alpha / (1 + n alpha) of the pool: 1/3 each for two of alpha = 1. With
// alpha 1 and 1/2, the second stops first, at q = (300 - 2 q) / 2 = 75, and the other at half of what that leaves,
// 112.5.
TEST_CASE("The classes of a port are queues of their own under a dynamic threshold, each with its alpha") {
    Buffer buffer;
    buffer.sharing = Sharing::DynamicThreshold;
    buffer.size = frames(300);
    buffer.alpha = {1, 1};
    CHECK(at_rest(buffer, {0, 5}) == std::vector<std::int64_t>{75, 75});  // one queue of 150
    buffer.classes = 8;
    CHECK(at_rest(buffer, {0, 5}) == std::vector<std::int64_t>{100, 100});
    CHECK(at_rest(buffer, {0, 3, 5}) == std::vector<std::int64_t>{75, 75, 75});
    buffer.class_alphas = {{1, 1}, {1, 2}};
    CHECK(at_rest(buffer, {0, 1}) == std::vector<std::int64_t>{113, 75});
    buffer.class_limits = {frames(50)};
    CHECK(at_rest(buffer, {0, 1}) == std::vector<std::int64_t>{50, 84});  // q < (250 - q) / 2
}

// Two outputs with 100 frames each: the classes of one port share its 100.
TEST_CASE("All classes of a port draw on the pool of the port") {
    for (const Sharing sharing : {Sharing::PerOutput, Sharing::Shared}) {
        Buffer buffer;
        buffer.sharing = sharing;
        buffer.size = frames(sharing == Sharing::Shared ? 200 : 100);
        buffer.slices = sharing == Sharing::Shared ? 2 : 1;
        buffer.classes = 8;
        const auto taken = at_rest(buffer, {0, 7});
        CHECK(taken == std::vector<std::int64_t>{50, 50});
        const auto of_one = at_rest(buffer, {7});
        CHECK(of_one == std::vector<std::int64_t>{100});
    }
}

TEST_CASE("A port has a limit for all its queues beside the limit of each, on every side that decides") {
    Buffer buffer;
    buffer.size = frames(100);
    buffer.classes = kTrafficClasses;
    buffer.class_limits = {frames(6)};
    buffer.port_limit = frames(10);
    SwitchMemory memory(buffer, 2, 2);
    MemoryClaim claim{0, 0, Bytes{100}};
    const LossCause* cause = nullptr;
    CHECK(fill(memory, claim) == 6);
    claim.traffic_class = 1;
    CHECK(fill(memory, claim, &cause) == 4);
    CHECK(*cause == SwitchMemory::kThreshold);
    claim.output = 1;
    CHECK(fill(memory, claim) == 10);
    CHECK(memory.frames() == 20);

    buffer.accounting = Buffer::Accounting::Both;  // then one input may hold no more at both outputs together
    SwitchMemory both(buffer, 2, 2);
    claim.output = 0;
    CHECK(fill(both, claim) == 10);
    claim.output = 1;
    CHECK(fill(both, claim) == 0);
    claim.input = 1;
    CHECK(fill(both, claim) == 10);
}

TEST_CASE("A headroom pool is split by slices: each input takes at most its own, and the last one what is left") {
    Buffer buffer;
    buffer.size = frames(4);
    buffer.slices = 2;
    buffer.headroom = frames(3);
    buffer.headroom_pool = frames(10);  // 5 for inputs 0 and 1, 5 for inputs 2 and 3
    SwitchMemory memory(buffer, 4, 1);
    const auto headroom_of = [](int input) { return MemoryClaim{input, 0, Bytes{64}, 0, true}; };
    const LossCause* cause = nullptr;
    CHECK(fill(memory, headroom_of(0)) == 3);
    CHECK(fill(memory, headroom_of(1), &cause) == 2);
    CHECK(*cause == SwitchMemory::kHeadroomFull);
    CHECK(fill(memory, headroom_of(3)) == 3);
    CHECK(fill(memory, headroom_of(2)) == 2);
    memory.release(headroom_of(0));
    CHECK(fill(memory, headroom_of(1)) == 1);
}

TEST_CASE("Where both sides decide, the outputs may have a pool of their own, with thresholds or without") {
    Buffer buffer;
    buffer.size = frames(12);
    buffer.accounting = Buffer::Accounting::Both;
    buffer.egress_size = frames(7);
    const LossCause* cause = nullptr;
    SwitchMemory plain(buffer, 3, 2);
    CHECK(fill(plain, {0, 0, Bytes{64}}, &cause) == 7);
    CHECK(*cause == SwitchMemory::kBufferFull);
    // A lone queue comes to rest at half of 7 frames, rounded up, beside the one that it has for itself; two inputs
    // share the 12 of theirs.
    buffer.egress_alpha = Ratio{1, 1};
    buffer.egress_reserved = frames(1);
    SwitchMemory dynamic(buffer, 3, 2);
    CHECK(fill(dynamic, {0, 0, Bytes{64}}, &cause) == 5);
    CHECK(*cause == SwitchMemory::kThreshold);
    CHECK(dynamic.held_by_input(0) == 5);
}

TEST_CASE("Frames in the pipeline of an output take no memory, and the oldest in memory follows when one leaves") {
    Buffer buffer;
    buffer.size = bytes(300);
    buffer.egress_pipeline = 2;
    SwitchMemory memory(buffer, 2, 2);
    const MemoryClaim small{0, 0, Bytes{100}}, large{1, 0, Bytes{200}};
    CHECK(memory.admit(large) == nullptr);
    CHECK(memory.admit(large) == nullptr);
    CHECK(memory.bytes() == Bytes{0});
    CHECK(memory.admit(small) == nullptr);
    CHECK(memory.admit(large) == nullptr);
    CHECK(memory.bytes() == Bytes{300});
    CHECK(memory.admit(small) == &SwitchMemory::kBufferFull);
    CHECK(memory.admit({0, 1, Bytes{1000}}) == nullptr);  // the other output's pipeline is empty
    memory.release(large);
    CHECK(memory.bytes() == Bytes{200});
    CHECK(memory.held_by_input(0) == 0);
    memory.release(large);
    CHECK(memory.bytes() == Bytes{0});
    memory.release(small);
    memory.release(large);
    CHECK(memory.frames() == 0);
    CHECK(fill(memory, small) == 2 + 3);
}

TEST_CASE("A memory with rules that never come into play decides as one that asks its policy alone") {
    CHECK(rc::check([] {
        Buffer plain;
        plain.sharing = *rc::gen::elementOf(Sharing::all());
        plain.size = {*rc::gen::inRange<std::int64_t>(0, 30'000), MemorySize::Unit::Byte};
        if (*rc::gen::arbitrary<bool>()) plain.cell = Bytes{*rc::gen::element<std::int64_t>(64, 208)};
        if (plain.sharing->pools == SharingPolicy::Pools::One) {
            plain.accounting = *rc::gen::element(Buffer::Accounting::Egress, Buffer::Accounting::Ingress);
            plain.reserved = {*rc::gen::inRange<std::int64_t>(0, 3000), MemorySize::Unit::Byte};
        }
        plain.alpha = {*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)};
        plain.excess = {*rc::gen::inRange<std::int64_t>(0, 5000), MemorySize::Unit::Byte};
        plain.port_alpha = {*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)};
        plain.step_free = {{1, MemorySize::Unit::Byte}, {10'000, MemorySize::Unit::Byte}};
        plain.step_limits = {{*rc::gen::inRange<std::int64_t>(1, 5000), MemorySize::Unit::Byte},
                             {*rc::gen::inRange<std::int64_t>(1, 20'000), MemorySize::Unit::Byte}};
        Buffer ruled = plain;
        ruled.descriptors = 1'000'000;

        SwitchMemory alone(plain, 4, 2), among(ruled, 4, 2);
        std::vector<MemoryClaim> stored;
        for (const int step : *rc::gen::container<std::vector<int>>(100, rc::gen::inRange(0, 1'000'000))) {
            if (step % 3 == 0 && !stored.empty()) {
                alone.release(stored.back());
                among.release(stored.back());
                stored.pop_back();
            } else {
                const MemoryClaim claim{step % 4, step / 7 % 2, Bytes{64 + step % 3 * 700}};
                const LossCause* cause = alone.admit(claim);
                RC_ASSERT(cause == among.admit(claim));
                if (!cause) stored.push_back(claim);
            }
            RC_ASSERT(alone.frames() == among.frames());
            for (int input = 0; input < 4; ++input) RC_ASSERT(alone.held_by_input(input) == among.held_by_input(input));
        }
        RC_ASSERT(alone.peak_bytes() == among.peak_bytes());
    }));
}

TEST_CASE("Frames go early never below Kmin, always from Kmax on, and between with Pmax (q - Kmin) / (Kmax - Kmin)") {
    const EarlyRange range({{400'000, MemorySize::Unit::Frame}, {1'600'000, MemorySize::Unit::Frame}, Ratio{1, 5}},
                           MemoryUnits(Buffer{}));
    const auto goes = [&](std::int64_t held, std::uint64_t lot) { return range.chooses(held, lot); };
    CHECK_FALSE(goes(399'999, 0));
    CHECK(goes(1'600'000, ~std::uint64_t{0}));
    // at 1000 kB: 0.2 * 600 / 1200 = 0.1
    const auto lot = [](double uniform) { return static_cast<std::uint64_t>(uniform * 0x1p32) << 32; };
    CHECK(goes(1'000'000, lot(0.0999)));
    CHECK_FALSE(goes(1'000'000, lot(0.1001)));
    CHECK_FALSE(EarlyRange().chooses(1'600'000, 0));  // there is none
}
