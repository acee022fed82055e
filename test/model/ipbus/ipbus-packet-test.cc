// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-packet.h"

#include <rapidcheck.h>

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;
using namespace watershed::ipbus;

TEST_CASE("Headers are laid out as IPbus 2.0 says") {
    CHECK(control_header(0x1234) == 0x201234f0);
    CHECK(resend_header(0x1234) == 0x201234f2);
    CHECK(id_of(0x201234f0, 0) == std::uint16_t{0x1234});
    CHECK(id_of(0x201234f2, 2) == std::uint16_t{0x1234});
    CHECK_FALSE(id_of(0x201234f2, 0));
    CHECK_FALSE(id_of(0x301234f0, 0));
    CHECK(next_id(1) == 2);
    CHECK(next_id(0xffff) == 1);
    // version 2, transaction 0x05c, 0xff words, type 2, request
    CHECK(transaction_header(0x5c, 0xff, Type::NonIncrementingRead, kRequest) == 0x205cff2f);
}

TEST_CASE("A full request of 1400 B for the reply is 20 B long") {
    // 347 words: 255 and 92 = 0x5c
    const Words request = read_request(1, {3, 347});
    CHECK(request == Words{0x200001f0, 0x2000ff2f, 3, 0x20015c2f, 3});
    CHECK(to_bytes({request[0], request[1]}) ==
          std::vector<std::uint8_t>{0x20, 0x00, 0x01, 0xf0, 0x20, 0x00, 0xff, 0x2f});
    CHECK(request_size(347) == Bytes{20});
    CHECK(reply_size(347) == Bytes{1400});
}

TEST_CASE("A status packet has sixteen words, the fourth of which says what the unit expects") {
    const Words request = status_request();
    CHECK(request.size() == 16);
    CHECK(request[0] == 0x200000f1);
    const Words reply = status_reply(Bytes{1500}, 4, 0x0102);
    CHECK(Words(reply.begin(), reply.begin() + 4) == Words{0x200000f1, 1500, 4, 0x200102f0});
    CHECK(next_expected(reply) == 0x0102);
    CHECK_THROWS_AS(next_expected(request), std::invalid_argument);
}

TEST_CASE("A packet carries as many words as leave room for its headers, and no more") {
    CHECK(data_words_per_packet(Bytes{1400}) == 347);
    CHECK(data_words_per_packet(Bytes{8192}) == 2039);
    CHECK(data_words_per_packet(Bytes{12}) == 1);
    CHECK_THROWS_AS(data_words_per_packet(Bytes{11}), std::invalid_argument);
    for (std::int64_t payload = 12; payload < 9000; ++payload) {
        const std::int64_t words = data_words_per_packet(Bytes{payload});
        if (reply_size(words) > Bytes{payload}) FAIL(payload << " B do not hold " << words << " words");
        // One word more needs 4 B more, or 8 B where it begins a chunk; there the last chunk header is not worth its
        // place.
        if (reply_size(words + 1) <= Bytes{payload}) FAIL(payload << " B hold more than " << words << " words");
    }
}

TEST_CASE("What is asked for and what is answered survives being a packet") {
    const bool holds = rc::check([] {
        const auto id = *rc::gen::inRange<std::uint16_t>(1, 0xffff);
        const FifoRead read{*rc::gen::inRange<std::uint32_t>(0, 100), *rc::gen::inRange<std::int64_t>(1, 2500)};
        const Words request = from_bytes(to_bytes(read_request(id, read)));
        RC_ASSERT(Bytes{static_cast<std::int64_t>(4 * request.size())} == request_size(read.words));
        const auto parsed = parse_read_request(request);
        RC_ASSERT(parsed.has_value());
        RC_ASSERT(parsed->address == read.address);
        RC_ASSERT(parsed->words == read.words);

        const auto data =
            *rc::gen::container<Words>(static_cast<std::size_t>(read.words), rc::gen::arbitrary<std::uint32_t>());
        const Words reply = from_bytes(to_bytes(read_reply(id, data)));
        RC_ASSERT(Bytes{static_cast<std::int64_t>(4 * reply.size())} == reply_size(read.words));
        RC_ASSERT(parse_read_reply(reply) == data);
    });
    REQUIRE(holds);
}

TEST_CASE("A packet that is no read is told from one") {
    CHECK_FALSE(parse_read_request({}));
    CHECK_FALSE(parse_read_request({control_header(1)}));
    CHECK_FALSE(parse_read_request({control_header(1), transaction_header(0, 1, Type::Write, kRequest), 3}));
    CHECK_FALSE(
        parse_read_request({resend_header(1), transaction_header(0, 1, Type::NonIncrementingRead, kRequest), 3}));
    CHECK_THROWS_AS(
        parse_read_reply({control_header(1), transaction_header(0, 2, Type::NonIncrementingRead, kSuccess), 7}),
        std::invalid_argument);
}
