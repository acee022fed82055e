// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-pause-frame.h"

#include <vector>

#include "test/catch.h"

namespace watershed {
namespace {

std::vector<int> first_bytes_of(const ns3::Packet& frame, std::uint32_t count) {
    std::vector<std::uint8_t> bytes(count);
    frame.CopyData(bytes.data(), count);
    return {bytes.begin(), bytes.end()};
}

const ns3::Mac48Address kFrom("02:00:00:00:00:07");

}  // namespace

TEST_CASE("A PAUSE frame is a MAC control frame of minimum size, IEEE 802.3 annex 31B") {
    const auto frame = MakePauseFrame(FlowControl::Kind::Pause, kFrom, 0x1234);
    CHECK(frame->GetSize() == 60);
    CHECK(first_bytes_of(*frame, 20) ==
          std::vector<int>{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 0x08, 0, 1, 0x12, 0x34, 0, 0});
    CHECK(ReadPauseFrame(*frame) == 0x1234);
}

TEST_CASE("A priority flow control frame names the camera's class and its quanta, IEEE 802.1Qbb") {
    const auto frame = MakePauseFrame(FlowControl::Kind::Pfc, kFrom, 0x1234);
    CHECK(frame->GetSize() == 60);
    CHECK(first_bytes_of(*frame, 22) ==
          std::vector<int>{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 0x08, 1, 1, 0, 1, 0x12, 0x34, 0, 0});
    CHECK(ReadPauseFrame(*frame) == 0x1234);
    CHECK(ReadPauseFrame(*MakePauseFrame(FlowControl::Kind::Pfc, kFrom, 0)) == 0);
}

TEST_CASE("A priority flow control frame about another class has the bit and the quanta of that, and is read back") {
    const auto frame = MakePauseFrame(FlowControl::Kind::Pfc, kFrom, 0x1234, 3);
    CHECK(first_bytes_of(*frame, 26) == std::vector<int>{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7,    0x88,
                                                         0x08, 1,    1,    0, 8, 0, 0, 0, 0, 0, 0, 0x12, 0x34});
    const auto order = ReadPauseOrder(*frame);
    REQUIRE(order);
    CHECK(order->trafficClass == 3);
    CHECK(order->quanta == 0x1234);
    CHECK(!ReadPauseOrder(*MakePauseFrame(FlowControl::Kind::Pause, kFrom, 1))->trafficClass);
    CHECK(!ReadPauseOrder(*ns3::Create<ns3::Packet>(60)));
}

TEST_CASE("A priority flow control frame about all classes says the same of each, and is read back as that") {
    const auto frame = MakePauseFrame(FlowControl::Kind::Pfc, kFrom, 0x1234, kAllClasses);
    std::vector<int> expected{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 0x08, 1, 1, 0, 0xff};
    for (int each = 0; each < kTrafficClasses; ++each) expected.insert(expected.end(), {0x12, 0x34});
    CHECK(first_bytes_of(*frame, 34) == expected);
    const auto order = ReadPauseOrder(*frame);
    REQUIRE(order);
    CHECK(!order->trafficClass);
    CHECK(order->quanta == 0x1234);
}

TEST_CASE("Other frames, and those about other classes, tell the camera nothing") {
    CHECK(ReadPauseFrame(*ns3::Create<ns3::Packet>(60)) == std::nullopt);
    CHECK(ReadPauseFrame(*ns3::Create<ns3::Packet>(20)) == std::nullopt);
    std::vector<std::uint8_t> class_three{1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 8, 1, 1, 0, 1 << 3};
    class_three.resize(60);
    CHECK(ReadPauseFrame(*ns3::Create<ns3::Packet>(class_three.data(), 60)) == std::nullopt);
}

}  // namespace watershed
