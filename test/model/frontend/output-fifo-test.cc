// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/output-fifo.h"

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr BitRate kGigabit{1'000'000'000};  // 125 B a microsecond
constexpr Bytes kFrame{125};

Timestamp at(std::int64_t microseconds) { return Time{microseconds * 1'000'000}; }

}  // namespace

TEST_CASE("A frame holds its place in a limited FIFO until its last bit has left") {
    OutputFifo fifo(kGigabit, {}, 2);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    CHECK(fifo.offer(at(0), kFrame) == at(2));
    CHECK_FALSE(fifo.offer(at(0), kFrame));
    CHECK(fifo.offer(at(1), kFrame) == at(3));
    CHECK(fifo.begin() == at(2));
    CHECK(fifo.free() == at(3));
}

TEST_CASE("A new rate holds for the frames that are taken from then on") {
    OutputFifo fifo(kGigabit, {}, std::nullopt);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    fifo.set_rate(BitRate{500'000'000}, {});
    CHECK(fifo.free() == at(1));
    CHECK(fifo.offer(at(0), kFrame) == at(3));
}

TEST_CASE("A FIFO that is limited later is told what it holds") {
    OutputFifo fifo(kGigabit, {}, std::nullopt);
    CHECK(fifo.offer(at(0), kFrame) == at(1));
    fifo.set_capacity(1, {at(1)});
    CHECK_FALSE(fifo.offer(at(0), kFrame));
    CHECK(fifo.offer(at(1), kFrame) == at(2));
}
