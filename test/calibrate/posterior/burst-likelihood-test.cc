// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/burst-likelihood.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/likelihood-starts.h"
#include "calibrate/posterior/nuisance-model.h"
#include "test/calibrate/reference-queue.h"
#include "test/calibrate/study/true-queue.h"
#include "test/catch.h"

using namespace watershed;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Burst burst_of(std::int64_t ports, std::int64_t events, double separation_us, std::int64_t lost, bool counted = true) {
    Burst burst;
    burst.row = 1;
    burst.ports = ports;
    burst.events = events;
    burst.payload = 1024;
    burst.wire = 1090;
    burst.buffer = 1070;
    burst.spacing = burst.separation = Time{std::llround(1e6 * separation_us)};
    burst.sent = burst.fragments();
    burst.lost = lost;
    burst.lossy = lost > 0;
    burst.counted = counted && burst.lossy;
    return burst;
}

/// The contract: what N modules and M events d apart lose of room for B frames, r = d / t_out frames drained per event.
std::int64_t closed_form(const Burst& burst, std::int64_t room, double rate) {
    const double slot = 8e12 * static_cast<double>(burst.wire) / rate,
                 drained = static_cast<double>(burst.events - 1) * static_cast<double>(burst.spacing.count()) / slot;
    return std::max<std::int64_t>(0,
                                  burst.ports * burst.events - static_cast<std::int64_t>(std::floor(drained)) - room);
}

double probability(const QueueModel& model, const Burst& burst, const BurstParameters& hidden) {
    return std::exp(BurstLikelihood(model, {burst}).log_likelihood(hidden));
}

/// Over all that a burst may lose, from nothing to every frame.
double sum_of_probabilities(const QueueModel& model, Burst burst, const BurstParameters& hidden, double& mean) {
    double sum = 0;
    mean = 0;
    for (std::int64_t lost = 0; lost <= burst.fragments(); ++lost) {
        burst.lost = lost;
        burst.lossy = burst.counted = lost > 0;
        const double p = probability(model, burst, hidden);
        sum += p;
        mean += p * static_cast<double>(lost);
    }
    return sum;
}

Burst burst_with(std::int64_t events, std::int64_t lost, std::int64_t amount) {
    Burst burst;
    burst.ports = 10;
    burst.events = events;
    burst.wire = burst.buffer = 100;
    burst.spacing = burst.separation = Time{1'000'000'000};  // in which 8 Mb/s drain 10 frames of 100 B
    burst.sent = burst.fragments();
    burst.lost = lost;
    burst.lossy = lost > 0;
    burst.counted = true;
    burst.peak = PeakReading{amount, false, 1};
    return burst;
}

}  // namespace

TEST_CASE("without disturbance the closed form's number of lost frames is certain, and any other impossible") {
    CHECK(rc::check([] {
        const auto ports = *rc::gen::inRange<std::int64_t>(2, 50), events = *rc::gen::inRange<std::int64_t>(2, 60),
                   room = *rc::gen::inRange<std::int64_t>(ports + 2, 20 * ports);
        // Separations at which the memory is never empty between events, and whose product with the rate is no whole
        // number of frames.
        Burst burst = burst_of(
            ports, events, 0.8713 * static_cast<double>(*rc::gen::inRange<std::int64_t>(1, ports - 1)) + 0.000123, 0);
        BurstParameters hidden{static_cast<double>(room), 1e10};
        const std::int64_t lost = closed_form(burst, room, hidden.rate);
        for (const std::int64_t more : {-1, 0, 1}) {
            burst.lost = lost + more;
            if (burst.lost < 0) continue;
            burst.lossy = burst.counted = burst.lost > 0;
            RC_ASSERT(std::abs(probability({}, burst, hidden) - (more == 0)) < 1e-12);
        }
    }));
}

