// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "scenarios/reader/reader.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const ModelFit& model_of(const Fit& fit, const char* name) {
    for (const ModelFit& one : fit.models)
        if (one.model.name() == name) return one;
    throw std::logic_error(name);
}

std::string source_file(const std::string& name) {
    const char* folder = std::getenv("WATERSHED_SOURCE");
    return (folder ? std::string(folder) + "/" : std::string()) + name;
}

Fit fit_measured(const std::string& map) {
    const std::string scenario = source_file("scenarios/kernel-queue.toml");
    return fit_loss_map(read_loss_map(source_file("scenarios/data/" + map)),
                        conditions_of(read_scenario(scenario), scenario), {});
}

/// Bursts around the watershed of a switch of `depth` frames, with 44 ports and the noise asked for.
std::vector<LossMapRow> noisy_map(std::int64_t depth, double spread, int bursts, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 1);
    std::uniform_real_distribution<double> around(0.6, 1.4);
    std::vector<LossMapRow> rows;
    for (int i = 0; i < bursts; ++i) {
        const std::int64_t separations[] = {9, 12, 16, 20, 25, 30, 34};
        const Time separation{separations[i % 7] * 1'000'000};
        Burst like;
        like.ports = 44;
        like.wire = 1090;
        const double longest =
            static_cast<double>(*longest_lossless({}, like, separation, static_cast<double>(depth), 1e10));
        LossMapRow row;
        row.ports = 44;
        row.payload = Bytes{1024};
        row.separation = separation;
        row.events = static_cast<std::int64_t>(longest * around(random));
        row.frames_sent = 44 * row.events;
        row.frames_received =
            row.frames_sent - (static_cast<double>(row.events) > longest * std::exp(spread * noise(random)));
        rows.push_back(row);
    }
    return rows;
}

bool holds(const Interval& interval, double value) { return *interval.low <= value && value <= *interval.high; }

}  // namespace

TEST_CASE("The deep kernel queue comes out as it was configured: 50 Mb/s, 1876 to 1879 frames") {
    const Fit fit = fit_measured("kernel-queue-deep.csv");
    CHECK(fit.status == FitStatus::Separated);
    CHECK(fit.counts_used);
    const ModelFit& frames = model_of(fit, "shared-frames");
    CHECK(*frames.rate.value == Approx(50e6).epsilon(0.003));
    CHECK(*frames.depth.value == Approx(1877.5).epsilon(0.005));
    CHECK(*model_of(fit, "shared-bytes").depth.value / 1066 == Approx(1877.5).epsilon(0.005));
    CHECK(holds(frames.rate.interval95, 50e6));
    CHECK(holds(model_of(fit, "shared-bytes").rate.interval95, 50e6));
    CHECK(holds(model_of(fit, "shared-bytes").depth.interval95, 2'003'000));
    CHECK(fit.best().model.sharing == Buffer::Sharing::Shared);
    // One payload cannot tell bytes from frames, and one number of ports not shared from per-input memory.
    CHECK(fit.best().probability < 0.9);  // 4 to 1 for the kind that the scenario names
    std::vector<int> late;
    for (const RowSetAside& row : fit.set_aside) late.push_back(row.row);
    CHECK(late == std::vector<int>{1, 14, 30, 61, 85, 88, 122});
}

TEST_CASE("Four mixes of ports and payloads show that the shallow kernel queue shares bytes") {
    const Fit fit = fit_measured("kernel-queue-shallow.csv");
    CHECK(fit.best().model.name() == "shared-bytes");
    CHECK(fit.best().probability > 0.95);  // cells of some size are nearly as good
    CHECK(fit.best().feasible);
    CHECK_FALSE(model_of(fit, "shared-frames").feasible);
    CHECK_FALSE(model_of(fit, "per-input-bytes").feasible);
    // limit 100000 B, and the token bucket lets 3000 B more pass at once
    CHECK(*fit.best().depth.value == Approx(103000).epsilon(0.005));
    CHECK(*fit.best().rate.value == Approx(50e6).epsilon(0.003));
    CHECK(holds(fit.best().depth.interval95, 103'000));
    CHECK(holds(fit.best().rate.interval95, 50e6));
    // One burst of 40 events lost nothing, and 5 of 1760 frames when it was repeated: noise at the watershed, no
    // contradiction.
    CHECK(fit.status == FitStatus::Overlap);
}

TEST_CASE("Bursts that lose at random, and not the longest ones, do not limit a depth from above") {
    // One frame in a thousand is lost, whatever the length; no burst comes near the 20000 frames of the memory.
    for (const std::uint64_t seed : {1, 2, 3}) {
        std::mt19937_64 random(seed);
        std::vector<LossMapRow> rows;
        for (int i = 0; i < 16; ++i) {
            rows.push_back(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 20'000, 10'000'000'000, 1}, 44,
                                    1024, Time{9'000'000}, 10 + i));
            REQUIRE(rows.back().lossless());
            std::binomial_distribution<std::int64_t> lost(rows.back().frames_sent, 1e-3);
            if (lost(random) > 0) --rows.back().frames_received;
        }
        FitOptions flags;
        flags.counts = CountUse::Flag;
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), flags);
        CHECK_FALSE(fit.best().depth.interval95.high);
    }
}

