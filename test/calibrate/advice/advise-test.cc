// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/advise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "calibrate/advice/burst-planner.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Shared memory of 3071 frames, no multiple of 44: 44 inputs with memories of their own cannot lose as it does.
const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3071, 10'000'000'000, 1};

Scenario scenario() {
    Scenario one;
    one.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};  // a wrong guess
    return one;
}

Prior usual_prior() { return prior_of(scenario(), conditions_of(scenario(), "s.toml")); }

bool is_repeat(const AdvisedPoint& point) { return point.reason.rfind("repeat", 0) == 0; }

std::optional<Fit> fit_of(const std::vector<LossMapRow>& rows) {
    if (rows.empty()) return std::nullopt;
    return fit_loss_map({"map", rows}, conditions_of(scenario(), "s.toml"), {});
}

}  // namespace

TEST_CASE("Without a burst the first one is a coin toss over the depths that are thought possible") {
    Prior prior = usual_prior();
    prior.counts = false;
    const Advice advice = advise(std::nullopt, prior, {});
    REQUIRE_FALSE(advice.points.empty());
    CHECK_FALSE(advice.stop);
    CHECK_FALSE(advice.estimate);
    CHECK(advice.points[0].probability_of_loss == Approx(0.5).margin(0.1));
    CHECK(advice.points[0].information_bits > 0.8);
    CHECK(advice.points[0].information_bits <= 1);
    CHECK_FALSE(advice.points[0].frames_lost);
}

TEST_CASE("A burst whose losses are counted tells more than a coin toss") {
    const Advice advice = advise(std::nullopt, usual_prior(), {});
    REQUIRE_FALSE(advice.points.empty());
    CHECK(advice.points[0].information_bits > 1.5);
    CHECK(*advice.points[0].frames_lost > 0);
}

TEST_CASE("Each advised point says what it is worth per second, the best first") {
    const Advice advice = advise(std::nullopt, usual_prior(), {});
    for (std::size_t i = 0; i < advice.points.size(); ++i) {
        const AdvisedPoint& point = advice.points[i];
        CHECK(point.seconds ==
              Approx(1 + static_cast<double>(point.events) * static_cast<double>(point.separation.count()) / 1e12));
        CHECK_FALSE(point.reason.empty());
        if (i > 0) CHECK(point.bits_per_second() <= advice.points[i - 1].bits_per_second());
    }
}