TEST_CASE(
    "what triggers larger than the memory lose is certain, whether an uplink idles before each, some or none of them") {
    CHECK(rc::check([] {
        const auto ports = *rc::gen::inRange<std::int64_t>(2, 60), events = *rc::gen::inRange<std::int64_t>(1, 30),
                   room = *rc::gen::inRange<std::int64_t>(1, ports);
        Burst burst = burst_of(ports, events, 0.1 * *rc::gen::inRange(1, 1000) + 0.000123, 0);
        burst.uplinks = events == 1 ? *rc::gen::inRange(1, 4) : 1;
        constexpr std::int64_t kSlot = 872'000;  // ps, 1090 B at 10 Gb/s
        BurstParameters hidden{static_cast<double>(room), 1e10};
        const std::int64_t lost =
            lost_frame_by_frame({ports, events, burst.spacing.count(), kSlot, room, burst.uplinks});
        for (const std::int64_t more : {-1, 0, 1}) {
            burst.lost = lost + more;
            burst.lossy = burst.counted = burst.lost > 0;
            RC_ASSERT(std::abs(probability({}, burst, hidden) - (more == 0)) < 1e-12);
        }
    }));
}

TEST_CASE("the probabilities of all that a burst may lose add up to one, whatever disturbs it") {
    CHECK(rc::check([] {
        const Burst burst = burst_of(8, *rc::gen::inRange<std::int64_t>(5, 30), 3.01, 0);
        BurstParameters hidden;
        hidden.depth = static_cast<double>(*rc::gen::inRange(20, 120));
        hidden.rate = 1e10;
        const auto percent = [](int most) { return static_cast<double>(*rc::gen::inRange(0, most + 1)) / 100; };
        if (*rc::gen::arbitrary<bool>())
            hidden.noise_frames = 100 * percent(3);
        else
            hidden.noise_length = percent(6);
        hidden.loss = percent(20) / 10;
        hidden.leaves_at_once = *rc::gen::arbitrary<bool>();
        hidden.constant = {percent(60) - 0.3};
        double mean = 0;
        RC_ASSERT(std::abs(sum_of_probabilities({}, burst, hidden, mean) - 1) < 0.03);
        hidden.stray = percent(20);
        // Strays lose something for certain; how their losses are spread need not be a distribution to the last per
        // cent.
        const double sum = sum_of_probabilities({}, burst, hidden, mean);
        RC_ASSERT(sum > 1 - hidden.stray - 0.03);
        RC_ASSERT(sum < 1.03 + 0.1 * hidden.stray);
    }));
}

TEST_CASE("frames lost at random are a share of those that the memory kept") {
    for (const double loss : {0.001, 0.05, 0.3}) {
        const Burst burst = burst_of(20, 20, 8.72, 0);
        BurstParameters hidden{100, 1e10};
        hidden.loss = loss;
        const double overflow = static_cast<double>(closed_form(burst, 100, 1e10)), kept = 400 - overflow;
        double mean = 0;
        CHECK(sum_of_probabilities({}, burst, hidden, mean) == Approx(1).margin(0.01));
        CHECK(mean == Approx(overflow + loss * kept).epsilon(0.01));
    }
}

TEST_CASE("frames lost at random ahead of a memory are among those that it would lose, or more") {
    const Burst burst = burst_of(20, 20, 8.72, 0);
    for (const double loss : {0.001, 0.05, 0.4}) {
        BurstParameters hidden{100, 1e10};
        hidden.loss = loss;
        hidden.loss_ahead = true;
        const std::int64_t overflow = closed_form(burst, 100, 1e10);
        // Binomial numbers of 400 frames by their recurrence; of the larger of them and the overflow, the mean.
        double share = std::pow(1 - loss, 400), expected = 0;
        for (int k = 0; k <= 400; ++k) {
            expected += share * double(std::max<std::int64_t>(k, overflow));
            share *= (400.0 - k) / (k + 1) * loss / (1 - loss);
        }
        double mean = 0;
        CHECK(sum_of_probabilities({}, burst, hidden, mean) == Approx(1).margin(0.01));
        CHECK(mean == Approx(expected).epsilon(0.01));
    }
}

TEST_CASE("a lossless burst says that no frame was lost at random, too") {
    const Burst burst = burst_of(10, 10, 9, 0);
    BurstParameters hidden{1000, 1e10};
    hidden.loss = 0.01;
    CHECK(probability({}, burst, hidden) == Approx(std::pow(0.99, 100)));
}

