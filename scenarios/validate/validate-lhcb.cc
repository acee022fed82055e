// SPDX-License-Identifier: GPL-2.0-only
// R. Krawczyk, "Data distribution over Ethernet for the LHCb filtering farm", vCHEP 2021. Two of the three published
// rates were used to choose a parameter each, the third is predicted.
#include "model/roce/roce.h"
#include "scenarios/reader/reader.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

const std::string kFourteen = "lhcb/producers-14", kStress = "lhcb/producers-18", kBusy = "lhcb/producers-18-busy";

DistributionResult measure_lhcb(const Validation& validation, const std::string& scenario) {
    return run_distribution(read_scenario(Scope::anything(), validation.scenario(scenario)), validation.simulators)
        .results.front();
}

/// Returns the goodput of a link of 100 Gb/s, in Gb/s of data.
double goodput(std::int64_t mtu) {
    return 100.0 * static_cast<double>(mtu) / static_cast<double>(roce::slot(Bytes{mtu}, false).count);
}

}  // namespace

std::vector<Comparison> validate_lhcb(const Validation& validation) {
    Comparisons compare("lhcb");
    const auto steady = [&](const std::string& run, const BatchMean& mean) {
        compare.theory({"least throughput of producers over the mean, " + run, "%"}, 100, 100 * mean.least / mean.mean,
                       {5, {}},
                       "\"real-time operation sustained\" has no number; it is read as no window 5 % below the mean");
    };

    compare.from("100 Gbit/s links tests");
    const DistributionResult stress = measure_lhcb(validation, kStress);
    const std::string delay = "distribution.control_delay";
    compare.calibrated({"consumers' throughput, 18 to 14, never busy", "Gb/s"}, 95.2,
                       {stress.consumer_gbps().mean, kStress, {delay}}, {0.02 * 95.2, {}});
    compare.calibrated({"producers' throughput, 18 to 14, never busy", "Gb/s"}, 74,
                       {stress.producer_gbps().mean, kStress, {delay}}, {0.02 * 74, {}},
                       "18 * 74 = 1332.0 and 14 * 95.2 = 1332.8: the two published rates are one");
    const DistributionResult busy = measure_lhcb(validation, kBusy);
    compare.calibrated({"producers' throughput, 18 to 14, busy at times", "Gb/s"}, 63.3,
                       {busy.producer_gbps().mean, kBusy, {"distribution.consumers.busy_fraction"}}, {0.02 * 63.3, {}});
    steady("18 to 14, busy at times", busy.producer_gbps());

    compare.from("Combined 25 and 100 Gbit/s links tests");
    const DistributionResult many = measure_lhcb(validation, kFourteen);
    compare.predicted({"producers' throughput, 14 to 72", "Gb/s"}, 86,
                      {many.producer_gbps().mean, kFourteen, {"distribution.producers.in_flight"}}, five_per_cent(86),
                      limit_of_model(70.6,
                                     "it hangs on how long a consumer is busy at a time and on events in flight, which "
                                     "are not published: with busy times of 20 us in place of 100 us it is 85, "
                                     "with 8 events in flight in place of 4 it is 97"));
    steady("14 to 72", many.producer_gbps());

    compare.from("arithmetic on 100 Gbit/s links tests");
    compare.arithmetic({"largest rate that an MTU of 4096 B leaves to the data", "Gb/s"}, 98.04, goodput(4096),
                       {0.01, {}}, "100 * 4096 / 4178; 95.2 is 97.1 % of it");
    compare.arithmetic({"MTU of 1024 B excluded: its rate is below the published one", ""}, 1, goodput(1024) < 95.2,
                       {0, {}}, "100 * 1024 / 1106 = 92.6 Gb/s < 95.2 Gb/s: the MTU was 2048 or 4096 B");

    compare.from("flow control");
    const DistributionResult blind = measure_lhcb(validation, "lhcb/blind"),
                             lossy = measure_lhcb(validation, "lhcb/blind-lossy");
    compare.theory({"frames lost, blind producers, flow control", ""}, 0, static_cast<double>(blind.frames_lost()),
                   {0, {}},
                   "producers stop before the memory is full; " + std::to_string(blind.producers_paused) +
                       " pauses, 4 MB of memory");
    compare.theory({"frames lost without it, yes or no", ""}, 1, lossy.frames_lost() > 0, {0, {}},
                   "18 producers offer more than 14 busy consumers take; " + std::to_string(lossy.frames_lost()) +
                       " of " + std::to_string(lossy.frames_sent) + " frames");
    return compare.all();
}

}  // namespace watershed
