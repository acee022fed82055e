// SPDX-License-Identifier: GPL-2.0-only
#include <utility>
#include <vector>

#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr MemorySize::Unit kFrames = MemorySize::Unit::Frame, kBytes = MemorySize::Unit::Byte;

Buffer stepped(std::int64_t size, const std::vector<std::pair<std::int64_t, std::int64_t>>& steps,
               MemorySize::Unit unit = kFrames) {
    Buffer buffer;
    buffer.sharing = Sharing::named("stepped-threshold");
    buffer.size = {size, unit};
    for (const auto& [free, limit] : steps) {
        buffer.step_free.push_back({free, unit});
        buffer.step_limits.push_back({limit, unit});
    }
    return buffer;
}

/// Frames that an output takes until it is refused one.
std::int64_t fill(SwitchMemory& memory, int output, Bytes frame) {
    std::int64_t taken = 0;
    while (!memory.admit({0, output, frame})) ++taken;
    return taken;
}

struct Rung {
    int queues;
    std::int64_t packets;
};

/// Fills queue after queue of a chip whose table is derived from its ladder, as a test of it does.
std::vector<std::int64_t> climbed(const std::vector<Rung>& ladder, Bytes size) {
    // Queues that stop at q_i packets leave free what those behind them will take. So the limit is q_i as long as
    //     f_i = sum over j > i of n_j q_j
    // is free, for n_j queues of q_j. Any f_i above f_i - q_(i + 1) gives the same ladder.
    constexpr std::int64_t kPacket = 4 * 384;  // B in memory of 1350 B in buffers of 384 B
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    std::int64_t free = 0;
    int queues = 0;
    for (auto rung = ladder.rbegin(); rung != ladder.rend(); ++rung) {
        steps.emplace_back(free * kPacket, rung->packets * kPacket);
        free += rung->queues * rung->packets;
        queues += rung->queues;
    }
    Buffer buffer = stepped(size.count, steps, kBytes);
    buffer.cell = Bytes{384};
    SwitchMemory memory(buffer, 1, queues + 1);
    std::vector<std::int64_t> taken;
    for (int queue = 0; queue <= queues; ++queue) taken.push_back(fill(memory, queue, Bytes{1350}));
    for (int queue = 0; queue <= queues; ++queue) CHECK(fill(memory, queue, Bytes{1350}) == 0);
    return taken;
}

}  // namespace

TEST_CASE("The limit of a queue is that of the last step that the free memory reaches") {
    // 0 to 4 free: none; 5 to 9: at most 2; from 10 on: at most 8
    SwitchMemory memory(stepped(20, {{5, 2}, {10, 8}}), 1, 9);
    CHECK(fill(memory, 0, Bytes{100}) == 8);
    CHECK(fill(memory, 1, Bytes{100}) == 3);  // with 10 free it may still hold 3, and then 9 are
    CHECK(fill(memory, 2, Bytes{100}) == 2);
    CHECK(fill(memory, 3, Bytes{100}) == 2);
    CHECK(memory.accounts().free() == 5);
    CHECK(fill(memory, 4, Bytes{100}) == 1);
    const LossCause* cause = memory.admit({0, 5, Bytes{100}});
    REQUIRE(cause);
    CHECK(*cause == SwitchMemory::kThreshold);
    memory.release({0, 4, Bytes{100}});
    CHECK(fill(memory, 5, Bytes{100}) == 1);
}

TEST_CASE("A frame that would carry a queue above its limit is refused, and its reserve does not count") {
    Buffer buffer = stepped(1000, {{1, 250}}, kBytes);
    buffer.reserved = {100, kBytes};
    SwitchMemory memory(buffer, 1, 1);
    CHECK_FALSE(memory.admit({0, 0, Bytes{100}}));
    CHECK(fill(memory, 0, Bytes{100}) == 2);
    CHECK_FALSE(memory.admit({0, 0, Bytes{50}}));
    CHECK(memory.admit({0, 0, Bytes{1}}));
}

TEST_CASE("In cells what must be free is rounded up, and what a queue holds down") {
    Buffer buffer = stepped(2000, {{1001, 599}}, kBytes);  // 6 cells free, 2 held
    buffer.cell = Bytes{200};
    SwitchMemory memory(buffer, 1, 9);
    CHECK(fill(memory, 0, Bytes{200}) == 2);
    CHECK(fill(memory, 1, Bytes{200}) == 2);
    CHECK(fill(memory, 2, Bytes{200}) == 1);  // 5 free
}

TEST_CASE("A table is as long on either side, ascending, and of the unit of the memory") {
    const auto message = [](const Buffer& buffer) {
        try {
            SwitchMemory(buffer, 1, 1);
        } catch (const KeyError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Buffer buffer = stepped(9, {{2, 1}, {4, 3}});
    CHECK(message(buffer) == "");
    buffer.step_limits.pop_back();
    CHECK(message(buffer) ==
          "switch.buffer.step_limits: found 1 amounts, expected 2, one for each of switch.buffer.step_free");
    CHECK(message(stepped(9, {{4, 1}, {4, 3}})) ==
          "switch.buffer.step_free: expected ascending amounts, a cell apart at least");
    CHECK(message(stepped(9, {})) == "switch.buffer.step_free: missing, expected with sharing = \"stepped-threshold\"");
    buffer = stepped(9, {{4, 1}});
    buffer.step_limits[0].unit = kBytes;
    CHECK_THAT(message(buffer), Contains("switch.buffer.step_limits: found an amount of bytes"));
}

// sonic-net/sonic-mgmt, tests/qos/files/cisco/qos_param_generator.py, shared_res_size_2: packets of 1350 B that
// priority groups took in turn before any was told to pause, until one packet more filled what they share.
TEST_CASE("Silicon One GB: as the memory fills, so many queues in turn get each limit") {
    using Taken = std::vector<std::int64_t>;
    // 6 x 3527 + 2 x 1798 + 846 + 2 x 687 + 328 + 1 = 27307 packets of 1536 B = 41943552 B, 40 MiB and 512 B
    CHECK(climbed({{6, 3527}, {2, 1798}, {1, 846}, {2, 687}, {1, 328}, {1, 1}}, Bytes{41'943'552}) ==
          Taken{3527, 3527, 3527, 3527, 3527, 3527, 1798, 1798, 846, 687, 687, 328, 1, 0});
    // 10 x 3549 + 2 x 2052 + 3 x 1286 + 238 + 1 = 43691 packets = 67109376 B, 64 MiB and 512 B. In MiB: 5.20 a queue
    // until 8201 packets, 12.0, are free, then 3.01 and 1.88.
    CHECK(climbed({{10, 3549}, {2, 2052}, {3, 1286}, {1, 238}, {1, 1}}, Bytes{67'109'376}) ==
          Taken{3549, 3549, 3549, 3549, 3549, 3549, 3549, 3549, 3549, 3549, 2052, 2052, 1286, 1286, 1286, 238, 1, 0});
    // 4 x 11946 + 2 x 2561 + 1707 + 1 = 54614 packets = 83887104 B; the last of them passes the 83886720 B that are
    // stated, 80 MiB and 640 B, by a buffer.
    CHECK(climbed({{4, 11946}, {2, 2561}, {1, 1707}, {1, 1}}, Bytes{83'887'104}) ==
          Taken{11946, 11946, 11946, 11946, 2561, 2561, 1707, 1, 0});
}
