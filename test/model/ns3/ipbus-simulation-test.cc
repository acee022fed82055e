// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus-simulation.h"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

using namespace watershed;

namespace {

/// A server without costs and one unit with FIFOs that never run empty.
Ipbus plain() {
    Ipbus ipbus;
    ipbus.duration = Time{20'000'000'000};
    ipbus.unit.delay = Time{0};
    return ipbus;
}

double slot_us(std::int64_t payload, double gigabits) { return static_cast<double>(std::max<std::int64_t>(payload + 66, 84)) * 8e-3 / gigabits; }

}  // namespace

TEST_CASE("One block at a time moves 32 b / (T0 + 32 b / R_bus + the time of two frames on two links each)") {
    // One packet per block, T0 for the client; requests and replies are stored and forwarded once, and the cable is passed twice.
    for (const std::int64_t block : {1, 64, 255, 256, 347})
        for (const std::int64_t t0_us : {0, 30, 250}) {
            CAPTURE(block, t0_us);
            Ipbus ipbus = plain();
            ipbus.client.latency = Time{t0_us * 1'000'000};
            ipbus.unit.delay = Time{500'000};
            const IpbusResult result = simulate_ipbus(ipbus, {1, block, {}}, 1);
            const std::int64_t chunks = (block + 254) / 255, request = 4 + 8 * chunks, reply = 4 + 4 * chunks + 4 * block;
            const double wire_us = slot_us(request, 1) + slot_us(request, 10) + slot_us(reply, 1) + slot_us(reply, 10) + 2 * 0.5;
            const double block_us = static_cast<double>(t0_us) + static_cast<double>(block) * 0.064 + wire_us;
            const double bits = 32 * static_cast<double>(block);
            CHECK(result.transferred_mbps == Approx(bits / block_us).margin(bits / 20'000 + 1e-6));   // a block more or less in 20 ms
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