TEST_CASE("noise of the length makes a burst act as a longer or shorter one") {
    // Lossy with probability Phi(ln(M / M*) / s), M* where the closed form begins to lose: 20 M* - 500 = (M* - 1) 10.0
    // at 8.72 us, 1090 B and 10 Gb/s.
    BurstParameters hidden{500, 1e10};
    hidden.noise_length = 0.1;
    const double threshold = (500 - 10) / 10.0;
    for (const std::int64_t events : {40, 46, 49, 52, 60}) {
        const double expected = 0.5 * std::erfc(-std::log(static_cast<double>(events) / threshold) / 0.1 * M_SQRT1_2);
        CHECK(probability({}, burst_of(20, events, 8.72, 1, false), hidden) == Approx(expected).margin(0.02));
    }
}

TEST_CASE(
    "a token bucket lets through at once what it holds, a frame on its way out takes no room where it leaves at once") {
    const std::int64_t lost = closed_form(burst_of(20, 20, 8.0, 0), 100, 1e10);
    BurstParameters hidden{100, 1e10};
    hidden.bucket = 3 * 1090;
    CHECK(probability({}, burst_of(20, 20, 8.0, lost - 3), hidden) == Approx(1));
    hidden.bucket = 0;
    hidden.leaves_at_once = true;
    CHECK(probability({}, burst_of(20, 20, 8.0, lost - 1), hidden) == Approx(1));
}

TEST_CASE("a constant is that of its mix of ports, uplinks and payload alone") {
    Burst other = burst_of(20, 20, 8.0, 0);
    other.payload = 512, other.wire = 578, other.buffer = 558;
    const Burst one = burst_of(20, 20, 8.0, 0);
    const BurstLikelihood law({}, {one, other});
    REQUIRE(law.mixes() == std::vector<BurstMix>{{20, 1, 512}, {20, 1, 1024}});
    BurstParameters hidden{100, 1e10};
    const double before = law.overflow(0, hidden), before_other = law.overflow(1, hidden);
    hidden.constant = {0, 0.25};
    CHECK(law.overflow(0, hidden) == Approx(before + 0.25));
    CHECK(law.overflow(1, hidden) == Approx(before_other));
}

TEST_CASE(
    "the distribution function rises from the probability of no loss to one, by the probabilities of each number") {
    // One memory that is full all the while, one that 20 frames fill at once, and one of each input.
    for (const auto& [model, depth] :
         {std::pair(QueueModel{}, 100.0), std::pair(QueueModel{}, 15.0),
          std::pair(QueueModel{Buffer::Sharing::PerInput, MemorySize::Unit::Frame}, 8.0)}) {
        BurstParameters hidden{depth, 1e10};
        hidden.noise_frames = 4;
        hidden.loss = 0.002;
        hidden.excess = 0.3;
        const BurstLikelihood law(model, {burst_of(20, 20, 8.0, 0)});
        for (const bool ahead : {false, true}) {
            hidden.loss_ahead = ahead;
            double before = 0;
            for (std::int64_t lost = 0; lost <= 400; lost += 1) {
                const double at_most = law.at_most(0, lost, hidden);
                CHECK(at_most >= before - 1e-9);
                if (lost > 0)
                    CHECK(at_most - before ==
                          Approx(probability(model, burst_of(20, 20, 8.0, lost), hidden)).margin(2e-4));
                before = at_most;
            }
            CHECK(before == Approx(1));
        }
    }
}

TEST_CASE("a depth that drifts grows in proportion to the row, and is itself in the middle") {
    // 12 ports, 10 events 1 us apart: 120 frames, of which 10 Gb/s drain 10.3 in 9 us, as a frame takes 0.872 us.
    BurstParameters hidden{60, 1e10};
    hidden.nuisances = {0.2};
    const auto lost = [](std::int64_t room) { return 120 - 10 - room; };
    std::vector<Burst> bursts;
    for (const auto& [row, room] : {std::pair{3, 54}, {8, 60}, {13, 66}}) {
        bursts.push_back(burst_of(12, 10, 1, lost(room)));
        bursts.back().row = row;
    }
    CHECK(BurstLikelihood({}, bursts).log_likelihood(hidden) == Approx(0).margin(1e-6));
    hidden.nuisances = {0};
    CHECK(BurstLikelihood({}, bursts).log_likelihood(hidden) < -100);
}

