// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus/ipbus-simulation.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

namespace {

/// A server without costs and one unit with FIFOs that never run empty.
Ipbus plain() {
    Ipbus ipbus;
    ipbus.duration = Time{20'000'000'000};
    ipbus.unit.delay = Time{0};
    return ipbus;
}

double slot_us(std::int64_t payload, double gigabits) {
    return static_cast<double>(std::max<std::int64_t>(payload + 66, 84)) * 8e-3 / gigabits;
}

}  // namespace

TEST_CASE("One block at a time moves 32 b / (T0 + 32 b / R_bus + the time of two frames on two links each)") {
    // One packet per block, T0 for the client; requests and replies are stored and forwarded once, and the cable is
    // passed twice.
    for (const std::int64_t block : {1, 64, 255, 256, 347})
        for (const std::int64_t t0_us : {0, 30, 250}) {
            CAPTURE(block, t0_us);
            Ipbus ipbus = plain();
            ipbus.client.latency = Time{t0_us * 1'000'000};
            ipbus.unit.delay = Time{500'000};
            const IpbusResult result = simulate_ipbus(ipbus, {1, block, {}}, 1);
            const std::int64_t chunks = (block + 254) / 255, request = 4 + 8 * chunks,
                               reply = 4 + 4 * chunks + 4 * block;
            const double wire_us =
                slot_us(request, 1) + slot_us(request, 10) + slot_us(reply, 1) + slot_us(reply, 10) + 2 * 0.5;
            const double block_us = static_cast<double>(t0_us) + static_cast<double>(block) * 0.064 + wire_us;
            const double bits = 32 * static_cast<double>(block);
            CHECK(result.transferred_mbps ==
                  Approx(bits / block_us).margin(bits / 20'000 + 1e-6));  // a block more or less in 20 ms
            CHECK(result.data_mbps == result.transferred_mbps);
            CHECK(result.requests.answered == result.requests.requests);
        }
}

TEST_CASE("With enough packets in flight the bus is the limit, 500 Mb/s") {
    Ipbus ipbus = plain();
    const IpbusResult result = simulate_ipbus(ipbus, {1, 1'000'000, {}}, 1);
    CHECK(result.transferred_mbps == Approx(500).epsilon(0.005));
    CHECK(result.switch_peak <= Bytes{2 * 1446});
}

TEST_CASE(
    "Frames that are lost are made up for: every word comes once and in order, and every time-out is recovered from") {
    // The client throws if a word is missing or comes twice.
    Ipbus ipbus = plain();
    ipbus.duration = Time{200'000'000'000};
    ipbus.loss_one_in = 300;
    const IpbusResult result = simulate_ipbus(ipbus, {2, 2048, {}}, 1);
    CHECK(result.frames_lost() > 0);
    CHECK(result.requests.timeouts > 0);
    CHECK(result.requests.sent_again > 0);
    CHECK(result.requests.asked_again > 0);
    CHECK(result.requests.answered == result.requests.requests);
    CHECK(result.units_given_up == 0);
    const IpbusResult without = simulate_ipbus(
        [&] {
            Ipbus lossless = ipbus;
            lossless.loss_one_in = 0;
            return lossless;
        }(),
        {2, 2048, {}}, 1);
    CHECK(without.frames_lost() == 0);
    CHECK(without.requests.timeouts == 0);
    CHECK(result.data_mbps < without.data_mbps);
}

TEST_CASE("A switch without room for a reply makes ControlHub give the unit up, and nothing is lost silently") {
    Ipbus ipbus = plain();
    ipbus.switch_buffer = {1000, MemorySize::Unit::Byte};  // room for a status reply, not for 1446 B
    ipbus.hub.timeout = Time{1'000'000'000};
    const IpbusResult result = simulate_ipbus(ipbus, {1, 347, {}}, 1);
    CHECK(result.units_given_up == 1);
    CHECK(result.requests.answered == 0);
    CHECK(result.requests.abandoned == 1);
    // The reply, and five wishes for it.
    CHECK(result.losses == std::vector<Outcome::Loss>{{"switch", "buffer-full", 6}});
    CHECK(result.data_mbps == 0);
}

TEST_CASE("Periodic waveforms survive while the bus carries them, and in the ratio of the rates beyond") {
    // One channel, 508 words of 64 ns: 32.512 us, 30758 Hz.
    Ipbus ipbus = plain();
    ipbus.pattern = Ipbus::Pattern::Periodic;
    ipbus.unit.channels = 1;
    ipbus.unit.underflow = IpbusUnitFormat::Underflow::Wait;
    ipbus.client.outstanding = 16;
    ipbus.duration = Time{60'000'000'000};
    ipbus.warm_up = Time{10'000'000'000};
    for (const double kilohertz : {10.0, 30.0, 30.7, 32.0, 60.0}) {
        const IpbusResult result =
            simulate_ipbus(ipbus, {1, 508, Frequency{static_cast<std::int64_t>(kilohertz * 1e9)}}, 1);
        CHECK(result.survival == Approx(std::min(1.0, 1e3 / 32.512 / kilohertz)).margin(0.002));
        CHECK(result.waveforms.left == 0);
    }
}

TEST_CASE("Jumbo frames carry a block of 2048 words in one packet, ordinary ones in six") {
    Ipbus ipbus = plain();
    const IpbusResult ordinary = simulate_ipbus(ipbus, {1, 2048, {}}, 1);
    ipbus.max_payload = Bytes{8972};
    ipbus.unit.buffer_size = Bytes{16'384};
    const IpbusResult jumbo = simulate_ipbus(ipbus, {1, 2048, {}}, 1);
    CHECK(ordinary.requests.requests % 6 == 0);
    CHECK(jumbo.switch_peak == Bytes{8192 + 4 * (1 + 9) + 46});
}

TEST_CASE("Threads that are all busy limit what any number of units can move") {
    // A core and 1 ms for each block of 100 words: 1000 blocks a second, 3.2 Mb/s.
    Ipbus ipbus = plain();
    ipbus.duration = Time{100'000'000'000};
    ipbus.warm_up = Time{20'000'000'000};
    ipbus.processor = {1, 1, {0, 1}};
    ipbus.client.block_cost = Time{1'000'000'000};
    for (const std::int64_t units : {1, 4, 10}) {
        const IpbusResult result = simulate_ipbus(ipbus, {units, 100, {}}, 1);
        CHECK(result.transferred_mbps == Approx(3.2).epsilon(0.03));
    }
}

TEST_CASE("Every waveform, request and frame is accounted for, whatever the readout is like") {
    const bool holds = rc::check([] {
        Ipbus ipbus;
        ipbus.pattern = *rc::gen::element(Ipbus::Pattern::Full, Ipbus::Pattern::Periodic, Ipbus::Pattern::Poisson);
        ipbus.duration = Time{3'000'000'000};
        ipbus.hub.timeout = Time{*rc::gen::inRange<std::int64_t>(50'000'000, 1'000'000'000)};
        ipbus.hub.in_flight = *rc::gen::inRange(1, 20);
        ipbus.hub.packet_cost = Time{*rc::gen::inRange<std::int64_t>(0, 50'000'000)};
        ipbus.unit.buffers = *rc::gen::inRange(1, 20);
        ipbus.unit.underflow = *rc::gen::element(IpbusUnitFormat::Underflow::Filler, IpbusUnitFormat::Underflow::Wait);
        ipbus.client.outstanding = *rc::gen::inRange(1, 5);
        ipbus.client.latency = Time{*rc::gen::inRange<std::int64_t>(0, 100'000'000)};
        ipbus.loss_one_in = *rc::gen::element(0, 0, 10, 100);
        ipbus.switch_buffer = {*rc::gen::inRange<std::int64_t>(1500, 40'000), MemorySize::Unit::Byte};
        ipbus.processor = {2, 2, {1, 2}};
        const IpbusPoint point{*rc::gen::inRange<std::int64_t>(1, 8), *rc::gen::inRange<std::int64_t>(1, 3000),
                               Frequency{*rc::gen::inRange<std::int64_t>(100, 30'000) * 1'000'000}};
        const IpbusResult result = simulate_ipbus(ipbus, point, 7);  // which throws if the books do not balance
        RC_ASSERT(result.requests.open == 0);
        if (ipbus.loss_one_in == 0 && result.frames_lost() == 0)
            RC_ASSERT(result.requests.answered + result.requests.abandoned == result.requests.requests);
    });
    REQUIRE(holds);
}

TEST_CASE("The same seed gives the same readout") {
    Ipbus ipbus = plain();
    ipbus.pattern = Ipbus::Pattern::Poisson;
    ipbus.loss_one_in = 100;
    const IpbusPoint point{3, 600, Frequency{5'000'000'000}};
    const IpbusResult first = simulate_ipbus(ipbus, point, 1), again = simulate_ipbus(ipbus, point, 1),
                      other = simulate_ipbus(ipbus, point, 2);
    CHECK(first.waveforms.generated == again.waveforms.generated);
    CHECK(first.data_mbps == again.data_mbps);
    CHECK(first.frames_sent == again.frames_sent);
    CHECK(first.losses == again.losses);
    CHECK(first.waveforms.generated != other.waveforms.generated);
}
