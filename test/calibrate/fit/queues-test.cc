// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <random>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "scenarios/text/loss-map.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

/// Maps that plain memories do not make, or that say little: what a fit must not claim of them.
namespace {

/// A queue behind a token bucket, with inputs so fast that they do not matter, frame by frame. Time is the bits that
/// the link could have sent, so that all is whole; it shares no code with the fit.
struct QueueBehindBucket {
    std::int64_t bits_per_us = 50, bucket = 3000, limit = 100'000;  ///< bytes
    bool in_frames = false;                                         ///< the limit is one of frames
    /// Whether a frame is dropped though there is room, with so much in use.
    std::function<bool(std::int64_t)> drops_early = [](std::int64_t) { return false; };

    LossMapRow lost_of(std::int64_t modules, std::int64_t payload, std::int64_t separation_us,
                       std::int64_t events) const {
        const std::int64_t bytes = payload + 42, cost = in_frames ? 1 : bytes;
        std::deque<std::int64_t> leaving;
        std::int64_t held = 0, lost = 0, spent = -8 * bucket;  // tokens are what was not spent of the time
        for (std::int64_t event = 0; event < events; ++event) {
            const std::int64_t now = event * separation_us * bits_per_us;
            while (!leaving.empty() && leaving.front() <= now) leaving.pop_front(), held -= cost;
            for (std::int64_t module = 0; module < modules; ++module) {
                if (leaving.empty()) spent = std::max(spent, now - 8 * bucket);
                if (leaving.empty() && now - spent >= 8 * bytes) {
                    spent += 8 * bytes;
                    continue;
                }
                if (held + cost > limit || drops_early(held)) {
                    ++lost;
                    continue;
                }
                held += cost, spent += 8 * bytes, leaving.push_back(spent);
            }
        }
        LossMapRow row;
        row.ports = static_cast<int>(modules);
        row.payload = Bytes{payload};
        row.separation = Time{separation_us * 1'000'000};
        row.events = events;
        row.frames_sent = modules * events;
        row.frames_received = row.frames_sent - lost;
        return row;
    }
};

Conditions very_fast_inputs() {
    Conditions conditions = default_conditions();
    conditions.frame.wire_overhead = conditions.frame.buffer_overhead = Bytes{42};
    conditions.link_rate = BitRate{100'000'000'000};
    return conditions;
}

/// Bursts on either side of where a queue of 100 kB behind 50 Mb/s begins to lose.
std::vector<LossMapRow> around(const QueueBehindBucket& queue, const std::vector<std::int64_t>& payloads,
                               const std::vector<double>& lengths = {0.7, 0.9, 1.0, 1.1, 1.4, 1.9}) {
    std::vector<LossMapRow> rows;
    int i = 0;
    for (const std::int64_t separation_us : {1500, 2600, 4000, 5500})
        for (const double length : lengths) {
            const std::int64_t payload = payloads[static_cast<std::size_t>(i++) % payloads.size()],
                               bytes = 44 * (payload + 42), drained = separation_us * queue.bits_per_us / 8;
            const double room = queue.in_frames ? static_cast<double>(queue.limit * (payload + 42))
                                                : static_cast<double>(queue.limit + queue.bucket);
            const double per_event = std::max(0.1 * static_cast<double>(bytes), static_cast<double>(bytes - drained));
            rows.push_back(queue.lost_of(44, payload, separation_us,
                                         std::max<std::int64_t>(2, std::llround(length * room / per_event))));
        }
    return rows;
}

bool in(const Interval& interval, double value) {
    return (!interval.low || *interval.low <= value) && (!interval.high || value <= *interval.high);
}

LossMapRow row_of(int ports, std::int64_t payload, double separation_us, std::int64_t events, std::int64_t lost) {
    LossMapRow row;
    row.ports = ports;
    row.payload = Bytes{payload};
    row.separation = Time{std::llround(separation_us * 1e6)};
    row.events = events;
    row.frames_sent = ports * events;
    row.frames_received = row.frames_sent - lost;
    return row;
}

const ModelFit& likeliest(const Fit& fit) {
    return *std::max_element(fit.models.begin(), fit.models.end(),
                             [](const ModelFit& a, const ModelFit& b) { return a.probability < b.probability; });
}

}  // namespace

TEST_CASE("Three counts that scatter do not prove a kind of memory, and their interval holds the depth") {
    // 4522 frames behind 1 Gb/s; counts scatter by three frames.
    std::vector<LossMapRow> rows;
    for (const auto& [events, lost] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1551, 0}, {3102, 0}, {6204, 2926}, {4387, 748}, {3689, 0}, {4023, 308}})
        rows.push_back(row_of(8, 1024, 59.3, events, lost));
    Conditions conditions = default_conditions();
    conditions.link_rate = BitRate{10'000'000'000};
    const Fit fit = fit_loss_map({"map", rows}, conditions, {});
    const ModelFit& best = fit.best();
    const double frames = best.model.pools() == QueueModel::Pools::Input ? 4522 / 8.0 : 4522;
    CHECK(in(best.depth.interval95, frames));
    CHECK(in(best.rate.interval95, 1e9));
    CHECK(likeliest(fit).probability < 0.99);
    REQUIRE(best.depth.interval95.high);
    CHECK(*best.depth.interval95.high - *best.depth.interval95.low > 0.005 * frames);
}

