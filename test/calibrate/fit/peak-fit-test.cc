// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <deque>

#include "calibrate/advice/burst-planner.h"
#include "calibrate/fit/fit.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/reader/reader.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

struct Memory {
    std::int64_t depth = 0;             ///< units
    std::int64_t cell = 0, header = 0;  ///< 0: bytes
    std::int64_t bits_per_second = 50'000'000;
    std::int64_t units(std::int64_t bytes) const { return cell == 0 ? bytes : (bytes + header + cell - 1) / cell; }
};

const Memory kBytes{1'000'000};

/// A queue that moves frame by frame, in units of 1 ns times the rate, so that all is whole; it shares no code with the
/// fit.
LossMapRow sent_through(const Memory& memory, std::int64_t payload, std::int64_t separation_us, std::int64_t events) {
    constexpr std::int64_t kModules = 44;
    const std::int64_t bytes = payload + 42, cost = memory.units(bytes), slot = 8 * bytes * 1'000'000;
    std::deque<std::int64_t> leaving;
    std::int64_t held = 0, peak = 0, lost = 0, free_at = 0;
    for (std::int64_t event = 0; event < events; ++event) {
        const std::int64_t now = event * separation_us * memory.bits_per_second;
        while (!leaving.empty() && leaving.front() <= now) leaving.pop_front(), held -= cost;
        for (std::int64_t module = 0; module < kModules; ++module) {
            if (held + cost > memory.depth) {
                ++lost;
                continue;
            }
            held += cost, peak = std::max(peak, held);
            free_at = std::max(now, free_at) + slot, leaving.push_back(free_at);
        }
    }
    LossMapRow row;
    row.ports = kModules;
    row.payload = Bytes{payload};
    row.separation = Time{separation_us * 1'000'000};
    row.events = events;
    row.frames_sent = kModules * events;
    row.frames_received = row.frames_sent - lost;
    row.peak = PeakReading{peak, memory.cell > 0, 1};
    return row;
}

LossMap map_of(const std::vector<std::pair<int, int>>& separations_and_events) {
    LossMap map{"map.csv", {}};
    for (const auto& [separation, events] : separations_and_events)
        map.rows.push_back(sent_through(kBytes, 1024, separation, events));
    return map;
}

LossMapRow uncounted(LossMapRow row) {
    row.frames_received = row.frames_sent;
    row.counted = false;
    return row;
}

Conditions kernel_queue() {
    Conditions conditions = default_conditions();
    conditions.frame.wire_overhead = conditions.frame.buffer_overhead = Bytes{42};
    conditions.link_rate = BitRate{100'000'000'000};
    return conditions;
}

/// A memory of all modules; with one number of them, memories of inputs would look alike.
FitOptions shared() {
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    return options;
}

}  // namespace

TEST_CASE("Peaks of bursts that lose nothing tell the service rate, and of the depth what it is at least") {
    const Fit fit =
        fit_loss_map(map_of({{1000, 5}, {1000, 15}, {2000, 20}, {5000, 40}, {1000, 24}}), kernel_queue(), shared());
    CHECK(fit.status == FitStatus::Unbounded);
    const ModelFit& best = fit.best();
    REQUIRE(best.rate.value);
    CHECK(*best.rate.value == Approx(50e6).epsilon(0.01));
    CHECK(*best.rate.interval95.low < 50e6);
    CHECK(*best.rate.interval95.high > 50e6);
    CHECK(*best.rate.interval95.high - *best.rate.interval95.low < 0.01 * 50e6);
    // Nothing lossless can tell more of the depth: the longest burst had 982852 B in use.
    CHECK_FALSE(best.depth.value);
    CHECK_FALSE(best.depth.hard.high);
    REQUIRE(best.depth.hard.low);
    CHECK(std::abs(*best.depth.hard.low * (best.model.unit == MemorySize::Unit::Frame ? 1066.0 : 1.0) - 982852) <=
          1066);
}