TEST_CASE("a count that nothing else explains is a stray one") {
    const std::int64_t lost = closed_form(burst_of(20, 200, 8.0, 0), 100, 1e10);
    BurstParameters hidden{100, 1e10};
    hidden.noise_frames = 1;
    hidden.stray = 0.01;
    CHECK(BurstLikelihood({}, {burst_of(20, 200, 8.0, lost)}).stray_share(0, hidden) < 0.01);
    CHECK(BurstLikelihood({}, {burst_of(20, 200, 8.0, lost + 30)}).stray_share(0, hidden) > 0.99);
}

TEST_CASE("a burst that some points predict together is no stray one, though most of them miss it by a frame") {
    const std::int64_t lost = closed_form(burst_of(20, 200, 8.0, 0), 100, 1e10);
    const BurstLikelihood law({}, {burst_of(20, 200, 8.0, lost)});
    std::vector<BurstParameters> points(10);
    double mean = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].depth = i < 3 ? 100 : 101;
        points[i].rate = 1e10;
        points[i].stray = 0.01;
        mean += law.stray_share(0, points[i]) / 10;
    }
    CHECK(mean == Approx(0.7).margin(0.01));
    CHECK(law.stray_share(0, points) < 0.01);  // three of ten make it lose just that
}

TEST_CASE(
    "other traffic scatters a burst, and moves it by the room that thinner or denser frames leave, as a queue shows "
    "frame by frame") {
    constexpr int kRuns = 400;
    constexpr double kShare = 0.1, kWireOverhead = 66;
    for (const std::int64_t payload : {200, 1024, 1400})
        for (const std::int64_t events : {130, 260}) {
            INFO("others of " << payload << " B, " << events << " events");
            calibration::TrueQueue queue;
            queue.depth = 2000;
            queue.traffic = kShare;
            queue.traffic_payload = payload;
            std::mt19937_64 random(static_cast<std::uint64_t>(payload + events));
            double sum = 0, squares = 0;
            for (int run = 0; run < kRuns; ++run) {
                const auto over = static_cast<double>(
                    calibration::overflow_of(queue, {40, 1024, Time{18'000'000}, events, {}}, random));
                sum += over, squares += over * over;
            }
            const double mean = sum / kRuns, deviation = std::sqrt(squares / kRuns - mean * mean);
            BurstParameters hidden{2000, 1e10 * (1 - kShare)};
            hidden.traffic = kShare;
            hidden.traffic_batch = static_cast<double>(payload) + kWireOverhead;
            hidden.traffic_memory = 1 / hidden.traffic_batch;  // one frame of room each
            const BurstLikelihood law({}, {burst_of(40, events, 18, 1)});
            // Others lose a few frames themselves, which the law leaves out.
            const double tolerance = 0.2 * std::abs(2000 * kShare * (1 - 1090 / hidden.traffic_batch)) +
                                     5 * deviation / std::sqrt(kRuns) + 0.003 * mean;
            CHECK(law.overflow(0, hidden) == Approx(mean).margin(tolerance));
            CHECK(law.deviation(0, hidden) == Approx(deviation).epsilon(0.25));
        }
}

