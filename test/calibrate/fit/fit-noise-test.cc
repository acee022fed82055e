// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "calibrate/fit/fit.h"
#include "test/calibrate/fit-checks.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Noise near the watershed overlaps, one gross exception is a contradiction and is named") {
    CHECK(fit_loss_map({"map", noisy_map(30800, 0, 80, 1)}, default_conditions(), {}).status == FitStatus::Separated);
    const Fit noisy = fit_loss_map({"map", noisy_map(30800, 0.05, 80, 1)}, default_conditions(), {});
    CHECK(noisy.status == FitStatus::Overlap);
    CHECK(*noisy.best().depth.value == Approx(30800).epsilon(0.1));
    std::vector<LossMapRow> rows = noisy_map(30800, 0, 80, 1);
    rows[40].events *= 3;
    rows[40].frames_sent = rows[40].frames_received = 44 * rows[40].events;
    const Fit wrong = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(wrong.status == FitStatus::Inconsistent);
    CHECK(std::count(wrong.best().violating.begin(), wrong.best().violating.end(), 41) == 1);
    CHECK(wrong.best().violating.size() <= 2);
    CHECK(*wrong.best().depth.value == Approx(30800).epsilon(0.05));
}

TEST_CASE("A few wrong counts in an otherwise exact map are named and do not move the answer") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3071, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = measured_grid(hidden, {9, 20, 33});
    rows[5].frames_received -= 500;
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(fit.best().violating == std::vector<int>{6});
    CHECK(holds(fit.best().depth.interval95, 3071));
    CHECK(*fit.best().depth.interval95.high - *fit.best().depth.interval95.low <=
          4);  // a constant part of a frame, and when a frame leaves
}

TEST_CASE("Of a large scattered map no more is claimed than the sample tells that was looked at") {
    // 500 of the bursts near the watershed, of 3 % noise: 0.03 sqrt(pi / 2) / sqrt(500) = 0.2 % of a length, and the
    // rate is free besides
    const Fit fit = fit_loss_map({"large", noisy_map(5000, 0.03, 2000, 1)}, default_conditions(), {});
    const Estimate& depth = model_of(fit, "shared-frames").depth;
    CHECK(fit.status == FitStatus::Overlap);
    CHECK((*depth.interval95.low < 5000 && 5000 < *depth.interval95.high));
    CHECK(*depth.interval95.high - *depth.interval95.low > 10);
    CHECK(*depth.interval95.high - *depth.interval95.low < 150);
}

TEST_CASE(
    "Rows of a large map that are wrong anywhere do not decide between kinds of memory that explain the others alike") {
    // With one number of ports and one payload a memory of 3000 frames tells as much as its like in bytes, or one of
    // each input: whichever leaves a row less unexplained by luck must not be the right one for that.
    std::vector<LossMapRow> rows = noisy_map(3000, 0.0, 3000, 3);
    for (std::size_t i = 0; i < rows.size(); i += 100)
        rows[i].frames_received =
            rows[i].frames_received == rows[i].frames_sent ? rows[i].frames_sent - 1 : rows[i].frames_sent;
    const Fit fit = fit_loss_map({"one row of a hundred is wrong", rows}, default_conditions(), {});
    CHECK(fit.status == FitStatus::Inconsistent);
    CHECK(fit.best().model.name() == "shared-frames");
    CHECK(fit.best().probability < 0.6);
    CHECK(holds(fit.best().depth.interval95, 3000));
}

TEST_CASE("Memory of each input is no better an explanation of counts because it foresees fewer of them") {
    const auto row = [](double separation_us, std::int64_t events, std::int64_t received) {
        LossMapRow one;
        one.ports = 44;
        one.payload = Bytes{1024};
        one.separation = Time{std::llround(separation_us * 1e6)};
        one.events = events;
        one.frames_sent = 44 * events;
        one.frames_received = received;
        return one;
    };
    // Both of one shared memory of 37708 = 44 x 857 frames. With 857 frames of each input as many are lost, or up to 24
    // more; with one frame of each input the second burst could lose nearly any number.
    const std::vector<LossMapRow> multiple{row(8.72, 1024, 45056), row(8.72, 2048, 58303), row(8.72, 1448, 52266),
                                           row(8.72, 1218, 49952)};
    CHECK(fit_loss_map({"multiple", multiple}, default_conditions(), {}).best().model.name() == "shared-frames");
    const std::vector<LossMapRow> two{row(37.22, 42246, 1851933), row(21.68, 466661, 11711162)};
    const Fit of_two = fit_loss_map({"two", two}, default_conditions(), {});
    CHECK(model_of(of_two, "per-input-frames").probability < 4 * model_of(of_two, "shared-frames").probability);
}

