// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include "calibrate/advice/campaign.h"
#include "calibrate/fit/fit.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/posterior/parameter-prior.h"
#include "calibrate/report/fit-report.h"
#include "test/calibrate/fit-checks.h"
#include "test/calibrate/measure-all.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts between 0.75 and 1.5 times the length at which a plain memory of so many frames begins to lose, from short
/// separations to long ones; the same ones every time.
std::vector<BurstSetting> bursts_around(double frames, std::int64_t payload, int uplinks, int number,
                                        double longest_separation = 0.85) {
    constexpr int kPorts = 44;
    std::vector<BurstSetting> wanted;
    const double slot = static_cast<double>(payload + 66) * 0.8;  // ns at 10 Gb/s
    for (int i = 0; i < number; ++i) {
        const double part = 0.25 + (longest_separation - 0.25) * ((i * 7) % number) / number,
                     length = 0.75 + 0.75 * ((i * 5) % number + 0.5) / number;
        const double separation = std::max(10 * slot, part * kPorts / uplinks * slot),
                     drained = uplinks * separation / slot;
        BurstSetting burst{kPorts, Bytes{payload}, Time{10'000 * std::llround(separation / 10)},
                           std::max<std::int64_t>(2, std::llround(length * frames / std::max(2.0, kPorts - drained)))};
        burst.uplinks = uplinks;
        wanted.push_back(burst);
    }
    return wanted;
}

Fit fit_of(const Scenario& hidden, const std::vector<BurstSetting>& wanted, const SetupImperfections& apparatus = {},
           const FitOptions& known = {}) {
    return fit_loss_map({"simulated", measure_all(SimulatedSwitch(hidden, apparatus), wanted)}, default_conditions(),
                        known);
}

std::vector<BurstSetting> operator+(std::vector<BurstSetting> a, const std::vector<BurstSetting>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

void expect(const Fit& fit, const std::string& name, double depth, double value, double tolerance) {
    INFO(to_text(fit.status) << " " << *fit.best().depth.value << " " << *fit.best().rate.value << " "
                             << fit.counts_used);
    CHECK(fit.best().model.name() == name);
    REQUIRE(fit.best().feature);
    CHECK(*fit.best().depth.value == Approx(depth).epsilon(tolerance));
    CHECK(*fit.best().feature->value == Approx(value).epsilon(tolerance));
    CHECK(*fit.best().feature->interval95.low <= value);
    CHECK(*fit.best().feature->interval95.high >= value);
    // Frames of one size do not tell in which unit a memory counts.
    double probability = 0;
    for (const ModelFit& one : fit.models)
        if (one.model.feature == fit.best().model.feature && one.model.sharing == fit.best().model.sharing)
            probability += one.probability;
    CHECK(probability > 0.99);
}

Scenario switch_of(MemorySize size) {
    Scenario hidden;
    hidden.network_switch.buffer.size = size;
    return hidden;
}

/// A switch with two uplinks, of which the first carries some of the modules, counted from 0.
template <class First>
Scenario uneven_switch_of(MemorySize size, int modules, const First& first) {
    Scenario hidden = switch_of(size);
    hidden.network_switch.uplinks = 2;
    hidden.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
    for (int module = 0; module < modules; ++module)
        hidden.network_switch.uplink_choice.list.push_back(first(module) ? 1 : 2);
    return hidden;
}

constexpr MemorySize kFrames{3000, MemorySize::Unit::Frame}, kBytes{3'000'000, MemorySize::Unit::Byte};

/// Bursts by ports, payload, separation in ps, events and frames received.
std::vector<LossMapRow> rows_of(const std::vector<std::array<std::int64_t, 5>>& bursts) {
    std::vector<LossMapRow> rows;
    for (const auto& [ports, payload, separation, events, received] : bursts) {
        LossMapRow& row = rows.emplace_back();
        row.ports = static_cast<int>(ports);
        row.payload = Bytes{payload};
        row.separation = Time{separation};
        row.events = events;
        row.frames_sent = ports * events;
        row.frames_received = received;
    }
    return rows;
}

// Memories of bytes that take frames again below 0.8 of their size, simulated frame by frame by a program that shares
// no code with the fit. The first holds 9184787 B behind 40.0285 Gb/s, the second 10333427 B behind 999.475 Mb/s.
const std::vector<std::array<std::int64_t, 5>> kResumeOfTwoPayloads{
    {48, 1000, 7680000, 463, 22224},  {48, 1000, 7680000, 803, 36236},   {48, 1000, 7680000, 1391, 57540},
    {48, 1000, 7680000, 2411, 94966}, {48, 1000, 7680000, 4179, 159070}, {48, 512, 2780000, 435, 20880},
    {48, 512, 2780000, 753, 32969},   {48, 512, 2780000, 1306, 46109},   {48, 512, 2780000, 2263, 69419},
    {48, 512, 2780000, 3923, 109894}, {48, 512, 1670000, 310, 14880},    {48, 512, 1670000, 538, 23544},
    {48, 512, 1670000, 932, 28243},   {48, 512, 1670000, 1616, 37640},   {48, 512, 1670000, 2801, 56433}};
const std::vector<std::array<std::int64_t, 5>> kResumeThatLooksLikeDrift{
    {16, 1400, 11730000, 446, 7136},    {16, 1400, 11730000, 9785, 16771},  {8, 1400, 11730000, 1188, 8165},
    {16, 1400, 11730000, 465, 7440},    {8, 1400, 11730000, 1188, 8165},    {16, 1400, 11730000, 9785, 16771},
    {16, 1400, 168770000, 4308, 68928}, {16, 1400, 168770000, 4412, 70559}, {16, 1400, 11730000, 233, 3728},
    {16, 1400, 11730000, 465, 7440},    {16, 700, 11730000, 690, 11040},    {16, 1400, 168770000, 4308, 68928},
    {16, 1400, 168770000, 4412, 70559}, {16, 1400, 93670000, 861, 13776},   {16, 1400, 93670000, 881, 14096},
    {16, 1400, 131140000, 1435, 22960}, {16, 1400, 131140000, 1468, 23488}, {16, 1400, 56210000, 615, 9840},
    {16, 1400, 56210000, 630, 10080},   {16, 1400, 37470000, 538, 8608},    {16, 1400, 37470000, 555, 8880},
    {16, 1400, 75100000, 735, 11760},   {16, 1400, 75100000, 752, 11901}};

// As above, but of 380500 B, with a level of 0.705 and 9.987 Gb/s: once full, it takes none of a burst's frames again.
const std::vector<std::array<std::int64_t, 5>> kResumeAfterTheBurst{
    {36, 513, 4725000, 29, 934},  {36, 513, 4725000, 18, 648},  {36, 1103, 9539000, 21, 453},
    {28, 513, 4725000, 21, 588},  {36, 1103, 9539000, 6, 216},  {25, 1103, 9539000, 27, 544},
    {36, 1103, 9539000, 11, 396}, {28, 1103, 9539000, 16, 448}, {36, 513, 4725000, 34, 934},
    {36, 1103, 9539000, 16, 453}, {36, 513, 4725000, 35, 934},  {36, 513, 4725000, 22, 792},
    {36, 1103, 9539000, 16, 453}, {36, 1103, 9539000, 15, 453}, {36, 513, 4725000, 28, 934},
    {36, 1103, 9539000, 16, 453}, {36, 1103, 9539000, 13, 453}, {36, 513, 4725000, 30, 934},
    {25, 1103, 9539000, 25, 544}, {36, 513, 4725000, 26, 934}};

}  // namespace

TEST_CASE("Equally many frames are kept of longer bursts if a memory takes none again, not if it hardly drains") {
    FitOptions options;
    options.nominal_rate = BitRate{10'000'000'000};
    const Fit fit = fit_loss_map({"map", rows_of(kResumeAfterTheBurst)}, default_conditions(), options);
    CHECK(fit.best().model.name() == "shared-bytes-resume");
    CHECK(fit.best().probability > 0.99);
    CHECK(fit.best().violating.empty());
    CHECK(holds(fit.best().depth.interval95, 380500));
    CHECK(holds(fit.best().rate.interval95, 9.987005607e9));
}

TEST_CASE("A resume level that explains every number is found beside scatter and drift that explain most") {
    const auto holds = [](const std::vector<std::array<std::int64_t, 5>>& bursts, BitRate link, BitRate uplink,
                          double depth, double rate, bool tells_level) {
        Conditions conditions = default_conditions();
        conditions.link_rate = link;
        FitOptions options;
        options.nominal_rate = uplink;
        const Fit fit = fit_loss_map({"map", rows_of(bursts)}, conditions, options);
        CHECK(fit.best().model.name() == "shared-bytes-resume");
        CHECK(fit.best().probability > 0.9);
        for (const auto& [whole, truth] : {std::pair{fit.best().depth, depth},
                                           {fit.best().rate, rate},
                                           {fit.best().feature.value_or(Estimate{}), 0.8}}) {
            INFO(truth);
            const Estimate estimate = in_known_digits(whole, fit.best().error_of_ends);  // as it is told
            REQUIRE((estimate.interval95.low && estimate.interval95.high));
            CHECK(*estimate.interval95.low <= truth);
            CHECK(*estimate.interval95.high >= truth);
            if (truth != 0.8 || tells_level)
                CHECK(*estimate.interval95.high - *estimate.interval95.low < 0.003 * truth);
            else  // levels from 0.4 to 0.976 lose the same
                CHECK(*estimate.interval95.high - *estimate.interval95.low > 0.01);
        }
    };
    holds(kResumeOfTwoPayloads, BitRate{25'000'000'000}, BitRate{40'000'000'000}, 9184787, 40.0285e9, true);
    holds(kResumeThatLooksLikeDrift, BitRate{1'000'000'000}, BitRate{1'000'000'000}, 10333427, 999.475e6, false);
}

TEST_CASE("A resume level is found from numbers of lost frames, with and without noise") {
    Scenario hidden = switch_of(kFrames);
    hidden.network_switch.buffer.resume = Ratio{70, 100};
    SetupImperfections noisy;
    noisy.noise.frames = 3;
    for (const SetupImperfections& apparatus : {SetupImperfections{}, noisy})
        expect(fit_of(hidden, bursts_around(3000, 1024, 1, 30), apparatus), "shared-frames-resume", 3000, 0.7, 0.005);
}

TEST_CASE("Descriptors are found where a second payload shows them, from numbers and from lossy or lossless") {
    // 3 MB hold 2803 frames of 1024 B payload, and would hold 5376 of 512 B.
    Scenario hidden = switch_of(kBytes);
    hidden.network_switch.buffer.descriptors = 3500;
    const auto wanted = bursts_around(2803, 1024, 1, 20) + bursts_around(3500, 512, 1, 20);
    expect(fit_of(hidden, wanted, {}), "shared-bytes-descriptors", 3e6, 3500, 0.002);
    SetupImperfections flags;
    flags.counts = false;
    const Fit fit = fit_of(
        hidden, bursts_around(2803, 1024, 1, 25) + bursts_around(3500, 512, 1, 25) + bursts_around(3500, 256, 1, 25),
        flags);
    expect(fit, "shared-bytes-descriptors", 3e6, 3500, 0.1);
    CHECK(*fit.best().feature->interval95.low <= 3500);
    CHECK(*fit.best().feature->interval95.high >= 3500);
}

TEST_CASE(
    "A dynamic threshold is found from bursts towards one, two and four uplinks, and so are memories of the outputs") {
    Scenario hidden = switch_of(kFrames);
    hidden.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    hidden.network_switch.buffer.alpha = Ratio{1, 1};
    // One queue may hold 1500 frames, each of two 1000, each of four 600.
    const auto wanted =
        bursts_around(1500, 1024, 1, 12) + bursts_around(2000, 1024, 2, 12) + bursts_around(2400, 1024, 4, 12);
    expect(fit_of(hidden, wanted, {}), "shared-frames-dynamic-threshold", 3000, 1, 0.015);
    Scenario outputs = switch_of({600, MemorySize::Unit::Frame});
    outputs.network_switch.buffer.sharing = Buffer::Sharing::PerOutput;
    const Fit fit = fit_of(outputs, bursts_around(600, 1024, 1, 12) + bursts_around(1200, 1024, 2, 12), {});
    CHECK(fit.best().model.name() == "per-output-frames");
    CHECK(*fit.best().depth.value == Approx(600).epsilon(0.005));
}

TEST_CASE("Uneven uplinks are found where the fullest is still overloaded and the others are not") {
    // 26 of 44 modules on the first uplink, lying evenly among the others.
    const Scenario hidden =
        uneven_switch_of(kFrames, 44, [](int module) { return (module + 1) * 26 / 44 > module * 26 / 44; });
    const Fit fit = fit_of(hidden, bursts_around(3000, 1024, 2, 40, 1.12), {});
    expect(fit, "shared-frames-uneven-uplinks", 3000, 26.0 / 44, 0.03);
}

TEST_CASE("A part that is reserved for each input, or output, is found where their numbers differ") {
    Scenario hidden = switch_of({1600, MemorySize::Unit::Frame});
    Buffer& buffer = hidden.network_switch.buffer;
    buffer.reserved = {50, MemorySize::Unit::Frame};
    std::vector<BurstSetting> wanted;
    const auto add = [&](int ports, int uplinks, std::int64_t frames) {
        for (const int percent : {45, 65, 85})
            for (const int length : {90, 115, 150}) {
                const double slot = 872, separation = std::max(9000.0, percent * ports * slot / uplinks / 100),
                             growth = ports - uplinks * separation / slot;
                BurstSetting burst{ports, Bytes{1024}, Time{std::llround(separation) * 1000},
                                   std::llround(length * static_cast<double>(frames) / 100 / growth)};
                burst.uplinks = uplinks;
                wanted.push_back(burst);
            }
    };
    FitOptions in_frames;
    in_frames.depth_bounds =
        std::make_pair(MemorySize{1, MemorySize::Unit::Frame}, MemorySize{100'000, MemorySize::Unit::Frame});
    buffer.accounting = Buffer::Accounting::Ingress;
    for (const int ports : {24, 34, 44}) add(ports, 1, 1600 + 50 * ports);
    const Fit by_input = fit_of(hidden, wanted, {}, in_frames);
    expect(by_input, "shared-frames-reserved", 3800, 2200.0 / 3800, 0.002);
    std::ostringstream file;
    write_switch(file, by_input);
    CHECK_THAT(file.str(),
               Contains("accounting = { value = \"ingress\"") && Contains("reserved = { value = \"50 frames\""));
    buffer.accounting = Buffer::Accounting::Egress;
    buffer.reserved.amount = 400;
    wanted.clear();
    for (const int uplinks : {1, 2, 3}) add(44, uplinks, 1600 + 400 * uplinks);
    expect(fit_of(hidden, wanted, {}, in_frames), "shared-frames-reserved-by-output", 2800, 1200.0 / 2800, 0.005);
}

TEST_CASE("What is known of the rate is kept where a feature is fitted") {
    Scenario hidden = switch_of(kFrames);
    hidden.network_switch.buffer.resume = Ratio{70, 100};
    FitOptions known;
    known.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_of(hidden, bursts_around(3000, 1024, 1, 30), {}, known);
    CHECK(fit.best().model.name() == "shared-frames-resume");
    CHECK(*fit.best().rate.value == Approx(10e9).epsilon(1e-6));
}

TEST_CASE("The share of the fullest uplink does not depend on which modules ask first") {
    // Frames of the first 26 modules take every place that becomes free, and the other uplink falls idle: more is lost
    // than in proportion.
    const Scenario hidden = uneven_switch_of(kFrames, 44, [](int module) { return module < 26; });
    expect(fit_of(hidden, bursts_around(3000, 1024, 2, 40, 1.12), {}), "shared-frames-uneven-uplinks", 3000, 26.0 / 44,
           0.03);
}

TEST_CASE(
    "A plain memory that explains all but a few bursts does not pass for the right one if descriptors explain these as "
    "well") {
    Scenario hidden = switch_of(kBytes);
    hidden.network_switch.buffer.descriptors = 9000;
    // 3 MB are 27272 frames of 64 B, of which descriptors leave room for 9000; to the larger frames they do not matter.
    const Fit fit = fit_of(
        hidden, bursts_around(2803, 1024, 1, 25) + bursts_around(5376, 512, 1, 25) + bursts_around(9000, 64, 1, 6), {});
    expect(fit, "shared-bytes-descriptors", 3e6, 9000, 0.001);
    CHECK(fit.best().violating.empty());
}

TEST_CASE("A plain memory is left plain, however its counts scatter") {
    SetupImperfections noisy;
    for (const double noise : {3.0, 20.0, 60.0}) {
        noisy.noise.frames = noise;
        const Fit fit =
            fit_of(switch_of(kBytes), bursts_around(2803, 1024, 1, 20) + bursts_around(5376, 512, 1, 20), noisy);
        CHECK(fit.best().model.name() == "shared-bytes");
        CHECK(*fit.best().depth.value == Approx(3e6).epsilon(0.03));
    }
}

TEST_CASE("Numbers that scatter by a share of what was sent show no resume level") {
    // 2 % of up to 10^5 frames: more than an event of 44, and more in long bursts than in short ones.
    std::vector<LossMapRow> rows =
        measure_all(SimulatedSwitch(switch_of(kFrames), {}), bursts_around(3000, 1024, 1, 600, 0.95));
    std::mt19937_64 random(4);
    std::normal_distribution<double> share(0, 0.02);
    for (LossMapRow& row : rows)
        if (const std::int64_t lost = row.frames_sent - row.frames_received; lost > 0)
            row.frames_received =
                row.frames_sent -
                std::clamp<std::int64_t>(lost + std::llround(share(random) * static_cast<double>(row.frames_sent)), 0,
                                         row.frames_sent);
    // With one number of ports, memories of the inputs beside other traffic explain such scatter as well: the kind must
    // be known.
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    const Fit fit = fit_loss_map({"simulated", rows}, default_conditions(), options);
    CHECK(fit.best().model.name() == "shared-frames");
    // No law of the fit scatters so: noise of the length is less near saturation, other traffic less in long bursts.
    CHECK(*fit.best().depth.value == Approx(3000).epsilon(0.06));
}

TEST_CASE("However many bursts there are, descriptors that explain all of them leave none over") {
    Scenario hidden = switch_of(kBytes);
    hidden.network_switch.buffer.descriptors = 3500;
    FitOptions bytes;
    bytes.kind = "shared-bytes-descriptors";
    const auto wanted = bursts_around(2803, 1024, 1, 700) + bursts_around(3500, 512, 1, 700);
    const Fit fit = fit_of(hidden, wanted, {}, bytes);
    expect(fit, "shared-bytes-descriptors", 3e6, 3500, 0.001);
    CHECK(fit.status == FitStatus::Separated);
    CHECK(fit.best().violating.empty());
}

TEST_CASE("What bursts could show depends on what they vary") {
    Burst burst;
    burst.payload = 1024;
    burst.uplinks = 1;
    QueueModel bytes;
    bytes.unit = MemorySize::Unit::Byte;
    CHECK(visible_features(bytes, {burst}).empty());
    Burst other = burst;
    other.payload = 512;
    CHECK(visible_features(bytes, {burst, other}) == std::vector<Feature>{Feature::Descriptors});
    CHECK(visible_features({}, {burst, other}).empty());
    other = burst;
    other.uplinks = 2;
    CHECK(visible_features(bytes, {burst, other}) ==
          std::vector<Feature>{Feature::DynamicThreshold, Feature::UnevenUplinks});
    other = burst;
    other.lossy = burst.lossy = true;
    other.ports = burst.ports + 1;
    CHECK(visible_features(bytes, {burst, other}) == std::vector<Feature>{Feature::Reserve});
    other.ports = burst.ports;
    burst.lossy = false;
    other.lossy = other.counted = true;
    CHECK(visible_features(bytes, {burst, other}) == std::vector<Feature>{Feature::Resume});
    QueueModel per_input;
    per_input.sharing = Buffer::Sharing::PerInput;
    CHECK(visible_features(per_input, {burst, other}).empty());
}

TEST_CASE("Two bursts that a plain memory would leave out are enough for a dynamic threshold that explains all") {
    // One queue may hold half of 5600 frames, each of two a third: of the bursts towards two uplinks just two are long
    // enough to show it.
    Scenario hidden = switch_of({5600, MemorySize::Unit::Frame});
    hidden.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    hidden.network_switch.buffer.alpha = Ratio{1, 1};
    std::vector<BurstSetting> wanted;
    for (const int uplinks : {1, 2})
        for (const std::int64_t separation : {9'000'000, 10'000'000, 11'000'000})
            for (const std::int64_t events : {100, 163, 225, 288, 350, 413, 475, 538, 600})
                wanted.push_back({28, Bytes{1024}, Time{separation}, events, uplinks});
    const Fit fit = fit_of(hidden, wanted);
    expect(fit, "shared-frames-dynamic-threshold", 5600, 1, 0.01);
    CHECK(fit.best().violating.empty());
}

TEST_CASE("Uneven uplinks are found at a rate that is known, where even ones would have no memory at all") {
    // 18 of 28 modules on the first of two uplinks, of which the other is never overloaded.
    const Scenario hidden = uneven_switch_of({2803, MemorySize::Unit::Frame}, 28, [](int module) {
        return module == 27 || module % 5 == 0 || module % 5 == 1 || module % 5 == 3;
    });
    std::vector<BurstSetting> wanted;
    for (const std::int64_t microseconds : {9, 10, 11, 12})
        for (std::int64_t events = 100; events <= 1900; events += 150)
            wanted.push_back({28, Bytes{1024}, Time{microseconds * 1'000'000}, events, 2});
    FitOptions known;
    known.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_of(hidden, wanted, {}, known);
    expect(fit, "shared-frames-uneven-uplinks", 2803, 18.0 / 28, 0.02);
    CHECK(*fit.best().depth.interval95.low <= 2803);
    CHECK(*fit.best().depth.interval95.high >= 2803);
    for (const ModelFit& one : fit.models) CHECK((!one.depth.value || *one.depth.value >= 1));
}
