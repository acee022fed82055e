// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/advice/campaign.h"
#include "test/calibrate/maps.h"
#include "test/calibrate/measure-all.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario hidden(Buffer::Sharing sharing, std::int64_t depth, MemorySize::Unit unit) {
    Scenario one;
    one.network_switch.buffer.sharing = sharing;
    one.network_switch.buffer.size = {depth, unit};
    return one;
}

Scenario shared_frames() { return hidden(Buffer::Sharing::Shared, 3080, MemorySize::Unit::Frame); }

BurstSetting burst(std::int64_t events, Time separation = Time{20'000'000}) {
    return {44, Bytes{1024}, separation, events};
}

/// Mean and standard deviation of the frames lost of `bursts` equal ones, and the share that lost any.
struct Sample {
    double mean = 0, deviation = 0, lossy = 0;
};

Sample sample(const SimulatedSwitch& simulated, const BurstSetting& setting, int bursts) {
    Sample result;
    double squares = 0;
    for (const LossMapRow& row : measure_all(simulated, {setting}, bursts)) {
        const auto lost = static_cast<double>(row.frames_lost());
        result.mean += lost / bursts;
        squares += lost * lost / bursts;
        result.lossy += (lost > 0 ? 1.0 : 0.0) / bursts;
    }
    result.deviation = std::sqrt(squares - result.mean * result.mean);
    return result;
}

/// 5 standard deviations of a share of `bursts`.
double slack(double share, int bursts) { return 5 * std::sqrt(share * (1 - share) / bursts); }

}  // namespace

TEST_CASE("A perfect apparatus measures what the switch loses, for every kind of memory") {
    for (const auto sharing : {Buffer::Sharing::Shared, Buffer::Sharing::PerInput})
        for (const auto unit : {MemorySize::Unit::Frame, MemorySize::Unit::Byte}) {
            const std::int64_t depth =
                (sharing == Buffer::Sharing::Shared ? 900 : 21) * (unit == MemorySize::Unit::Byte ? 1070 : 1) + 3;
            const SimulatedSwitch simulated(hidden(sharing, depth, unit), {});
            for (const std::int64_t events : {20, 27, 28, 40, 90}) {
                const LossMapRow row = simulated.measure(events, burst(events, Time{12'000'000}));
                const LossMapRow expected = measured({sharing, unit, depth}, 44, 1024, Time{12'000'000}, events);
                CHECK(row.frames_sent == expected.frames_sent);
                CHECK(row.frames_received == expected.frames_received);
                CHECK_FALSE(row.worst_trigger_lateness);
            }
        }
}

TEST_CASE("Cells and descriptors limit the simulated switch too") {
    // 1024 B of payload and 46 B around it take 9 cells of 128 B; 4500 cells are room for 500 frames, and 300
    // descriptors for 300.
    Scenario cells = hidden(Buffer::Sharing::Shared, 4500, MemorySize::Unit::Cell);
    cells.network_switch.buffer.cell = Bytes{128};
    CHECK(SimulatedSwitch(cells, {}).measure(0, burst(12, Time{0})).frames_lost() ==
          measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 500}, 44, 1024, Time{0}, 12).frames_lost());
    cells.network_switch.buffer.descriptors = 300;
    CHECK(SimulatedSwitch(cells, {}).measure(0, burst(12, Time{0})).frames_lost() ==
          measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 300}, 44, 1024, Time{0}, 12).frames_lost());
}

TEST_CASE("A soft threshold loses with the normal probability of the burst's distance from it") {
    // The longest lossless burst M* is the m with 44 m - floor((m - 1) 20 us / 872 ns) <= 3080: 145.
    REQUIRE(SimulatedSwitch(shared_frames(), {}).measure(0, burst(145)).lossless());
    REQUIRE_FALSE(SimulatedSwitch(shared_frames(), {}).measure(0, burst(146)).lossless());
    SetupImperfections apparatus;
    apparatus.noise.length = 0.05;
    const SimulatedSwitch simulated(shared_frames(), apparatus);
    constexpr int kBursts = 1000;
    CHECK(sample(simulated, burst(145), kBursts).lossy == Approx(0.5).margin(slack(0.5, kBursts)));
    const double z = std::log(152.0 / 145) / 0.05;
    const double expected = std::erfc(-z / std::sqrt(2.0)) / 2;  // 0.83
    CHECK(sample(simulated, burst(152), kBursts).lossy == Approx(expected).margin(slack(expected, kBursts)));
}

