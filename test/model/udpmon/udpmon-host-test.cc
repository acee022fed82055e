// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon-host.h"

#include <rapidcheck.h>

#include <cmath>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kMicrosecond{1'000'000};
constexpr Bytes kPayload{8232};

UdpmonSender fpga() {
    UdpmonSender sender;
    sender.kind = UdpmonHostKind::Fpga;
    sender.granularity = Time{5'000};
    sender.packet_cost = Time{0};
    sender.slot_multiple = Bytes{8};
    return sender;
}

}  // namespace

TEST_CASE("An FPGA rounds a slot up to words of 64 bits: 8298 B take 1038 words") {
    const UdpmonSender sender = fpga();
    const UdpmonPacer pacer(sender, kPayload, Time{0}, 1);
    CHECK(pacer.extra_slot(Bytes{8298}) == Bytes{6});
    CHECK(pacer.extra_slot(Bytes{8304}) == Bytes{0});
}

TEST_CASE("An FPGA paces in ticks, rounded up, and sooner by its offset") {
    UdpmonSender sender = fpga();
    sender.pacing_offset = Time{2'030'000};
    CHECK(UdpmonPacer(sender, kPayload, 9 * kMicrosecond, 1).next(2, Time{0}) == Time{6'970'000});
    sender.pacing_offset = Time{2'031'000};
    CHECK(UdpmonPacer(sender, kPayload, 9 * kMicrosecond, 1).next(2, Time{0}) == Time{6'970'000});
    CHECK(UdpmonPacer(sender, kPayload, 1 * kMicrosecond, 1).next(2, Time{7}) == Time{7});
    sender.clock = ClockTolerance{-2'600};  // 2.6 ppm slow: 6970 ns last 6970.018 ns
    CHECK(UdpmonPacer(sender, kPayload, 9 * kMicrosecond, 1).next(2, Time{0}) == Time{6'970'018});
}

TEST_CASE("A PC is late by up to the time between two looks at its clock, by half of it on average") {
    const UdpmonSender sender;
    const UdpmonPacer pacer(sender, kPayload, 50 * kMicrosecond, 1);
    double sum = 0;
    constexpr int kPackets = 20'000;
    for (int i = 2; i < kPackets + 2; ++i) {
        const Time late = pacer.next(i, Time{0}) - 50 * kMicrosecond;
        REQUIRE(late >= Time{0});
        REQUIRE(late <= sender.granularity);
        sum += static_cast<double>(late.count());
    }
    CHECK(std::abs(sum / kPackets / static_cast<double>(sender.granularity.count()) - 0.5) <
          0.01);  // 0.0020 is one standard deviation
}

TEST_CASE("A PC asked for less than sending costs sends as fast as it can") {
    const UdpmonSender sender;  // 1.5 us and 8232 B at 16 Gb/s, 4.116 us
    CHECK(UdpmonPacer(sender, kPayload, 3 * kMicrosecond, 1).next(2, Time{0}) == Time{5'616'000});
}

TEST_CASE("The emission jitter is exponential as far as its limit") {
    UdpmonSender sender = fpga();
    sender.jitter = Time{75'000};
    sender.jitter_limit = Time{205'000};
    const UdpmonPacer pacer(sender, kPayload, 50 * kMicrosecond, 1);
    double sum = 0, most = 0;
    constexpr int kPackets = 100'000;
    for (int i = 0; i < kPackets; ++i) {
        const double delay = static_cast<double>(pacer.jitter(i).count());
        sum += delay;
        most = std::max(most, delay);
    }
    // The mean of an exponential of mean m up to c is m - c / (exp(c / m) - 1).
    const double c = 205'000, m = 75'000;
    CHECK(sum / kPackets == Approx(m - c / std::expm1(c / m)).epsilon(0.01));
    CHECK(most <= c);
    CHECK(most > 0.98 * c);
}

TEST_CASE("Interrupts come at multiples of their period and bring all that has arrived") {
    UdpmonReceiver receiver;
    receiver.interrupt_period = 5 * kMicrosecond;
    receiver.interrupt_handling = 6 * kMicrosecond;
    receiver.read_cost = kMicrosecond;
    UdpmonReader reader(receiver, kPayload, 0, 1);
    CHECK(*reader.read(Time{2'000'000}) == Time{6'000'000});   // interrupt at 5, read for 1 us
    CHECK(*reader.read(Time{4'000'000}) == Time{7'000'000});   // the same interrupt, read behind it
    CHECK(*reader.read(Time{5'500'000}) == Time{16'000'000});  // handling until 11: the next is at 15
    CHECK(*reader.read(Time{14'000'000}) == Time{17'000'000});
}

TEST_CASE("A PC reads in order and never before arrival; what finds no room is lost") {
    const bool holds = rc::check([] {
        UdpmonReceiver receiver;
        receiver.interrupt_period = Time{*rc::gen::inRange<std::int64_t>(0, 10'000'000)};
        receiver.interrupt_handling = Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
        receiver.wakeup_jitter = {Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)}};
        receiver.read_cost = Time{*rc::gen::inRange<std::int64_t>(0, 5'000'000)};
        receiver.buffer = kPayload * *rc::gen::inRange<std::int64_t>(1, 20);
        UdpmonReader reader(receiver, kPayload, 0, 1);
        Time now{0}, last{0};
        for (int i = 0; i < 100; ++i) {
            now += Time{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
            const auto read = reader.read(now);
            if (!read) continue;
            RC_ASSERT(*read >= now + receiver.read_cost);
            RC_ASSERT(*read >= last);
            last = *read;
        }
    });
    REQUIRE(holds);

    UdpmonReceiver slow;
    slow.read_cost = 10 * kMicrosecond;
    slow.buffer = kPayload * 3;
    UdpmonReader reader(slow, kPayload, 0, 1);
    int lost = 0;
    for (int i = 0; i < 10; ++i) lost += !reader.read(Time{0});
    CHECK(lost == 7);
}