TEST_CASE(
    "A noise-free map with counts gives back the switch, whichever kind it is, or cells that hold as many frames of "
    "each payload") {
    HiddenSwitch hidden;
    hidden.sharing = GENERATE(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    hidden.unit = GENERATE(MemorySize::Unit::Frame, MemorySize::Unit::Byte);
    hidden.uplinks = GENERATE(1, 2);
    hidden.rate = 5'000'000'000 / hidden.uplinks;
    hidden.depth = hidden.sharing == Buffer::Sharing::Shared ? 463 : 23;
    if (hidden.unit == MemorySize::Unit::Byte) hidden.depth *= 700;
    std::vector<LossMapRow> rows;
    for (const std::int64_t payload : {400, 900})
        for (const int ports : {12, 20})
            for (const std::int64_t percent : {20, 45, 70})
                for (const std::int64_t events : {5, 20, 60, 100}) {
                    const Time saturation{ports * (payload + 66) * 8'000'000'000'000 / 5'000'000'000};
                    rows.push_back(measured(hidden, ports, payload, saturation * percent / 100, events));
                }
    Conditions conditions = default_conditions();
    conditions.uplinks = hidden.uplinks;
    const Fit fit = fit_loss_map({"map", rows}, conditions, {});
    const QueueModel truth{hidden.sharing, hidden.unit};
    REQUIRE(fit.status == FitStatus::Separated);
    REQUIRE(std::abs(*fit.best().rate.value / static_cast<double>(hidden.rate) - 1) < 0.01);
    if (const QueueModel& cells = fit.best().model; cells.unit == MemorySize::Unit::Cell) {
        REQUIRE(cells.sharing == truth.sharing);
        for (const Burst& burst : bursts_of({"map", rows}, conditions, CountUse::Count))
            REQUIRE(std::abs(static_cast<std::int64_t>(*fit.best().depth.value) / cells.cost(burst) -
                             hidden.depth / truth.cost(burst)) <= 1);
        return;
    }
    REQUIRE(fit.best().model.name() == truth.name());
    REQUIRE(*fit.best().depth.hard.low <= static_cast<double>(hidden.depth));
    REQUIRE(*fit.best().depth.hard.high >= static_cast<double>(hidden.depth));
    REQUIRE(std::abs(*fit.best().depth.value / static_cast<double>(hidden.depth) - 1) < 0.03);
}

TEST_CASE("A depth that grows by a tenth through a campaign is told by the order of the rows, with its middle") {
    HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3000, 10'000'000'000, 1};
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 16; ++i) {
        hidden.depth = 2850 + 20 * i;
        rows.push_back(measured(hidden, 44, 1024, Time{9'000'000 + 4'000'000 * (i % 3)}, 90 + 30 * (i % 5)));
    }
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), options);
    const auto drift = std::find_if(fit.best().disturbances.begin(), fit.best().disturbances.end(),
                                    [](const Disturbance& one) { return one.name == "drift"; });
    REQUIRE(drift != fit.best().disturbances.end());
    CHECK(drift->probability > 0.9);
    CHECK(*drift->value == Approx(300.0 / 3000).margin(0.02));
    CHECK(*fit.best().depth.value == Approx(3000).epsilon(0.01));
}