TEST_CASE(
    "Noise of the counts scatters them about the number lost, and makes lossless bursts near the watershed lossy") {
    SetupImperfections apparatus;
    apparatus.noise.frames = 4;
    const SimulatedSwitch simulated(shared_frames(), apparatus);
    const auto exact = static_cast<double>(SimulatedSwitch(shared_frames(), {}).measure(0, burst(160)).frames_lost());
    constexpr int kBursts = 2000;
    const Sample above = sample(simulated, burst(160), kBursts);
    CHECK(above.mean == Approx(exact).margin(5 * 4 / std::sqrt(kBursts)));
    CHECK(above.deviation == Approx(4).epsilon(0.1));
    // 145 events fill 44 x 145 - floor(144 x 20 / 0.872) = 3078 of 3080 places; 2 places and half a frame must be made
    // up. That whole frames are drained shifts this by less than one.
    const double least = std::erfc(3.5 / 4 / std::sqrt(2.0)) / 2, most = std::erfc(1.5 / 4 / std::sqrt(2.0)) / 2;
    const double below = sample(simulated, burst(145), kBursts).lossy;
    CHECK(below > least - slack(least, kBursts));
    CHECK(below < most + slack(most, kBursts));
    CHECK(sample(simulated, burst(100), 100).lossy == 0);
}

TEST_CASE("A background loss takes one frame from its share of all bursts") {
    SetupImperfections apparatus;
    apparatus.background = 0.2;
    constexpr int kBursts = 1000;
    const Sample quiet = sample(SimulatedSwitch(shared_frames(), apparatus), burst(10), kBursts);
    CHECK(quiet.lossy == Approx(0.2).margin(slack(0.2, kBursts)));
    CHECK(quiet.mean == Approx(quiet.lossy));
}

TEST_CASE("A late trigger gives the switch time to drain, and the map tells of it") {
    SetupImperfections apparatus;
    apparatus.late = 1;
    const auto undisturbed = SimulatedSwitch(shared_frames(), {}).measure(0, burst(200));
    int fewer = 0;
    for (const LossMapRow& row : measure_all(SimulatedSwitch(shared_frames(), apparatus), {burst(200)}, 20)) {
        REQUIRE(row.worst_trigger_lateness);
        CHECK(*row.worst_trigger_lateness >= row.separation);
        CHECK(*row.worst_trigger_lateness <= row.separation * 10);
        fewer += row.frames_lost() < undisturbed.frames_lost();
    }
    CHECK(fewer > 0);
}

TEST_CASE("Without counts a burst has lost one frame or none") {
    SetupImperfections apparatus;
    apparatus.counts = false;
    const SimulatedSwitch simulated(shared_frames(), apparatus);
    CHECK(simulated.measure(0, burst(145)).frames_lost() == 0);
    CHECK(simulated.measure(0, burst(400)).frames_lost() == 1);
}

TEST_CASE("A burst's disturbances are its own, whatever is measured beside it") {
    SetupImperfections apparatus;
    apparatus.noise.length = 0.1, apparatus.noise.frames = 3, apparatus.seed = 7;
    const SimulatedSwitch simulated(shared_frames(), apparatus);
    const auto rows = measure_all(simulated, {burst(140), burst(300), burst(160)}, 2, 10);
    REQUIRE(rows.size() == 6);
    CHECK(rows[4].frames_received == simulated.measure(14, burst(300)).frames_received);
    CHECK(rows[1].frames_received != rows[4].frames_received);
}

TEST_CASE("The generator decides which burst is sent") {
    Generator generator;
    generator.step = Time{1'000'000};
    generator.lengths = {10, 100};
    const LossMapRow row = SimulatedSwitch(shared_frames(), {}, generator).measure(0, burst(80, Time{20'400'000}));
    CHECK(row.separation == Time{20'000'000});
    CHECK(row.events == 100);
    CHECK(row.frames_sent == 4400);
}

TEST_CASE("Random loss takes its share of all frames that get through, from short bursts too") {
    SetupImperfections apparatus;
    apparatus.loss = 0.02;
    const SimulatedSwitch simulated(shared_frames(), apparatus);
    constexpr int kBursts = 1000;
    const Sample quiet = sample(simulated, burst(10), kBursts);  // 440 frames, none of which overflows
    CHECK(quiet.mean == Approx(8.8).margin(5 * std::sqrt(440 * 0.02 * 0.98 / kBursts)));
    CHECK(quiet.deviation == Approx(std::sqrt(440 * 0.02 * 0.98)).epsilon(0.12));
    const auto overflow =
        static_cast<double>(SimulatedSwitch(shared_frames(), {}).measure(0, burst(200)).frames_lost());
    const double kept = 44 * 200 - overflow;
    CHECK(sample(simulated, burst(200), kBursts).mean ==
          Approx(overflow + 0.02 * kept).margin(5 * std::sqrt(kept * 0.02 * 0.98 / kBursts)));
}

