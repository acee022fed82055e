// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/commands/commands.h"
#include "calibrate/commands/known-options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

const std::string kScenario = "kernel-queue", kRateKey = "switch.uplink_rate";
constexpr std::int64_t kBucket = 3000;    // bytes that pass at once, beyond what the queue holds
constexpr Time kPunctual{1'000'000'000};  // 1 ms

/// A queue that was measured.
struct Measured {
    std::string name;
    std::int64_t limit;  ///< bytes, as configured
};

std::string file_of(const Validation& validation, const Measured& measured) {
    return validation.scenarios + "/data/" + measured.name + ".csv";
}

/// Bytes, whatever the chosen model counts in: frames of the deep map are all of one size.
double depth_bytes(const Fit& fit, double frame_bytes) {
    const double depth = fit.best().depth.value.value_or(0);
    return fit.best().model.name().find("frames") == std::string::npos ? depth : depth * frame_bytes;
}

/// The fit is told how frames count and how fast they come, and neither rate nor depth.
void compare_fit(Comparisons& compare, const Validation& validation, const Measured& measured) {
    KnownOptions known;
    known.map = file_of(validation, measured);
    known.scenario = validation.scenario(kScenario);
    known.jobs = validation.jobs;
    const Fit fit = fit_loss_map(read_loss_map(known.map), conditions_of(known), fit_options_of(known));
    constexpr double kRate = 50, kFrame = 1066;  // Mb/s as configured; payload 1024 B + 42 B
    const auto depth = double(measured.limit + kBucket);
    compare.predicted({"service rate of the fit to " + measured.name, "Mb/s"}, kRate,
                      {fit.best().rate.value.value_or(0) * 1e-6, kScenario, {"frame.wire_overhead"}},
                      {0.003 * kRate, {}},
                      "published: as configured (tc tbf rate 50mbit); the fit is told neither rate nor depth");
    compare.predicted(
        {"depth of the fit to " + measured.name, "B"}, depth,
        {depth_bytes(fit, kFrame), kScenario, {"frame.buffer_overhead"}}, {0.005 * depth, {}},
        "published: as configured, limit and the token bucket of 3000 B, which passes at once; the fit chose " +
            std::string(fit.best().model.name()));
}

/// Each measured burst, simulated with the queue as it was configured.
void compare_losses(Comparisons& compare, const Validation& validation, const Measured& measured) {
    struct Sum {
        double lost = 0, lost_simulated = 0, lossless = 0, lossless_simulated = 0;
    };
    std::map<std::pair<int, std::int64_t>, Sum> sums;
    const auto engine = validation.simulators.engine("exact", {});
    for (const LossMapRow& row : read_loss_map(file_of(validation, measured)).rows) {
        if (row.worst_trigger_lateness.value_or(Time{0}) > kPunctual) continue;
        const Scenario scenario = read_scenario(
            validation.scenario(kScenario),
            {"front_end.modules=" + std::to_string(row.ports), "frame.payload=" + to_text(row.payload),
             "trigger.separation=" + to_text(row.separation), "trigger.events=" + std::to_string(row.events),
             "switch.buffer.size=" + std::to_string(measured.limit + kBucket) + " B"});
        const std::int64_t lost = engine->run(scenario).frames_lost();
        Sum& sum = sums[{row.ports, row.payload.count}];
        sum.lost += double(row.frames_lost());
        sum.lost_simulated += double(lost);
        sum.lossless += row.lossless();
        sum.lossless_simulated += lost == 0;
    }
    for (const auto& [mix, sum] : sums) {
        const std::string where =
            ", " + measured.name + ", " + std::to_string(mix.first) + " ports of " + std::to_string(mix.second) + " B";
        compare.predicted(
            {"frames lost in all bursts" + where, ""}, sum.lost, {sum.lost_simulated, kScenario, {kRateKey}},
            {0.01 * sum.lost, {}},
            "rate and limit as configured; bursts of which a trigger came 1 ms late or more are left out");
        compare.predicted({"bursts without loss" + where, ""}, sum.lossless,
                          {sum.lossless_simulated, kScenario, {kRateKey}}, {0.05 * sum.lossless, {}});
    }
}

}  // namespace

std::vector<Comparison> validate_kernel_queue(const Validation& validation) {
    Comparisons compare("kernel-queue");
    for (const Measured& measured :
         {Measured{"kernel-queue-deep", 2'000'000}, Measured{"kernel-queue-shallow", 100'000}}) {
        compare.from("own measurement, data/" + measured.name + ".csv");
        compare_fit(compare, validation, measured);
        compare_losses(compare, validation, measured);
    }
    return compare.all();
}

}  // namespace watershed