TEST_CASE("An exact map of memories of single inputs is not called a shared one") {
    const HiddenSwitch hidden{Buffer::Sharing::PerInput, MemorySize::Unit::Frame, 70, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = measured_grid(hidden, {9, 15, 20}, {80, 100, 130, 200, 300}, {44, 30});
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(likeliest(fit).model.pools() == QueueModel::Pools::Input);
    CHECK(in(fit.best().depth.interval95, 70));
}

TEST_CASE("Noise that is known as a number of frames leaves the counts in use") {
    FitOptions three;
    three.counts = CountUse::Count;
    three.noise = KnownNoise{3, 3, false};
    const Fit fit = fit_loss_map({"map", around({}, {1024})}, very_fast_inputs(), three);
    CHECK(fit.counts_used);
    REQUIRE(fit.best().noise);
    CHECK_FALSE(fit.best().noise->relative);
    CHECK(*fit.best().noise->value == Approx(3));
}

TEST_CASE("A true bound of the rate leaves noise what it was, and the interval holds the depth") {
    // 32357 frames behind 10 Gb/s; the threshold scatters by 2 %.
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 60; ++i) {
        Burst burst = burst_of_44(100);
        burst.spacing = Time{(9 + i % 5 * 5) * 1'000'000};
        const auto longest = static_cast<double>(*longest_lossless({}, burst, burst.spacing, 32357, 10e9));
        const auto events = std::llround(longest * (0.9 + 0.2 * (i * 7 % 60) / 60));
        const bool lossy = static_cast<double>(events) > longest * std::exp(0.02 * normal(random));
        rows.push_back(row_of(44, 1024, static_cast<double>(burst.spacing.count()) / 1e6, events, lossy));
    }
    FitOptions bounded;
    bounded.service_rate_bounds = {BitRate{9'900'000'000}, BitRate{10'100'000'000}};
    for (const FitOptions& options : {FitOptions{}, bounded}) {
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), options);
        INFO((options.service_rate_bounds ? "with a bound" : "without one"));
        REQUIRE(fit.best().noise);
        CHECK(*fit.best().noise->interval95.high > 0.01);
        CHECK(*fit.best().noise->interval95.low < 0.04);
        CHECK(in(fit.best().depth.interval95, 32357));
    }
}

TEST_CASE("One bad row of five neither decides the kind of memory nor moves the depth out of its interval") {
    // 153000 B behind 60 Mb/s, measured; of 3.5 ms the first row has ten losses of another cause.
    const std::vector<LossMapRow> rows{row_of(30, 900, 400, 165, 4266), row_of(30, 900, 700, 23, 406),
                                       row_of(30, 900, 700, 23, 406), row_of(30, 900, 3500, 61, 10),
                                       row_of(30, 900, 2500, 14, 0)};
    const Fit fit = fit_loss_map({"map", rows}, very_fast_inputs(), {});
    CHECK(likeliest(fit).probability < 0.99);
    const double frames = 153'000 / 942.0;
    const ModelFit& best = fit.best();
    Burst like;
    like.ports = 30, like.payload = 900, like.buffer = 942;
    const double in_frames =
        static_cast<double>(best.model.cost(like)) / static_cast<double>(best.model.memories(like));
    CHECK(in(best.depth.interval95, frames * in_frames));
}

