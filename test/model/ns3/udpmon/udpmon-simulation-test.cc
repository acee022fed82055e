// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-simulation.h"

#include <rapidcheck.h>

#include "model/base/frame.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Udpmon fpga(Bytes payload, Time spacing, std::int64_t packets) {
    Udpmon udpmon;
    udpmon.payloads = {payload};
    udpmon.spacings = {spacing};
    udpmon.packets = packets;
    udpmon.sender.kind = udpmon.receiver.kind = UdpmonHostKind::Fpga;
    udpmon.sender.granularity = Time{5'000};
    udpmon.sender.packet_cost = Time{0};
    udpmon.sender.buffer = Bytes{2 * 9000};
    udpmon.sender.slot_multiple = Bytes{8};
    udpmon.receiver.bin = Time{5'000};
    return udpmon;
}

}  // namespace

TEST_CASE("The spacing of an FPGA's packets is the slot in words or what was asked for, whichever is longer") {
    // slot = 8 * ceil((payload + 66) / 8) B at 800 ps; the instrument divides n - 1 intervals by n.
    for (const std::int64_t payload : {18, 64, 512, 1024, 8232, 8972})
        for (const std::int64_t spacing_ns : {0, 1'000, 6'640, 6'645, 20'000}) {
            CAPTURE(payload, spacing_ns);
            const auto udpmon = fpga(Bytes{payload}, Time{spacing_ns * 1000}, 100);
            const UdpmonResult result = simulate_udpmon(udpmon, Bytes{payload}, 0, 1);
            const double slot_ns = 0.8 * 8 * static_cast<double>((payload + 66 + 7) / 8);
            CHECK(result.received == 100);
            CHECK(result.receive_spacing_ns ==
                  Approx(std::max(slot_ns, static_cast<double>(spacing_ns)) * 99 / 100).epsilon(1e-9));
        }
}

TEST_CASE("A policer passes its rate of what it counts, once its bucket is empty") {
    // 9038 B slots every 7.232 us, of which it counts 8972, 9000, 9018 or 9038 B. It passes 4 Gb/s and, once, its
    // burst.
    using Accounting = UdpmonPath::Accounting;
    for (const auto& [accounting, bytes] : {std::pair{Accounting::Payload, 8972},
                                            {Accounting::Ip, 9000},
                                            {Accounting::Frame, 9018},
                                            {Accounting::Wire, 9038}}) {
        auto udpmon = fpga(Bytes{8972}, Time{0}, 5000);
        udpmon.path.policed = BitRate{4'000'000'000};
        udpmon.path.accounting = accounting;
        const UdpmonResult result = simulate_udpmon(udpmon, Bytes{8972}, 0, 1);
        const double slot_us = 9040 * 8e-4;
        const double passed = (4999 * slot_us * 500 + 90'000) / bytes;  // 4 Gb/s are 500 B a microsecond
        CAPTURE(bytes);
        CHECK(static_cast<double>(result.received) == Approx(passed).margin(1.5));
        REQUIRE(result.losses.size() == 1);
        CHECK(result.losses[0] == Outcome::Loss{"path", "policed", 5000 - result.received});
    }
}

TEST_CASE("A packet that is held back for longer than the spacing is overtaken and counted, not lost") {
    auto udpmon = fpga(Bytes{1024}, Time{10'000'000}, 2000);
    udpmon.path.reorder_one_in = 20;
    udpmon.path.reorder_delay = Time{25'000'000};
    const UdpmonResult result = simulate_udpmon(udpmon, Bytes{1024}, 0, 1);
    CHECK(result.received == 2000);
    CHECK(result.reordered > 60);  // 100 expected, 10 the standard deviation
    CHECK(result.reordered < 140);
}

TEST_CASE("Nothing is lost without a reason, whatever the hosts and the path are like") {
    const bool holds = rc::check([] {
        Udpmon udpmon;
        const Bytes payload{*rc::gen::inRange<std::int64_t>(16, 8973)};
        udpmon.payloads = {payload};
        udpmon.spacings = {Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)}};
        udpmon.packets = 200;
        udpmon.sender.kind = *rc::gen::element(UdpmonHostKind::Pc, UdpmonHostKind::Fpga);
        udpmon.receiver.kind = *rc::gen::element(UdpmonHostKind::Pc, UdpmonHostKind::Fpga);
        udpmon.sender.buffer = payload * *rc::gen::inRange<std::int64_t>(1, 50);
        udpmon.receiver.buffer = payload * *rc::gen::inRange<std::int64_t>(1, 10);
        udpmon.receiver.read_cost = Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
        udpmon.path.loss_one_in = *rc::gen::inRange(0, 20);
        udpmon.path.reorder_one_in = *rc::gen::inRange(0, 20);
        if (*rc::gen::arbitrary<bool>()) udpmon.path.policed = BitRate{1'000'000'000};
        const UdpmonResult result = simulate_udpmon(udpmon, payload, 0, 7);  // which throws if the books do not balance
        RC_ASSERT(result.sent == 200);
    });
    REQUIRE(holds);
}