TEST_CASE("Only lossless or only lossy bursts give a limit on one side") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    const auto at = [&](std::int64_t events) { return as_flag(measured(hidden, 44, 1024, Time{9'000'000}, events)); };
    const Fit none = fit_loss_map({"map", {at(10), at(50)}}, default_conditions(), {});
    CHECK(none.status == FitStatus::Unbounded);
    CHECK_FALSE(none.best().depth.value);
    CHECK_FALSE(none.best().depth.hard.high);
    CHECK(*none.best().depth.hard.low <= 3080);
    const Fit all = fit_loss_map({"map", {at(200), at(500)}}, default_conditions(), {});
    CHECK(all.status == FitStatus::Unbounded);
    CHECK_FALSE(all.best().depth.value);
    CHECK(*all.best().depth.hard.high >= 3080);
    CHECK(fit_loss_map({"map", {at(10)}}, default_conditions(), {}).status == FitStatus::Unbounded);
    std::vector<LossMapRow> many;
    for (int i = 0; i < 20; ++i) many.push_back(at(300 + 20 * i));
    const Fit same = fit_loss_map({"map", many}, default_conditions(), {});
    CHECK(same.status == FitStatus::Unbounded);
    CHECK_FALSE(same.best().noise);  // which takes bursts of either outcome to see
}

TEST_CASE("One lossy burst, its lost frames counted, does not know the depth") {
    // 308000 frames behind 10 Gb/s: of 1.76 million 75888 are lost, whether much memory is drained slowly or little
    // memory fast.
    const Fit fit = fit_loss_map(
        {"one burst",
         {measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 308'000}, 44, 1024, Time{30'000'000}, 40'000)}},
        default_conditions(), {});
    const Interval& depth = fit.best().depth.interval95;
    if (depth.low && depth.high) CHECK(*depth.high > 10 * *depth.low);
    CHECK((!depth.low || *depth.low <= 308'000));
    CHECK((!depth.high || *depth.high >= 308'000));
}

TEST_CASE("A known rate is taken as it is and not fitted") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_loss_map({"map",
                                  {as_flag(measured(hidden, 44, 1024, Time{20'000'000}, 100)),
                                   as_flag(measured(hidden, 44, 1024, Time{20'000'000}, 200))}},
                                 default_conditions(), options);
    CHECK(fit.status == FitStatus::Separated);
    CHECK(*fit.best().rate.value == Approx(10e9));
    CHECK(*fit.best().rate.hard.high == Approx(10e9));
    CHECK(*fit.best().depth.hard.low <= 3080);
    CHECK(*fit.best().depth.hard.high >= 3080);
}

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
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700})
            rows.push_back(measured(hidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    rows[5].frames_received -= 500;
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(fit.best().violating == std::vector<int>{6});
    CHECK(holds(fit.best().depth.interval95, 3071));
    CHECK(*fit.best().depth.interval95.high - *fit.best().depth.interval95.low <=
          4);  // a constant part of a frame, and when a frame leaves
}

TEST_CASE("The longest lossless burst is the closed form of the hyperbola") {
    // M* = floor(1 + (B - N) / (N - r)) for r = 10 at 8.72 us: 44 ports, 7000 frames per input.
    Burst like;
    like.ports = 44;
    like.wire = 1090;
    const QueueModel per_input{Buffer::Sharing::PerInput, MemorySize::Unit::Frame};
    CHECK(longest_lossless(per_input, like, Time{8'720'000}, 7000, 1e10) == 9058);
    CHECK(longest_lossless(per_input, like, Time{20'000'000}, 7000, 1e10) == 14620);
    CHECK_FALSE(longest_lossless(per_input, like, Time{38'400'000}, 7000, 1e10));
    CHECK(longest_lossless({}, like, Time{38'400'000}, 43, 1e10) == 0);
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

TEST_CASE(
    "Whatever a few bursts say, also against each other, a fit ends: in numbers that lie within their own limits") {
    std::mt19937_64 random(1);
    const auto any = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    const auto ordered = [](const Estimate& one) {
        for (const Interval& limits : {one.hard, one.interval68, one.interval95}) {
            for (const auto& end : {limits.low, limits.high, one.value}) CHECK((!end || std::isfinite(*end)));
            if (limits.low && limits.high) CHECK(*limits.low <= *limits.high);
        }
        for (const Interval& limits : {one.hard, one.interval95}) {
            if (one.value && limits.low) CHECK(*one.value >= *limits.low * (1 - 1e-12));
            if (one.value && limits.high) CHECK(*one.value <= *limits.high * (1 + 1e-12));
        }
    };
    for (int map = 0; map < 30; ++map) {
        FitOptions known;  // mostly all, which leaves the least to explain a contradiction by, and is fast
        if (any(0, 9) > 0) known.noise = KnownNoise{};
        if (any(0, 9) > 0) known.loss = known.bucket = known.traffic = Limits{};
        std::vector<LossMapRow> rows;
        for (std::int64_t bursts = any(1, 4); bursts > 0; --bursts) {
            LossMapRow row;
            row.ports = static_cast<int>(any(1, 3) == 1 ? 1 : any(2, 64));
            row.payload = Bytes{any(0, 1) ? 64 : any(65, 1400)};
            row.separation = Time{any(1'000'000, 300'000'000)};
            row.events = any(1, 3) == 1 ? 1 : any(2, 2000);
            row.frames_sent = row.ports * row.events;
            const std::int64_t lost[] = {0, 0, 1, any(1, row.frames_sent)};
            row.frames_received = row.frames_sent - lost[any(0, 3)];
            rows.push_back(row);
        }
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), known);
        for (const ModelFit& one : fit.models) {
            INFO("map " << map << ", " << one.model.name());
            ordered(one.depth), ordered(one.rate);
        }
        CHECK(std::isfinite(fit.best().probability));
    }
}

