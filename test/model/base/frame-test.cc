// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/frame.h"

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A fragment of 1024 B has the four sizes of IEEE 802.3 framing") {
    // 1024 + UDP 8 + IPv4 20 + MAC 14 + FCS 4 = 1070; with preamble 8 and gap 12: 1090.
    const auto frames = frames_of_fragment(FrameFormat{});
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].payload == Bytes{1024});
    CHECK(frames[0].buffer == Bytes{1070});
    CHECK(frames[0].wire == Bytes{1090});
    CHECK(frames[0].reported == Bytes{1090});
}

TEST_CASE("A frame shorter than 64 B is padded on the link and in the buffer, and the instrument does not see it") {
    FrameFormat format;
    format.payload = Bytes{1};  // 47 B from MAC header to FCS: 17 B of padding
    const auto frame = frames_of_fragment(format).front();
    CHECK(frame.buffer == Bytes{64});
    CHECK(frame.wire == Bytes{84});
    CHECK(frame.reported == Bytes{67});
    format.payload = Bytes{18};  // 64 B exactly
    CHECK(frames_of_fragment(format).front().buffer == Bytes{64});
    format.payload = Bytes{19};
    CHECK(frames_of_fragment(format).front().buffer == Bytes{65});
}

TEST_CASE("A fragment over the MTU is refused with the arithmetic") {
    FrameFormat format;
    format.payload = Bytes{1472};  // 1472 + 8 + 20 = 1500
    CHECK(frames_of_fragment(format).size() == 1);
    format.payload = Bytes{1473};
    CHECK_THROWS_WITH(frames_of_fragment(format),
                      Contains("1473 B + UDP 8 B + IPv4 20 B = 1501 B exceeds the MTU of 1500 B"));
    format.mtu = Bytes{9000};
    CHECK(frames_of_fragment(format).size() == 1);
}

TEST_CASE("A split fragment fills frames up to the MTU and loses no byte") {
    FrameFormat format;
    format.split = true;
    for (const std::int64_t payload : {1472, 1473, 1680, 2944, 2945, 10000}) {
        format.payload = Bytes{payload};
        const auto frames = frames_of_fragment(format);
        CHECK(static_cast<std::int64_t>(frames.size()) == ceil_div<std::int64_t>(payload, 1472));
        Bytes sum;
        for (const auto& frame : frames) {
            CHECK(frame.payload <= Bytes{1472});
            sum += frame.payload;
        }
        CHECK(sum == Bytes{payload});
    }
}

TEST_CASE(
    "A module that sends several fragments for each event sends the frames of each, one fragment after the other") {
    FrameFormat format;
    format.fragments = 3;
    CHECK(frames_of_fragment(format).size() == 3);
    CHECK(frames_of_fragment(format)[2].wire == Bytes{1090});
    format.payload = Bytes{2000};
    format.split = true;  // 1472 and 528
    const auto frames = frames_of_fragment(format);
    REQUIRE(frames.size() == 6);
    CHECK(frames[2].payload == Bytes{1472});
    CHECK(frames[5].payload == Bytes{528});
}
