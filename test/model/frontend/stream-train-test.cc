// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/stream-train.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "test/catch.h"

namespace watershed {
namespace {

using Pattern = TrafficStream::Pattern;

std::vector<std::int64_t> times_of(const TrafficStream& stream, Time stop, std::uint64_t seed = 1) {
    StreamTrain train(stream, FrameFormat{}, stop, seed);
    std::vector<std::int64_t> times;
    while (const auto time = train.next()) times.push_back(time->count());
    return times;
}

constexpr Time kMicrosecond{1'000'000}, kSecond{1'000'000'000'000};

TrafficStream stream_of(Pattern pattern) {
    TrafficStream stream;
    stream.phase = Time{0};
    stream.name = "one";
    stream.pattern = pattern;
    return stream;
}

}  // namespace

// 3 kHz: 1/3 ms = 333333333.33 ps, and the k-th frame is rounded once: the errors do not add up.
TEST_CASE("Frames of a constant stream are evenly spaced to half a picosecond, however many there are") {
    TrafficStream stream = stream_of(Pattern::Constant);
    stream.rate.frames = Frequency{3'000'000'000};
    stream.start = kMicrosecond;
    CHECK(times_of(stream, kMicrosecond * 2001) ==
          std::vector<std::int64_t>{1'000'000, 334'333'333, 667'666'667, 1'001'000'000, 1'334'333'333, 1'667'666'667});
}

TEST_CASE("A rate in bits is what the frames cost the link: 1090 B at 1 Gb/s are 8720 ns apart") {
    TrafficStream stream = stream_of(Pattern::Constant);
    stream.rate.bits = BitRate{1'000'000'000};
    CHECK(times_of(stream, Time{26'160'001}) == std::vector<std::int64_t>{0, 8'720'000, 17'440'000, 26'160'000});
    CHECK(mean_bits(stream, FrameFormat{}) == 1e9);
}

TEST_CASE("Bursts come every period, their frames at once, and none at or after the stop") {
    TrafficStream stream = stream_of(Pattern::Bursts);
    stream.burst = 2;
    stream.period = kMicrosecond * 10;
    stream.start = kMicrosecond;
    CHECK(times_of(stream, kMicrosecond * 21) ==
          std::vector<std::int64_t>{1'000'000, 1'000'000, 11'000'000, 11'000'000});
    CHECK(mean_bits(stream, FrameFormat{}) == Approx(2 * 1090 * 8 / 10e-6));
}

// N frames in a time T at a rate of 1 MHz: N is Poisson with mean and variance 10^6 T / s; 5 standard deviations.
TEST_CASE("A Poisson stream has its rate, a seed of its own and gaps that are exponential") {
    TrafficStream stream = stream_of(Pattern::Poisson);
    stream.rate.frames = Frequency{1'000'000'000'000};
    const auto times = times_of(stream, kSecond / 10);
    CHECK(std::abs(static_cast<double>(times.size()) - 1e5) < 5 * std::sqrt(1e5));
    std::size_t above = 0;
    for (std::size_t i = 1; i < times.size(); ++i) above += times[i] - times[i - 1] > 1'000'000;
    CHECK(std::abs(static_cast<double>(above) - 1e5 * std::exp(-1)) < 5 * std::sqrt(1e5));
    CHECK(times == times_of(stream, kSecond / 10));
    CHECK(times != times_of(stream, kSecond / 10, 2));
    TrafficStream other = stream;
    other.name = "two";
    CHECK(times != times_of(other, kSecond / 10));
}

// On for 1 ms and off for 3 ms on average: a quarter of the time at 1 MHz. The number of frames in 20 s is 5 10^6, with
// a relative deviation of about sqrt(2 * 0.75^2 / 5000) = 1.5 %.
TEST_CASE("An on-off stream sends for its share of the time, evenly spaced, and is silent between") {
    TrafficStream stream = stream_of(Pattern::OnOff);
    stream.rate.frames = Frequency{1'000'000'000'000};
    stream.on = kMicrosecond * 1000;
    stream.off = kMicrosecond * 3000;
    const auto times = times_of(stream, kSecond * 20);
    CHECK(times.front() == 0);
    CHECK(std::is_sorted(times.begin(), times.end()));
    CHECK(static_cast<double>(times.size()) == Approx(5e6).epsilon(0.08));
    std::size_t gaps = 0;
    for (std::size_t i = 1; i < times.size(); ++i) gaps += times[i] - times[i - 1] > 1'000'000;
    CHECK(static_cast<double>(gaps) == Approx(5000).epsilon(0.08));
    CHECK(mean_bits(stream, FrameFormat{}) == Approx(1090 * 8 * 1e6 / 4));
}

// A burst of 3 events 1 us apart from a link on which a frame lasts 8.72 us: the link sends until 3 * 8.72 us. 20 us
// apart, the last begins at 40 us. Skew and jitter come on top.
TEST_CASE("The camera ends when a module's link has sent the last fragment") {
    Senders senders;
    senders.front_end.modules = 2;
    senders.trigger.events = 3;
    senders.trigger.separation = kMicrosecond;
    CHECK(end_of_camera(senders) == Time{3 * 8'720'000});
    senders.trigger.separation = kMicrosecond * 20;
    CHECK(end_of_camera(senders) == Time{48'720'000});
    senders.front_end.skew = {Time{5}, Time{7}};
    senders.front_end.jitter = Time{11};
    CHECK(end_of_camera(senders) == Time{48'720'018});
    senders.front_end.modules = 1;  // the second delay is nobody's
    CHECK(end_of_camera(senders) == Time{48'720'016});
    // 8720 bits at 7 Gb/s last 1245714.29 ps: whole picoseconds before the end are those before it rounded up.
    senders.front_end = {};
    senders.front_end.link_rate = BitRate{7'000'000'000};
    CHECK(end_of_camera(senders) == Time{41'245'715});
    // 30 of them without a pause last 37371428.57 ps, not 30 times a length that is rounded.
    senders.trigger.separation = Time{0};
    senders.trigger.events = 30;
    CHECK(end_of_camera(senders) == Time{37'371'429});
}

// A clock that is fast by one part in a thousand makes 10 us of 10.01 us.
TEST_CASE("A stream's clock errs by up to what is stated, the same for all its frames, and its phase is drawn") {
    TrafficStream stream = stream_of(Pattern::Bursts);
    stream.burst = 2;
    stream.period = kMicrosecond * 10;
    stream.clock = ClockTolerance{20'000};
    stream.phase.reset();
    double least = 1, most = -1, phases = 0;
    constexpr int kSeeds = 400;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const auto times = times_of(stream, kSecond / 100, seed);
        const double whole = static_cast<double>(times[1998] - times[0]);
        const double error = 999 * 10e6 / whole - 1;
        least = std::min(least, error), most = std::max(most, error);
        CHECK(times[0] == times[1]);
        CHECK((times[0] >= 0 && times[0] < 10'000'000));
        phases += static_cast<double>(times[0]) / kSeeds;
    }
    CHECK((least >= -20.0001e-6 && least < -19.5e-6));
    CHECK((most <= 20.0001e-6 && most > 19.5e-6));
    CHECK(phases == Approx(5e6).margin(5 * 10e6 / std::sqrt(12.0 * kSeeds)));
    stream.phase = Time{3};
    CHECK(times_of(stream, kSecond / 100, 1)[0] == 3);
}

TEST_CASE("Jitter delays each frame, or burst, by up to what is stated, and frames keep their order") {
    TrafficStream stream = stream_of(Pattern::Constant);
    stream.rate.frames = Frequency{1'000'000'000'000};
    stream.jitter = kMicrosecond * 3;
    const auto times = times_of(stream, kSecond / 100);
    CHECK(std::is_sorted(times.begin(), times.end()));
    std::int64_t most = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::int64_t late = times[i] - static_cast<std::int64_t>(i) * 1'000'000;
        CHECK((late >= 0 && late <= 3'000'000));
        most = std::max(most, late);
    }
    CHECK(most > 2'990'000);
    stream.pattern = Pattern::Bursts;
    stream.burst = 3;
    stream.period = kMicrosecond * 10;
    const auto bursts = times_of(stream, kMicrosecond * 100);
    for (std::size_t i = 0; i + 2 < bursts.size(); i += 3)
        CHECK((bursts[i] == bursts[i + 1] && bursts[i] == bursts[i + 2]));
}

}  // namespace watershed