TEST_CASE("A token bucket spares as many frames as its bytes pay for") {
    SetupImperfections apparatus;
    apparatus.bucket = 3000;  // 2.752 frames of 1090 B
    const auto without = SimulatedSwitch(shared_frames(), {}).measure(0, burst(200)).frames_lost();
    constexpr int kBursts = 1000;
    int three = 0;
    for (const LossMapRow& row : measure_all(SimulatedSwitch(shared_frames(), apparatus), {burst(200)}, kBursts)) {
        const std::int64_t spared = without - row.frames_lost();
        CHECK((spared == 2 || spared == 3));
        three += spared == 3;
    }
    CHECK(static_cast<double>(three) / kBursts == Approx(0.752).margin(slack(0.752, kBursts)));
    // 145 events leave 2 places free; 146 lose 19 frames more than 145 fill, and 2.752 do not hold them.
    CHECK_FALSE(SimulatedSwitch(shared_frames(), apparatus).measure(0, burst(146)).lossless());
}

TEST_CASE("Other traffic scatters the counts by the root of what is drained") {
    SetupImperfections apparatus;
    apparatus.other_traffic = 0.25;
    // 199 x 20 us / 872 ns = 4564 frames drained: a standard deviation of 33.8.
    CHECK(sample(SimulatedSwitch(shared_frames(), apparatus), burst(200), 2000).deviation ==
          Approx(std::sqrt(0.25 * 4564)).epsilon(0.1));
}

TEST_CASE("Heavy tails are those of Student's t with two degrees of freedom") {
    SetupImperfections apparatus;
    apparatus.noise.frames = 2;
    apparatus.heavy_tails = true;
    const auto exact = SimulatedSwitch(shared_frames(), {}).measure(0, burst(300)).frames_lost();
    constexpr int kBursts = 4000;
    int beyond_one = 0, beyond_eight = 0;
    for (const LossMapRow& row : measure_all(SimulatedSwitch(shared_frames(), apparatus), {burst(300)}, kBursts)) {
        const double off = std::abs(static_cast<double>(row.frames_lost() - exact));
        beyond_one += off > 2.5, beyond_eight += off > 16.5;  // whole frames: more than 1.25 and 8.25 scales
    }
    // P(|t| > x) = 1 - x / sqrt(2 + x^2)
    const double one = 1 - 1.25 / std::sqrt(2 + 1.25 * 1.25), eight = 1 - 8.25 / std::sqrt(2 + 8.25 * 8.25);
    CHECK(static_cast<double>(beyond_one) / kBursts == Approx(one).margin(slack(one, kBursts)));
    CHECK(static_cast<double>(beyond_eight) / kBursts == Approx(eight).margin(slack(eight, kBursts)));
}

TEST_CASE("A drift changes the rate by its share from burst to burst") {
    SetupImperfections apparatus;
    apparatus.drift = -0.001;
    Scenario slower = shared_frames();
    slower.network_switch.uplink_rate.count = std::llround(10e9 * std::pow(0.999, 50));
    const SimulatedSwitch drifting(shared_frames(), apparatus);
    CHECK(drifting.measure(0, burst(300)).frames_lost() ==
          SimulatedSwitch(shared_frames(), {}).measure(0, burst(300)).frames_lost());
    CHECK(drifting.measure(50, burst(300)).frames_lost() ==
          SimulatedSwitch(slower, {}).measure(0, burst(300)).frames_lost());
}

TEST_CASE("Stray bursts lose up to a thousand frames more, the others none") {
    SetupImperfections apparatus;
    apparatus.stray = 0.3;
    constexpr int kBursts = 1000;
    int stray = 0, more_than_30 = 0;
    for (const LossMapRow& row : measure_all(SimulatedSwitch(shared_frames(), apparatus), {burst(100)}, kBursts)) {
        stray += row.frames_lost() > 0, more_than_30 += row.frames_lost() > 31;  // 31.6 is the middle factor
        CHECK(row.frames_lost() <= 1000);
    }
    CHECK(static_cast<double>(stray) / kBursts == Approx(0.3).margin(slack(0.3, kBursts)));
    CHECK(static_cast<double>(more_than_30) / kBursts == Approx(0.15).margin(slack(0.15, kBursts)));
}

TEST_CASE("Frames that are longer than is believed take longer on the link and more of the memory") {
    SetupImperfections apparatus;
    apparatus.overhead_error = 4;
    Scenario bytes = hidden(Buffer::Sharing::Shared, 3'000'000, MemorySize::Unit::Byte), longer = bytes;
    longer.frame.wire_overhead = Bytes{70}, longer.frame.buffer_overhead = Bytes{50};
    const LossMapRow row = SimulatedSwitch(bytes, apparatus).measure(0, burst(200));
    CHECK(row.frames_lost() == SimulatedSwitch(longer, {}).measure(0, burst(200)).frames_lost());
    CHECK(row.frames_lost() != SimulatedSwitch(bytes, {}).measure(0, burst(200)).frames_lost());
    CHECK(row.payload == Bytes{1024});
}