TEST_CASE("Beside the traffic of others the law's middle and width are those of switches played frame by frame") {
    using namespace watershed::calibration;
    // Loads, depths, payloads and shares of the study, each kind of memory; bursts that lose a little and much.
    struct Case {
        bool per_input;
        MemorySize::Unit unit;
        int ports;
        std::int64_t payload, of_others;
        double traffic, load, drained, frames, over;
    };
    const Case one = GENERATE(Case{false, MemorySize::Unit::Frame, 30, 1400, 1024, 0.08, 2.1, 0.78, 1200, 0.5},
                              Case{false, MemorySize::Unit::Byte, 16, 200, 1024, 0.012, 2.6, 0.8, 1500, 0.5},
                              Case{false, MemorySize::Unit::Frame, 30, 200, 1024, 0.07, 2.9, 0.7, 1500, 0.3},
                              Case{false, MemorySize::Unit::Byte, 8, 1024, 200, 0.05, 4.8, 0.45, 800, 0.2},
                              Case{true, MemorySize::Unit::Byte, 44, 1400, 1024, 0.069, 1.8, 0.7, 1000, 0.1},
                              Case{true, MemorySize::Unit::Frame, 16, 512, 1024, 0.027, 2.0, 0.85, 1200, 0.15},
                              Case{true, MemorySize::Unit::Byte, 30, 1024, 300, 0.03, 3.0, 0.5, 2000, 0.4});
    TrueQueue queue;
    queue.per_input = one.per_input;
    queue.unit = one.unit;
    queue.traffic = one.traffic;
    queue.traffic_payload = one.of_others;
    const double memories = one.per_input ? one.ports : 1;
    queue.depth = std::llround(one.frames * static_cast<double>(queue.cost(one.payload)) / memories);
    queue.uplink_ticks = std::llround(8e15 * one.load / (one.ports * 1e9));
    const double rate = queue.rate() * (1 - one.traffic), wire = static_cast<double>(one.payload + queue.wire_overhead);
    TrueBurst played;
    played.ports = one.ports;
    played.payload = one.payload;
    played.separation = Time{std::llround(one.drained * one.ports * 8e12 * wire / rate)};
    played.events = std::llround(one.frames / (one.ports * (1 - one.drained)) * (1 + one.over));
    double sum = 0, squares = 0;
    constexpr int kBursts = 60;
    std::mt19937_64 random(3);
    for (int i = 0; i < kBursts; ++i) {
        const auto over = static_cast<double>(overflow_of(queue, played, random));
        sum += over, squares += over * over;
    }
    const double mean = sum / kBursts, deviation = std::sqrt(squares / kBursts - mean * mean);

    Burst burst = burst_of(one.ports, played.events, 1, 1);
    burst.payload = one.payload;
    burst.wire = one.payload + queue.wire_overhead;
    burst.buffer = one.payload + queue.buffer_overhead;
    burst.spacing = burst.separation = played.separation;
    BurstParameters hidden{static_cast<double>(queue.depth), rate};
    hidden.traffic = one.traffic;
    hidden.traffic_batch = static_cast<double>(one.of_others + queue.wire_overhead);
    hidden.traffic_memory = static_cast<double>(queue.cost(one.of_others)) / hidden.traffic_batch;
    const BurstLikelihood law({one.per_input ? Buffer::Sharing::PerInput : Buffer::Sharing::Shared, one.unit}, {burst});
    CAPTURE(one.per_input, one.payload, mean, law.overflow(0, hidden), deviation);
    REQUIRE(mean > 10);
    CHECK(std::abs(law.overflow(0, hidden) - mean) < 0.6 * deviation + 1);
    CHECK(law.deviation(0, hidden) > 0.7 * deviation);
    CHECK(law.deviation(0, hidden) < 1.4 * deviation + 1);
}

TEST_CASE("Noise of frames and of the length add as independent numbers do", "[noise-law]") {
    // sqrt(3^2 + (0.02 * 200)^2) = 5
    CHECK_THAT((NoiseModel{3, 0.02}.deviation(200)), WithinRel(5, 1e-12));
    CHECK((NoiseModel{3, 0}.deviation(200)) == 3);
    CHECK((NoiseModel{0, 0.02}.deviation(200)) == 4);
    CHECK(NoiseModel{}.none());
    CHECK_FALSE(NoiseModel::of(0.02, true).none());
    CHECK(NoiseModel::of(0.02, true).length == 0.02);
    CHECK(NoiseModel::of(3, false).frames == 3);
}

