// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-unit.h"

#include "test/catch.h"

using namespace watershed;
using namespace watershed::ipbus;

TEST_CASE("A FIFO of 8192 B takes four waveforms of 2032 B, and a fifth once 1968 B of the first are gone") {
    // 8192 - 4 * 2032 = 64 B are free: a fifth needs 1968 B = 492 words more.
    WaveformFifo fifo(2048, 508);
    for (int i = 0; i < 4; ++i) CHECK(fifo.store());
    CHECK_FALSE(fifo.store());
    CHECK(fifo.take(491) == 0);
    CHECK_FALSE(fifo.store());
    CHECK(fifo.take(1) == 491);
    CHECK(fifo.store());
    CHECK(fifo.accepted() == 5);
    CHECK(fifo.rejected() == 2);
    CHECK(fifo.words() == 5 * 508 - 492);
}

namespace {

constexpr std::int64_t kWord = 64'000;  // ps: 32 bits at 500 Mb/s

IpbusUnit one_channel(IpbusUnitFormat::Underflow underflow, bool full = false) {
    IpbusUnitFormat format;
    format.channels = 1;
    format.underflow = underflow;
    format.buffers = 2;
    return IpbusUnit(format, full);
}

std::int64_t valid_words(const Words& data) {
    std::int64_t valid = 0;
    for (const std::uint32_t word : data) valid += word != kFiller;
    return valid;
}

}  // namespace

TEST_CASE("A word passes the bus every 64 ns") {
    IpbusUnit unit = one_channel(IpbusUnitFormat::Underflow::Filler, true);
    CHECK_FALSE(unit.receive(read_request(1, {0, 347}), Time{1000}).refused);
    CHECK_FALSE(unit.receive(read_request(2, {0, 10}), Time{2000}).refused);
    REQUIRE(unit.next_reply() == Time{1000 + 347 * kWord});
    const Words data = parse_read_reply(unit.reply(*unit.next_reply()));
    CHECK(data.size() == 347);
    CHECK(data.front() == IpbusUnit::content(0));
    CHECK(data.back() == IpbusUnit::content(346));
    CHECK(unit.next_reply() == Time{1000 + 357 * kWord});
}

TEST_CASE("An empty FIFO gives filler words between waveforms, or makes the read wait") {
    // A waveform of 508 words at 100 words' time; a read of 700 words from time 0.
    IpbusUnit filler = one_channel(IpbusUnitFormat::Underflow::Filler);
    filler.receive(read_request(1, {0, 700}), Time{0});
    filler.trigger(Time{100 * kWord});
    REQUIRE(filler.next_reply() == Time{700 * kWord});
    const Words data = parse_read_reply(filler.reply(Time{700 * kWord}));
    CHECK(valid_words(data) == 508);
    CHECK(data[99] == kFiller);
    CHECK(data[100] == IpbusUnit::content(0));
    CHECK(data[608] == kFiller);

    IpbusUnit waiting = one_channel(IpbusUnitFormat::Underflow::Wait);
    waiting.receive(read_request(1, {0, 700}), Time{0});
    CHECK_FALSE(waiting.next_reply());
    waiting.trigger(Time{100 * kWord});
    CHECK_FALSE(waiting.next_reply());  // 192 words are missing
    waiting.trigger(Time{1000 * kWord});
    REQUIRE(waiting.next_reply() == Time{1192 * kWord});
    CHECK(valid_words(parse_read_reply(waiting.reply(Time{1192 * kWord}))) == 700);
}

TEST_CASE("The end of triggers ends the waiting") {
    IpbusUnit unit = one_channel(IpbusUnitFormat::Underflow::Wait);
    unit.receive(read_request(1, {0, 10}), Time{0});
    unit.end(Time{5 * kWord});
    REQUIRE(unit.next_reply() == Time{15 * kWord});
    CHECK(valid_words(parse_read_reply(unit.reply(Time{15 * kWord}))) == 0);
}

TEST_CASE("Only the request that is next is taken, and the last replies are kept") {
    IpbusUnit unit = one_channel(IpbusUnitFormat::Underflow::Filler, true);
    CHECK(unit.receive(read_request(2, {0, 1}), Time{0}).refused == &IpbusUnit::kUnexpectedNumber);
    CHECK(next_expected(*unit.receive(status_request(), Time{0}).reply) == 1);
    Words replies[4];
    for (std::uint16_t id = 1; id <= 3; ++id) {
        unit.receive(read_request(id, {0, 1}), Time{id * kWord});
        replies[id] = unit.reply(*unit.next_reply());
    }
    CHECK(unit.receive(read_request(3, {0, 1}), Time{9 * kWord}).refused == &IpbusUnit::kUnexpectedNumber);
    CHECK(next_expected(*unit.receive(status_request(), Time{9 * kWord}).reply) == 4);
    CHECK(unit.receive({resend_header(1)}, Time{9 * kWord}).refused == &IpbusUnit::kNoReply);  // two are kept
    CHECK(*unit.receive({resend_header(3)}, Time{9 * kWord}).reply == replies[3]);
    CHECK(unit.receive(read_request(4, {1, 1}), Time{9 * kWord}).refused ==
          &IpbusUnit::kUnexpectedNumber);  // no such FIFO
    CHECK(unit.receive({}, Time{9 * kWord}).refused == &IpbusUnit::kUnexpectedNumber);
}
