// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-client.h"

#include <stdexcept>

#include "model/ipbus/ipbus-unit.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ipbus::Words content(std::int64_t from, std::int64_t words) {
    ipbus::Words data;
    for (std::int64_t n = from; n < from + words; ++n) data.push_back(IpbusUnit::content(n));
    return data;
}

}  // namespace

TEST_CASE("A block of 2048 words is five packets of 347 words and one of 313, and the FIFOs take turns") {
    IpbusClient client(Ipbus{}, 2048);
    for (const std::uint32_t channel : {0U, 1U, 2U, 0U}) {
        const auto reads = client.next_block();
        REQUIRE(reads.size() == 6);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(reads[i].address == channel);
            CHECK(reads[i].words == (i < 5 ? 347 : 313));
        }
    }
}

TEST_CASE("A block is complete with its last packet, and waveforms count once they are whole") {
    IpbusClient client(Ipbus{}, 600);
    client.next_block();
    CHECK_FALSE(client.receive(content(0, 347)));
    CHECK(client.waveforms() == 0);
    auto last = content(347, 200);
    last.resize(253, ipbus::kFiller);
    CHECK(client.receive(last));
    CHECK(client.words() == 600);
    CHECK(client.data_words() == 547);
    CHECK(client.waveforms() == 1);
}

TEST_CASE("A word that is missing or comes twice is noticed") {
    for (const std::int64_t wrong : {346, 348}) {
        IpbusClient client(Ipbus{}, 694);
        client.next_block();
        client.receive(content(0, 347));
        CHECK_THROWS_AS(client.receive(content(wrong, 347)), std::logic_error);
    }
    IpbusClient client(Ipbus{}, 10);
    CHECK_THROWS_AS(client.receive(content(0, 10)), std::logic_error);  // nothing was asked for
}