TEST_CASE("Within one standard deviation lie 68.27 per cent of the bursts", "[noise-law]") {
    const double within = std::erf(M_SQRT1_2);
    for (const NoiseModel& law : {NoiseModel{5, 0}, NoiseModel{3, 0.02}})
        CHECK_THAT(law.below(5, 200) - law.below(-5, 200), WithinAbs(within, 1e-7));
    // Noise of the length is log-normal: a burst overflows by 200 (exp(0.02) - 1) frames more.
    const NoiseModel length{0, 0.02};
    CHECK_THAT(length.below(200 * std::expm1(0.02), 200) - length.below(200 * std::expm1(-0.02), 200),
               WithinAbs(within, 1e-7));
    CHECK(length.below(-200, 200) == 0);
}

TEST_CASE("Without noise a burst overflows exactly as the closed form says", "[noise-law]") {
    CHECK(NoiseModel{}.below(-1e-9, 200) == 0);
    CHECK(NoiseModel{}.below(0, 200) == 1);
    CHECK(NoiseModel{}.drawn_factor(2) == 1);
    CHECK(NoiseModel{}.drawn_frames(2) == 0);
}

TEST_CASE("What is drawn has the distribution that is stated", "[noise-law]") {
    const NoiseModel law{3, 0.02};
    // A burst drawn at z standard deviations is exceeded by as many as a normal number at z is: 97.725 % lie below 2.
    const double share = 0.9772498680518208;
    CHECK_THAT((NoiseModel{3, 0}.below(law.drawn_frames(2), 200)), WithinAbs(share, 1e-7));
    CHECK_THAT((NoiseModel{0, 0.02}.below(200 * (law.drawn_factor(2) - 1), 200)), WithinAbs(share, 1e-7));
    CHECK_THAT(law.over_threshold(std::log(law.drawn_factor(2))), WithinAbs(share, 1e-12));
}

TEST_CASE("The peak of a burst without loss has the density of a whole number of frames") {
    const PeakLikelihood law(QueueModel{}, burst_with(5, 0, 3000));
    CHECK(law.frames() == Approx(30));
    // Half a frame of rounding and a byte on either side: 102 B in which any peak is as likely.
    CHECK(law.lossless(30, 0, 100) == Approx(1 / 102.0));
    CHECK(law.lossless(30.5, 0, 100) == Approx(1 / 102.0));
    CHECK(law.lossless(30.6, 0, 100) == 0);
    // A standard deviation of 10 frames leaves 0.0406 of the normal distribution within 0.51 frames about its middle.
    CHECK(law.lossless(30, 10, 1000) == Approx(0.04067 / 102).epsilon(0.001));
    // A memory of 20 frames had no room for it.
    CHECK(law.lossless(30, 10, 20) == 0);
}

TEST_CASE("The peak of a burst that lost frames is the depth, to a frame") {
    const PeakLikelihood law(QueueModel{}, burst_with(5, 7, 3000));
    CHECK(law.lossy(30) == Approx(1 / 102.0));
    CHECK(law.lossy(31) == Approx(1 / 102.0));
    CHECK(law.lossy(29) == 0);
    CHECK(law.lossy(32) == 0);
}

TEST_CASE("Peaks alone say where depth and rate are") {
    // 41 events apart by 10 frames' time, 10 frames each, of which half leave: 410 - 200 = 210 frames are left.
    const std::vector<BurstParameters> places =
        starts_from_peaks(QueueModel{}, {burst_with(41, 0, 21000), burst_with(90, 9, 30000)});
    REQUIRE_FALSE(places.empty());
    CHECK(std::any_of(places.begin(), places.end(), [](const BurstParameters& place) {
        return place.rate == Approx(4e6).epsilon(0.01) && place.depth == Approx(300.5);
    }));
}

TEST_CASE("Without a counter there is nothing to say") {
    Burst burst = burst_with(5, 0, 1);
    burst.peak.reset();
    CHECK_FALSE(PeakLikelihood(QueueModel{}, burst).read());
    CHECK(starts_from_peaks(QueueModel{}, {burst}).empty());
}
