// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/roce.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A RoCE frame costs 82 B beside its data, and 16 B more where it begins a write") {
    // 8 + 14 + 20 + 8 + 12 + data + 4 + 4 + 12
    CHECK(roce::slot(Bytes{1024}, false) == Bytes{1106});
    CHECK(roce::slot(Bytes{4096}, true) == Bytes{4194});
    CHECK(roce::frame_size(Bytes{4096}, false) == Bytes{4154});  // without preamble, FCS and gap
}

TEST_CASE("Of 100 Gb/s, frames with 1024, 2048 and 4096 B leave 92.6, 96.15 and 98.04 Gb/s to the data") {
    const auto goodput = [](std::int64_t mtu) {
        return 100.0 * static_cast<double>(mtu) / static_cast<double>(roce::slot(Bytes{mtu}, false).count);
    };
    CHECK(goodput(1024) == Approx(92.586).margin(0.001));
    CHECK(goodput(2048) == Approx(96.150).margin(0.001));
    CHECK(goodput(4096) == Approx(98.037).margin(0.001));
}

TEST_CASE("All frames of a message cost what each of them costs") {
    REQUIRE(rc::check([] {
        const Bytes mtu{4 * *rc::gen::inRange<std::int64_t>(64, 1025)},
            message{4 * *rc::gen::inRange<std::int64_t>(1, 50'000)};
        const std::int64_t frames = roce::frames_of(message, mtu);
        Bytes sum{0}, left = message;
        for (std::int64_t i = 0; i < frames; ++i) {
            const Bytes data = std::min(left, mtu);
            sum += roce::slot(data, i == 0);
            left -= data;
        }
        RC_ASSERT(left == Bytes{0});
        RC_ASSERT(roce::slots_of(message, mtu) == sum);
    }));
}

TEST_CASE("Headers say what they were made of") {
    REQUIRE(rc::check([] {
        roce::Headers headers;
        headers.opcode = *rc::gen::element(roce::Opcode::WriteFirst, roce::Opcode::WriteMiddle, roce::Opcode::WriteLast,
                                           roce::Opcode::WriteOnly);
        headers.source = *rc::gen::inRange(0, 1000);
        headers.destination = *rc::gen::inRange(0, 1000);
        headers.queue_pair = *rc::gen::inRange<std::uint32_t>(0, 1 << 24);
        headers.number = *rc::gen::inRange<std::uint32_t>(0, 1 << 24);
        headers.data = Bytes{*rc::gen::inRange<std::int64_t>(0, 4097)};
        headers.congested = *rc::gen::arbitrary<bool>();
        if (roce::begins_message(headers.opcode)) headers.message = Bytes{*rc::gen::inRange<std::int64_t>(0, 1 << 30)};
        const auto bytes = roce::to_bytes(headers);
        const auto read = roce::from_bytes(bytes.data(), headers.size());
        RC_ASSERT(read.has_value());
        RC_ASSERT(read->opcode == headers.opcode);
        RC_ASSERT(read->source == headers.source);
        RC_ASSERT(read->destination == headers.destination);
        RC_ASSERT(read->queue_pair == headers.queue_pair);
        RC_ASSERT(read->number == headers.number);
        RC_ASSERT(read->data == headers.data);
        RC_ASSERT(read->message == headers.message);
        RC_ASSERT(read->congested == headers.congested);
    }));
}

TEST_CASE("The IPv4 header sums up to all ones, its length and that of UDP cover data and ICRC, and the port is 4791") {
    roce::Headers headers;
    headers.opcode = roce::Opcode::WriteFirst;
    headers.data = Bytes{4096};
    headers.message = Bytes{100'000};
    const auto bytes = roce::to_bytes(headers);
    const auto word = [&](std::size_t at) { return static_cast<std::uint32_t>(bytes[at] << 8 | bytes[at + 1]); };
    std::uint32_t sum = 0;
    for (std::size_t at = 14; at < 34; at += 2) sum += word(at);
    CHECK((sum & 0xffff) + (sum >> 16) == 0xffff);
    CHECK(word(16) == 20 + 8 + 12 + 16 + 4096 + 4);
    CHECK(word(36) == 4791);
    CHECK(word(38) == word(16) - 20);
    CHECK((bytes[15] & 3) == 2);  // ECN-capable
}

TEST_CASE("Other bytes are no RoCE frame") {
    const auto bytes = roce::to_bytes({});
    CHECK_FALSE(roce::from_bytes(bytes.data(), 53));
    auto other = bytes;
    other[36] = 0;  // another UDP port
    CHECK_FALSE(roce::from_bytes(other.data(), other.size()));
    other = bytes;
    other[27] = 9;  // from another network
    CHECK_FALSE(roce::from_bytes(other.data(), other.size()));
}
