// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/event-header.h"

#include "test/catch.h"

using namespace watershed;

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
    EventHeader{7, {0x01020304, 0x0506, 2}}.write(bytes);
    const auto header = EventHeader::parse(bytes);
    REQUIRE(header);
    CHECK(header->run == 7);
    CHECK(header->frame == FrameId{0x01020304, 0x0506, 2});
}
