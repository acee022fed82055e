// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/validate-kernel-queue.h"

#include "calibrate/fit.h"
#include "calibrate/known.h"

namespace watershed {
namespace {

Fit fit_of(const Validation& validation, const std::string& map) {
    KnownOptions known;
    known.map = validation.scenarios + "/data/" + map + ".csv";
    known.scenario = validation.scenario("kernel-queue");
    return fit_loss_map(read_loss_map(known.map), conditions_of(known), fit_options_of(known));
}

/// Bytes, whatever the chosen model counts in: frames of the deep map are all of one size.
double depth_bytes(const Fit& fit, double frame_bytes) {
    const double depth = fit.best().depth.value.value_or(0);
    return fit.best().model.name().find("frames") == std::string::npos ? depth : depth * frame_bytes;
}

}  // namespace

std::vector<Comparison> validate_kernel_queue(const Validation& validation) {
    Comparisons compare("kernel-queue");
    constexpr double kRate = 50, kFrame = 1066;   // Mb/s as configured; payload 1024 B + 42 B
    for (const auto& [map, limit] : {std::pair{"kernel-queue-deep", 2e6}, {"kernel-queue-shallow", 1e5}}) {
        const Fit fit = fit_of(validation, map);
        compare.from(std::string("own measurement, data/") + map + ".csv");
        compare.set({"service rate of the fit to " + std::string(map), "Mb/s"}, kRate, fit.best().rate.value.value_or(0) * 1e-6, 0.003 * kRate, "published: as configured (tc tbf rate 50mbit)");
        // The bucket of 3000 B sends that much at once beyond what the queue holds.
        compare.set({"depth of the fit to " + std::string(map) + ", " + fit.best().model.name(), "B"}, limit + 3000, depth_bytes(fit, kFrame), 0.005 * (limit + 3000),
                    "published: as configured, limit and the token bucket of 3000 B, which passes at once");
    }
    return compare.all();
}

}  // namespace watershed