TEST_CASE("The order of a map's rows changes no number") {
    LossMap map{"map", {}};
    for (const auto& row : noisy_map(5000, 0.02, 40, 2)) map.rows.push_back(row);
    const Fit fit = fit_loss_map(map, default_conditions(), {});
    std::mt19937_64 random(3);
    for (std::size_t i = map.rows.size() - 1; i > 0; --i) std::swap(map.rows[i], map.rows[random() % (i + 1)]);
    const Fit other = fit_loss_map(map, default_conditions(), {});
    REQUIRE(other.models.size() == fit.models.size());
    for (std::size_t i = 0; i < fit.models.size(); ++i) {
        CHECK(other.models[i].probability == fit.models[i].probability);
        CHECK(other.models[i].depth.value == fit.models[i].depth.value);
        CHECK(other.models[i].rate.interval95.low == fit.models[i].rate.interval95.low);
    }
}

TEST_CASE(
    "In random small maps no estimate lies outside its intervals, and of exact bursts none of these beyond the "
    "hard limits") {
    std::mt19937_64 random(32);
    const auto any = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    const auto inside = [](const Interval& inner, const Interval& outer) {
        return (!inner.low || !outer.low || *inner.low >= *outer.low) &&
               (!inner.high || !outer.high || *inner.high <= *outer.high);
    };
    for (int map = 0; map < 24; ++map) {
        const HiddenSwitch hidden{any(0, 1) ? Buffer::Sharing::Shared : Buffer::Sharing::PerInput,
                                  any(0, 1) ? MemorySize::Unit::Frame : MemorySize::Unit::Byte, any(1, 20'000),
                                  any(1, 10) * 1'000'000'000};
        const bool flags = any(0, 1) == 0;
        std::vector<LossMapRow> rows;
        for (std::int64_t row = any(2, 12); row > 0; --row) {
            const LossMapRow one = measured(hidden, static_cast<int>(any(2, 40)), any(1, 4) * 300,
                                            Time{any(1, 40) * 1'000'000}, any(1, 300));
            rows.push_back(flags ? as_flag(one) : one);
        }
        FitOptions told;
        if (map % 2) told.noise = KnownNoise{};
        INFO("map " << map);
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), told);
        for (const ModelFit& one : fit.models) {
            INFO(one.model.name());
            for (const Estimate* const each : {&one.depth, &one.rate}) {
                const Interval value{each->value, each->value};
                CHECK(inside(value, each->interval68));
                CHECK(inside(value, each->interval95));
                CHECK(inside(each->interval68, each->interval95));
                CHECK(inside(value, each->hard));
                if (one.feasible && (map % 2 || (&one == &fit.best() && !flags && fit.best().violating.empty())))
                    CHECK(inside(each->interval95, each->hard));
            }
        }
    }
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
