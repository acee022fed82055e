// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/event-header.h"

#include <algorithm>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("An event header takes 16 bytes, its event number at byte 8") {
    std::uint8_t bytes[EventHeader::kSize];
    REQUIRE(sizeof bytes == 16);
    EventHeader{0x0a0b0c0d, {0x01020304, 0x0506, 0x0708}}.write(bytes);
    const std::uint8_t expected[16] = {'W', 'S', 0, 1, 0x0a, 0x0b, 0x0c, 0x0d, 1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(std::equal(bytes, bytes + 16, expected));
    CHECK(bytes[EventHeader::kEventOffset] == 1);
}

TEST_CASE("The header of a stream's frame has a magic of its own, which who looks for fragments passes over") {
    std::uint8_t bytes[EventHeader::kSize];
    EventHeader{1, {0x01020304, 0, 0, 0x0506}}.write(bytes);
    const std::uint8_t expected[16] = {'W', 'T', 0, 1, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 0, 0};
    CHECK(std::equal(bytes, bytes + 16, expected));
    CHECK(!EventHeader::parse(bytes));
    const auto header = EventHeader::parse_any(bytes);
    REQUIRE(header);
    CHECK(header->frame == FrameId{0x01020304, 0, 0, 0x0506});
}

TEST_CASE("An event header is read in network byte order, and nothing else is taken for one") {
    std::uint8_t bytes[EventHeader::kSize] = {0x57, 0x53, 0, 1, 0x0a, 0x0b, 0x0c, 0x0d, 1, 2, 3, 4, 5, 6, 7, 8};
    const auto header = EventHeader::parse(bytes);
    REQUIRE(header);
    CHECK(header->run == 0x0a0b0c0d);
    CHECK(header->frame == FrameId{0x01020304, 0x0506, 0x0708});
    bytes[3] = 2;
    CHECK_FALSE(EventHeader::parse(bytes));
    bytes[3] = 1, bytes[0] = 0;
    CHECK_FALSE(EventHeader::parse(bytes));
}

TEST_CASE("An event header that is written is read back") {
    std::uint8_t bytes[EventHeader::kSize];
    for (const FrameId& frame : {FrameId{0x01020304, 0x0506, 2}, FrameId{4'294'967'295, 65'535, 258}}) {
        EventHeader{7, frame}.write(bytes);
        const auto header = EventHeader::parse(bytes);
        REQUIRE(header);
        CHECK(header->run == 7);
        CHECK(header->frame == frame);
    }
}
