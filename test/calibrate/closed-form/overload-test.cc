// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/overload.h"

#include <sstream>

#include "calibrate/closed-form/burst.h"
#include "test/catch.h"

using namespace watershed;
using Catch::Matchers::WithinRel;
using Kind = OverloadFit::Kind;

namespace {

constexpr Time kGap{80'000'000};  // of 1000 B at 100 Mb/s

/// Frames of 1000 B at 100 Mb/s into a memory of some frames, of which one leaves every second gap: 50 Mb/s.
/// @param pause  before frame 100
OverloadTrace trace_of(std::int64_t frames, std::int64_t memory, Time pause = Time{0}) {
    OverloadTrace trace;
    trace.payload = Bytes{934};
    trace.wire = Bytes{1000};
    std::int64_t held = 0;
    Time left{0}, delay{0};
    for (std::int64_t i = 0; i < frames; ++i) {
        const Time now = kGap * i + (i < 100 ? Time{0} : pause);
        for (; held > 0 && left + 2 * kGap <= now; --held) left += 2 * kGap;
        if (held == 0) left = now;
        trace.sent.push_back(now);
        trace.missing.push_back(held == memory);
        if (held == memory) continue;
        ++held;
        delay = left + 2 * kGap * (held - 1) - now;
    }
    trace.delay = delay;
    return trace;
}

std::vector<Overload> read(const std::string& text) {
    std::istringstream in(text);
    return overloads_from(CsvTable::read(in, "o.csv"));
}

}  // namespace

