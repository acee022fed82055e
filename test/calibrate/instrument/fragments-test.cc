// SPDX-License-Identifier: GPL-2.0-only
#include <set>

#include "calibrate/instrument/receiving-end.h"
#include "model/base/byte-order.h"
#include "model/base/udp-head.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::array<std::uint8_t, 6> kReceiver{2, 3, 4, 5, 6, 7};

}  // namespace

TEST_CASE("A fragment goes to the receiver alone, from an address of nobody, and past no router") {
    Fragments fragments(3, Bytes{100}, kReceiver, 9);
    std::set<std::uint64_t> sources;
    for (int port = 0; port < fragments.ports(); ++port) {
        const auto& frame = fragments.frame(port, 5);
        REQUIRE(frame.size() == 14 + 20 + 8 + 100);
        CHECK(std::equal(kReceiver.begin(), kReceiver.end(), frame.begin()));
        CHECK((frame[6] & 3) == 2);  // locally administered, and one station's
        CHECK(frame[14 + 8] == 1);   // time to live
        CHECK(internet_sum(&frame[14], 20) == 0xffff);
        CHECK(read_big_endian<2>(&frame[38]) == 108);
        CHECK(read_big_endian<2>(&frame[40]) == 0);  // no checksum
        sources.insert(read_big_endian<6>(&frame[6]));
        const auto header = EventHeader::parse(&frame[kUdpHead]);
        REQUIRE(header);
        CHECK(header->run == 9);
        CHECK(header->frame == FrameId{5, port + 1, 1});
    }
    CHECK(sources.size() == 3);
}

TEST_CASE("Arrivals are counted once, by event and module") {
    Fragments fragments(3, Bytes{16}, kReceiver, 9), others(3, Bytes{16}, kReceiver, 8);
    ReceivedFragments arrivals(3, 4, 9);
    arrivals.take(fragments.frame(2, 4).data(), Time{70});
    arrivals.take(fragments.frame(2, 4).data(), Time{80});
    arrivals.take(fragments.frame(0, 1).data(), Time{95});
    CHECK(arrivals.frames() == 2);
    CHECK(arrivals.repeated() == 1);
    CHECK(arrivals.has(4, 3));
    CHECK(arrivals.has(1, 1));
    CHECK_FALSE(arrivals.has(4, 2));
    arrivals.take(others.frame(1, 1).data(), Time{99});     // of another run
    arrivals.take(fragments.frame(1, 5).data(), Time{99});  // of an event that was not sent
    CHECK(arrivals.frames() == 2);
    CHECK(arrivals.spread() == Time{25});
    CHECK(arrivals.of_other_runs() == 1);
}