TEST_CASE("A token bucket that two payloads see is no memory in cells") {
    const Fit fit = fit_loss_map({"map", around({}, {1024, 200})}, very_fast_inputs(), {});
    double cells = 0;
    for (const ModelFit& one : fit.models)
        if (one.model.unit == MemorySize::Unit::Cell) cells += one.probability;
    CHECK(cells < 0.5);
    CHECK(fit.best().model.name() == "shared-bytes");
    CHECK(in(fit.best().depth.interval95, 103'000));
    CHECK(in(fit.best().rate.interval95, 50e6));
}

TEST_CASE("Random early detection is no plain memory: a misfit, a contradiction, or a memory beside random losses") {
    for (const double most : {0.05, 0.3}) {
        std::mt19937_64 random(3);
        std::uniform_real_distribution<double> uniform;
        QueueBehindBucket red;
        red.drops_early = [&](std::int64_t held) {
            return held > 80'000 || uniform(random) < most * static_cast<double>(held - 30'000) / 50'000;
        };
        const Fit fit =
            fit_loss_map({"map", around(red, {1024}, {0.2, 0.5, 0.7, 0.9, 1.4, 1.9})}, very_fast_inputs(), {});
        const auto& causes = fit.best().disturbances;
        const bool random_loss = std::any_of(causes.begin(), causes.end(), [](const Disturbance& one) {
            return one.name == "loss" && one.probability > 0.5;
        });
        INFO(to_text(fit.status) << ", " << fit.misfit);
        CHECK((fit.status == FitStatus::Misfit || fit.status == FitStatus::Inconsistent || random_loss));
        CHECK(fit.status != FitStatus::Separated);
        CHECK((fit.losses_begin_early || random_loss));
    }
}

TEST_CASE("Of triggers that overfill the memory a frame more or less each is no random loss") {
    // 18 frames and 2.8 of the bucket: whether the 21st finds room hangs on when the uplink takes its third.
    const QueueBehindBucket queue{20, 3000, 20'000};
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        std::mt19937_64 random(seed);
        std::vector<LossMapRow> rows{queue.lost_of(44, 1024, 257, 61), queue.lost_of(44, 1024, 6470, 2)};
        for (const std::int64_t events : {1, 2, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}) {
            rows.push_back(queue.lost_of(44, 1024, 11'280 + static_cast<std::int64_t>(random() % 100), events));
            rows.back().frames_received -= std::binomial_distribution<std::int64_t>(events, 0.3)(random);
        }
        const Fit fit = fit_loss_map({"map", rows}, very_fast_inputs(), {});
        CHECK_FALSE(likely_loss(fit.best()));
        Interval depth = fit.best().depth.interval95;
        const bool frames = fit.best().model.unit == MemorySize::Unit::Frame;
        if (frames) *depth.high += 1;  // 20 frames are all depths below 21
        CHECK(in(depth, frames ? 20.8 : 23'000));
        CHECK(in(fit.best().rate.interval95, 20e6));
    }
}

TEST_CASE("A part of a frame that nobody knows widens the limits of one payload, which hold estimate and truth") {
    // 50 frames and what the bucket holds beside them: 3.56 frames of 842 B.
    QueueBehindBucket queue{20, 3000, 50, true};
    std::vector<LossMapRow> rows;
    for (const std::int64_t separation_us : {2000, 5000, 6000})
        for (const std::int64_t events : {4, 6, 9, 14, 30})
            rows.push_back(queue.lost_of(20, 800, separation_us, events));
    const Fit fit = fit_loss_map({"map", rows}, very_fast_inputs(), {});
    const ModelFit& best = fit.best();
    CHECK(in(best.rate.interval95, 20e6));
    CHECK(in(best.rate.hard, 20e6));
    for (const Estimate* const each : {&best.depth, &best.rate}) {
        REQUIRE(each->value);
        CHECK(in(each->hard, *each->value));
    }
}

TEST_CASE("Bursts that are all lossy tell the depth by their counts, and without counts no upper end for certain") {
    std::vector<LossMapRow> rows;
    for (const LossMapRow& row : around({}, {1024}))
        if (!row.lossless()) rows.push_back(row);
    REQUIRE(rows.size() >= 8);
    const Fit counted = fit_loss_map({"map", rows}, very_fast_inputs(), {});
    CHECK(counted.status == FitStatus::Unbounded);
    REQUIRE(counted.best().depth.value);
    CHECK(in(counted.best().depth.interval95,
             counted.best().model.unit == MemorySize::Unit::Byte ? 103'000 : 103'000 / 1066));  // whole frames
}

// Memories of inputs foretell the same of bursts of one number of ports; so neither kind may become certain.
TEST_CASE("More rows of a queue in frames behind a token bucket do not rule its own kind out") {
    QueueBehindBucket queue;
    queue.limit = 1000, queue.in_frames = true, queue.bits_per_us = 40;
    std::mt19937 random(5);
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 28; ++i) {
        const std::int64_t payload = std::vector<std::int64_t>{250, 1250}[random() % 2],
                           most = 25 * 8 * (payload + 42) / 40;
        const std::int64_t separation = most * static_cast<std::int64_t>(20 + random() % 70) / 100;
        const double left = 25 * (1 - static_cast<double>(separation) / static_cast<double>(most));
        const double length = 0.7 + 0.1 * static_cast<double>(random() % 10);
        rows.push_back(queue.lost_of(25, payload, separation, std::llround(length * 1000 / left) + 2));
    }
    for (const std::ptrdiff_t number : {16, 22, 28}) {
        INFO(number);
        const Fit fit = fit_loss_map({"map", {rows.begin(), rows.begin() + number}}, very_fast_inputs(), {});
        double shared = 0;
        for (const ModelFit& one : fit.models)
            if (one.model.name() == "shared-frames") shared = one.probability;
        CHECK(shared > 0.05);
    }
}