TEST_CASE("A map that one threshold explains by luck leaves room for noise, in every kind of memory") {
    // 12 bursts 5 % apart in length: noise of 2 % changes the outcome of a burst or two at most, and no map shows that
    // it is not there. Noise of s leaves all as they are with a probability of prod Phi(0.05 (k - 1/2) / s)^2 over k =
    // 1 ... 6: once in 20 for 16 %
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 12; ++i) {
        LossMapRow row = noisy_map(5000, 0, 1, 1).front();
        const double longest = static_cast<double>(*longest_lossless(
            {}, bursts_of({"one", {row}}, default_conditions(), CountUse::Flag).front(), row.separation, 5000, 1e10));
        row.events = std::llround(longest * (0.725 + 0.05 * i));
        row.frames_sent = 44 * row.events;
        row.frames_received = row.frames_sent - (static_cast<double>(row.events) > longest);
        rows.push_back(row);
    }
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_loss_map({"few", rows}, default_conditions(), options);
    REQUIRE(fit.status == FitStatus::Separated);
    REQUIRE(fit.best().noise);
    CHECK_FALSE(fit.best().noise->value);
    CHECK(*fit.best().noise->interval95.high > 0.01);
    CHECK(*fit.best().noise->interval95.high < 0.25);
    CHECK(*fit.best().depth.interval95.low < *fit.best().depth.hard.low);
}

TEST_CASE(
    "What bursts without noise leave open is the bracket, and little beyond it where one of them may be stray or lose "
    "at random") {
    FitOptions told;
    told.noise = KnownNoise{};
    const LossMap map{"map", noisy_map(2000, 0, 40, 3)};
    const Fit exact = fit_loss_map(map, default_conditions(), told), open = fit_loss_map(map, default_conditions(), {});
    REQUIRE(exact.status == FitStatus::Separated);
    CHECK_FALSE(exact.best().noise);
    const Estimate& depth = exact.best().depth;
    CHECK(*depth.hard.low <= *depth.interval68.low);
    CHECK(*depth.interval68.high <= *depth.hard.high);
    CHECK(*depth.interval95.high - *depth.interval95.low < 5 * (*depth.hard.high - *depth.hard.low));
    CHECK(holds(depth.interval95, 2000));
    CHECK(*open.best().depth.interval95.high - *open.best().depth.interval95.low >
          *depth.interval95.high - *depth.interval95.low);
}

TEST_CASE(
    "Bursts that contradict each other are noise where there may be some, and a contradiction where there is none") {
    const LossMap map{"map", noisy_map(2000, 0.03, 120, 5)};
    FitOptions known;
    known.noise = KnownNoise{0.03, 0.03, true};
    const Fit scattered = fit_loss_map(map, default_conditions(), known);
    CHECK(scattered.status == FitStatus::Overlap);
    REQUIRE(scattered.best().noise);
    CHECK(*scattered.best().noise->value == Approx(0.03));
    CHECK(*scattered.best().noise->interval95.low == Approx(0.03));
    CHECK(holds(scattered.best().depth.interval95, 2000));
    CHECK(scattered.best().noise->known);
    known.noise = KnownNoise{0.01, 0.1, true};
    const Fit limited = fit_loss_map(map, default_conditions(), known);
    REQUIRE(limited.best().noise);
    CHECK_FALSE(limited.best().noise->known);  // but estimated within its limits
    CHECK(holds(limited.best().noise->interval95, 0.03));
    known.noise = KnownNoise{};
    const Fit contradictory = fit_loss_map(map, default_conditions(), known);
    CHECK(contradictory.status == FitStatus::Inconsistent);
    CHECK_FALSE(contradictory.best().violating.empty());
    known.noise = KnownNoise{3, 3, false};
    std::vector<LossMapRow> counted;
    for (int i = 0; i < 12; ++i)
        counted.push_back(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 2000}, 44, 1024,
                                   Time{(9 + i % 4 * 5) * 1'000'000}, 90 + 10 * i));
    const Fit by_luck = fit_loss_map({"map", counted}, default_conditions(),
                                     known);  // to the frame, which noise of 3 frames makes no promise of
    REQUIRE(by_luck.best().noise);
    CHECK(*by_luck.best().noise->value == Approx(3));
    CHECK(*by_luck.best().depth.interval95.high - *by_luck.best().depth.interval95.low > 2);
    CHECK_THROWS_WITH(fit_loss_map(map, default_conditions(), known), Contains("noise: found a number of frames"));
}

TEST_CASE("Hundreds of flags that one threshold explains are taken at their word") {
    // 3080 frames; lengths from half to twice the longest lossless burst of each separation.
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 500; ++i)
        rows.push_back(as_flag(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080}, 44, 1024,
                                        Time{(9 + i % 5 * 6) * 1'000'000}, 60 + i)));
    const Estimate depth = fit_loss_map({"map", rows}, default_conditions(), {}).best().depth;
    CHECK(holds(depth.interval95, 3080));
    CHECK(*depth.interval95.low >= *depth.hard.low);
    CHECK(*depth.interval95.high <= *depth.hard.high);
}