TEST_CASE("The peak of one burst that loses tells the depth, without the number of frames that it lost") {
    LossMap map = map_of({{1000, 5}, {2000, 20}, {5000, 40}, {1000, 60}});
    map.rows.back().frames_received = map.rows.back().frames_sent - 1;  // something is missing, no more is known
    const Fit fit = fit_loss_map(map, kernel_queue(), shared());
    const ModelFit& best = fit.best();
    REQUIRE(best.depth.value);
    const double unit = best.model.unit == MemorySize::Unit::Frame ? 1066 : 1;
    CHECK(*best.depth.value * unit == Approx(1e6).epsilon(0.01));
    CHECK(*best.depth.interval95.high * unit < 1.01e6);
    CHECK(*best.depth.interval95.low * unit > 0.99e6);
    CHECK(*best.rate.value == Approx(50e6).epsilon(0.01));
}

TEST_CASE("Where nobody counted what arrived, peaks tell which bursts lost frames, the depth and the rate") {
    LossMap map = map_of({{1000, 5}, {1000, 15}, {2000, 20}, {5000, 40}, {1000, 40}, {1000, 60}, {2000, 60}});
    for (LossMapRow& row : map.rows) row = uncounted(row);
    const Fit fit = fit_loss_map(map, kernel_queue(), shared());
    CHECK(fit.set_aside.empty());
    for (const Burst& burst : fit.bursts) CHECK(burst.lossy == (burst.row > 4));
    const ModelFit& best = fit.best();
    REQUIRE(best.depth.value);
    const double unit = best.model.unit == MemorySize::Unit::Frame ? 1066 : 1;
    CHECK(*best.depth.value * unit == Approx(1e6).epsilon(0.01));
    CHECK(*best.rate.value == Approx(50e6).epsilon(0.01));
}

TEST_CASE("A peak that no other burst explains is no depth: its burst is set aside, and says what would tell") {
    LossMap map{"map.csv", {uncounted(sent_through(kBytes, 1024, 1000, 60))}};
    CHECK_THROWS_WITH(fit_loss_map(map, kernel_queue(), shared()), Contains("nobody counted") && Contains("fewer"));
    map.rows.push_back(sent_through(kBytes, 1024, 1000, 5));  // tells what the uplink drains
    CHECK(first_row(fit_loss_map(map, kernel_queue(), shared()).bursts).lossy);
}

