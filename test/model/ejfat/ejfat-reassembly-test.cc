// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-reassembly.h"

#include "test/catch.h"

using namespace watershed;

namespace {

using Step = EjfatReassembler::Step;

EjfatReassemblyHeader segment(std::uint64_t event, std::uint16_t source, std::uint32_t offset) {
    return {source, offset, 200, event};
}

}  // namespace

TEST_CASE("An event is whole when every source's part is, in whatever order") {
    EjfatReassembler reassembler(Time{1000}, Bytes{10'000}, 2);
    CHECK(reassembler.add(segment(7, 1, 100), Bytes{100}, Time{0}) == Step::Incomplete);
    CHECK(reassembler.add(segment(7, 1, 0), Bytes{100}, Time{1}) ==
          Step::Incomplete);  // one part is, the other has not begun
    CHECK(reassembler.add(segment(7, 0, 0), Bytes{100}, Time{2}) == Step::Incomplete);
    CHECK(reassembler.in_use() == Bytes{400});
    CHECK(reassembler.add(segment(7, 0, 100), Bytes{100}, Time{3}) == Step::Whole);
    CHECK(reassembler.in_use() == Bytes{0});
}

TEST_CASE("An incomplete event is given up at its time-out, with the packets that had come") {
    EjfatReassembler reassembler(Time{1000}, Bytes{10'000}, 1);
    reassembler.add(segment(1, 0, 0), Bytes{100}, Time{0});
    reassembler.add(segment(2, 0, 0), Bytes{100}, Time{400});
    std::vector<std::tuple<std::uint64_t, std::int64_t, Time>> gone;
    const auto note = [&](std::uint64_t event, std::int64_t packets, Time due) {
        gone.emplace_back(event, packets, due);
    };
    reassembler.expire(Time{999}, note);
    CHECK(gone.empty());
    reassembler.expire(Time{1000}, note);
    CHECK(gone == std::vector<std::tuple<std::uint64_t, std::int64_t, Time>>{{1, 1, Time{1000}}});
    CHECK(reassembler.in_use() == Bytes{200});
    // Its second packet, late, begins anew and times out, too.
    reassembler.add(segment(1, 0, 100), Bytes{100}, Time{1100});
    reassembler.expire(Time{5000}, note);
    CHECK(gone.size() == 3);
    CHECK(reassembler.in_use() == Bytes{0});
}

TEST_CASE("An event whose length finds no memory is refused, and nothing is kept for it") {
    EjfatReassembler reassembler(Time{1000}, Bytes{399}, 1);
    CHECK(reassembler.add(segment(1, 0, 0), Bytes{100}, Time{0}) == Step::Incomplete);
    CHECK(reassembler.add(segment(2, 0, 0), Bytes{100}, Time{1}) == Step::NoMemory);
    CHECK(reassembler.in_use() == Bytes{200});
    CHECK(reassembler.add(segment(1, 0, 100), Bytes{100}, Time{2}) == Step::Whole);
    CHECK(reassembler.add(segment(2, 0, 100), Bytes{100}, Time{3}) == Step::Incomplete);
}
