// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-event-header.h"

#include <ns3/packet.h>

#include <sstream>

#include "test/catch.h"

namespace watershed {

TEST_CASE("An event header comes out of a packet as it went in, and takes 16 bytes") {
    const FrameId frame{4'294'967'295, 65'535, 258};
    const auto packet = ns3::Create<ns3::Packet>(100);
    packet->AddHeader(WatershedEventHeader(0x01020304, frame));
    REQUIRE(packet->GetSize() == 116);

    WatershedEventHeader header;
    REQUIRE(packet->RemoveHeader(header) == 16);
    CHECK(header.GetFrame() == frame);
    CHECK(header.GetRun() == 0x01020304);
    CHECK(packet->GetSize() == 100);

    std::ostringstream text;
    header.Print(text);
    CHECK(text.str() == "run=16909060 event=4294967295 module=65535 frame=258");
}

TEST_CASE("An event header is in network byte order, its event number at byte 8") {
    const auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(WatershedEventHeader(0x0a0b0c0d, {0x01020304, 0x0506, 0x0708}));
    std::uint8_t bytes[16];
    packet->CopyData(bytes, 16);
    const std::uint8_t expected[16] = {'W', 'S', 0, 1, 0x0a, 0x0b, 0x0c, 0x0d, 1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(std::equal(bytes, bytes + 16, expected));
    CHECK(bytes[WatershedEventHeader::kEventOffset] == 1);
}

TEST_CASE("The header of a stream's frame has a magic of its own, which who looks for fragments passes over") {
    const auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(WatershedEventHeader(1, {0x01020304, 0, 0, 0x0506}));
    std::uint8_t bytes[16];
    packet->CopyData(bytes, 16);
    const std::uint8_t expected[16] = {'W', 'T', 0, 1, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 0, 0};
    CHECK(std::equal(bytes, bytes + 16, expected));
    CHECK(!EventHeader::parse(bytes));
    const auto header = WatershedEventHeader::Parse(bytes);
    REQUIRE(header);
    CHECK(header->GetFrame() == FrameId{0x01020304, 0, 0, 0x0506});
}

TEST_CASE("Bytes that are no event header of this version are left alone") {
    std::uint8_t bytes[16] = {'W', 'S', 0, 2};
    CHECK_FALSE(WatershedEventHeader::Parse(bytes));
    bytes[3] = 1;
    CHECK(WatershedEventHeader::Parse(bytes));
    bytes[0] = 'X';
    CHECK_FALSE(WatershedEventHeader::Parse(bytes));

    WatershedEventHeader header;
    const auto tooShort = ns3::Create<ns3::Packet>(15);
    CHECK(tooShort->PeekHeader(header) == 0);
}

}  // namespace watershed
