// SPDX-License-Identifier: GPL-2.0-only
// R. Krawczyk, "Data distribution over Ethernet for the LHCb filtering farm", vCHEP 2021.
#include "model/roce.h"
#include "scenarios/distribution-run.h"
#include "scenarios/reader.h"
#include "scenarios/validate.h"

namespace watershed {
namespace {

constexpr double kTolerance = 0.03;

DistributionResult measure(const Validation& validation, const std::string& name) {
    const Scenario scenario = read_system(validation.scenario("lhcb/" + name));
    return run_distribution(scenario, validation.simulators).result;
}

/// Of 100 Gb/s, to the data.
double goodput(std::int64_t mtu) { return 100.0 * static_cast<double>(mtu) / static_cast<double>(roce::slot(Bytes{mtu}, false).count); }

}  // namespace

std::vector<Comparison> validate_lhcb(const Validation& validation) {
    Comparisons compare("lhcb");
    const auto rate = [&](const std::string& name, double published, double simulated, const std::string& remark) {
        compare.set({name, "Gb/s"}, published, simulated, kTolerance * published, remark);
    };
    const auto steady = [&](const std::string& run, const BatchMean& mean) {
        compare.set({"throughput drops on producers, " + run, "%"}, 0, 100 * (1 - mean.least / mean.mean), 5, "by how much the lowest of the windows is below the mean");
    };

    compare.from("Combined 25 and 100 Gbit/s links tests");
    const DistributionResult many = measure(validation, "producers-14");
    rate("producers' throughput, 14 to 72", 86, many.producer_gbps().mean, "events in flight and the length of busy times are calibrated to it");
    compare.set({"frames lost, 14 to 72", ""}, 0, static_cast<double>(many.frames_lost()), 0);
    steady("14 to 72", many.producer_gbps());

    compare.from("100 Gbit/s links tests");
    const DistributionResult stress = measure(validation, "producers-18");
    rate("producers' throughput, 18 to 14, never busy", 74, stress.producer_gbps().mean, "18 * 74 = 1332.0 and 14 * 95.2 = 1332.8: the two published rates are one");
    rate("consumers' throughput, 18 to 14, never busy", 95.2, stress.consumer_gbps().mean, "control delay and credits are calibrated to it");
    compare.set({"frames lost, 18 to 14, never busy", ""}, 0, static_cast<double>(stress.frames_lost()), 0);
    const DistributionResult busy = measure(validation, "producers-18-busy");
    rate("producers' throughput, 18 to 14, busy at times", 63.3, busy.producer_gbps().mean, "the busy fraction is calibrated to it");
    compare.set({"frames lost, 18 to 14, busy at times", ""}, 0, static_cast<double>(busy.frames_lost()), 0);
    steady("18 to 14, busy at times", busy.producer_gbps());

    compare.from("arithmetic on 100 Gbit/s links tests");
    compare.set({"largest rate that an MTU of 4096 B leaves to the data", "Gb/s"}, 98.04, goodput(4096), 0.01, "100 * 4096 / 4178; 95.2 is 97.1 % of it");
    compare.set({"MTU of 1024 B excluded: its rate is below the published one", ""}, 1, goodput(1024) < 95.2, 0, "100 * 1024 / 1106 = 92.6 Gb/s < 95.2 Gb/s: the MTU was 2048 or 4096 B");

    compare.from("Test bench: flow control");
    const DistributionResult blind = measure(validation, "blind"), lossy = measure(validation, "blind-lossy");
    compare.set({"frames lost, blind producers, flow control", ""}, 0, static_cast<double>(blind.frames_lost()), 0, std::to_string(blind.producers_paused) + " pauses, 4 MB of memory");
    compare.set({"frames lost without it, yes or no", ""}, 1, lossy.frames_lost() > 0, 0, std::to_string(lossy.frames_lost()) + " of " + std::to_string(lossy.frames_sent) + " frames");
    return compare.all();
}

}  // namespace watershed
