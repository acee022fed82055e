// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon-monitor.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Times are divided by packets, intervals count as the lower edge of their bin, rates count what the instrument "
    "adds") {
    UdpmonReceiver receiver;
    receiver.reported_overhead = Bytes{26};
    UdpmonMonitor monitor(receiver, Bytes{974});
    for (int i = 0; i < 5; ++i) {
        monitor.sent(Time{i * 3'000'000});
        monitor.received(i + 1, Time{500'000'000 + i * 3'500'000});
    }
    const UdpmonResult result = monitor.result(Time{3'000'000});
    CHECK(result.send_spacing_ns == Approx(4 * 3000. / 5));
    CHECK(result.receive_spacing_ns == Approx(4 * 3500. / 5));
    CHECK(result.wire_rate_mbps == Approx(8 * 1000 / 2.8));
    CHECK(result.payload_rate_mbps == Approx(8 * 974 / 2.8));
    CHECK(result.intervals.mean_us == Approx(3));  // 3.5 us in bins of 1 us
    CHECK(result.intervals.deviation_us == Approx(0).margin(1e-12));
    CHECK(result.histogram == std::map<std::int64_t, std::int64_t>{{3, 4}});
}

TEST_CASE("Deviation, mode and extremes are those of the histogram") {
    UdpmonReceiver receiver;
    UdpmonMonitor monitor(receiver, Bytes{1000});
    std::int64_t now = 0, number = 0;
    for (const int interval : {0, 2, 2, 2, 10}) {  // the first only begins
        monitor.sent(Time{now});
        monitor.received(++number, Time{now += interval * 1'000'000});
    }
    const auto intervals = monitor.result(Time{0}).intervals;
    CHECK(intervals.least_us == 2);
    CHECK(intervals.most_us == 10);
    CHECK(intervals.mode_us == 2);
    CHECK(intervals.mean_us == Approx(4));
    CHECK(intervals.deviation_us == Approx(std::sqrt(12.)));  // (3 * 4 + 36) / 4
}

TEST_CASE("A packet behind one with a higher number is reordered") {
    UdpmonReceiver receiver;
    UdpmonMonitor monitor(receiver, Bytes{1000});
    std::int64_t now = 0;
    for (const int number : {1, 3, 4, 2, 5}) {
        monitor.sent(Time{now});
        monitor.received(number, Time{now += 1'000'000});
    }
    CHECK(monitor.result(Time{0}).reordered == 1);
}

TEST_CASE("The books must balance: what was sent was received or lost with a reason") {
    UdpmonReceiver receiver;
    UdpmonMonitor monitor(receiver, Bytes{1000});
    for (int i = 0; i < 4; ++i) monitor.sent(Time{i});
    monitor.received(1, Time{5});
    monitor.lost({"path", "policed"});
    monitor.lost({"path", "policed"});
    CHECK_THROWS_AS(monitor.result(Time{0}), std::logic_error);
    monitor.lost({"path", "damaged"});
    const UdpmonResult result = monitor.result(Time{0});
    CHECK(result.lost() == 3);
    REQUIRE(result.losses.size() == 2);
    CHECK(result.losses[0] == Outcome::Loss{"path", "damaged", 1});
    CHECK(result.losses[1] == Outcome::Loss{"path", "policed", 2});
}

TEST_CASE("An observation that loses 19 of 100 packets keeps nine tenths of its signal to noise") {
    UdpmonResult result;
    result.sent = 100;
    result.received = 81;
    CHECK(result.vlbi_signal_to_noise() == Approx(0.9));
}
