// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/fill/ns3-stopped-switch.h"

#include <random>

#include "model/fill/fill-test.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A few hundred cells with all that a fill test can have.
FillTest random_test(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto draw = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    const auto cells = [&](std::int64_t low, std::int64_t high) {
        return MemorySize{draw(low, high), MemorySize::Unit::Cell};
    };
    constexpr Ratio kAlphas[] = {{1, 1}, {8, 1}, {1, 8}, {1, 2}, {3, 7}};
    FillTest test;
    test.event = static_cast<FillEvent>(draw(0, 5));
    test.before = static_cast<int>(draw(0, 2));
    test.together = static_cast<int>(draw(1, 3));
    NetworkScenario& scenario = test.scenario;
    scenario.frame.payload = Bytes{draw(18, 400)};
    scenario.front_end.obeys_pause = false;
    Switch& filled = scenario.network_switch;
    Buffer& buffer = filled.buffer;
    buffer.slices = static_cast<int>(draw(1, 3));
    scenario.front_end.modules = static_cast<int>(draw(test.before + test.together, 9)) * buffer.slices;
    buffer.sharing = Buffer::Sharing::DynamicThreshold;
    buffer.accounting = Buffer::Accounting::Ingress;
    buffer.size = cells(20, 300);
    buffer.alpha = kAlphas[draw(0, 4)];
    buffer.cell = Bytes{draw(64, 256)};
    buffer.cell_header = Bytes{draw(0, 48)};
    buffer.reserved = cells(0, 9);
    if (draw(0, 1)) buffer.egress_pipeline = draw(0, 20);
    if (test.event == FillEvent::EgressDrop) {
        buffer.accounting = Buffer::Accounting::Egress;
        filled.uplinks = static_cast<int>(draw(1, 4));
        test.before = 0;
        return test;
    }
    buffer.headroom = cells(1, 30);
    if (draw(0, 1)) buffer.headroom_pool = cells(1, 120);
    if (draw(0, 2) == 0) {
        buffer.accounting = Buffer::Accounting::Both;
        buffer.egress_size = cells(200, 900);
        if (draw(0, 1)) buffer.egress_alpha = Ratio{8, 1};
        buffer.egress_reserved = cells(0, 5);
    }
    filled.flow_control.kind = FlowControl::Kind::Pfc;
    filled.flow_control.alpha = buffer.alpha;
    filled.flow_control.xon_fixed = draw(0, 1) == 0;
    filled.flow_control.xon_offset = cells(0, 20);
    return test;
}

/// Text of the test's result, or that its event does not happen.
std::string text_of(const FillTest& test, const StoppedSwitchFactory& stop) {
    try {
        return std::to_string(fill(test, stop, 20'000));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("ns-3 and the exact engine agree in every random test of thresholds") {
    int happened = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const FillTest test = random_test(seed);
        const std::string exact = text_of(test, make_exact_tx_disabled_switch);
        INFO("seed " << seed << " event " << static_cast<int>(test.event));
        CHECK(text_of(test, stop_in_ns3) == exact);
        if (exact.find_first_not_of("0123456789") == std::string::npos) ++happened;
    }
    CHECK(happened > 200);
}