TEST_CASE("What comes in beyond what leaves is held: the published 100 Gb/s switch") {
    // 9.74 Gb/s beyond 100 Gb/s for 4.16 ms: 9.74e9 / 8 x 4.16e-3 = 5064800 B; published are 5.04 MB.
    CHECK(held(BitRate{109'740'000'000}, BitRate{100'000'000'000}, Time{4'160'000'000}) == 5'064'800);
    // The other two rows have no time; it is what their depth takes: 5.39 MB x 8 / 4.76 Gb/s, and so on.
    const auto overloads = read(
        "offered_bps,output_bps,t_first_drop_us\n104760000000,100000000000,9058.8235\n"
        "109740000000,100000000000,4160\n119680000000,100000000000,2052.8455\n");
    CHECK(held(overloads[0].offered, overloads[0].output, overloads[0].first_drop) == 5'389'999);
    CHECK(held(overloads[2].offered, overloads[2].output, overloads[2].first_drop) == 5'049'999);
    const OverloadFit fit = fit_overloads(overloads, FrameFormat{}, true);
    CHECK(fit.kind == Kind::Queue);
    CHECK_FALSE(fit.frames);  // no payload is known
    CHECK_THAT(fit.depth, WithinRel((5.39e6 + 5.0648e6 + 5.05e6) / 3, 1e-6));
    // The scatter is 192000 B, and Student's factor for three 4.303.
    CHECK_THAT(*fit.margin, WithinRel(4.303 * 192'237 / std::sqrt(3), 2e-3));
    CHECK_FALSE(fit.delayed);
    CHECK_FALSE(fit_overloads({overloads[0]}, FrameFormat{}, true).margin);
    // The lowest rate tells 332600 B more than the others, which differ by 14800 B: by Student's factor for two, 12.71,
    // they could by 162900 B.
    REQUIRE(fit.by_rate);
    CHECK_THAT(fit.by_rate->first - fit.by_rate->second, WithinRel(332'600, 1e-3));
}

TEST_CASE("The first frame that is missing tells the depth, the later ones the output") {
    const OverloadOutcome outcome = outcome_of(trace_of(2000, 100));
    REQUIRE(outcome.overload);
    CHECK(outcome.overload->offered == BitRate{100'000'000});
    CHECK_THAT(in_megabits(outcome.overload->output), WithinRel(50, 0.01));
    // One comes each gap and one leaves each second one: after 200 gaps or so 100 are held.
    const FrameFormat format;
    const OverloadFit fit = fit_overloads({*outcome.overload, *outcome.overload}, format, true);
    CHECK(fit.frames);
    CHECK_THAT(fit.depth, WithinAbs(100, 1));
    CHECK(*fit.margin == 1);
    CHECK(fit.kind == Kind::Queue);
    CHECK_THAT(*fit.delayed, WithinAbs(100, 2));
    CHECK_THAT(fit_overloads({*outcome.overload}, format, false).depth,
               WithinRel(fit.depth * static_cast<double>((Bytes{934} + format.buffer_overhead).count), 1e-9));
    // Two frames a trigger.
    OverloadTrace pairs = trace_of(2000, 100);
    for (std::size_t i = 0; i < 1000; ++i) pairs.sent[i] = pairs.sent[2 * i];
    pairs.sent.resize(1000);
    REQUIRE(outcome_of(pairs).overload);
    CHECK_THAT(fit_overloads({*outcome_of(pairs).overload}, format, true).depth, WithinAbs(100, 1.5));
}

TEST_CASE("Overloads that are too short ask for as many frames as tell") {
    CHECK(outcome_of(trace_of(150, 100)).enough == 600);
    CHECK_FALSE(outcome_of(trace_of(150, 100)).overload);
    const OverloadOutcome early = outcome_of(trace_of(400, 100));
    CHECK_FALSE(early.overload);
    CHECK(early.why_not.empty());
    CHECK(early.enough > 900);
    CHECK(outcome_of(trace_of(early.enough, 100)).overload);
    CHECK(outcome_of(trace_of(20'000, 100)).overload);
}

TEST_CASE("A policer delays nothing, and a token bucket less than it lets pass") {
    OverloadTrace trace = trace_of(2000, 100);
    trace.delay = Time{0};
    const OverloadOutcome outcome = outcome_of(trace);
    REQUIRE(outcome.overload);
    CHECK(fit_overloads({*outcome.overload}, FrameFormat{}, true).kind == Kind::Policer);
    Overload bucket = *outcome.overload;
    bucket.delay = 40 * 2 * kGap;  // 40 of 100 frames wait
    const OverloadFit fit = fit_overloads({bucket}, FrameFormat{}, true);
    CHECK(fit.kind == Kind::Bucket);
    CHECK_THAT(*fit.delayed, WithinAbs(40, 0.5));
}

TEST_CASE("Where depths differ the interval holds them, and words say whether they differ with the rate") {
    const auto fit_of = [](const std::vector<std::pair<int, int>>& rows) {  // offered Mb/s beside 100, depth in B
        std::vector<Overload> overloads;
        for (const auto& [excess, depth] : rows)
            overloads.push_back(
                {BitRate{(100 + excess) * 1'000'000LL}, BitRate{100'000'000}, Time{8'000'000LL * depth / excess}});
        return fit_overloads(overloads, FrameFormat{}, false);
    };
    // One first drop in five comes 3.5 % early: a scatter of 1565 B, and Student's factor for five 2.776.
    const OverloadFit early = fit_of({{6, 100'000}, {6, 100'000}, {6, 96'500}, {6, 100'000}, {6, 100'000}});
    CHECK_THAT(early.depth, WithinRel(99'300, 1e-4));
    CHECK_THAT(*early.margin, WithinRel(2.776 * 1565.2 / std::sqrt(5), 1e-3));
    CHECK_FALSE(early.by_rate);
    const OverloadFit wrong = fit_of({{6, 106'000}, {6, 106'100}, {60, 100'000}, {60, 100'100}});
    REQUIRE(wrong.by_rate);
    CHECK_THAT(wrong.by_rate->first, WithinRel(106'050, 1e-4));
    CHECK_THAT(wrong.by_rate->second, WithinRel(100'050, 1e-4));
    CHECK(*wrong.margin >= 5'999);  // 103050 B in the mean
    CHECK(wrong.by_rate->first - wrong.depth <= *wrong.margin);
    CHECK_FALSE(fit_of({{6, 100'100}, {6, 100'000}, {60, 100'000}, {60, 100'100}}).by_rate);
    CHECK_FALSE(fit_of({{6, 106'000}, {60, 100'000}}).by_rate);  // nobody knows what scatter is
}

TEST_CASE("A full queue that drops its oldest frames is named, and its first drop is none of a depth") {
    // 100 are held after 200 gaps, when frame 100 is the oldest; from then on every second one is lost, but not of the
    // last 100.
    OverloadTrace trace = trace_of(2000, 3000);
    for (std::size_t frame = 100; frame < 1900; frame += 2) trace.missing[frame] = true;
    const OverloadOutcome outcome = outcome_of(trace);
    CHECK_FALSE(outcome.overload);
    CHECK_THAT(outcome.why_not, Contains("the last 101 frames all arrive") && Contains("drops its oldest frames"));
}

TEST_CASE("Two losses beside each other at random tell of no queue that drops its oldest frames") {
    OverloadTrace trace = trace_of(2000, 3000);
    for (const std::size_t frame : {20, 25, 30}) trace.missing[frame] = true;
    const OverloadOutcome outcome = outcome_of(trace);
    CHECK_FALSE(outcome.overload);
    CHECK_THAT(outcome.why_not, Contains("lost at random, or before the queue is full"));
}

TEST_CASE("What is no full queue is set aside") {
    OverloadTrace trace = trace_of(2000, 100);
    trace.missing[20] = true;  // one is lost long before the queue is full
    CHECK_THAT(outcome_of(trace).why_not, Contains("lost at random"));
    CHECK_FALSE(outcome_of(trace).held_up);
    // 50 are held when the sender pauses, and have left when it goes on: the first drop comes later than at a constant
    // rate.
    CHECK_THAT(outcome_of(trace_of(2000, 100, 200 * kGap)).why_not, Contains("held up"));
    CHECK(outcome_of(trace_of(2000, 100, 200 * kGap)).held_up);
    CHECK(outcome_of(trace_of(2000, 100, 20 * kGap)).overload);
    trace = trace_of(2000, 100);
    trace.missing[0] = true;
    CHECK_THAT(outcome_of(trace).why_not, Contains("first frames"));
}

TEST_CASE("A table of overloads comes back as it was written, and what is wrong is named") {
    Overload one{BitRate{100'000'003}, BitRate{50'000'000}, Time{161'435'035'001}, Bytes{1024}, Time{159'941'666'000}};
    const auto again = read(std::string(kOverloadColumns) + "\n" + cells_of(one) + "\n");
    REQUIRE(again.size() == 1);
    CHECK(cells_of(again[0]) == cells_of(one));
    const std::string header = "offered_bps,output_bps,t_first_drop_us\n";
    CHECK_THROWS_WITH(read(header + "5,5,1\n"), Contains("o.csv:2: offered_bps: found \"5\", expected more than"));
    CHECK_THROWS_WITH(read(header + "5,4,0\n"),
                      Contains("o.csv:2: t_first_drop_us: found \"0\", expected more than 0"));
    CHECK_THROWS_WITH(read(header + "5,4,soon\n"), Contains("o.csv:2: t_first_drop_us: found \"soon\""));
    CHECK_THROWS_WITH(read("offered_bps,output_bps,t_first_drop_us,payload_bytes\n5,4,1,65508\n"),
                      Contains("o.csv:2: payload_bytes: found \"65508\", expected at most 65507 B"));
}