TEST_CASE("Advised points honour the generator's step and the links") {
    AdviceOptions options;
    options.generator.step = Time{70'000};
    for (const AdvisedPoint& point : advise(std::nullopt, usual_prior(), options).points) {
        CHECK(point.separation.count() % 70'000 == 0);
        CHECK(point.separation >= Time{8'720'000});
        CHECK(point.events >= 1);
    }
}

TEST_CASE("A generator that has only a list of settings is asked for nothing else") {
    AdviceOptions options;
    options.generator.separations = {Time{9'000'000}, Time{20'000'000}, Time{60'000'000}};
    options.generator.lengths = {10, 30, 100, 300, 1000};
    const Advice advice = advise(std::nullopt, usual_prior(), options);
    REQUIRE(advice.points.size() == 2);  // beyond 38.4 us no depth matters
    for (const AdvisedPoint& point : advice.points) {
        CHECK((point.separation == Time{9'000'000} || point.separation == Time{20'000'000}));
        CHECK(std::count(options.generator.lengths.begin(), options.generator.lengths.end(), point.events) == 1);
    }
}

namespace {

struct Followed {
    std::vector<LossMapRow> rows;
    std::vector<bool> as_check;  ///< true where it was a check
    Advice last;
};

/// Measures what is advised, from nothing, until there is to be stopped.
Followed follow(bool counts, std::size_t most, double precision = 0.01, FitOptions options = {}) {
    Followed followed;
    AdviceOptions wanted;
    wanted.precision = precision;
    Prior prior = usual_prior();
    prior.counts = counts;
    std::optional<Fit> fit;
    followed.last = advise(fit, prior, wanted);
    while (!followed.last.stop && followed.rows.size() < most) {
        REQUIRE_FALSE(followed.last.points.empty());
        const AdvisedPoint& point = followed.last.points[0];
        followed.as_check.push_back(!followed.last.checks.empty());
        const LossMapRow row = measured(kHidden, point.ports, point.payload.count, point.separation, point.events);
        followed.rows.push_back(counts ? row : as_flag(row));
        fit = fit_loss_map({"map", followed.rows}, conditions_of(scenario(), "s.toml"), options);
        followed.last = advise(fit, prior, wanted);
    }
    CHECK(followed.last.stop);
    CHECK(followed.last.checked.wanted >= 2);
    CHECK(followed.last.checked.passed == followed.last.checked.wanted);
    CHECK(followed.last.checked.done == followed.last.checked.wanted);
    return followed;
}

/// A map without noise needs repeats only to see that there is none: a few at most.
void check_few_repeats(const Followed& followed) {
    constexpr int kMost = 4;
    std::map<std::tuple<int, Time, std::int64_t>, int> seen;
    for (std::size_t i = 0; i < followed.rows.size(); ++i) {
        const LossMapRow& row = followed.rows[i];
        const int times = ++seen[{row.ports, row.separation, row.events}];
        if (!followed.as_check[i]) CHECK(times <= kMost);
    }
}

}  // namespace

TEST_CASE(
    "Measuring what is advised finds the depth of a shared memory to three per cent in a few bursts and then stops") {
    // A search range of a factor 2300 in depth: bisection alone needs log2(2300 / 0.06), about 15, at a known rate.
    FitOptions shared;
    shared.sharing = Buffer::Sharing::Shared;
    shared.noise = KnownNoise{0, 0, true};                      // else repeats are worth while
    const Followed followed = follow(false, 84, 0.03, shared);  // at most half of a 12 x 14 grid, the checks included
    const std::vector<LossMapRow>& rows = followed.rows;
    check_few_repeats(followed);
    CHECK(rows.size() < 84);
    CHECK(std::abs(*fit_of(rows)->best().depth.value / 3071 - 1) < 0.03);
}

TEST_CASE("Counting what is lost spares most of these bursts") {
    // Two lossy bursts at different separations are two lines that meet in the answer.
    const Followed followed = follow(true, 16);
    const std::vector<LossMapRow>& rows = followed.rows;
    check_few_repeats(followed);
    CHECK(rows.size() < 16);
    CHECK(std::abs(*fit_of(rows)->best().depth.value / 3071 - 1) < 0.01);
}

TEST_CASE("A full map is known well enough, but is called so only when its checks came out as predicted") {
    std::vector<LossMapRow> rows = measured_grid(kHidden);
    std::optional<Fit> fit = fit_of(rows);
    Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    CHECK(advice.estimate->relative_half_width <= 0.01);
    CHECK_THAT(advice.reason, Contains("better than the wanted 1 %, but") &&
                                  (Contains("no check was made yet, ") || Contains("came out as predicted, ")) &&
                                  Contains(" wanted"));
    REQUIRE_FALSE(advice.checks.empty());
    CHECK(advice.points.size() == advice.checks.size());
    for (int most = 12; !advice.stop && most > 0; --most) {
        const AdvisedPoint& check = advice.points.at(0);
        rows.push_back(measured(kHidden, check.ports, check.payload.count, check.separation, check.events));
        if (check.reason == "should lose nothing") CHECK(rows.back().lossless());
        if (check.reason == "should lose frames") CHECK_FALSE(rows.back().lossless());
        fit = fit_of(rows);
        advice = advise(fit, prior_of(*fit), {});
    }
    CHECK(advice.stop);
    CHECK(advice.checks.empty());
    CHECK(advice.checked.passed == advice.checked.wanted);
    CHECK_THAT(advice.reason, Contains("came out as predicted"));
}

TEST_CASE("The bursts that limit the answer are to be repeated once, where noise would show") {
    std::vector<LossMapRow> rows = measured_grid(kHidden);
    auto fit = fit_of(rows);
    // Noise that was seen: a repeat tells nothing new.
    fit->models.front().noise.reset();
    for (Disturbance& disturbance : fit->models.front().disturbances) disturbance.probability = 0;
    const Advice once = advise(fit, prior_of(*fit), {});
    CHECK(std::count_if(once.checks.begin(), once.checks.end(), is_repeat) > 0);
    for (const AdvisedPoint& check : once.checks)
        if (is_repeat(check))
            CHECK(std::any_of(rows.begin(), rows.end(), [&](const LossMapRow& row) {
                return row.separation == check.separation && row.events == check.events;
            }));
    const std::vector<LossMapRow> measured_once = rows;
    rows.insert(rows.end(), measured_once.begin(), measured_once.end());
    const auto again = fit_of(rows);
    const Advice twice = advise(again, prior_of(*again), {});
    CHECK(std::count_if(twice.checks.begin(), twice.checks.end(), is_repeat) == 0);
}

namespace {

/// 3080 frames are 70 for each of 44 inputs: with 44 ports no burst tells the two, with 22 the shared memory holds as
/// much and the inputs' half.
HiddenSwitch alike() {
    HiddenSwitch hidden = kHidden;
    hidden.depth = 3080;
    return hidden;
}

/// A fit in which both are left possible, whatever its priors are.
std::optional<Fit> fit_of_alike() {
    auto fit = fit_of(measured_grid(alike()));
    for (ModelFit& one : fit->models)
        one.probability = one.model.name() == "shared-frames" ? 0.6 : one.model.name() == "per-input-frames" ? 0.4 : 0;
    return fit;
}

}  // namespace

TEST_CASE("Where two kinds of memory explain every burst other ports are asked for, which tell") {
    const auto fit = fit_of_alike();
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    CHECK(advice.estimate->low == Approx(70).margin(1));
    CHECK(advice.estimate->high == Approx(3080).margin(44));  // a frame of each input
    CHECK(advice.estimate->high >= *fit->best().depth.interval95.high);
    REQUIRE_FALSE(advice.points.empty());
    CHECK(advice.points[0].ports < 44);
    CHECK_THAT(advice.points[0].reason,
               Contains("another number of ports") && Contains("shared-frames or per-input-frames"));
    std::vector<LossMapRow> rows = measured_grid(alike());
    rows.push_back(
        measured(alike(), advice.points[0].ports, 1024, advice.points[0].separation, advice.points[0].events));
    const auto told = fit_of(rows);
    CHECK(told->best().model.name() == "shared-frames");
    double shared = 0;  // one payload does not tell frames from bytes, and need not
    for (const ModelFit& one : told->models)
        if (one.model.sharing == Buffer::Sharing::Shared) shared += one.probability;
    CHECK(shared > 0.99);
    CHECK(advise(told, prior_of(*told), {}).estimate->relative_half_width < 0.01);
}

TEST_CASE("Where other ports cannot be set, it is said what is not known") {
    const auto fit = fit_of_alike();
    AdviceOptions options;
    options.ports = std::vector<std::int64_t>();
    const Advice advice = advise(fit, prior_of(*fit), options);
    for (const AdvisedPoint& point : advice.points) CHECK(point.ports == 44);
    if (advice.stop)
        CHECK_THAT(advice.reason,
                   Contains("no burst that can be set") && Contains("say which, by --fix kind or sharing"));
    CHECK_THAT(advice.reason, Contains("may be shared-frames or per-input-frames"));
}

TEST_CASE("A kind of memory that is all but excluded asks for no burst of its own") {
    auto fit = fit_of_alike();
    for (ModelFit& one : fit->models)
        one.probability = one.model.name() == "shared-frames"      ? 0.995
                          : one.model.name() == "per-input-frames" ? 0.005
                                                                   : 0;
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK(advice.estimate->relative_half_width < 0.01);
    for (const AdvisedPoint& point : advice.points) CHECK(point.ports == 44);
}

TEST_CASE("A fit that doubts itself is never enough, however narrow its interval") {
    std::vector<LossMapRow> rows = measured_grid(kHidden);
    for (const LossMapRow& row : measured_grid(kHidden)) rows.push_back(row);
    auto fit = fit_of(rows);
    fit->goodness = 0.5;
    const Advice sure = advise(fit, prior_of(*fit), {});
    CHECK(sure.goodness == 0.5);
    fit->goodness = 0.0015;
    fit->unusual = "its worst residual";
    const Advice unlikely = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(unlikely.stop);
    CHECK_THAT(unlikely.reason, Contains("only 0.15 % of maps") && Contains("its worst residual"));
    fit->status = FitStatus::Misfit;
    const Advice misfit = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(misfit.stop);
    CHECK_THAT(misfit.reason, Contains("no kind of memory explains the bursts"));
    REQUIRE(misfit.points.size() >= 2);
    CHECK_THAT(misfit.points[0].reason, Contains("at random, or dropped early"));
    for (const AdvisedPoint& point : misfit.points) CHECK_FALSE(point.reason.empty());
    CHECK(misfit.points[0].events < misfit.points[1].events);
    // No depth may be named at all.
    fit->models.front().depth = {};
    fit->models.front().rate = {};
    fit->models.front().support.clear();
    CHECK_FALSE(advise(fit, prior_of(*fit), {}).stop);
}

TEST_CASE("One separation is not enough where the rate is fitted, too") {
    const std::vector<LossMapRow> once = measured_grid(kHidden, {9}, {60, 88, 89, 130, 200, 700});
    std::vector<LossMapRow> rows = once;
    rows.insert(rows.end(), once.begin(), once.end());
    AdviceOptions options;
    options.precision = 0.05;
    CHECK_FALSE(advise(fit_of(rows), usual_prior(), options).stop);
    options.generator.separations = {Time{9'000'000}};
    const Advice no_other = advise(fit_of(rows), usual_prior(), options);
    CHECK(no_other.stop);
    CHECK_THAT(no_other.reason, Contains("one separation hardly tells rate and depth apart, and no other can be set"));
    auto given = fit_of(rows);
    given->options.service_rate = BitRate{10'000'000'000};
    CHECK_THAT(advise(given, usual_prior(), options).reason, !Contains("one separation"));
}

TEST_CASE("A rate that no port has asks for other settings, five at most, and then no known kind fits") {
    auto fit = fit_of(measured_grid(kHidden));
    const auto faster = [&] {
        Estimate& rate = fit->models.front().rate;
        rate.value = 2.5e10, rate.interval95 = {2.49e10, 2.51e10};
    };
    std::set<std::tuple<int, std::int64_t, std::int64_t>> asked;
    for (int tries = 0; tries <= 5; ++tries) {
        faster();
        const Advice advice = advise(fit, usual_prior(), {});
        CHECK_THAT(advice.reason, Contains("which no such port has") && Contains("do not trust the interval"));
        if (advice.stop) {
            CHECK_THAT(advice.reason, StartsWith("no known kind of memory fits: service rate 2.5 times"));
            break;
        }
        REQUIRE(tries < 5);
        const AdvisedPoint& first = advice.points.front();
        CHECK(asked.emplace(first.ports, first.payload.count, first.separation.count()).second);
        fit->bursts.push_back(fit->bursts.front());
        Burst& burst = fit->bursts.back();
        burst.ports = first.ports, burst.payload = first.payload.count, burst.separation = first.separation;
    }
    CHECK(asked.size() >= 3);
}

namespace {

std::optional<Fit> fit_of_text(const std::string& rows, const Scenario& about = scenario()) {
    std::istringstream in("ports,payload_bytes,separation_us,events,frames_sent,frames_received\n" + rows);
    return fit_loss_map(read_loss_map(in, "map"), conditions_of(about, "s.toml"), {});
}

}  // namespace

TEST_CASE("Before a large random loss is believed a short burst is asked for, which a ring behind the switch spares") {
    // Frame by frame: 901 frames at 10 Gb/s, then a ring of 102 whose reader takes 910712 frames a second.
    const std::string rows =
        "34,1024,8.72,866,29444,7685\n34,1024,8.72,354,12036,3619\n34,1024,11.61,42,1428,1235\n"
        "34,1024,8.72,40,1360,1126\n17,1024,8.72,112,1904,1613\n34,1024,8.72,34,1156,1019\n"
        "34,1024,8.72,42,1428,1142\n34,1024,22.41,160,5440,4061\n34,1024,11.61,33,1122,992\n"
        "17,1024,8.72,90,1530,1316\n";
    const auto fit = fit_of_text(rows);
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    REQUIRE(advice.points.size() == 1);
    const AdvisedPoint& point = advice.points.front();
    CHECK(point.events * point.ports * 3 < 901);
    CHECK_THAT(advice.reason, Contains("only a much shorter burst tells"));
    const std::string sent = std::to_string(point.events * point.ports);
    const auto told =
        fit_of_text(rows + "34,1024,8.72," + std::to_string(point.events) + "," + sent + "," + sent + "\n");
    CHECK(told->status == FitStatus::Misfit);
    CHECK_THAT(told->misfit, Contains("row 11 lost none of its " + sent + " frames"));
}

TEST_CASE("Where one size of frames knows a memory to a frame of each input, smaller frames are asked for") {
    // Memories of 40000 B of each of 42 inputs: 37 frames of 1070 B, and 229 of 174 B.
    Scenario in_bytes = scenario();
    in_bytes.front_end.modules = 42;
    in_bytes.network_switch.buffer.size = {1'500'000, MemorySize::Unit::Byte};
    const auto fit = fit_of_text(
        "42,1024,11.33,401,16842,6751\n42,1024,11.29,77,3234,2537\n21,1024,8.72,142,2982,2187\n"
        "42,1024,11,55,2310,2235\n42,1024,32.97,363,15246,15241\n42,1024,32.97,362,15204,15203\n",
        in_bytes);
    const Prior prior = prior_of(in_bytes, conditions_of(in_bytes, "s.toml"));
    const Advice advice = advise(fit, prior, {});
    CHECK_FALSE(advice.stop);
    REQUIRE_FALSE(advice.points.empty());
    CHECK(advice.points.front().payload == Bytes{128});
    AdviceOptions options;
    options.payloads = std::vector<std::int64_t>();
    for (const AdvisedPoint& point : advise(fit, prior, options).points) CHECK(point.payload == Bytes{1024});
}

TEST_CASE("An interval is no narrower than the fit states it, and counts then tell more of its samples") {
    const auto exact = fit_of(measured_grid(kHidden));
    auto wide = exact;
    Estimate& depth = wide->models.front().depth;
    depth.interval95 = {0.98 * *depth.value, 1.02 * *depth.value};
    const Advice advice = advise(wide, prior_of(*wide), {});
    CHECK(advice.estimate->relative_half_width >= 0.02);
    CHECK_FALSE(advice.stop);
    const Prior prior = prior_of(*exact);
    const AdviceOptions options;
    const auto count_bits = [&](const std::optional<Fit>& fit) {
        const BurstPlanner planner(fit, prior, options);
        return planner.information_gain_at(planner.usual(), Time{9'000'000}).expected(400).count_bits;
    };
    CHECK(count_bits(exact) == 0);
    CHECK(count_bits(wide) > 0.1);
}

TEST_CASE("A map that contradicts itself is to be repeated where it does") {
    const LossMapRow lossless = measured(kHidden, 44, 1024, Time{9'000'000}, 50);
    LossMapRow lossy = measured(kHidden, 44, 1024, Time{9'000'000}, 40);
    lossy.frames_received -= 1;
    const auto fit = fit_of({lossless, lossy});
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    CHECK_THAT(advice.reason, Contains("repeat"));
    REQUIRE(advice.points.size() == 1);
    CHECK(advice.points[0].separation == Time{9'000'000});
    CHECK((advice.points[0].events == 40 || advice.points[0].events == 50));
}

TEST_CASE("Where no length loses there is no watershed to know, however precisely") {
    const auto fit = fit_of(measured_grid(kHidden));
    AdviceOptions options;
    options.target = AdviceTarget::Watershed;
    options.watershed_at = Time{100'000'000};  // beyond 44 frames of 872 ns
    const Advice advice = advise(fit, prior_of(*fit), options);
    CHECK(advice.stop);
    CHECK_FALSE(advice.estimate);
    CHECK_THAT(advice.reason, Contains("no burst of any length loses frames"));
}

TEST_CASE("From ten bursts on a fit that is still wide is doubted too") {
    std::vector<LossMapRow> rows = measured_grid(kHidden, {9, 20}, {50, 90, 130, 200, 400});
    for (std::size_t i = 0; i < rows.size(); ++i)  // an exact map has no goodness
        if (rows[i].frames_received < rows[i].frames_sent) rows[i].frames_received -= i % 3;
    AdviceOptions options;
    options.precision = 0;  // no interval is narrower
    for (const std::size_t bursts : {9, 10}) {
        std::optional<Fit> fit = fit_of({rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(bursts)});
        REQUIRE(fit->status != FitStatus::Misfit);
        fit->goodness.reset();  // as of a fit that did not look at it
        const Prior prior = usual_prior();
        CHECK(advise(fit, prior, options).goodness.has_value() == (bursts == 10));
    }
}

TEST_CASE(
    "A memory less than a trigger, behind a thousandth of what was believed, is found; one event is sent but once") {
    // The densest burst offers 3600 times the rate of the output, and of each event 20 frames stay.
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 20, 12'000'000, 1};
    std::vector<LossMapRow> rows;
    for (const auto& [microseconds, events] :
         {std::pair{9, 180}, {9, 1}, {450, 5}, {120, 3}, {380, 3}, {454, 3}, {700, 1}})
        rows.push_back(measured(hidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const auto fit = fit_of(rows);
    CHECK(fit->status == FitStatus::Unbounded);
    REQUIRE(fit->best().rate.value);
    CHECK(*fit->best().rate.interval95.low <= 12e6);
    CHECK(*fit->best().rate.interval95.high >= 12e6);
    const Advice advice = advise(fit, usual_prior(), {});
    REQUIRE_FALSE(advice.points.empty());
    for (const AdvisedPoint& point : advice.points) CHECK(point.events > 1);
}

TEST_CASE("A generator in steps takes the multiple closest to what is wanted") {
    Generator generator;
    generator.step = Time{70'000};
    CHECK(generator.nearest(Time{100'000}) == Time{70'000});
    CHECK(generator.nearest(Time{106'000}) == Time{140'000});
    CHECK(generator.at_least(Time{70'001}) == Time{140'000});
    CHECK(generator.at_least(Time{140'000}) == Time{140'000});
}

TEST_CASE("A generator with a list takes nothing else") {
    Generator generator;
    generator.separations = {Time{9}, Time{20}, Time{30}};
    generator.lengths = {10, 100, 1000};
    CHECK(generator.nearest(Time{15}) == Time{20});
    CHECK(generator.nearest(Time{14}) == Time{9});
    CHECK(generator.at_least(Time{31}) == Time{30});
    CHECK(generator.nearest(std::int64_t{60}) == 100);
    CHECK(generator.nearest(std::int64_t{4}) == 10);
    CHECK(generator.at_least(std::int64_t{11}) == 100);
    CHECK(generator.at_least(std::int64_t{5000}) == 1000);
}

TEST_CASE("Any number of events can be set, from one to the longest") {
    Generator generator;
    generator.longest = 500;
    CHECK(generator.nearest(std::int64_t{0}) == 1);
    CHECK(generator.nearest(std::int64_t{77}) == 77);
    CHECK(generator.at_least(std::int64_t{501}) == 500);
}

TEST_CASE("Shorter separations than the generator can set are asked for as its shortest") {
    Generator generator;
    generator.step = Time{10'000};
    generator.shortest = Time{1'234'567};
    CHECK(generator.at_least(Time{1}) == Time{1'240'000});
    CHECK(generator.nearest(Time{1}) == Time{1'240'000});
    CHECK(generator.nearest(Time{1'236'000}) == Time{1'240'000});  // 1.23 us cannot be set
    CHECK(generator.at_least(Time{2'000'001}) == Time{2'010'000});
    CHECK(generator.nearest(Time{2'000'001}) == Time{2'000'000});
}