TEST_CASE("What peaks tell of outcomes is true of any queue, and little is left untold") {
    CHECK(rc::check([] {
        Memory memory{*rc::gen::inRange(100'000, 2'000'000)};
        memory.bits_per_second = *rc::gen::inRange(5'000'000, 300'000'000);
        LossMap map{"map.csv", {}}, truth = map;
        for (int i = 0; i < 12; ++i) {
            const int separation = *rc::gen::inRange(200, 5000), events = *rc::gen::inRange(1, 80);
            truth.rows.push_back(sent_through(memory, 1024, separation, events));
            map.rows.push_back(uncounted(truth.rows.back()));
        }
        for (const Burst& burst : bursts_of(map, kernel_queue(), CountUse::Auto)) {
            const LossMapRow& row = truth.rows[static_cast<std::size_t>(burst.row) - 1];
            // Burst within a frame or two of the peak, and a hundredth of its length: it may count as no loss.
            if (burst.outcome == Burst::Outcome::ByPeaks && !burst.lossy)
                RC_ASSERT(row.frames_lost() <= 4 + row.frames_sent / 100);
            if (burst.outcome == Burst::Outcome::ByPeaks && burst.lossy) RC_ASSERT(row.frames_lost() > 0);
        }
    }));
}

TEST_CASE("Peaks of several payloads tell the cell, and what is stored beside a frame") {
    const Memory cells{6000, 208, 8};  // 1074 B fill six cells, 562 three, 350 two, 150 one
    LossMap map{"map.csv", {}};
    for (const std::int64_t payload : {1024, 512, 300, 100, 700, 1500})
        map.rows.push_back(sent_through(cells, payload, 1000, payload == 1024 ? 5 : 2));
    map.rows.push_back(sent_through(cells, 1024, 1000, 60));
    const Fit fit = fit_loss_map(map, kernel_queue(), shared());
    const ModelFit& best = fit.best();
    CHECK(best.model.unit == MemorySize::Unit::Cell);
    for (const Burst& burst : fit.bursts) CHECK(best.model.cost(burst) == cells.units(burst.buffer));
    REQUIRE(best.depth.value);
    CHECK(*best.depth.value == Approx(6000).epsilon(0.01));
}

TEST_CASE("The peak of a burst that lost frames says nothing of the rate: what is reported of it stays") {
    LossMap map = map_of({{100, 60}});
    map.rows.back().frames_received = map.rows.back().frames_sent - 1;
    FitOptions options = shared();
    options.counts = CountUse::Flag;
    const std::optional<Fit> fit = fit_loss_map(map, kernel_queue(), options);
    Prior prior = prior_of(*fit);
    prior.rate = 50e6, prior.rate_spread = 0.1, prior.counts = false;
    double near = 0;
    for (const PosteriorPoint& point : posterior_mixture_of(fit, prior).points)
        if (std::abs(std::log(point.rate / 50e6)) < 0.21) near += point.weight;
    CHECK(near > 0.9);
}

TEST_CASE("Where peaks are read, bursts that lose nothing are worth sending") {
    const LossMap map = map_of({{1000, 3}, {1000, 60}});
    const auto bits_of_lossless = [](const LossMap& one) {
        const std::optional<Fit> fit = fit_loss_map(one, kernel_queue(), shared());
        const PosteriorMixture mixture = posterior_mixture_of(fit, prior_of(*fit));
        std::vector<double> rates;
        for (const PosteriorPoint& point : mixture.points) rates.push_back(point.rate);
        const Burst& like = fit->bursts.front();
        return InformationGain(mixture, like, like.separation, like.spacing, rates, 1e-4).expected(15).bits;
    };
    LossMap without = map;
    for (LossMapRow& row : without.rows) row.peak.reset();
    CHECK(bits_of_lossless(map) > 1 + bits_of_lossless(without));
}

TEST_CASE("Twelve measured bursts without loss and one with it: runs of the sampler agree on depth and rate") {
    const TemporaryFolder folder;
    const LossMap map = read_loss_map(folder.write(
        "map.csv",
        R"(ports,payload_bytes,separation_us,events,frames_sent,frames_received,delay_us,span_us,handover_us,peak_bytes,peak_resolution
44,1024,1000,3,132,132,18855.662,2067.104,68.85375,117260,1066
44,1024,1000,10,440,440,65167.192,9010.296,117.43687,401882,1066
44,1024,1000,20,880,880,129479.348,19036.949,110.381,809094,2132
44,1024,2000,3,132,132,16923.347,4000.014,116.507511,105534,1066
44,1024,2000,10,440,440,55463.513,17999.987,134.349587,346450,2132
44,1024,2000,20,880,880,110489.787,38013.926,104.048261,690768,2132
44,1024,1000,3,132,132,18899.926,2020.656,82.82875,118326,2132
44,1024,1000,10,440,440,64444.686,9011.614,107.434511,402948,2132
44,1024,1000,20,880,880,129512.231,19014.777,105.496587,809094,1066
44,1024,2000,3,132,132,16917.028,4000.009,121.587359,104468,1066
44,1024,2000,10,440,440,55471.566,18000.182,97.804446,346450,1066
44,1024,2000,20,880,880,110490.107,38008.584,92.067859,690768,2132
44,1024,1000,60,2640,1293,159950.056,59000,96.375685,998842,1066
)"));
    Conditions conditions = kernel_queue();
    conditions.nominal_rate = BitRate{50'000'000};
    conditions.sharing = Buffer::Sharing::Shared;
    conditions.unit = MemorySize::Unit::Byte;
    FitOptions options = shared();
    options.counts = CountUse::Flag;
    const Fit fit = fit_loss_map(map, conditions, options);
    const ModelFit& best = fit.best();
    CHECK(best.model.name() == "shared-bytes");
    CHECK(best.error_of_ends < 0.1);
    REQUIRE(best.rate.value);
    CHECK(*best.rate.value == Approx(50e6).epsilon(0.02));
    REQUIRE(best.depth.interval95.high);
    // 1000000 B, and the 10000 B of its token bucket.
    CHECK(*best.depth.interval95.low <= 1'010'000);
    CHECK(*best.depth.interval95.high >= 1'010'000);
    CHECK(*best.depth.interval95.high < 1'030'000);
}
